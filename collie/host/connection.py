"""One client's connection to the host: a line in, lines out, and whether the client is still there."""

import socket
from types import TracebackType
from typing import Final

import trio

from collie.herdr.wire import LINE_LIMIT, Event, Failure, Fault, LineBuffer, LineTooLong, Reply, Success, encode
from collie.host.caller import Caller, caller_of

REQUEST_TIMEOUT: Final = 5.0
"""Seconds from a connection to the end of its request."""

WRITE_TIMEOUT: Final = 5.0
"""Seconds that one write may wait for a client that does not read."""

CHUNK: Final = 65_536

STREAM_BUFFER: Final = 16_384
"""Bytes of events that wait in the kernel: few enough that who does not read loses his place in the ring."""


class Connection:
    """The one owner of an accepted socket; a context manager that closes it."""

    def __init__(self, accepted: trio.socket.SocketType) -> None:
        self._socket = accepted
        self._received = 0
        self._used = 0

    def __enter__(self) -> "Connection":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._socket.close()

    def caller(self) -> Caller:
        """The process at the other end.

        Raises: OSError.
        """
        return caller_of(self._socket)

    async def read_line(self) -> bytes | None:
        """The first line; None when the client does not give one.

        Raises: OSError, trio.TooSlowError.
        """
        lines = LineBuffer(LINE_LIMIT)
        with trio.fail_after(REQUEST_TIMEOUT):
            while data := await self._socket.recv(CHUNK):
                self._received += len(data)
                lines.receive_data(data)
                try:
                    line = lines.next_line()
                except LineTooLong:
                    return None
                if line is not None:
                    self._used = len(line) + 1
                    return line
        return None

    def keep_short(self) -> None:
        """Let little wait in the kernel for this client: whether it falls behind is then known soon."""
        self._socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, STREAM_BUFFER)

    async def send(self, *messages: Reply | Event) -> None:
        """Write lines.

        Raises: OSError, trio.TooSlowError.
        """
        rest = memoryview(b"".join(map(_line, messages)))
        while rest:
            with trio.fail_after(WRITE_TIMEOUT):
                sent = await self._socket.send(rest)
            rest = rest[sent:]

    async def wait_hang_up(self) -> None:
        """Until the client goes, or as herdr sees it has gone: it said more than its request, or half-closed."""
        if self._received > self._used:
            return
        try:
            await self._socket.recv(1)
        except OSError:
            return  # gone the hard way


def _line(message: Reply | Event) -> bytes:
    """A message on its line; a reply that none can hold is a failure, which says so."""
    line = encode(message)
    if len(line) <= LINE_LIMIT or not isinstance(message, Success):
        return line
    return encode(Failure(message.id, Fault("reply_too_long", f"the reply has {len(line):,} bytes, more than a line")))
