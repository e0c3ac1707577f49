"""The parts of TLS 1.3 (RFC 8446) that a peer of Collie's profile needs: key schedule, records, messages.

One suite (AES-128-GCM, SHA-256), one group (P-256), one signature. For tests alone: nothing here is constant in time.
"""

import hashlib
import hmac
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

AES_128_GCM_SHA256: Final = 0x1301
P256: Final = 0x0017
ECDSA_P256_SHA256: Final = 0x0403
RAW_KEY: Final = 2

CHANGE_CIPHER_SPEC, ALERT, HANDSHAKE, APPLICATION = 20, 21, 22, 23
CLIENT_HELLO, SERVER_HELLO, NEW_SESSION_TICKET, ENCRYPTED_EXTENSIONS = 1, 2, 4, 8
CERTIFICATE, CERTIFICATE_REQUEST, CERTIFICATE_VERIFY, FINISHED, KEY_UPDATE = 11, 13, 15, 20, 24
MESSAGE_HASH = 254
GROUPS, SIGNATURES, CLIENT_CERTIFICATE_TYPE, SERVER_CERTIFICATE_TYPE = 10, 13, 19, 20
VERSIONS, COOKIE, KEY_SHARE = 43, 44, 51

RETRY_RANDOM: Final = hashlib.sha256(b"HelloRetryRequest").digest()
"""What a ServerHello has for its random when it asks for another hello."""

EMPTY_HASH: Final = hashlib.sha256(b"").digest()
RECORD_BYTES: Final = 16_384


class BadRecord(Exception):
    """A record that does not decrypt under the keys of this moment."""


def expand_label(secret: bytes, label: str, context: bytes, size: int) -> bytes:
    """HKDF-Expand-Label of section 7.1, for sizes up to one hash."""
    name = b"tls13 " + label.encode()
    info = struct.pack(">HB", size, len(name)) + name + bytes([len(context)]) + context
    return hmac.digest(secret, info + b"\x01", "sha256")[:size]


def extract(salt: bytes, keying: bytes) -> bytes:
    """HKDF-Extract."""
    return hmac.digest(salt, keying, "sha256")


@dataclass
class KeySchedule:
    """The secrets of section 7.1, from the shared one on; no PSK."""

    shared: bytes

    def __post_init__(self) -> None:
        early = extract(bytes(32), bytes(32))
        self._handshake = extract(expand_label(early, "derived", EMPTY_HASH, 32), self.shared)
        self._master = extract(expand_label(self._handshake, "derived", EMPTY_HASH, 32), bytes(32))

    def handshake(self, whose: str, transcript: bytes) -> bytes:
        """The handshake secret of `c` or `s`."""
        return expand_label(self._handshake, f"{whose} hs traffic", transcript, 32)

    def application(self, whose: str, transcript: bytes) -> bytes:
        """The first application secret of `c` or `s`."""
        return expand_label(self._master, f"{whose} ap traffic", transcript, 32)


def finished_mac(secret: bytes, transcript: bytes) -> bytes:
    """What a Finished message holds."""
    return hmac.digest(expand_label(secret, "finished", b"", 32), transcript, "sha256")


@dataclass
class Traffic:
    """One direction's protection under one secret."""

    secret: bytes
    sequence: int = 0

    def __post_init__(self) -> None:
        self._cipher = AESGCM(expand_label(self.secret, "key", b"", 16))
        self._iv = int.from_bytes(expand_label(self.secret, "iv", b"", 12), "big")

    def updated(self) -> "Traffic":
        """The next generation, after a KeyUpdate."""
        return Traffic(expand_label(self.secret, "traffic upd", b"", 32))

    def seal(self, kind: int, data: bytes, padding: int = 0) -> bytes:
        """One protected record."""
        inner = data + bytes([kind]) + bytes(padding)
        header = struct.pack(">BHH", APPLICATION, 0x0303, len(inner) + 16)
        return header + self._cipher.encrypt(self._nonce(), inner, header)

    def open(self, record: bytes) -> tuple[int, bytes]:
        """What kind of content a protected record holds, and the content."""
        try:
            inner = self._cipher.decrypt(self._nonce(), record[5:], record[:5]).rstrip(b"\0")
        except InvalidTag as error:
            raise BadRecord from error
        return inner[-1], inner[:-1]

    def _nonce(self) -> bytes:
        nonce = (self._iv ^ self.sequence).to_bytes(12, "big")
        self.sequence += 1
        return nonce


@dataclass
class RecordBuffer:
    """Bytes in any pieces to whole records, header included."""

    held: bytearray = field(default_factory=bytearray)

    def add(self, data: bytes) -> Iterator[bytes]:
        """The records that are complete now."""
        self.held += data
        while len(self.held) >= 5 and len(self.held) >= (size := 5 + int.from_bytes(self.held[3:5], "big")):
            record = bytes(self.held[:size])
            del self.held[:size]
            yield record


def clear_record(kind: int, data: bytes) -> bytes:
    """An unprotected record."""
    return struct.pack(">BHH", kind, 0x0303, len(data)) + data


def vector(width: int, data: bytes) -> bytes:
    """`data` after its length in `width` bytes."""
    return len(data).to_bytes(width, "big") + data


def message(kind: int, body: bytes) -> bytes:
    """A handshake message."""
    return bytes([kind]) + vector(3, body)


def extensions(values: dict[int, bytes]) -> bytes:
    """A block of extensions, in this order."""
    return vector(2, b"".join(struct.pack(">H", kind) + vector(2, body) for kind, body in values.items()))


def certificate(entries: tuple[bytes, ...]) -> bytes:
    """A Certificate message with these entries."""
    return message(CERTIFICATE, b"\0" + vector(3, b"".join(vector(3, entry) + b"\0\0" for entry in entries)))


def signed_content(whose: str, transcript: bytes) -> bytes:
    """What the CertificateVerify of `client` or `server` signs (section 4.4.3)."""
    return b" " * 64 + f"TLS 1.3, {whose} CertificateVerify".encode() + b"\0" + transcript


class Reader:
    """Takes fields from the front of bytes."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def take(self, size: int) -> bytes:
        """The next `size` bytes."""
        taken, self.data = self.data[:size], self.data[size:]
        assert len(taken) == size, "a message ends too early"
        return taken

    def number(self, size: int) -> int:
        """An integer of `size` bytes."""
        return int.from_bytes(self.take(size), "big")

    def vector(self, width: int) -> bytes:
        """Bytes after their length."""
        return self.take(self.number(width))

    def extensions(self) -> dict[int, bytes]:
        """A block of extensions."""
        block, found = Reader(self.vector(2)), {}
        while block.data:
            kind = block.number(2)
            found[kind] = block.vector(2)
        return found


def hello_extensions(hello: bytes) -> dict[int, bytes]:
    """The extensions of a ClientHello or ServerHello message."""
    reader = Reader(hello)
    kind = reader.number(1)
    reader.take(3 + 2 + 32)
    reader.vector(1)
    if kind == CLIENT_HELLO:
        reader.vector(2)
        reader.vector(1)
    else:
        reader.take(3)
    return reader.extensions()
