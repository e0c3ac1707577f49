"""This side's own key: P-256, in memory or behind a callback that signs."""

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Self

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_der_private_key,
)

from collie.errors import CollieError
from collie.tls.pins import MalformedKey, check_spki, pin_of

Sign = Callable[[bytes], bytes]
"""Takes a SHA-256 digest of 32 bytes, returns the ECDSA signature in DER. It may block: it runs in a thread."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False, weakref_slot=True)
class LocalKey:
    """A key this side can prove. Its repr shows the pin alone."""

    spki: bytes = field(repr=False)
    pin: str
    sign: Sign | None = field(default=None, repr=False)
    """What signs for a key that is not in memory; None for one that is."""
    secret: bytes | None = field(default=None, repr=False)
    """The private key as PKCS#8 DER; None for one that is not in memory."""

    @classmethod
    def generate(cls) -> Self:
        """A new key."""
        return cls._of(ec.generate_private_key(ec.SECP256R1()))

    @classmethod
    def from_pkcs8(cls, der: bytes) -> Self:
        """The key that `pkcs8` gave.

        Raises: MalformedKey when it is not an unencrypted P-256 key.
        """
        try:
            private = load_der_private_key(der, password=None)
        except (ValueError, TypeError) as error:
            raise MalformedKey("not an unencrypted PKCS#8 private key") from error
        if not isinstance(private, ec.EllipticCurvePrivateKey) or not isinstance(private.curve, ec.SECP256R1):
            raise MalformedKey("a private key, but not of P-256")
        return cls._of(private)

    @classmethod
    def external(cls, spki: bytes, sign: Sign) -> Self:
        """A key that stays where it is (a security chip, an agent) and signs there.

        Raises: MalformedKey when `spki` is not a P-256 key.
        """
        check_spki(spki)
        return cls(spki=spki, pin=pin_of(spki), sign=sign)

    def pkcs8(self) -> bytes:
        """The private key as unencrypted PKCS#8 DER, to be kept in a private file.

        Raises: CollieError for an external key.
        """
        if self.secret is None:
            raise CollieError("this key stays in the device that signs with it: it cannot be written to a file")
        return self.secret

    @classmethod
    def _of(cls, private: ec.EllipticCurvePrivateKey) -> Self:
        spki = private.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        secret = private.private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
        return cls(spki=spki, pin=pin_of(spki), secret=secret)
