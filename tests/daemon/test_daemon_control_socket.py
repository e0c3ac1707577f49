"""The socket itself: who else is there, what is in its way, how many fit, and what is left behind."""

import os
import shutil
import socket
import stat
from contextlib import AsyncExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from tools.control_house import OPERATOR, ControlHouse, RawClient, control_house, short_folder

from collie.daemon.caller import REPORTER, Caller
from collie.daemon.control_socket import PLACE_LOOK, run_control_socket
from collie.daemon.identity import GUEST_IDLE
from collie.daemon.rejections import LINES_AT_ONCE
from collie.daemon.seats import GUESTS_A_PANE, SESSIONS
from collie.daemon.session import Carrier
from collie.daemon.tripwire import Peer
from collie.errors import CollieError

pytestmark = pytest.mark.trio


async def serve_nobody(number: int, carrier: Carrier, peer: Peer) -> None:
    await carrier.receive()


def audit_nothing(peer: str, method: str, target: str | None, result: str) -> None:
    return None


async def listen(path: Path, nursery: trio.Nursery) -> None:
    await nursery.start(run_control_socket, path, serve_nobody, audit_nothing)


async def test_it_is_closed_to_others_and_gone_at_the_end() -> None:
    with short_folder() as folder:
        path = folder / "deeper" / "control.sock"
        async with trio.open_nursery() as nursery:
            await listen(path, nursery)
            assert stat.S_IMODE(os.lstat(path).st_mode) == 0o600
            assert stat.S_IMODE(os.lstat(path.parent).st_mode) == 0o700
            nursery.cancel_scope.cancel()
        assert not path.exists()


async def test_a_stale_socket_is_taken_over() -> None:
    with short_folder() as folder:
        path = folder / "control.sock"
        with socket.socket(socket.AF_UNIX) as stale:
            stale.bind(str(path))
        async with trio.open_nursery() as nursery:
            await listen(path, nursery)
            async with await trio.open_unix_socket(str(path)):
                nursery.cancel_scope.cancel()


async def test_a_socket_at_which_somebody_answers_is_left_alone() -> None:
    with short_folder() as folder:
        path = folder / "control.sock"
        async with trio.open_nursery() as nursery:
            await listen(path, nursery)
            with pytest.raises(CollieError, match=rf"another collie is already running \({path} answers\)"):
                await run_control_socket(path, serve_nobody, audit_nothing)
            assert path.exists()
            nursery.cancel_scope.cancel()


async def test_what_is_no_socket_is_left_alone() -> None:
    with short_folder() as folder:
        path = folder / "control.sock"
        path.write_text("mine")
        with pytest.raises(CollieError, match="is in the way of the control socket: move it away"):
            await run_control_socket(path, serve_nobody, audit_nothing)
        assert path.read_text() == "mine"


async def test_another_ones_socket_is_not_removed_at_the_end() -> None:
    with short_folder() as folder:
        path = folder / "control.sock"
        async with trio.open_nursery() as nursery:
            await listen(path, nursery)
            path.unlink()
            with socket.socket(socket.AF_UNIX) as other:
                other.bind(str(path))
            nursery.cancel_scope.cancel()
        assert path.exists()


async def test_a_folder_that_is_open_to_others_is_refused() -> None:
    with short_folder() as folder:
        folder.chmod(0o755)
        with pytest.raises(CollieError, match="is open to other users"):
            await run_control_socket(folder / "control.sock", serve_nobody, audit_nothing)


async def told(house: ControlHouse) -> dict[str, Any] | None:
    """What a client is told before it has said anything."""
    async with house.client() as client:
        return await client.receive()


def a_guest(pane: int) -> Caller:
    return Caller(
        device=f"pane {pane}", by="inside a pane", classes=REPORTER, barred="from a pane", process="process 7 (sh)"
    )


async def test_so_many_sessions_fit_and_the_next_is_told_so() -> None:
    async with control_house({}) as house:
        streams = [await trio.open_unix_socket(str(house.path)) for _ in range(SESSIONS)]
        await trio.testing.wait_all_tasks_blocked()
        frame = await told(house)
        assert frame is not None
        assert (frame["id"], frame["error"]["code"]) == (None, "rate_limited")
        assert frame["error"]["message"] == "too many connections: the daemon serves 64 clients at once"
        assert house.audited == [("control", "control.connect", None, f"rejected: {frame['error']['message']}")]
        for stream in streams:
            await stream.aclose()
        await trio.testing.wait_all_tasks_blocked()
        async with house.client() as client:
            assert (await client.greet())["result"]["type"] == "hello"


async def test_who_is_turned_away_again_and_again_does_not_fill_the_log() -> None:
    async with control_house({}) as house:
        streams = [await trio.open_unix_socket(str(house.path)) for _ in range(SESSIONS)]
        await trio.testing.wait_all_tasks_blocked()
        for _ in range(40):
            assert await told(house)
        results = [result for _, _, _, result in house.audited]
        assert len(results) == LINES_AT_ONCE + 1
        assert results[-1].endswith("; the next ones are not written down")
        for stream in streams:
            await stream.aclose()


async def test_from_inside_panes_nobody_can_take_the_operators_seats() -> None:
    guests = [a_guest(pane) for pane in range(1, 9) for _ in range(GUESTS_A_PANE + 1)]
    async with control_house({}, *guests, OPERATOR) as house:
        streams = [await trio.open_unix_socket(str(house.path)) for _ in guests]
        await trio.testing.wait_all_tasks_blocked()
        assert house.audited[0][:2] == ("inside a pane", "control.connect")
        assert house.audited[0][3] == "rejected: too many connections: 8 from one pane at once (process 7 (sh))"
        async with house.client() as client:
            assert (await client.greet())["result"]["type"] == "hello"
        for stream in streams:
            await stream.aclose()


async def test_who_says_that_it_is_a_hook_leaves_the_operators_seats() -> None:
    async with control_house({}) as house, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(house.client()) for _ in range(GUESTS_A_PANE + 1)]
        for client in clients[:-1]:
            assert (await client.greet("hook"))["result"]["type"] == "hello"
        reply = await clients[-1].greet("hook")
        assert reply["error"]["message"] == "too many connections: 8 from one pane at once"
        assert await clients[-1].receive() is None
        for _ in range(SESSIONS):
            client = await stack.enter_async_context(house.client())
            assert (await client.greet())["result"]["type"] == "hello"


async def test_a_guest_that_says_nothing_more_is_let_go(autojump_clock: trio.testing.MockClock) -> None:
    async with control_house({}, replace(a_guest(1), idle_seconds=GUEST_IDLE)) as house, house.client() as client:
        await client.greet()
        await trio.sleep(GUEST_IDLE - 1)
        assert len(house.hub) == 1
        await client.stream.send_all(b'{"id":')
        assert await client.receive() is None
        assert trio.current_time() < GUEST_IDLE + 1


# Somebody removes it


async def test_a_socket_that_was_removed_is_made_again(autojump_clock: trio.testing.MockClock) -> None:
    async with control_house({}) as house, house.client() as before:
        await before.greet()
        house.path.unlink()
        await trio.sleep(PLACE_LOOK + 0.1)
        assert stat.S_IMODE(os.lstat(house.path).st_mode) == 0o600
        async with house.client() as client:
            assert (await client.greet())["result"]["type"] == "hello"
        assert (await before.ask("hello", {}))["error"]["code"] == "invalid_params"


async def test_it_is_made_again_with_its_folder(autojump_clock: trio.testing.MockClock) -> None:
    """As when a runtime directory is cleaned up."""
    with short_folder() as folder:
        path = folder / "deeper" / "control.sock"
        async with trio.open_nursery() as nursery:
            await listen(path, nursery)
            shutil.rmtree(path.parent)
            await trio.sleep(PLACE_LOOK + 0.1)
            async with await trio.open_unix_socket(str(path)):
                nursery.cancel_scope.cancel()


async def test_a_file_in_its_place_is_left_alone_and_told_once(
    autojump_clock: trio.testing.MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    async with control_house({}) as house:
        house.path.unlink()
        house.path.write_text("mine")
        await trio.sleep(10 * PLACE_LOOK)
        assert house.path.read_text() == "mine"
        assert caplog.text.count("is in the way of the control socket") == 1
        house.path.unlink()
        await trio.sleep(PLACE_LOOK + 0.1)
        async with house.client() as client:
            assert (await client.greet())["result"]["type"] == "hello"


async def test_who_may_not_bind_makes_it_not_again(autojump_clock: trio.testing.MockClock) -> None:
    with short_folder() as folder:
        path = folder / "control.sock"
        async with trio.open_nursery() as nursery:
            run = partial(run_control_socket, may_bind=lambda: False)
            await nursery.start(run, path, serve_nobody, audit_nothing)
            path.unlink()
            await trio.sleep(10 * PLACE_LOOK)
            assert not path.exists()
            nursery.cancel_scope.cancel()


async def test_one_broken_session_harms_no_other() -> None:
    async with control_house({}) as house, house.client() as other:
        await other.greet()
        raw = socket.socket(socket.AF_UNIX)
        raw.connect(str(house.path))
        raw.send(b'{"id":1')
        raw.close()
        await trio.testing.wait_all_tasks_blocked()
        assert (await other.ask("hello", {}))["error"]["code"] == "invalid_params"


async def test_a_client_may_come_and_go_at_once() -> None:
    async with control_house({}) as house:
        for _ in range(50):
            with socket.socket(socket.AF_UNIX) as raw:
                raw.connect(str(house.path))
        async with house.client() as client:
            assert isinstance(client, RawClient)
            assert (await client.greet())["result"]["type"] == "hello"
