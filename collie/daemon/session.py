"""One client's session: greeting, reader, writer, outbox; the same for every carrier."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Protocol

import msgspec
import trio

from collie.daemon.caller import Caller
from collie.daemon.dispatch import Audit, Dispatcher, said_of
from collie.daemon.errands import Errands
from collie.daemon.handler import Request
from collie.daemon.hub import Hub
from collie.daemon.outbox import Outbox, Reply
from collie.daemon.pace import FrameRates
from collie.daemon.watched import Watched
from collie.protocol import frames, limits
from collie.protocol.errors import Code, WireError
from collie.protocol.frames import BadFrame, ClientFrame
from collie.protocol.methods import FlockResult, Hello, HelloResult, Result, Surface

BESIDE: Final = 8
"""Requests that one session may have running beside its others."""


class Carrier(Protocol):
    """Whole frames over some stream. One task receives, one sends."""

    async def receive(self) -> bytes | None:
        """The next frame, None when the client has ended. Raises BadFrame when none can be made out."""

    async def send(self, frame: bytes) -> None:
        """Send one frame. Raises trio.BrokenResourceError when the client is gone."""

    def close(self) -> None:
        """Close at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class House:
    """What all sessions share. `welcome` is who answers, at this moment; `watch` reads what a session follows."""

    hub: Hub
    dispatcher: Dispatcher
    errands: Errands
    audit: Audit
    rates: FrameRates
    welcome: Callable[[], HelloResult]
    watch: Callable[[Watched, Outbox], Awaitable[None]]


class Session:
    """One client. `identify` makes its caller from what it says it is, None before it has said anything; it raises
    WireError to turn the client away."""

    def __init__(
        self, number: int, carrier: Carrier, house: House, identify: Callable[[Surface | None], Caller]
    ) -> None:
        self.outbox = Outbox()
        self.watched = Watched()
        self.follows_audit = False
        self.caller = identify(None)
        self._number = number
        self._carrier = carrier
        self._house = house
        self._identify = identify
        self._greeted = trio.Event()
        self._beside = 0

    async def run(self) -> None:
        """Serve until the client ends, breaks a rule that ends it, or takes nothing for too long."""
        try:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._house.watch, self.watched, self.outbox)
                nursery.start_soon(self._keep_hello_time)
                nursery.start_soon(self._read)
                await self._write()
                nursery.cancel_scope.cancel()
        finally:
            self._house.hub.remove(self._number)
            self.outbox.finish()
            self._carrier.close()

    async def _keep_hello_time(self) -> None:
        with trio.move_on_after(limits.HELLO_SECONDS):
            await self._greeted.wait()
            return
        self._end_with(None, WireError(Code.HELLO_REQUIRED, "hello timed out"))

    async def _read(self) -> None:
        goes_on = True
        while goes_on:
            await self.outbox.wait_for_room()
            frame = await self._receive()
            goes_on = frame is not None and await self._handle(frame)
        self.outbox.finish()

    async def _receive(self) -> ClientFrame | BadFrame | None:
        """The next frame, made out or not; None when there is none, or none for too long."""
        with trio.move_on_after(self.caller.idle_seconds):
            try:
                data = await self._carrier.receive()
                return None if data is None else frames.decode_client(data)
            except BadFrame as error:
                return error
            except trio.BrokenResourceError:
                return None
        return None

    async def _handle(self, frame: ClientFrame | BadFrame) -> bool:
        """Answer whatever came; whether the session goes on."""
        take = self._house.rates.take(self.caller.paced_as or self.caller.device, self.caller.pace)
        if not take.allowed:
            return self._refuse(frame, WireError(Code.RATE_LIMITED, "slow down"), is_noted=take.is_first_refusal)
        if isinstance(frame, BadFrame):
            return self._refuse(frame, frame)
        return await self._take(frame)

    async def _write(self) -> None:
        while (frame := await self.outbox.take()) is not None:
            with trio.move_on_after(limits.SEND_SECONDS) as sending:
                try:
                    await self._carrier.send(frame)
                except (trio.BrokenResourceError, trio.ClosedResourceError):
                    return
            if sending.cancelled_caught:
                return

    async def _take(self, frame: ClientFrame) -> bool:
        """Answer one request, or have it answered; whether the session goes on."""
        if isinstance(frame.params, Hello):
            return self._greet(frame.id, frame.params)
        if not self._greeted.is_set():
            return self._refuse(frame, WireError(Code.HELLO_REQUIRED, "hello first"))
        method = frame.method
        if not method.beside and not method.op_id:
            await self._answer(frame)
        elif method.beside and self._beside >= BESIDE:
            self._refuse(frame, WireError(Code.RATE_LIMITED, "too many requests at once"))
        else:
            await self._send_out(frame)
        return True

    def _greet(self, id: int, hello: Hello) -> bool:
        if self._greeted.is_set():
            self._reply_error(id, WireError(Code.INVALID_PARAMS, "hello already received"))
            return True
        if hello.protocol_version != limits.PROTOCOL_VERSION:
            self._note_refusal("hello", None, Code.UNSUPPORTED_PROTOCOL.value)
            self._reply_error(id, _unsupported())
            return False
        try:
            self.caller = self._identify(hello.surface)
        except WireError as error:
            self._note_refusal("hello", None, said_of(error))
            self._reply_error(id, error)
            return False
        self._house.hub.add(self._number, self)
        self._greeted.set()
        self._reply(id, _welcome(self._house.welcome(), self.caller))
        return True

    def _refuse(self, frame: ClientFrame | BadFrame, error: WireError, *, is_noted: bool = True) -> bool:
        """Answer a frame that nothing is done about; whether the session goes on."""
        if is_noted:
            self._note_refusal(*_named(frame), error.code.value)
        self._reply_error(frame.id, error)
        return self._greeted.is_set() and frame.id is not None

    async def _send_out(self, frame: ClientFrame) -> None:
        """Have it done whatever becomes of this session, and wait for the reply unless it runs beside."""
        done = trio.Event()

        async def errand() -> None:
            try:
                await self._answer(frame)
            finally:
                self._beside -= frame.method.beside
                done.set()

        self._beside += frame.method.beside
        if not self._house.errands.start(errand):
            self._beside -= frame.method.beside
            self._refuse(frame, WireError(Code.RATE_LIMITED, "too many operations in flight"))
        elif not frame.method.beside:
            await done.wait()

    async def _answer(self, frame: ClientFrame) -> None:
        try:
            result = await self._house.dispatcher.answer(frame, Request(caller=self.caller, session=self))
        except WireError as error:
            self._reply_error(frame.id, error)
        else:
            self._reply(frame.id, result)

    def _reply(self, id: int, result: Result) -> None:
        self.outbox.put_reply(Reply(id, lambda sent: frames.encode_result(id, _numbered(result, sent))))

    def _reply_error(self, id: int | None, error: WireError) -> None:
        self.outbox.put_reply(Reply(id, lambda _: frames.encode_error(id, error)))

    def _end_with(self, id: int | None, error: WireError) -> None:
        self._note_refusal("hello", None, error.code.value)
        self._reply_error(id, error)
        self.outbox.finish()

    def _note_refusal(self, method: str, target: str | None, said: str) -> None:
        who = self.caller.by if self._greeted.is_set() or self.caller.is_guest else "control"
        self._house.audit(who, method, target, self.caller.told(said))


def _named(frame: ClientFrame | BadFrame) -> tuple[str, str | None]:
    """What a frame asks for, and of what, as the audit log has it."""
    if isinstance(frame, BadFrame):
        return "invalid_frame", None
    return frame.method.name, frame.method.target(frame.params)


def _welcome(hello: HelloResult, caller: Caller) -> HelloResult:
    """One who may ask for nothing is told so at once."""
    return msgspec.structs.replace(hello, barred=caller.barred) if caller.barred else hello


def _numbered(result: Result, sent: int) -> Result:
    """A snapshot says how many events were sent before it."""
    if isinstance(result, FlockResult):
        return msgspec.structs.replace(result, seq=sent)
    return result


def _unsupported() -> WireError:
    """Says which version this side speaks, in the text too: an older client reads that alone."""
    version = limits.PROTOCOL_VERSION
    text = f"unsupported protocol version; this daemon speaks {version}"
    return WireError(Code.UNSUPPORTED_PROTOCOL, text, protocol_version=version)
