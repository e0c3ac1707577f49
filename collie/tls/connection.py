"""A TLS connection without I/O: bytes from the transport in, bytes for the transport out.

    connection.handshake(), then until `done`: send what `take` gives, `feed` what arrives
    `write` plaintext and send what `take` gives; `feed` gives plaintext
    after an error: send what `take` still gives (the alert), then hang up

In TLS 1.3 a client is done before the server has judged its key: a refusal is the first thing that it reads afterwards.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from collie.tls._gnutls import AlertReceived, GnutlsError, gnutls
from collie.tls._session import Session
from collie.tls.errors import KeyRefused, TlsError, TlsTruncated
from collie.tls.judge import Judge, Refusal, malformed
from collie.tls.keys import LocalKey

HANDSHAKE_FAILURE: Final = 40
INTERNAL_ERROR: Final = 80
KEY_REFUSALS: Final = frozenset({42, 46, 49, 116})
"""bad_certificate, certificate_unknown, access_denied, certificate_required: what stacks say of a key they refuse."""

HEAD_BYTES: Final = 12
"""Enough for the gate's clear refusal that comes instead of TLS: `HTTP/1.1 403`."""

SEEN_BYTES: Final = 65_536
"""How much of a handshake's input is kept to look for an alert; a handshake of this profile has about 600 bytes."""

_RECORD_HEADER: Final = 5
_ALERT_RECORD: Final = 21


class TlsConnection:
    """One end. Not for two threads at a time.

    Every method that fails raises what `failure` then says; none does anything afterwards.
    """

    def __init__(self, key: LocalKey, accept: Callable[[str], bool], *, server: bool) -> None:
        """
        Args:
            accept: whether a peer whose key has this pin may go on; called within `handshake` or `feed`

        Raises: TlsUnavailable.
        """
        unwanted = (
            "the client's key is not a paired one"
            if server
            else "the server's key is not the one that was pinned: if it was renewed there, pair again"
        )
        self._gnutls = gnutls()
        self._server = server
        self._judge = Judge(accept, unwanted)
        self._session = Session(self._gnutls, key, self._judge, server=server)
        self._seen = bytearray()
        self.blocking = key.sign is not None
        """Until it is done, `handshake` and `feed` may block: the key signs elsewhere."""
        self.done = False
        self.peer_closed = False
        """The peer has said goodbye; everything it sent was received."""
        self.failure: TlsError | None = None
        self.head = b""
        """The first bytes that arrived, whatever they are."""

    @property
    def peer_spki(self) -> bytes | None:
        """The peer's proved and accepted key; None until the handshake is done."""
        return self._judge.spki if self.done else None

    def handshake(self) -> bool:
        """Go on as far as the input allows; True once this side is done.

        Raises: TlsError and those under it; whatever `accept` or the key's signer raise.
        """
        with self._failing_for_good():
            if not self.done and self._session.handshake():
                self._check_outcome()
                self._seen.clear()
                self.done = True
        return self.done

    def feed(self, data: bytes) -> bytes:
        """Take what arrived (b"" when the transport ended), and give the plaintext in it.

        Plaintext before a failure is given first; the failure is raised the next time.

        Raises: as `handshake`.
        """
        with self._failing_for_good():
            self._note(data)
            self._session.feed(data)
            return self._receive() if self.handshake() else b""

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Encrypt it all.

        Raises: TlsError.
        """
        with self._failing_for_good():
            self._session.send(data)

    def close_notify(self) -> None:
        """Say goodbye: nothing can be written afterwards; reading goes on.

        Raises: TlsError.
        """
        with self._failing_for_good():
            self._session.bye()

    @property
    def pending(self) -> bool:
        """There is something to `take`."""
        return bool(self._session.outgoing)

    def take(self) -> bytes:
        """What the transport shall send now."""
        data = bytes(self._session.outgoing)
        self._session.outgoing.clear()
        return data

    def close(self) -> None:
        """Free what is held; without it that happens when the last reference goes."""
        if self.failure is None:
            self.failure = TlsError("the connection was closed")
        self._session.close()

    @contextmanager
    def _failing_for_good(self) -> Iterator[None]:
        """Whatever is raised in it, the connection is of no use afterwards: records may be lost, or sent in part."""
        if self.failure is not None:
            raise self.failure
        try:
            yield
        except (GnutlsError, AlertReceived) as error:
            raise self._fail(error) from error
        except BaseException:
            self._end(TlsError("the connection was interrupted"), INTERNAL_ERROR)
            raise

    def _check_outcome(self) -> None:
        """GnuTLS says that all went well; believe only what can be seen."""
        if self._judge.spki is None or self._session.peer_keys() != (self._judge.spki,):
            raise self._end(TlsError("the peer's key was not judged"), INTERNAL_ERROR)
        if not self._session.meets_profile():
            text = (
                "the peer does not do TLS 1.3 with a raw P-256 key on each side (does the server ask for the client's?)"
            )
            raise self._end(TlsError(text), HANDSHAKE_FAILURE)

    def _receive(self) -> bytes:
        plain = []
        try:
            while not self.peer_closed and self._session.more and (record := self._session.receive()) is not None:
                plain.append(record)
                self.peer_closed = not record
        except (GnutlsError, AlertReceived) as error:
            failure = self._fail(error)
            if not plain:
                raise failure from error
        return b"".join(plain)

    def _note(self, data: bytes) -> None:
        if not self.done:
            self.head += data[: HEAD_BYTES - len(self.head)]
            self._seen += data[: SEEN_BYTES - len(self._seen)]

    def _fail(self, error: GnutlsError | AlertReceived) -> TlsError:
        if isinstance(error, AlertReceived):
            return self._end(self._refused_by(error.alert))
        if error.truncated and self._session.ended:
            during = "the transport ended without a goodbye" if self.done else "the peer hung up during the handshake"
            return self._end(TlsTruncated(during))
        if (refusal := self._refusal()) is not None:
            return self._end(refusal.error, refusal.alert)
        if error.undecryptable and (alert := _clear_alert(self._seen)) is not None:
            return self._end(self._refused_by(alert))
        return self._end(TlsError(f"TLS failed: {error}"), error.alert)

    def _refusal(self) -> Refusal | None:
        """What is wrong with the peer's key, also where GnuTLS failed on it before the judge was asked."""
        keys = self._session.peer_keys()
        if self._judge.refusal is None and keys and not self.done:
            return malformed(self._session.peer_is_raw, keys)
        return self._judge.refusal

    def _refused_by(self, alert: int) -> TlsError:
        """What the peer's alert means. A client believes that its key was refused only once it knows who says so."""
        text = f"{self._gnutls.alert_name(alert)} (alert {alert})"
        if alert in KEY_REFUSALS and (self._server or self.done):
            return KeyRefused(f"the peer refused this side's key: {text}", alert)
        return TlsError(f"the peer ended the connection: {text}")

    def _end(self, failure: TlsError, alert: int | None = None) -> TlsError:
        if self.failure is None:
            self.failure = failure
            if alert is not None:
                self._say(alert)
        return self.failure

    def _say(self, alert: int) -> None:
        try:
            self._session.send_alert(alert)
        except GnutlsError:
            return  # before the keys are agreed, or with a dead session: then the peer sees the connection end


def _clear_alert(seen: bytes | bytearray) -> int | None:
    """The alert that stands unencrypted among the records.

    OpenSSL's clients refuse a server so, where TLS 1.3 has alerts encrypted. Anyone on the way could have put it there.
    """
    while len(seen) >= _RECORD_HEADER:
        size = int.from_bytes(seen[3:_RECORD_HEADER], "big")
        if seen[0] == _ALERT_RECORD and size == 2 and len(seen) > _RECORD_HEADER + 1:
            return seen[_RECORD_HEADER + 1]
        seen = seen[_RECORD_HEADER + size :]
    return None
