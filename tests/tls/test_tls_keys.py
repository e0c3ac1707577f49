import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519
from cryptography.hazmat.primitives.serialization import BestAvailableEncryption, Encoding, NoEncryption, PrivateFormat

from collie.errors import CollieError
from collie.tls.keys import LocalKey
from collie.tls.pins import MalformedKey, check_spki, pin_of


def test_a_new_key_is_kept_and_found_again() -> None:
    key = LocalKey.generate()
    check_spki(key.spki)
    assert key.pin == pin_of(key.spki)
    again = LocalKey.from_pkcs8(key.pkcs8())
    assert (again.spki, again.pin, again.pkcs8()) == (key.spki, key.pin, key.pkcs8())


def test_two_keys_differ() -> None:
    assert LocalKey.generate().pin != LocalKey.generate().pin


@pytest.mark.parametrize(
    "der",
    [
        b"",
        b"junk",
        ed25519.Ed25519PrivateKey.generate().private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()),
        ec.generate_private_key(ec.SECP384R1()).private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption()),
        ec.generate_private_key(ec.SECP256R1()).private_bytes(
            Encoding.DER, PrivateFormat.PKCS8, BestAvailableEncryption(b"secret")
        ),
    ],
    ids=["empty", "junk", "ed25519", "p-384", "encrypted"],
)
def test_what_is_not_such_a_key(der: bytes) -> None:
    with pytest.raises(MalformedKey):
        LocalKey.from_pkcs8(der)


def test_an_external_key_has_no_secret_to_write() -> None:
    key = LocalKey.external(LocalKey.generate().spki, lambda digest: digest)
    with pytest.raises(CollieError, match="stays in the device"):
        key.pkcs8()


def test_an_external_key_must_be_one() -> None:
    with pytest.raises(MalformedKey):
        LocalKey.external(b"junk", lambda digest: digest)


def test_a_key_tells_nothing_but_its_pin() -> None:
    key = LocalKey.generate()
    assert repr(key) == f"LocalKey(pin={key.pin!r})"
