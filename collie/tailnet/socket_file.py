"""A Unix socket that listens, and its name in the file system.

The name outlives a process that was killed, and can be taken away or replaced while the socket listens; neither shows
at the socket itself.
"""

import os
import socket
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

import trio

from collie.errors import CollieError

BACKLOG: Final = 64
PROBE_SECONDS: Final = 1.0
"""How long whoever may listen at a name that is in the way has to take a connection."""


class SocketFile:
    """Owns the listener, and the name for as long as it means this socket."""

    def __init__(self, path: Path, listener: trio.socket.SocketType) -> None:
        self.path = path
        self.listener = listener
        self._bound = os.lstat(path)

    @classmethod
    async def make(cls, path: Path) -> Self:
        """Listen at `path`, closed to all other users; its folder must be private already.

        Raises: CollieError when somebody listens there, something else is in the way, or it cannot be made.
        """
        await _clear(path)
        listener = _bind(path)
        try:
            return cls(path, listener)
        except OSError as error:
            listener.close()
            raise _failure("make", path, error) from error

    def is_in_place(self) -> bool:
        """Whether the name still means this socket."""
        try:
            return os.path.samestat(os.lstat(self.path), self._bound)
        except OSError:
            return False

    def close(self) -> None:
        """Listen no more, and take the name away if it is ours. A second call does nothing."""
        if self.listener.fileno() >= 0 and self.is_in_place():
            with suppress(OSError):
                os.unlink(self.path)
        self.listener.close()


async def _clear(path: Path) -> None:
    """Take away the name of a socket at which nobody listens any more."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return
    except OSError as error:
        raise _failure("look at", path, error) from error
    if not stat.S_ISSOCK(found.st_mode):
        raise CollieError(f"{path} is in the way of a socket: move it away")
    if await _answers(path):
        raise CollieError(f"another collie listens at {path}: end it first")
    try:
        os.unlink(path)
    except OSError as error:
        raise _failure("remove the stale", path, error) from error


async def _answers(path: Path) -> bool:
    """Whether somebody listens there; who does not take a connection in time does, and is busy."""
    with trio.move_on_after(PROBE_SECONDS):
        try:
            stream = await trio.open_unix_socket(str(path))
        except OSError:
            return False
        await trio.aclose_forcefully(stream)
    return True


def _bind(path: Path) -> trio.socket.SocketType:
    """A listening socket. Nobody can connect before its mode is narrowed, as it does not listen until then."""
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(os.fspath(path))
        os.chmod(path, 0o600)
        listener.listen(BACKLOG)
    except OSError as error:
        listener.close()
        raise _failure("make", path, error) from error
    return trio.socket.from_stdlib_socket(listener)


def _failure(doing: str, path: Path, error: OSError) -> CollieError:
    return CollieError(f"cannot {doing} socket {path}: {error.strerror or error}")
