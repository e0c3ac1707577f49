"""The socket itself: who else is there, what is in its way, how many fit, and what is left behind."""

import os
import socket
import stat
from pathlib import Path

import pytest
import trio
import trio.testing
from tools.control_house import RawClient, control_house, short_folder

from collie.daemon.control_socket import SESSIONS, run_control_socket
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


async def test_so_many_sessions_fit_and_the_next_is_dropped_and_audited_once() -> None:
    async with control_house({}) as house:
        streams = [await trio.open_unix_socket(str(house.path)) for _ in range(SESSIONS)]
        for _ in range(3):
            async with house.client() as client:
                assert await client.receive() is None
        assert house.audited == [("control", "control.connect", None, "rejected: too many connections")]
        for stream in streams:
            await stream.aclose()
        await trio.testing.wait_all_tasks_blocked()
        async with house.client() as client:
            assert (await client.greet())["result"]["type"] == "hello"


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
