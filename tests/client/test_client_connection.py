"""One session: calls find their replies, and a session that ends tells everyone who waits."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing
from tools.control_house import short_folder
from tools.scripted_daemon import ScriptedDaemon

from collie.client.connection import Connection, ConnectionLost, NotRunning, connect_control
from collie.errors import sole_error
from collie.protocol import frames
from collie.protocol.errors import Code, WireError
from collie.protocol.events import FlockChanged
from collie.protocol.methods import METHODS, HostResult, Nothing, Surface


@pytest.mark.trio
async def test_a_call_gets_its_typed_reply() -> None:
    daemon = ScriptedDaemon()
    async with daemon.dial() as connection:
        assert isinstance(await connection.call("host.status", Nothing()), HostResult)


@pytest.mark.trio
async def test_a_refusal_is_raised_with_its_code() -> None:
    daemon = ScriptedDaemon()
    daemon.answers["host.stop"] = lambda _: WireError(Code.AGENT_BLOCKED, "agents run")
    async with daemon.dial() as connection:
        with pytest.raises(WireError) as caught:
            await connection.call("host.stop", Nothing())
    assert (caught.value.code, caught.value.message) == (Code.AGENT_BLOCKED, "agents run")


@pytest.mark.trio
async def test_a_reply_that_never_comes_is_lost_after_the_methods_time(autojump_clock: trio.testing.MockClock) -> None:
    daemon = ScriptedDaemon()
    daemon.answers["daemon.stop"] = lambda _: None
    async with daemon.dial() as connection:
        started = trio.current_time()
        with pytest.raises(ConnectionLost, match="no answer within 10 s"):
            await connection.call("daemon.stop", Nothing())
        assert trio.current_time() - started == METHODS["daemon.stop"].reply_seconds


@pytest.mark.trio
async def test_a_call_in_flight_is_lost_when_the_daemon_hangs_up() -> None:
    daemon = ScriptedDaemon()
    daemon.answers["daemon.stop"] = lambda _: None
    async with daemon.dial() as connection, trio.open_nursery() as nursery:

        async def ask() -> None:
            with pytest.raises(ConnectionLost, match="closed the connection"):
                await connection.call("daemon.stop", Nothing())

        nursery.start_soon(ask)
        await trio.testing.wait_all_tasks_blocked()
        await daemon.hang_up()


@pytest.mark.trio
async def test_events_come_with_their_number_and_end_with_the_session() -> None:
    daemon = ScriptedDaemon()
    async with daemon.dial() as connection:
        await daemon.tell(FlockChanged())
        await daemon.say(b'{"kind":"event","seq":2,"event":{"name":"brand.new"}}\n')
        await daemon.hang_up()
        assert [(frame.seq, frame.event) async for frame in connection.events] == [(1, FlockChanged()), (2, None)]


@pytest.mark.trio
async def test_an_answer_that_is_no_frame_ends_the_session_with_its_reason() -> None:
    daemon = ScriptedDaemon()
    async with daemon.dial() as connection:
        await daemon.say(b"<html>\n")
        assert [frame async for frame in connection.events] == []
        with pytest.raises(ConnectionLost, match="not understood"):
            await connection.call("host.status", Nothing())


@pytest.mark.trio
async def test_nobody_at_the_socket_means_not_running(tmp_path) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(NotRunning):
        async with connect_control(tmp_path / "control.sock", Surface.COMMAND_LINE):
            raise AssertionError("greeted by nobody")


@asynccontextmanager
async def turns_away() -> AsyncIterator[Path]:
    """A socket at which clients are told why they are not let in, and no more."""
    error = frames.encode_error(None, WireError(Code.RATE_LIMITED, "too many connections: 64 clients")) + b"\n"

    async def turn_away(stream: trio.SocketStream) -> None:
        async with stream:
            await stream.send_all(error)

    with short_folder() as folder, socket.socket(socket.AF_UNIX) as bound:
        bound.bind(str(folder / "control.sock"))
        bound.listen()
        listener = trio.SocketListener(trio.socket.from_stdlib_socket(bound.dup()))
        async with trio.open_nursery() as nursery:
            await nursery.start(trio.serve_listeners, turn_away, [listener])
            yield folder / "control.sock"
            nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_who_is_turned_away_is_told_why() -> None:
    async with turns_away() as path:
        with pytest.raises(ConnectionLost, match="too many connections: 64 clients"):
            async with connect_control(path, Surface.COMMAND_LINE):
                raise AssertionError("greeted")


@pytest.mark.trio
async def test_who_is_turned_away_before_it_could_say_hello_is_told_why() -> None:
    async def ask() -> None:
        with pytest.raises(ConnectionLost, match="too many connections: 64 clients"):
            await connection.call("host.status", Nothing())

    async with turns_away() as path, await trio.open_unix_socket(str(path)) as stream, trio.open_nursery() as nursery:
        await trio.testing.wait_all_tasks_blocked()
        connection = Connection(stream)
        nursery.start_soon(ask)
        await trio.testing.wait_all_tasks_blocked()
        nursery.start_soon(connection.run)


def test_one_failure_comes_out_of_its_group_and_two_do_not() -> None:
    def fail(*errors: Exception) -> None:
        with sole_error():
            raise ExceptionGroup("nursery", list(errors))

    with pytest.raises(KeyError):
        fail(KeyError("a"))
    with pytest.raises(ExceptionGroup):
        fail(KeyError("a"), ValueError("b"))
