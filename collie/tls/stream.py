"""TLS over any trio stream."""

import operator
from collections.abc import Callable, Collection
from contextlib import suppress
from types import TracebackType
from typing import Final, ParamSpec, TypeVar

import trio

from collie.tls._gnutls import gnutls
from collie.tls.connection import TlsConnection
from collie.tls.errors import KeyRefused, PinViolation, TlsError, TlsTruncated, TlsUnavailable
from collie.tls.keys import LocalKey
from collie.tls.loading import LibraryInfo
from collie.tls.pins import pin_of

__all__ = (
    "KeyRefused",
    "LibraryInfo",
    "PinViolation",
    "TlsError",
    "TlsStream",
    "TlsTruncated",
    "TlsUnavailable",
    "client",
    "library",
    "server",
)

READ_BYTES: Final = 65_536
WRITE_BYTES: Final = 65_536
"""Plaintext that is encrypted before the transport must have taken it: what a slow peer costs in memory."""

LAST_WORDS_SECONDS: Final = 1.0
"""How long an alert or a goodbye may take to leave, and how long one is listened for when the transport breaks."""

P = ParamSpec("P")
T = TypeVar("T")


def client(transport: trio.abc.Stream, key: LocalKey, pins: Collection[str]) -> "TlsStream":
    """The client's end over `transport`, for a server whose key has one of `pins`.

    The handshake's end does not mean that the server accepted `key`: only its first byte does.

    Raises: TlsUnavailable.
    """
    return TlsStream(transport, TlsConnection(key, frozenset(pins).__contains__, server=False))


def server(transport: trio.abc.Stream, key: LocalKey, accept: Callable[[str], bool]) -> "TlsStream":
    """The server's end over `transport`; `accept` says whether a client whose key has this pin may go on.

    Raises: TlsUnavailable.
    """
    return TlsStream(transport, TlsConnection(key, accept, server=True), lingers=True)


def library() -> LibraryInfo:
    """The TLS library in use.

    Raises: TlsUnavailable.
    """
    return gnutls().info


class TlsStream(trio.abc.HalfCloseableStream):
    """One end of a TLS connection. It owns the transport.

    The first send or receive shakes hands, unless `do_handshake` did. Whatever fails raises a TlsError, which is a
    BrokenResourceError for those who only know trio.
    """

    def __init__(self, transport: trio.abc.Stream, connection: TlsConnection, *, lingers: bool = False) -> None:
        """
        Args:
            lingers: after a failed handshake read on for a moment, so that a close with input unread does not reset the
                connection before the peer has read why
        """
        self._transport = transport
        self._connection = connection
        self._lingers = lingers
        self._plain = bytearray()
        self._handshaking = trio.Lock()
        self._flushing = trio.StrictFIFOLock()
        self._sending, self._receiving = _Exclusive("sending"), _Exclusive("receiving")
        self._hearing = _Exclusive("receiving")
        self._broken: TlsError | None = None
        self._abandoned = False
        self._cut = False
        self._sent_eof = False
        self._closed = False

    @property
    def peer_spki(self) -> bytes:
        """The peer's public key, as SubjectPublicKeyInfo DER.

        Raises: trio.NeedHandshakeError before the handshake is done.
        """
        if (spki := self._connection.peer_spki) is None:
            raise trio.NeedHandshakeError
        return spki

    @property
    def peer_pin(self) -> str:
        """What names the peer's key.

        Raises: trio.NeedHandshakeError before the handshake is done.
        """
        return pin_of(self.peer_spki)

    @property
    def failure(self) -> TlsError | None:
        """Why the connection is broken, for those whose library between has swallowed what was raised."""
        return self._connection.failure or self._broken

    @property
    def head(self) -> bytes:
        """The first twelve bytes that the peer sent, whatever they are: a gate may have answered in clear."""
        return self._connection.head

    async def do_handshake(self) -> None:
        """Shake hands; the caller sets the time limit. It may be called again after a cancellation.

        Raises: TlsError and those under it; what `accept` or the key's signer raise; trio.ClosedResourceError.
        """
        await trio.lowlevel.checkpoint()
        async with self._handshaking:
            self._check_open()
            if not self._connection.done:
                await self._shake_hands()

    async def send_all(self, data: bytes | bytearray | memoryview) -> None:
        """See trio.abc.SendStream."""
        with self._sending:
            await self._ready()
            self._check_can_send()
            with memoryview(data) as view:
                for start in range(0, len(view), WRITE_BYTES):
                    await self._send(self._connection.write, view[start : start + WRITE_BYTES])

    async def wait_send_all_might_not_block(self) -> None:
        """See trio.abc.SendStream."""
        with self._sending:
            await trio.lowlevel.checkpoint()
            self._check_open()
            await self._transport.wait_send_all_might_not_block()

    async def send_eof(self) -> None:
        """Say goodbye; the peer may go on sending."""
        with self._sending:
            await self._ready()
            if not self._sent_eof:
                self._check_can_send()
                self._sent_eof = True
                await self._send(self._connection.close_notify)

    async def receive_some(self, max_bytes: int | None = None) -> bytes:
        """See trio.abc.ReceiveStream. The transport's end without the peer's goodbye is TlsTruncated, never b""."""
        if max_bytes is not None and operator.index(max_bytes) < 1:
            raise ValueError("max_bytes must be at least 1")
        with self._receiving:
            await self._ready()
            while not self._plain and not self._connection.peer_closed:
                await self._read()
            data = bytes(self._plain[:max_bytes])
            del self._plain[:max_bytes]
            return data

    async def aclose(self) -> None:
        """Say goodbye if that is possible at once, and close the transport."""
        if self._closed:
            await trio.lowlevel.checkpoint()
            return
        self._closed = True
        try:
            await self._say_goodbye()
        finally:
            if not self._abandoned:
                self._connection.close()
            await self._transport.aclose()

    async def _ready(self) -> None:
        if not self._connection.done:
            await self.do_handshake()
        else:
            await trio.lowlevel.checkpoint()
        self._check_open()

    async def _shake_hands(self) -> None:
        await self._step(self._connection.handshake)
        await self._deliver()
        while not self._connection.done:
            await self._read()

    async def _send(self, call: Callable[P, None], *args: P.args, **kwargs: P.kwargs) -> None:
        await self._step(call, *args, **kwargs)
        await self._deliver()

    async def _read(self) -> None:
        if self._connection.failure is not None:
            raise self._connection.failure
        self._plain += await self._step(self._connection.feed, await self._hear())
        # Whoever holds the lock sends this too; to wait for it could stop both ends for good.
        if self._connection.pending and not self._flushing.locked():
            await self._deliver()

    async def _step(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """A step of the connection; if it fails, the peer is told why."""
        try:
            if self._connection.blocking and not self._connection.done:
                return await self._in_a_thread(call, *args, **kwargs)
            return call(*args, **kwargs)
        except trio.Cancelled:
            raise
        except BaseException:
            await self._say_why()
            raise

    async def _in_a_thread(self, call: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> T:
        """A step that may wait for the key's device. Cancelled, it ends in its thread, alone with the connection."""
        if self._abandoned:
            raise TlsError("an earlier handshake was cancelled while the key signed")
        await trio.lowlevel.checkpoint_if_cancelled()
        self._abandoned = True
        try:
            result = await trio.to_thread.run_sync(lambda: call(*args, **kwargs), abandon_on_cancel=True)
        except trio.Cancelled:
            raise
        except BaseException:
            self._abandoned = False
            raise
        self._abandoned = False
        self._check_open()
        return result

    async def _hear(self) -> bytes:
        with self._hearing:
            try:
                data = await self._transport.receive_some(READ_BYTES)
            except trio.BrokenResourceError as error:
                self._broken = TlsTruncated("the transport broke")
                raise self._broken from error
        self._check_open()
        return bytes(data)

    async def _deliver(self) -> None:
        try:
            await self._flush()
        except trio.BrokenResourceError as error:
            raise await self._why_broken() from error

    async def _flush(self) -> None:
        """Send what there is, in its order."""
        async with self._flushing:
            while data := self._connection.take():
                try:
                    await self._transport.send_all(data)
                except BaseException:
                    self._cut = True  # the peer may have half a record
                    raise

    async def _why_broken(self) -> TlsError:
        """The transport takes nothing more: perhaps the peer said why before it hung up."""
        with trio.move_on_after(LAST_WORDS_SECONDS), suppress(TlsError):
            while self._hearing.free and not self._connection.peer_closed and len(self._plain) < READ_BYTES:
                self._plain += self._connection.feed(await self._hear())
        self._broken = self.failure or TlsError("the transport broke")
        return self._broken

    async def _say_why(self) -> None:
        """Send the alert, also for a task that is being cancelled; then see to it that it can be read."""
        with suppress(trio.BrokenResourceError, trio.ClosedResourceError):
            with trio.move_on_after(LAST_WORDS_SECONDS, shield=True):
                await self._flush()
            if self._lingers and not self._connection.done:
                with trio.move_on_after(LAST_WORDS_SECONDS):
                    await self._linger()

    async def _linger(self) -> None:
        if isinstance(self._transport, trio.abc.HalfCloseableStream):
            await self._transport.send_eof()
        while await self._transport.receive_some(READ_BYTES):
            pass

    async def _say_goodbye(self) -> None:
        if self._abandoned or self._cut or self._flushing.locked() or not self._connection.done:
            return
        with trio.move_on_after(LAST_WORDS_SECONDS), suppress(trio.BrokenResourceError):
            if not self._sent_eof:
                self._connection.close_notify()
            await self._flush()

    def _check_open(self) -> None:
        if self._closed:
            raise trio.ClosedResourceError("the stream was closed")

    def _check_can_send(self) -> None:
        if self._sent_eof:
            raise trio.ClosedResourceError("the goodbye was sent")
        if self._connection.failure is not None:
            raise self._connection.failure
        if self._cut:
            raise TlsError("an earlier send was cut off in the midst of a record")


class _Exclusive:
    """One task at a time; a second one is a fault of the program."""

    def __init__(self, doing: str) -> None:
        self._doing = doing
        self.free = True

    def __enter__(self) -> None:
        if not self.free:
            raise trio.BusyResourceError(f"another task is {self._doing} on this stream")
        self.free = False

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.free = True
