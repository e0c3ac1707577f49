import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given
from hypothesis import strategies as st

from collie.tls.pins import SPKI_PREFIX, MalformedKey, check_spki, pin_of

RFC_6979_KEY = SPKI_PREFIX + bytes.fromhex(
    "60fed4ba255a9d31c961eb74c6356d68c049b8923b61fa6ce669622e60f29fb6"
    "7903fe1008b8bc99a41ae9e95628bc64f2f1b20c2d7e9f5177a3c294d4462299"
)
"""The P-256 key of RFC 6979, appendix A.2.5."""


def test_a_pin_is_the_digest_of_the_key_as_it_stands() -> None:
    """As openssl says it: `openssl dgst -sha256 -binary key.der | basenc --base64url`, less the padding."""
    assert pin_of(RFC_6979_KEY) == "Wnp4zKSg9CDZvGK7Zpw8J1njn3I9OuENy-DwgVoH7NQ"
    assert len(pin_of(b"")) == 43


def test_real_keys_are_taken() -> None:
    check_spki(RFC_6979_KEY)
    for secret in (1, 2, 3, 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632550):
        key = ec.derive_private_key(secret, ec.SECP256R1()).public_key()
        check_spki(key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo))


@given(st.binary(max_size=200))
def test_anything_else_is_not(data: bytes) -> None:
    with pytest.raises(MalformedKey):
        check_spki(data)
    with pytest.raises(MalformedKey):
        check_spki(SPKI_PREFIX + data)


@given(st.integers(0, 90), st.integers(1, 255))
def test_no_byte_of_a_key_can_be_changed(position: int, flip: int) -> None:
    changed = bytearray(RFC_6979_KEY)
    changed[position] ^= flip
    with pytest.raises(MalformedKey):
        check_spki(bytes(changed))


def test_a_coordinate_beyond_the_prime_is_another_name_of_a_point() -> None:
    """Such a point is on the curve, and would give the same key a second pin."""
    prime = 2**256 - 2**224 + 2**192 + 2**96 - 1
    x, y = 5, 0x459243B9AA581806FE913BCE99817ADE11CA503C64D9A3C533415C083248FBCC
    check_spki(SPKI_PREFIX + x.to_bytes(32, "big") + y.to_bytes(32, "big"))
    with pytest.raises(MalformedKey):
        check_spki(SPKI_PREFIX + (x + prime).to_bytes(32, "big") + y.to_bytes(32, "big"))
