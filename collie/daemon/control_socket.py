"""The operator's carrier: a Unix socket of mode 0600, one frame a line."""

import errno
import logging
import os
import socket
import stat
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final, Self

import trio

from collie.daemon.dispatch import Audit, where_of
from collie.daemon.rejections import Rejections
from collie.daemon.seats import GUESTS, SESSIONS
from collie.daemon.session import Carrier
from collie.daemon.tripwire import Peer, is_our_user, peer_of
from collie.errors import CollieError
from collie.protocol import limits
from collie.protocol.lines import LineBuffer
from collie.store import failure, private_dir

log = logging.getLogger(__name__)

SOCKET_NAME: Final = "control.sock"

CONNECTIONS: Final = SESSIONS + GUESTS + 32
"""At once, with those that are only told that there is no seat for them; a further client is dropped."""

PLACE_LOOK: Final = 1.0
"""Seconds between two looks at whether the socket is still where clients look for it."""

BACKLOG: Final = 64
READ_BYTES: Final = 65_536
PROBE_SECONDS: Final = 1.0
ACCEPT_PAUSE: Final = 0.1
ACCEPT_FAILURES: Final = 50
"""Failures to accept in a row after which the daemon gives up, so that what supervises it starts it anew."""

Serve = Callable[[int, Carrier, Peer], Awaitable[None]]
"""Serves one client until it has gone; gets the session's number."""


class LineCarrier:
    """Frames over a stream, each ended by a newline."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        self._lines = LineBuffer(limits.CLIENT_FRAME_BYTES)

    async def receive(self) -> bytes | None:
        """The next line, None at the end. Raises BadFrame, trio.BrokenResourceError."""
        while (line := self._lines.next_line()) is None:
            data = await self._stream.receive_some(READ_BYTES)
            if not data:
                return None
            self._lines.receive_data(data)
        return line

    async def send(self, frame: bytes) -> None:
        """Send a line. Raises trio.BrokenResourceError."""
        await self._stream.send_all(frame + b"\n")

    def close(self) -> None:
        """Close at once."""
        self._stream.socket.close()


async def run_control_socket(
    path: Path,
    serve: Serve,
    audit: Audit,
    *,
    may_bind: Callable[[], bool] = lambda: True,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Listen until cancelled, then remove the socket if it is still ours.

    A socket that somebody removed or replaced is made again, as long as `may_bind` allows it.

    Raises: CollieError when the socket cannot be made, or another daemon answers at it.
    """
    place = await _Place.make(path)
    try:
        async with trio.open_nursery() as sessions:
            door = _Door(serve, audit, sessions)
            task_status.started()
            while True:
                async with trio.open_nursery() as accepting:
                    accepting.start_soon(door.accept_all, place.listener)
                    await place.wait_lost()
                    accepting.cancel_scope.cancel()
                place.close()
                place = await _make_again(path, may_bind)
    finally:
        place.close()


class _Place:
    """A socket that listens, and its name in the file system."""

    def __init__(self, path: Path, listener: trio.socket.SocketType) -> None:
        self.listener = listener
        self._path = path
        self._bound = os.lstat(path)

    @classmethod
    async def make(cls, path: Path) -> Self:
        """Bind it. Raises CollieError."""
        private_dir(path.parent)
        await _clear(path)
        return cls(path, _bind(path))

    async def wait_lost(self) -> None:
        """Until its name is gone or means another one: the kernel tells nobody."""
        while self._is_ours():  # noqa: ASYNC110
            await trio.sleep(PLACE_LOOK)

    def close(self) -> None:
        """Listen no more, and take the name away if it is still ours."""
        if self._is_ours():
            with suppress(OSError):
                os.unlink(self._path)
        self.listener.close()

    def _is_ours(self) -> bool:
        try:
            return os.path.samestat(os.lstat(self._path), self._bound)
        except OSError:
            return False


async def _make_again(path: Path, may_bind: Callable[[], bool]) -> _Place:
    """The socket anew, as soon as it can be made."""
    trouble = ""
    while True:
        if may_bind():
            try:
                place = await _Place.make(path)
            except CollieError as exc:
                if str(exc) != trouble:
                    trouble = str(exc)
                    log.error("the control socket is gone, and cannot be made again: %s", trouble)
            else:
                log.warning("the control socket %s had been removed, and was made again", path)
                return place
        await trio.sleep(PLACE_LOOK)


class _Door:
    """Lets clients in, and counts them."""

    def __init__(self, serve: Serve, audit: Audit, sessions: trio.Nursery) -> None:
        self._serve = serve
        self._reject = Rejections(audit, trio.current_time)
        self._sessions = sessions
        self._open = 0
        self._number = 0

    async def accept_all(self, listener: trio.socket.SocketType) -> None:
        failures = 0
        while True:
            try:
                client, _ = await listener.accept()
            except OSError as exc:
                failures += 1
                if failures >= ACCEPT_FAILURES or exc.errno in (errno.EBADF, errno.ENOTSOCK):
                    raise CollieError(f"the control socket accepts nobody any more: {exc.strerror}") from exc
                await trio.sleep(ACCEPT_PAUSE)
                continue
            failures = 0
            self._let_in(client)

    def _let_in(self, client: trio.socket.SocketType) -> None:
        peer = _peer(client)
        if peer is None or not is_our_user(peer):
            self._reject("control", "foreign uid")
            client.close()
        elif self._open >= CONNECTIONS:
            self._reject("control", "too many connections")
            client.close()
        else:
            self._open += 1
            self._number += 1
            self._sessions.start_soon(self._one, self._number, client, peer)

    async def _one(self, number: int, client: trio.socket.SocketType, peer: Peer) -> None:
        try:
            await self._serve(number, LineCarrier(trio.SocketStream(client)), peer)
        except Exception as error:  # noqa: BLE001 - the outermost line of a session
            log.error("session %d failed: %s", number, where_of(error))
        finally:
            client.close()
            self._open -= 1


def _peer(client: trio.socket.SocketType) -> Peer | None:
    """Who connected, or None when it has gone already."""
    try:
        return peer_of(client)
    except OSError:
        return None


async def _clear(path: Path) -> None:
    """Take away a socket that nobody answers at. Raises CollieError when somebody does, or it is something else."""
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(found.st_mode):
        raise CollieError(f"{path} is in the way of the control socket: move it away")
    if await _answers(path):
        raise CollieError(f"another collie is already running ({path} answers)")
    try:
        os.unlink(path)
    except OSError as exc:
        raise failure("remove the stale socket", path, exc) from exc


async def _answers(path: Path) -> bool:
    """Whether somebody listens there."""
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
        listener.bind(str(path))
        os.chmod(path, 0o600)
        listener.listen(BACKLOG)
    except OSError as exc:
        listener.close()
        raise failure("make the control socket", path, exc) from exc
    return trio.socket.from_stdlib_socket(listener)
