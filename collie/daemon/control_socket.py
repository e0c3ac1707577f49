"""The operator's carrier: a Unix socket of mode 0600, one frame a line."""

import errno
import logging
import os
import socket
import stat
from collections.abc import Awaitable, Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

import trio

from collie.daemon.dispatch import Audit, where_of
from collie.daemon.session import Carrier
from collie.daemon.tripwire import Peer, is_our_user, peer_of
from collie.errors import CollieError
from collie.protocol import limits
from collie.protocol.lines import LineBuffer
from collie.store import failure, private_dir

log = logging.getLogger(__name__)

SOCKET_NAME: Final = "control.sock"

SESSIONS: Final = 64
"""Sessions at once; a further client is dropped (specs: phone-protocol section 1.3)."""

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
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Listen until cancelled, then remove the socket if it is still ours.

    Raises: CollieError when the socket cannot be made, or another daemon answers at it.
    """
    private_dir(path.parent)
    await _clear(path)
    listener = _bind(path)
    bound = os.lstat(path)
    try:
        async with trio.open_nursery() as nursery:
            task_status.started()
            await _Door(serve, audit).accept_all(listener, nursery)
    finally:
        listener.close()
        with suppress(OSError):
            if os.path.samestat(os.lstat(path), bound):
                os.unlink(path)


class _Door:
    """Lets clients in, and counts them."""

    def __init__(self, serve: Serve, audit: Audit) -> None:
        self._serve = serve
        self._audit = audit
        self._open = 0
        self._number = 0
        self._full_told = False

    async def accept_all(self, listener: trio.socket.SocketType, nursery: trio.Nursery) -> None:
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
            self._let_in(client, nursery)

    def _let_in(self, client: trio.socket.SocketType, nursery: trio.Nursery) -> None:
        peer = _peer(client)
        if peer is None or not is_our_user(peer):
            self._audit("control", "control.connect", None, "rejected: foreign uid")
            client.close()
        elif self._open >= SESSIONS:
            if not self._full_told:
                self._audit("control", "control.connect", None, "rejected: too many connections")
            self._full_told = True
            client.close()
        else:
            self._full_told = False
            self._open += 1
            self._number += 1
            nursery.start_soon(self._one, self._number, client, peer)

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
