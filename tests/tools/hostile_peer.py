"""A TLS 1.3 peer of Collie's profile in plain Python, in either role, that can misbehave in every way a test wants.

As it stands it keeps to the profile and refuses what breaks it; so it is also a stack of independent make. A test makes
a subclass that overrides one message, or sets one attribute. It has the methods of TlsConnection.
"""

import hashlib
import os
from collections.abc import Callable

from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_der_public_key
from tools import tls13
from tools.tls13 import KeySchedule, Reader, RecordBuffer, Traffic, extensions, message, vector

ACCESS_DENIED = 49
CERTIFICATE_REQUIRED = 116


class AlertSeen(Exception):
    """The other end sent an alert."""

    def __init__(self, alert: int) -> None:
        super().__init__(f"alert {alert}")
        self.alert = alert


class Refused(Exception):
    """This end refused the other's key."""


def new_key() -> ec.EllipticCurvePrivateKey:
    """A P-256 key."""
    return ec.generate_private_key(ec.SECP256R1())


def spki_of(key: ec.EllipticCurvePrivateKey) -> bytes:
    """Its public half."""
    return key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


class HostilePeer:
    """What both roles share.

    `entries` is what its Certificate holds, `signer` signs its CertificateVerify; `accept` judges the other's SPKI.
    """

    us, them = "", ""

    def __init__(
        self, key: ec.EllipticCurvePrivateKey | None = None, accept: Callable[[bytes], bool] = lambda _: True
    ) -> None:
        key = key or new_key()
        self.spki = spki_of(key)
        self.entries: tuple[bytes, ...] = (self.spki,)
        self.signer = key
        self.names_certificate_types = True
        self.done = False
        self.peer_closed = False
        self.peer_spki: bytes | None = None
        self.outgoing = bytearray()
        self._accept = accept
        self._share = new_key()
        self._transcript = hashlib.sha256()
        self._records = RecordBuffer()
        self._messages = b""
        self._plain = bytearray()
        self._writing: Traffic | None = None
        self._reading: Traffic | None = None
        self.schedule: KeySchedule

    @property
    def pending(self) -> bool:
        """There is something to `take`."""
        return bool(self.outgoing)

    def handshake(self) -> bool:
        """Begin, where it is this end's turn."""
        return self.done

    def feed(self, data: bytes) -> bytes:
        """Take bytes; the plaintext in them."""
        for record in self._records.add(data):
            self._on_record(record)
        plain = bytes(self._plain)
        self._plain.clear()
        return plain

    def take(self) -> bytes:
        """Bytes for the transport."""
        data = bytes(self.outgoing)
        self.outgoing.clear()
        return data

    def write(self, data: bytes) -> None:
        """Encrypt."""
        for start in range(0, len(data), tls13.RECORD_BYTES):
            self.send_record(tls13.APPLICATION, data[start : start + tls13.RECORD_BYTES])

    def close_notify(self) -> None:
        """Say goodbye."""
        self.send_record(tls13.ALERT, b"\x01\x00")

    def send_alert(self, alert: int) -> None:
        """Say why."""
        self.send_record(tls13.ALERT, bytes([2, alert]))

    def send_record(self, kind: int, data: bytes, padding: int = 0) -> None:
        """A record, protected once there are keys."""
        sealed = self._writing.seal(kind, data, padding) if self._writing else tls13.clear_record(kind, data)
        self.outgoing += sealed

    def emit(self, handshake_message: bytes) -> None:
        """A handshake message, as part of the transcript, cut to records."""
        self._transcript.update(handshake_message)
        for start in range(0, len(handshake_message), tls13.RECORD_BYTES):
            self.send_record(tls13.HANDSHAKE, handshake_message[start : start + tls13.RECORD_BYTES])

    def update_key(self, *, request: bool) -> None:
        """Change the key of what this end sends, and ask the other to do the same."""
        assert self._writing is not None
        self.send_record(tls13.HANDSHAKE, message(tls13.KEY_UPDATE, bytes([request])))
        self._writing = self._writing.updated()

    def certificate(self) -> bytes:
        """Certificate."""
        return tls13.certificate(self.entries)

    def certificate_verify(self) -> bytes:
        """CertificateVerify."""
        return message(
            tls13.CERTIFICATE_VERIFY, tls13.ECDSA_P256_SHA256.to_bytes(2, "big") + vector(2, self.signature())
        )

    def signature(self) -> bytes:
        """The signature in it."""
        content = tls13.signed_content(self.us, self.transcript())
        return self.signer.sign(content, ec.ECDSA(hashes.SHA256()))

    def finished(self) -> bytes:
        """Finished."""
        assert self._writing is not None
        return message(tls13.FINISHED, tls13.finished_mac(self._writing.secret, self.transcript()))

    def prove(self) -> None:
        """The end of this end's flight: who it is, and that it holds the key."""
        self.emit(self.certificate())
        if self.entries:
            self.emit(self.certificate_verify())
        self.emit(self.finished())

    def transcript(self) -> bytes:
        """The hash of the handshake so far."""
        return self._transcript.copy().digest()

    def certificate_types(self) -> dict[int, bytes]:
        """The extensions that name raw keys for both."""
        raise NotImplementedError

    def key_share(self) -> bytes:
        """This end's half of the key exchange."""
        point = self._share.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return tls13.P256.to_bytes(2, "big") + vector(2, point)

    def agree(self, share: bytes) -> None:
        """The other's half is here: from now on all is encrypted."""
        point = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), share)
        self.schedule = KeySchedule(self._share.exchange(ec.ECDH(), point))
        self._writing = Traffic(self.schedule.handshake(self.us[0], self.transcript()))
        self._reading = Traffic(self.schedule.handshake(self.them[0], self.transcript()))

    def on_message(self, whole: bytes) -> None:
        """A message that only one role gets."""
        raise NotImplementedError

    def on_finished(self) -> None:
        """The other is done."""
        raise NotImplementedError

    def on_certificate(self, body: Reader) -> None:
        """The other's key."""
        body.vector(1)
        entries = Reader(body.vector(3))
        if not entries.data:
            self.refuse(CERTIFICATE_REQUIRED)
        self.peer_spki = entries.vector(3)
        if not self._accept(self.peer_spki):
            self.refuse(ACCESS_DENIED)

    def on_certificate_verify(self, body: Reader) -> None:
        """Its proof."""
        assert self.peer_spki is not None
        assert body.number(2) == tls13.ECDSA_P256_SHA256
        public = load_der_public_key(self.peer_spki)
        assert isinstance(public, ec.EllipticCurvePublicKey)
        public.verify(body.vector(2), tls13.signed_content(self.them, self.transcript()), ec.ECDSA(hashes.SHA256()))

    def check_finished(self, body: Reader) -> None:
        """The other saw the same handshake."""
        assert self._reading is not None
        assert body.data == tls13.finished_mac(self._reading.secret, self.transcript())

    def refuse(self, alert: int) -> None:
        """Not with this peer."""
        self.send_alert(alert)
        raise Refused(f"alert {alert}")

    def _on_record(self, record: bytes) -> None:
        kind, data = record[0], record[5:]
        if kind == tls13.CHANGE_CIPHER_SPEC:
            return
        if kind == tls13.APPLICATION and self._reading:
            kind, data = self._reading.open(record)
        if kind == tls13.ALERT:
            if data[1]:
                raise AlertSeen(data[1])
            self.peer_closed = True
        elif kind == tls13.HANDSHAKE:
            self._on_handshake(data)
        else:
            self._plain += data

    def _on_handshake(self, data: bytes) -> None:
        self._messages += data
        while len(self._messages) >= 4 and len(self._messages) >= (
            size := 4 + int.from_bytes(self._messages[1:4], "big")
        ):
            whole, self._messages = self._messages[:size], self._messages[size:]
            if whole[0] == tls13.KEY_UPDATE:
                self._on_key_update(bool(whole[4]))
            elif whole[0] != tls13.NEW_SESSION_TICKET:
                self._on_message(whole)

    def _on_message(self, whole: bytes) -> None:
        kind, body = whole[0], Reader(whole[4:])
        if kind == tls13.CERTIFICATE_VERIFY:
            self.on_certificate_verify(body)
        elif kind == tls13.FINISHED:
            self.check_finished(body)
        self._transcript.update(whole)
        if kind == tls13.CERTIFICATE:
            self.on_certificate(body)
        elif kind == tls13.FINISHED:
            self.on_finished()
        else:
            self.on_message(whole)

    def _on_key_update(self, requested: bool) -> None:
        assert self._reading is not None
        self._reading = self._reading.updated()
        if requested:
            self.update_key(request=False)


class HostileClient(HostilePeer):
    """A client."""

    us, them = "client", "server"
    hello = b""

    def handshake(self) -> bool:
        """Say hello."""
        if not self.hello:
            self.hello = self.client_hello()
            self.emit(self.hello)
        return self.done

    def client_hello(self) -> bytes:
        """ClientHello."""
        suites = vector(2, tls13.AES_128_GCM_SHA256.to_bytes(2, "big"))
        body = b"\x03\x03" + os.urandom(32) + vector(1, b"") + suites + vector(1, b"\0") + extensions(self.offers())
        return message(tls13.CLIENT_HELLO, body)

    def offers(self) -> dict[int, bytes]:
        """Its extensions."""
        return {
            tls13.GROUPS: vector(2, tls13.P256.to_bytes(2, "big")),
            tls13.SIGNATURES: vector(2, tls13.ECDSA_P256_SHA256.to_bytes(2, "big")),
            tls13.VERSIONS: vector(1, b"\x03\x04"),
            tls13.KEY_SHARE: vector(2, self.key_share()),
            **self.certificate_types(),
        }

    def certificate_types(self) -> dict[int, bytes]:
        """Raw keys for both."""
        if not self.names_certificate_types:
            return {}
        raw = vector(1, bytes([tls13.RAW_KEY]))
        return {tls13.CLIENT_CERTIFICATE_TYPE: raw, tls13.SERVER_CERTIFICATE_TYPE: raw}

    def on_message(self, whole: bytes) -> None:
        """ServerHello; what else the server says is taken as read."""
        if whole[0] == tls13.SERVER_HELLO:
            share = Reader(tls13.hello_extensions(whole)[tls13.KEY_SHARE])
            share.take(2)
            self.agree(share.vector(2))

    def on_finished(self) -> None:
        """The server is done; now who this end is."""
        transcript = self.transcript()
        self.prove()
        self._writing = Traffic(self.schedule.application("c", transcript))
        self._reading = Traffic(self.schedule.application("s", transcript))
        self.done = True


class HostileServer(HostilePeer):
    """A server.

    `asks` tells whether it requests the client's key; `retry` has the extensions of a HelloRetryRequest to send.
    """

    us, them = "server", "client"
    asks = True
    retry: dict[int, bytes] | None = None
    _client_secret = b""

    def on_message(self, whole: bytes) -> None:
        """ClientHello: the whole of the server's flight."""
        if whole[0] != tls13.CLIENT_HELLO:
            return
        if self.retry is not None:
            self._ask_again(whole, self.retry)
            return
        shares = Reader(Reader(tls13.hello_extensions(whole)[tls13.KEY_SHARE]).vector(2))
        while shares.number(2) != tls13.P256:
            shares.vector(2)
        self.emit(self.server_hello(whole))
        self.agree(shares.vector(2))
        self.emit(self.encrypted_extensions())
        if self.asks:
            self.emit(self.certificate_request())
        self.prove()
        self._writing = Traffic(self.schedule.application("s", self.transcript()))
        self._client_secret = self.schedule.application("c", self.transcript())

    def _ask_again(self, client_hello: bytes, answers: dict[int, bytes]) -> None:
        """HelloRetryRequest; a hash stands for the first hello in the transcript from then on (section 4.4.1)."""
        self.retry = None
        first = tls13.message(tls13.MESSAGE_HASH, self.transcript())
        self._transcript = hashlib.sha256(first)
        self.emit(self.hello(client_hello, tls13.RETRY_RANDOM, {tls13.VERSIONS: b"\x03\x04", **answers}))

    def server_hello(self, client_hello: bytes) -> bytes:
        """ServerHello."""
        answers = {tls13.VERSIONS: b"\x03\x04", tls13.KEY_SHARE: self.key_share()}
        return self.hello(client_hello, os.urandom(32), answers)

    def hello(self, client_hello: bytes, random: bytes, answers: dict[int, bytes]) -> bytes:
        """A ServerHello, or what looks like one and asks for another hello."""
        echoed = vector(1, Reader(client_hello[4 + 2 + 32 :]).vector(1))
        suite = tls13.AES_128_GCM_SHA256.to_bytes(2, "big")
        return message(tls13.SERVER_HELLO, b"\x03\x03" + random + echoed + suite + b"\0" + extensions(answers))

    def encrypted_extensions(self) -> bytes:
        """EncryptedExtensions."""
        return message(tls13.ENCRYPTED_EXTENSIONS, extensions(self.certificate_types()))

    def certificate_types(self) -> dict[int, bytes]:
        """Raw keys for both, or for the server alone where the client's is not wanted."""
        if not self.names_certificate_types:
            return {}
        raw = bytes([tls13.RAW_KEY])
        ours = {tls13.SERVER_CERTIFICATE_TYPE: raw}
        return {tls13.CLIENT_CERTIFICATE_TYPE: raw, **ours} if self.asks else ours

    def certificate_request(self) -> bytes:
        """CertificateRequest."""
        signatures = {tls13.SIGNATURES: vector(2, tls13.ECDSA_P256_SHA256.to_bytes(2, "big"))}
        return message(tls13.CERTIFICATE_REQUEST, vector(1, b"") + extensions(signatures))

    def on_finished(self) -> None:
        """The client is done."""
        self._reading = Traffic(self._client_secret)
        self.done = True

    def ticket(self) -> bytes:
        """NewSessionTicket."""
        body = bytes(8) + vector(1, b"\0") + vector(2, bytes(32)) + extensions({})
        return message(tls13.NEW_SESSION_TICKET, body)
