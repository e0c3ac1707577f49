"""The fake host has the manners that its users rely on, on the bytes of its socket."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing
from tools.fake_herdr import TURN, FakeHerdr, socket_folder
from tools.fake_session import RING, Manners

from collie.herdr.wire import LINE_LIMIT

pytestmark = pytest.mark.trio

STATUS = b'{"type":"pane.agent_status_changed","pane_id":"w1:p1"}'
STARTED = b'{"id":"s","result":{"type":"subscription_started"}}\n'


def subscribe(*entries: bytes) -> bytes:
    return b'{"id":"s","method":"events.subscribe","params":{"subscriptions":[' + b",".join(entries) + b"]}}\n"


@asynccontextmanager
async def fake_host(manners: Manners = "0.9") -> AsyncIterator[FakeHerdr]:
    with socket_folder() as folder:
        host = FakeHerdr(folder / "herdr.sock", manners=manners)
        async with trio.open_nursery() as nursery:
            await nursery.start(host.run)
            yield host
            nursery.cancel_scope.cancel()


async def all_of(host: FakeHerdr, *parts: bytes, pause: float = 0.0) -> bytes:
    """Everything that the host says before it closes."""
    stream = await trio.open_unix_socket(host.path)
    said = b""
    async with stream:
        try:
            for part in parts:
                await stream.send_all(part)
                await trio.sleep(pause)
            async for data in stream:
                said += data
        except trio.BrokenResourceError:
            pass  # it closed with bytes of ours unread
    return said


@pytest.mark.parametrize("nothing", [b"\n", b" \t\n", b'{"id":"\xff"}\n', b"x" * (LINE_LIMIT + 1) + b"\n"])
async def test_what_is_no_line_of_text_gets_no_reply(nothing: bytes) -> None:
    async with fake_host() as host:
        assert await all_of(host, nothing) == b""


@pytest.mark.parametrize(
    "line", [b"not json\n", b'{"id":"2","method":"ping"}\n', b'{"id":"2","method":"barn.burn","params":{}}\n']
)
async def test_what_is_no_request_gets_an_empty_id(line: bytes) -> None:
    async with fake_host() as host:
        assert (await all_of(host, line)).startswith(b'{"id":"","error":{"code":"invalid_request","message":"invalid ')


async def test_a_slow_sender_is_dropped_after_five_seconds(autojump_clock: trio.testing.MockClock) -> None:
    async with fake_host() as host:
        letters = [bytes([letter]) for letter in b'{"id":"1","method":"ping","params":{}}    \n']
        assert (await all_of(host, *letters, pause=0.1)).startswith(b'{"id":"1","result":')
        slow = [bytes([letter]) for letter in b'{"id":"1","method":"ping","params":{}}' + b" " * 40 + b"\n"]
        assert await all_of(host, *slow, pause=0.1) == b""


@pytest.mark.parametrize("manners", ["0.8.2", "0.9"])
async def test_a_byte_more_ends_a_stream(manners: Manners, autojump_clock: trio.testing.MockClock) -> None:
    async with fake_host(manners) as host:
        assert await all_of(host, subscribe(), b"\n", pause=1) == STARTED
        assert host.rude == 1


@pytest.mark.parametrize("manners", ["0.8.2", "0.9"])
async def test_a_half_close_ends_a_stream(manners: Manners, autojump_clock: trio.testing.MockClock) -> None:
    async with fake_host(manners) as host:
        stream = await trio.open_unix_socket(host.path)
        await stream.send_all(subscribe())
        assert await stream.receive_some(1000) == STARTED
        await stream.send_eof()
        assert await stream.receive_some(1000) == b""


async def test_an_unknown_pane_is_refused_in_place_of_the_start() -> None:
    async with fake_host() as host:
        assert (await all_of(host, subscribe(b'{"type":"pane.created"}', STATUS))).startswith(
            b'{"id":"s:sub:1:probe","error":{"code":"pane_not_found"'
        )


@pytest.mark.parametrize("entry", [b'{"type":"pane.output"}', b'{"type":"barn.burnt"}'])
async def test_an_unknown_subscription_refuses_them_all(entry: bytes) -> None:
    async with fake_host() as host:
        assert b"invalid_request" in await all_of(host, subscribe(b'{"type":"pane.created"}', entry))


async def test_0_9_tells_only_what_happens_later_and_bursts(autojump_clock: trio.testing.MockClock) -> None:
    async with fake_host("0.9") as host:
        host.add_agent("claude", "w1:p1")
        stream = await trio.open_unix_socket(host.path)
        await stream.send_all(subscribe(b'{"type":"pane.created"}', STATUS))
        assert await stream.receive_some(1000) == STARTED
        for _ in range(3):
            host.set_status("w1:p1", "working")
            host.set_status("w1:p1", "idle")
        host.add_pane("w1:p2")
        burst = await stream.receive_some(10_000)
        assert burst.count(b"\n") == 7
        assert burst.splitlines()[6].startswith(b'{"event":"pane_created"')
        await stream.aclose()


async def test_0_9_says_when_events_were_lost() -> None:
    async with fake_host("0.9") as host:
        stream = await trio.open_unix_socket(host.path)
        await stream.send_all(subscribe(b'{"type":"workspace.renamed"}'))
        assert await stream.receive_some(1000) == STARTED
        for _ in range(RING + 1):
            host.emit("workspace.renamed", workspace_id="w1", label="x")
        assert (await stream.receive_some(100_000)).startswith(b'{"id":"s","error":{"code":"events_lost"')
        assert await stream.receive_some(1000) == b""


async def test_0_8_2_replays_one_event_a_turn_for_each_entry(autojump_clock: trio.testing.MockClock) -> None:
    async with fake_host("0.8.2") as host:
        for number in range(1, 6):
            host.add_agent("claude", f"w{number}:p1")
        stream = await trio.open_unix_socket(host.path)
        await stream.send_all(subscribe(b'{"type":"pane.created"}', b'{"type":"workspace.created"}', STATUS))
        told = []
        for _ in range(5):
            await trio.testing.wait_all_tasks_blocked()
            lines = (await stream.receive_some(10_000)).removeprefix(STARTED).splitlines()
            told.append([line.split(b'"')[3] for line in lines])
            host.set_status("w1:p1", "working")
            await trio.sleep(TURN)
        old = [b"pane_created", b"workspace_created"]
        assert told == [old, [*old, b"pane.agent_status_changed"], old, old, old]
        await stream.aclose()


async def test_keys_set_off_what_the_script_says(autojump_clock: trio.testing.MockClock) -> None:
    async with fake_host() as host:
        host.add_agent("claude", "w1:p1", screen="1. Yes", status="blocked")
        host.when("w1:p1", "1", screen="> ", status="working", after=0.5)
        host.when("w1:p1", "hello", screen="hello")
        seen = []
        host.on_input(lambda pane, typed: seen.append((pane.pane_id, typed.text, typed.keys)))
        key = b'{"id":"1","method":"pane.send_keys","params":{"pane_id":"w1:p1","keys":["1"]}}\n'
        await all_of(host, key)
        assert (host.panes["w1:p1"].screen, host.panes["w1:p1"].status) == ("1. Yes", "blocked")
        await trio.sleep(1)
        assert (host.panes["w1:p1"].screen, host.panes["w1:p1"].status) == ("> ", "working")
        text = b'{"id":"1","method":"pane.send_text","params":{"pane_id":"w1:p1","text":"hello"}}\n'
        await all_of(host, text)
        assert host.panes["w1:p1"].screen == "hello"
        assert seen == [("w1:p1", None, ("1",)), ("w1:p1", "hello", ())]
