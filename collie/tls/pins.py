"""What names a key: the SHA-256 of its SubjectPublicKeyInfo, as the bytes stand on the wire."""

from base64 import urlsafe_b64encode
from hashlib import sha256
from typing import Final

from collie.errors import CollieError

SPKI_BYTES: Final = 91
SPKI_PREFIX: Final = bytes.fromhex("3059301306072a8648ce3d020106082a8648ce3d03010703420004")
"""The DER of each uncompressed P-256 key up to its two coordinates (RFC 5480): one key, one encoding, one pin."""

_PRIME: Final = 2**256 - 2**224 + 2**192 + 2**96 - 1
_B: Final = 0x5AC635D8AA3A93E7B3EBBD55769886BC651D06B0CC53B0F63BCE3C3E27D2604B
"""The curve is y² = x³ - 3x + b over the integers modulo the prime (SEC 2, secp256r1)."""


class MalformedKey(CollieError):
    """The bytes are not a P-256 key in the one form that is accepted."""


def pin_of(spki: bytes) -> str:
    """The key's pin: base64url without padding of the SHA-256 over its SPKI DER, 43 characters."""
    return urlsafe_b64encode(sha256(spki).digest()).rstrip(b"=").decode("ascii")


def check_spki(spki: bytes) -> None:
    """Refuse all but the 91-byte DER of an uncompressed P-256 point on the curve.

    Raises: MalformedKey.
    """
    if len(spki) != SPKI_BYTES or not spki.startswith(SPKI_PREFIX):
        raise MalformedKey(f"bytes that are not the {SPKI_BYTES}-byte SubjectPublicKeyInfo of a P-256 key")
    x, y = (int.from_bytes(spki[start : start + 32], "big") for start in (len(SPKI_PREFIX), len(SPKI_PREFIX) + 32))
    if max(x, y) >= _PRIME or (y * y - x * x * x + 3 * x - _B) % _PRIME:
        raise MalformedKey("a P-256 key whose point is not on the curve")
