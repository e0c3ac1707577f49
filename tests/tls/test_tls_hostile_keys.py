"""Whatever stands where the peer's key should be, from either role: never accepted, and the peer is told."""

from collections.abc import Callable

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.hostile_peer import AlertSeen, HostileClient, HostilePeer, HostileServer
from tools.tls_peers import Link, our_client, our_server

from collie.tls.connection import TlsConnection
from collie.tls.errors import TlsError
from collie.tls.judge import BAD_CERTIFICATE
from collie.tls.keys import LocalKey
from collie.tls.pins import SPKI_PREFIX

OURS = LocalKey.generate()
OTHER = LocalKey.generate()

ALGORITHM = bytes.fromhex("301306072a8648ce3d020106082a8648ce3d030107")


def der_of(key: ec.EllipticCurvePublicKey | ed25519.Ed25519PublicKey | rsa.RSAPublicKey) -> bytes:
    return key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)


def compressed(spki: bytes) -> bytes:
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), spki[26:])
    point = b"\x00" + key.public_bytes(Encoding.X962, PublicFormat.CompressedPoint)
    bits = b"\x03" + bytes([len(point)]) + point
    return b"\x30" + bytes([len(ALGORITHM + bits)]) + ALGORITHM + bits


SHOWN: dict[str, Callable[[bytes], tuple[bytes, ...]]] = {
    "empty": lambda _: (b"",),
    "garbage": lambda _: (b"\xff" * 91,),
    "right prefix, garbage": lambda _: (SPKI_PREFIX + b"\xff" * 64,),
    "not on the curve": lambda spki: (spki[:-1] + bytes([spki[-1] ^ 1]),),
    "the point at infinity": lambda _: (SPKI_PREFIX + bytes(64),),
    "trailing bytes": lambda spki: (spki + b"\x00",),
    "cut": lambda spki: (spki[:-1],),
    "compressed": lambda spki: (compressed(spki),),
    "hybrid": lambda spki: (spki[:26] + bytes([6 + spki[-1] % 2]) + spki[27:],),
    "a length in BER": lambda spki: (b"\x30\x81\x59" + spki[2:],),
    "two": lambda spki: (spki, spki),
    "two, the second another's": lambda spki: (spki, OTHER.spki),
    "two, the first another's": lambda spki: (OTHER.spki, spki),
    "another's": lambda _: (OTHER.spki,),
    "20 kB": lambda spki: (spki + bytes(20_000),),
    "4 kB": lambda spki: (spki + bytes(3_900),),
    "thirty": lambda spki: (spki,) * 30,
    "rsa": lambda _: (der_of(rsa.generate_private_key(65537, 2048).public_key()),),
    "p-384": lambda _: (der_of(ec.generate_private_key(ec.SECP384R1()).public_key()),),
    "ed25519": lambda _: (der_of(ed25519.Ed25519PrivateKey.generate().public_key()),),
    "our own": lambda _: (OURS.spki,),
}


ALERTS = {"empty": 50, "another's": 51, "our own": 51, "4 kB": 50, "20 kB": 50}
"""decode_error for what is no message at all or too large a one, decrypt_error where the key is one but not proved;
else bad_certificate. A key in another form is refused too, or one key would have several pins."""


def build_link(role: str) -> tuple[Link, HostilePeer, TlsConnection]:
    """Our end accepts any key that is one."""
    if role == "client":
        client, server = HostileClient(), our_server(OURS)
        return Link(client, server), client, server
    ours, theirs = our_client(OURS), HostileServer()
    return Link(ours, theirs), theirs, ours


@pytest.mark.parametrize("shown", SHOWN)
@pytest.mark.parametrize("role", ["client", "server"])
def test_it_is_refused(role: str, shown: str) -> None:
    link, hostile, ours = build_link(role)
    hostile.entries = SHOWN[shown](hostile.spki)
    link.shake_hands()
    assert isinstance(ours.failure, TlsError)
    assert not ours.done
    assert ours.peer_spki is None
    told = link.client_error if role == "client" else link.server_error
    assert isinstance(told, AlertSeen)
    assert told.alert == ALERTS.get(shown, BAD_CERTIFICATE)


def test_what_is_too_large_is_not_kept() -> None:
    link, hostile, ours = build_link("client")
    hostile.entries = (bytes(60_000),)
    link.shake_hands()
    assert "too large" in str(ours.failure).lower()


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 90), st.integers(1, 255), st.sampled_from(["client", "server"]))
def test_one_wrong_byte_anywhere(position: int, flip: int, role: str) -> None:
    link, hostile, ours = build_link(role)
    spki = bytearray(hostile.spki)
    spki[position] ^= flip
    hostile.entries = (bytes(spki),)
    link.shake_hands()
    assert ours.failure is not None
    assert not ours.done


@pytest.mark.parametrize("role", ["client", "server"])
def test_the_same_peer_unchanged_is_accepted(role: str) -> None:
    link, hostile, ours = build_link(role)
    link.shake_hands()
    assert ours.done
    assert ours.peer_spki == hostile.spki
