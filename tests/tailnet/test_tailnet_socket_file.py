"""A socket and its name: who else is there, what is in its way, and what is left behind."""

import os
import socket
import stat
from pathlib import Path

import pytest
import trio
from tools.control_house import short_folder

from collie.errors import CollieError
from collie.tailnet.socket_file import SocketFile

pytestmark = pytest.mark.trio


def leave_stale(path: Path) -> None:
    """What a killed process leaves."""
    with socket.socket(socket.AF_UNIX) as stale:
        stale.bind(str(path))
        stale.listen()


async def test_it_is_closed_to_others_and_gone_at_the_end() -> None:
    with short_folder() as folder:
        path = folder / "peer.sock"
        place = await SocketFile.make(path)
        assert stat.S_IMODE(os.lstat(path).st_mode) == 0o600
        assert place.is_in_place()
        place.close()
        place.close()
        assert not path.exists()


async def test_a_stale_socket_is_taken_over() -> None:
    with short_folder() as folder:
        leave_stale(folder / "peer.sock")
        place = await SocketFile.make(folder / "peer.sock")
        async with await trio.open_unix_socket(str(folder / "peer.sock")):
            place.close()


async def test_one_that_is_listened_at_is_left_alone() -> None:
    with short_folder() as folder:
        path = folder / "peer.sock"
        place = await SocketFile.make(path)
        with pytest.raises(CollieError, match=rf"another collie listens at {path}: end it first"):
            await SocketFile.make(path)
        assert place.is_in_place()
        place.close()


async def test_what_is_no_socket_is_left_alone() -> None:
    with short_folder() as folder:
        path = folder / "peer.sock"
        path.write_text("mine")
        with pytest.raises(CollieError, match="is in the way of a socket: move it away"):
            await SocketFile.make(path)
        assert path.read_text() == "mine"


async def test_another_ones_socket_is_not_removed_at_the_end() -> None:
    with short_folder() as folder:
        path = folder / "peer.sock"
        place = await SocketFile.make(path)
        path.unlink()
        assert not place.is_in_place()
        leave_stale(path)
        place.close()
        assert path.exists()


@pytest.mark.parametrize("name", ["missing/peer.sock", "p" * 120])
async def test_one_that_cannot_be_made_is_told_in_a_line(name: str) -> None:
    with short_folder() as folder, pytest.raises(CollieError, match="cannot make socket"):
        await SocketFile.make(folder / name)
