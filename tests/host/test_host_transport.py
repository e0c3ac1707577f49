"""The manners of the socket, on its bytes (specs: embedded-host section 2.1)."""

import contextlib
import json
import stat

import pytest
import trio
from tools.live_host import LiveHost, live_host

from collie.herdr.wire import LINE_LIMIT
from collie.host import connection as transport
from collie.host.calls.table import METHODS, NOT_OFFERED

pytestmark = pytest.mark.trio

WAIT = {"target": "w1:p1", "until": ["blocked"]}


def request(method: str, **params: object) -> bytes:
    return json.dumps({"id": "t", "method": method, "params": params}).encode() + b"\n"


async def test_ping_and_the_modes_of_socket_and_folder() -> None:
    async with live_host() as live:
        assert await live.raw(b'{"id":"1","method":"ping","params":{}}\n') == (
            b'{"id":"1","result":{"type":"pong","version":"0.9.5+collie.1","protocol":20,'
            b'"capabilities":{"live_handoff":false,"detached_server_daemon":true,"conditional_input":true,"refusals":true}}}\n'
        )
        assert stat.S_IMODE(live.socket.stat().st_mode) == 0o600
        assert stat.S_IMODE(live.socket.parent.stat().st_mode) == 0o700


@pytest.mark.parametrize(
    "line",
    [
        b'{"id":"2","method":"ping"}',
        b'{"id":3,"method":"ping","params":{}}',
        b'{"id":"4","method":"pane.frobnicate","params":{}}',
        b'{"id":"5","method":"pane.get","params":{"pane_id":7}}',
        b'{"id":"6","method":"pane.get","params":{}}',
        b'{"id":"7","method":"pane.read","params":{"pane_id":"w1:p1","source":"all"}}',
        b'{"id":"8","method":"events.subscribe","params":{"subscriptions":[{"type":"pane.danced"}]}}',
        b'{"id":"9","method":"events.subscribe","params":{"subscriptions":{}}}',
        b"not json",
    ],
)
async def test_what_is_no_request_gets_an_empty_id(line: bytes) -> None:
    async with live_host() as live:
        reply = json.loads(await live.raw(line + b"\n"))
        assert (reply["id"], reply["error"]["code"]) == ("", "invalid_request")


@pytest.mark.parametrize("data", [b"\n", b"  \t \n", b"\xff\n", b"x" * (LINE_LIMIT + 1) + b"\n"])
async def test_what_is_not_even_a_line_gets_no_answer(data: bytes) -> None:
    async with live_host() as live:
        with contextlib.suppress(trio.BrokenResourceError):  # hung up while we were still talking
            assert await live.raw(data) == b""


async def test_the_longest_line_is_a_request() -> None:
    async with live_host() as live:
        line = b'{"id":"1","method":"ping","params":{}}'
        assert b"pong" in await live.raw(line.ljust(LINE_LIMIT) + b"\n")


async def test_unknown_keys_are_ignored() -> None:
    async with live_host() as live:
        assert b"pong" in await live.raw(b'{"id":"1","method":"ping","params":{"a":1},"trace":2}\n')


async def test_a_slow_sender_is_hung_up_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(transport, "REQUEST_TIMEOUT", 0.3)
    async with live_host() as live, await trio.open_unix_socket(str(live.socket)) as stream:
        with pytest.raises(trio.BrokenResourceError), trio.fail_after(2):  # noqa: PT012
            for byte in request("ping"):
                await stream.send_all(bytes([byte]))
                await trio.sleep(0.1)


async def test_one_reply_and_a_hang_up_whatever_follows() -> None:
    async with live_host() as live:
        assert (await live.raw(request("ping") * 3)).count(b"pong") == 1


async def test_an_ordinary_call_is_answered_after_a_half_close() -> None:
    async with live_host() as live, await trio.open_unix_socket(str(live.socket)) as stream:
        await stream.send_all(request("ping"))
        await stream.send_eof()
        assert b"pong" in await stream.receive_some()


@pytest.mark.parametrize("manner", ["byte", "half close", "byte with the request"])
@pytest.mark.parametrize("method", ["agent.wait", "events.subscribe"])
async def test_a_call_that_lasts_ends_when_its_client_seems_to_go(manner: str, method: str) -> None:
    async with live_host() as live:
        await live.agent()
        params = WAIT if method == "agent.wait" else {"subscriptions": [{"type": "pane.created"}]}
        async with await trio.open_unix_socket(str(live.socket)) as stream:
            await stream.send_all(request(method, **params) + (b"x" if manner == "byte with the request" else b""))
            if method == "events.subscribe":
                assert b"subscription_started" in await stream.receive_some()
            if manner == "byte":
                await stream.send_all(b"x")
            elif manner == "half close":
                await stream.send_eof()
            with trio.fail_after(2):
                assert await _rest(stream) == b""


async def _rest(stream: trio.SocketStream) -> bytes:
    try:
        return await stream.receive_some()
    except trio.BrokenResourceError:
        return b""  # closed with our byte unread


async def test_a_method_of_herdrs_that_is_not_offered_is_no_typing_error() -> None:
    assert not NOT_OFFERED & METHODS.keys()
    async with live_host() as live:
        reply = json.loads(await live.raw(b'{"id":"40","method":"plugin.list","params":{}}\n'))
        assert reply == {
            "id": "40",
            "error": {"code": "not_implemented", "message": "plugin.list is not offered by this host"},
        }


async def test_a_fault_of_ours_is_one_calls_trouble(monkeypatch: pytest.MonkeyPatch) -> None:
    async with live_host() as live:
        monkeypatch.setattr(live.host.session, "layout", None)
        assert await live.refused("workspace.list") == "internal_error"
        assert b"pong" in await live.raw(request("ping"))
        monkeypatch.undo()


async def test_many_clients_at_once() -> None:
    async with live_host() as live, trio.open_nursery() as nursery:
        for _ in range(100):
            nursery.start_soon(_expect_pong, live)


async def _expect_pong(live: LiveHost) -> None:
    assert b"pong" in await live.raw(request("ping"))
