"""One session with a daemon: hello, calls, events. The carrier is any trio stream of frames, one a line."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Final

import trio

from collie import __version__
from collie.errors import CollieError, sole_error
from collie.protocol import frames, limits
from collie.protocol.errors import Code, WireError
from collie.protocol.frames import BadFrame, ErrorFrame, EventFrame, ResultFrame
from collie.protocol.ids import Label
from collie.protocol.lines import LineBuffer
from collie.protocol.methods import METHODS, Hello, HelloResult, Params, Result, Surface

CONNECT_SECONDS: Final = 5.0
READ_BYTES: Final = 65_536
LAST_WORDS_SECONDS: Final = 1.0
"""How long a daemon that takes nothing any more is given to say why."""

EVENTS_KEPT: Final = 1_024
"""Events that wait for a reader of them; a client that falls further behind drops its session and starts anew."""


class NotRunning(CollieError):
    """No daemon answers at the control socket."""


class ConnectionLost(CollieError):
    """The session ended before the reply came; what was asked may or may not have been done."""


class Connection:
    """A greeted session. Made by `connect_control`."""

    def __init__(self, stream: trio.abc.Stream) -> None:
        self._stream = stream
        self._lines = LineBuffer(limits.SERVER_FRAME_BYTES)
        self._sending = trio.Lock()
        self._next_id = 1
        self._waiting: dict[int, trio.MemorySendChannel[ResultFrame | ErrorFrame]] = {}
        self._lost: str | None = None
        self._ended = trio.Event()
        self._events, self.events = trio.open_memory_channel[EventFrame](EVENTS_KEPT)
        self.hello: HelloResult

    async def call(self, name: str, params: Params) -> Result:
        """Ask, and wait for the reply. Raises WireError (refused), ConnectionLost."""
        method = METHODS[name]
        reply = await self._ask(name, params, method.reply_seconds)
        if isinstance(reply, ErrorFrame):
            raise WireError.from_body(reply.error)
        return frames.convert_result(method, reply.result)

    async def run(self) -> None:
        """Read until the session ends; then everyone who still waits is told why."""
        reason = "the daemon closed the connection"
        try:
            await self._read()
        except BadFrame as error:
            reason = f"the daemon's answer was not understood: {error}"
        except trio.WouldBlock:
            reason = "events came faster than they were read"
        finally:
            self._end(reason)

    async def _ask(self, name: str, params: Params, seconds: float) -> ResultFrame | ErrorFrame:
        request, send, receive = self._next_id, *trio.open_memory_channel[ResultFrame | ErrorFrame](1)
        self._next_id = request % limits.UNSIGNED_32 + 1
        if self._lost is not None:
            raise ConnectionLost(f"{name}: {self._lost}")
        self._waiting[request] = send
        try:
            with trio.move_on_after(seconds):
                await self._send(frames.encode_client(request, name, params) + b"\n")
                return await receive.receive()
        except (trio.EndOfChannel, trio.ClosedResourceError) as error:
            raise ConnectionLost(f"{name}: {self._lost or 'the connection broke'}") from error
        except trio.BrokenResourceError as error:
            with trio.move_on_after(LAST_WORDS_SECONDS):
                await self._ended.wait()
            raise ConnectionLost(f"{name}: {self._lost or 'the connection broke'}") from error
        finally:
            self._waiting.pop(request, None)
        raise ConnectionLost(f"{name}: no answer within {seconds:.0f} s")

    async def _send(self, data: bytes) -> None:
        async with self._sending:
            await self._stream.send_all(data)

    async def _read(self) -> None:
        while True:
            try:
                data = await self._stream.receive_some(READ_BYTES)
            except (trio.BrokenResourceError, trio.ClosedResourceError):
                return
            if not data:
                return
            self._lines.receive_data(data)
            while (line := self._lines.next_line()) is not None:
                self._take(frames.decode_server(line))

    def _take(self, frame: ResultFrame | ErrorFrame | EventFrame) -> None:
        if isinstance(frame, EventFrame):
            self._events.send_nowait(frame)
        elif frame.id is None:
            assert isinstance(frame, ErrorFrame)
            self._end(frame.error.message)
        elif (waiting := self._waiting.get(frame.id)) is not None:
            waiting.send_nowait(frame)

    def _end(self, reason: str) -> None:
        if self._lost is None:
            self._lost = reason
        self._ended.set()
        self._events.close()
        for waiting in self._waiting.values():
            waiting.close()


@asynccontextmanager
async def connect_control(path: Path, surface: Surface) -> AsyncIterator[Connection]:
    """A greeted session over the control socket at `path`; it ends with the block.

    Raises NotRunning (nobody listens), ConnectionLost, WireError (refused at hello).
    """
    stream = await _open(path)
    connection = Connection(stream)
    with sole_error():
        async with trio.open_nursery() as nursery:
            nursery.start_soon(connection.run)
            try:
                connection.hello = await _greet(connection, surface)
                yield connection
            finally:
                await trio.aclose_forcefully(stream)
                nursery.cancel_scope.cancel()


async def _open(path: Path) -> trio.SocketStream:
    try:
        with trio.fail_after(CONNECT_SECONDS):
            return await trio.open_unix_socket(str(path))
    except (FileNotFoundError, ConnectionRefusedError) as error:
        raise NotRunning("no daemon is running") from error
    except (OSError, trio.TooSlowError) as error:
        raise NotRunning(f"the daemon at {path} cannot be reached: {error or 'it does not accept'}") from error


async def _greet(connection: Connection, surface: Surface) -> HelloResult:
    hello = Hello(protocol_version=limits.PROTOCOL_VERSION, app_version=Label(f"collie {__version__}"), surface=surface)
    try:
        result = await connection.call("hello", hello)
    except WireError as error:
        if error.code is Code.UNSUPPORTED_PROTOCOL:
            raise _versions_differ(error) from error
        raise
    assert isinstance(result, HelloResult)
    return result


def _versions_differ(error: WireError) -> WireError:
    theirs = error.protocol_version
    older = "this program" if theirs is not None and theirs > limits.PROTOCOL_VERSION else "the daemon"
    message = f"the daemon speaks protocol {theirs}, this program {limits.PROTOCOL_VERSION}: update and restart {older}"
    return WireError(error.code, message, protocol_version=theirs)
