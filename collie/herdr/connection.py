"""One connection to a host: a single request line out, lines back.

Nothing follows the request, and our side is never half-closed: a host takes either as our leaving (herdr 0.8.2).
"""

from pathlib import Path
from types import TracebackType
from typing import Final

import trio

from collie.herdr.errors import HostRefused, HostUnavailable, ScreenChanged
from collie.herdr.wire import (
    SCREEN_CHANGED,
    Event,
    Fault,
    LineBuffer,
    Reply,
    Request,
    WireError,
    encode,
    parse_line,
    parse_reply,
)

CHUNK: Final = 65_536
"""Bytes read at once."""


class Connection:
    """An open connection whose request has been written; a context manager that closes it."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        self._lines = LineBuffer()

    async def __aenter__(self) -> "Connection":
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Hang up."""
        await trio.aclose_forcefully(self._stream)

    async def receive(self) -> Reply | Event:
        """The next line of a stream, or the reply that stands in its place.

        Raises: HostUnavailable when the host hangs up, or says what no host says.
        """
        try:
            return parse_line(await self._line())
        except WireError as exc:
            raise HostUnavailable(f"the host's answer makes no sense: {exc}", sent=True) from exc

    async def receive_reply(self, request_id: str) -> Reply:
        """The reply to the request.

        Raises: HostUnavailable as `receive` does.
        """
        try:
            return parse_reply(await self._line(), request_id)
        except WireError as exc:
            raise HostUnavailable(f"the host's answer makes no sense: {exc}", sent=True) from exc

    async def _line(self) -> bytes:
        while (line := self._lines.next_line()) is None:
            try:
                data = await self._stream.receive_some(CHUNK)
            except trio.BrokenResourceError as exc:
                raise HostUnavailable("the connection to the host broke", sent=True) from exc
            if not data:
                raise HostUnavailable("the host hung up", sent=True)
            self._lines.receive_data(data)
        return line


async def connect(path: Path, request: Request) -> Connection:
    """Connect and write the request, in one go.

    Raises: HostUnavailable, and WireError for a request that cannot be written.
    """
    line = encode(request)
    try:
        stream = await trio.open_unix_socket(path)
    except OSError as exc:
        raise HostUnavailable(f"no host at {path}: {exc.strerror or exc}", sent=False) from exc
    try:
        await stream.send_all(line)
    except trio.BrokenResourceError as exc:
        await trio.aclose_forcefully(stream)
        raise HostUnavailable("the host hung up before it had the whole request", sent=False) from exc
    except BaseException:
        await trio.aclose_forcefully(stream)
        raise
    return Connection(stream)


def refusal(fault: Fault) -> HostRefused:
    """The error that a fault stands for."""
    kind = ScreenChanged if fault.code == SCREEN_CHANGED else HostRefused
    return kind(fault.code, fault.message)
