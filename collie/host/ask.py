"""Asking a host from outside: one request, or a stream of events. Only for this package, which has no other client."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final, TypeVar

import msgspec
import trio

from collie.errors import CollieError
from collie.herdr.models import Result
from collie.herdr.wire import Event, Failure, LineBuffer, Reply, Request, encode, parse_line
from collie.host.refused import Refused

REPLY_TIMEOUT: Final = 5.0
"""Seconds for a whole call."""

CHUNK: Final = 65_536

R = TypeVar("R", bound=Result)


class HostGone(CollieError):
    """No host answers."""


class Line:
    """An open connection, whose request has been sent."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self._stream = stream
        self._lines = LineBuffer()

    async def receive(self) -> Reply | Event:
        """The next line.

        Raises: HostGone.
        """
        while (line := self._lines.next_line()) is None:
            try:
                data = await self._stream.receive_some(CHUNK)
            except trio.BrokenResourceError as exc:
                raise HostGone("the host is gone") from exc
            if not data:
                raise HostGone("the host is gone")
            self._lines.receive_data(data)
        return parse_line(line)


@asynccontextmanager
async def opened(socket: Path, method: str, **params: object) -> AsyncIterator[Line]:
    """A connection with one request on it.

    Raises: HostGone.
    """
    present = {key: value for key, value in params.items() if value is not None}
    try:
        stream = await trio.open_unix_socket(socket)
    except OSError as exc:
        raise HostGone(f"no host runs at {socket}: `collie host start` starts one") from exc
    async with stream:
        try:
            await stream.send_all(encode(Request("attach", method, present)))
        except trio.BrokenResourceError as exc:
            raise HostGone("the host is gone") from exc
        yield Line(stream)


async def ask(socket: Path, answer: type[R], method: str, **params: object) -> R:
    """One call.

    Raises: HostGone, Refused.
    """
    with trio.move_on_after(REPLY_TIMEOUT):
        async with opened(socket, method, **params) as line:
            reply = await line.receive()
            if isinstance(reply, Failure):
                raise Refused(reply.error.code, reply.error.message)
            if isinstance(reply, Event):
                raise HostGone("the host answers what was not asked")
            return msgspec.convert(reply.result, answer)
    raise HostGone(f"the host does not answer {method}")
