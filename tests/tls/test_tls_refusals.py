"""Who is not let in, what each side is told, and that nobody is let in by mistake."""

import ssl

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, ed25519, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from tools import tls13
from tools.hostile_peer import AlertSeen, HostileClient, HostilePeer, HostileServer, new_key
from tools.openssl_peer import OpensslError, OpensslPeer
from tools.stdlib_peer import StdlibPeer
from tools.tls_peers import Link, build_peer, needs_openssl, our_client, our_server, private_of

from collie.tls.connection import TlsConnection
from collie.tls.errors import KeyRefused, PinViolation, TlsError
from collie.tls.keys import LocalKey

CLIENT, SERVER, STRANGER = (LocalKey.generate() for _ in range(3))
STACKS = ("gnutls", "openssl", "python")
ANY_SIGNATURE = b"ecdsa_secp256r1_sha256:rsa_pss_rsae_sha256:ecdsa_secp384r1_sha384:ed25519"

OTHER_KEYS: dict[str, rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey | ed25519.Ed25519PrivateKey] = {
    "rsa": rsa.generate_private_key(65537, 2048),
    "p-384": ec.generate_private_key(ec.SECP384R1()),
    "ed25519": ed25519.Ed25519PrivateKey.generate(),
}


def alert_of(error: BaseException | None) -> int:
    """The alert that the far end got, whatever its make."""
    if isinstance(error, AlertSeen | KeyRefused):
        return error.alert
    names = {"access denied": 49, "bad certificate": 42, "decrypt error": 51, "certificate required": 116}
    return next(alert for name, alert in names.items() if name in str(error))


def assert_refused(end: object, error: BaseException | None) -> None:
    assert isinstance(end, TlsConnection)
    assert isinstance(error, TlsError)
    assert end.failure is error


@pytest.mark.parametrize(("server", "alert"), [("gnutls", 49), ("openssl", 42), ("python", 49)])
def test_a_refused_client_learns_it_on_its_first_read(server: str, alert: int) -> None:
    client = our_client(CLIENT, SERVER.spki)
    link = Link(client, build_peer(server, SERVER, pins=(STRANGER.pin,), server=True))
    link.client.handshake()
    link.to_server(link.client.take())
    link.to_client(link.server.take())
    assert client.done
    assert client.failure is None
    link.run()
    assert isinstance(link.client_error, KeyRefused)
    assert link.client_error.alert == alert
    assert not link.server.done


@pytest.mark.parametrize("client", STACKS)
def test_a_client_with_a_strange_key_is_denied(client: str) -> None:
    link = Link(build_peer(client, CLIENT, pins=(SERVER.pin,), server=False), our_server(SERVER, STRANGER.spki))
    link.shake_hands()
    assert isinstance(link.server_error, PinViolation)
    assert link.server_error.pin == CLIENT.pin
    assert not link.server.done
    assert alert_of(link.client_error) == 49


@pytest.mark.parametrize("server", STACKS)
def test_a_server_with_a_strange_key_is_denied(server: str) -> None:
    link = Link(our_client(CLIENT, STRANGER.spki), build_peer(server, SERVER, pins=(CLIENT.pin,), server=True))
    link.shake_hands()
    assert isinstance(link.client_error, PinViolation)
    assert link.client_error.pin == SERVER.pin
    assert not link.client.done
    assert alert_of(link.server_error) == 49


@pytest.mark.parametrize(("client", "alert"), [("gnutls", 49), ("openssl", 42), ("python", 49)])
def test_a_server_is_told_that_its_key_is_refused(client: str, alert: int) -> None:
    """OpenSSL says it unencrypted, which no key decrypts: it is understood all the same."""
    link = Link(build_peer(client, CLIENT, pins=(STRANGER.pin,), server=False), our_server(SERVER, CLIENT.spki))
    link.shake_hands()
    assert isinstance(link.server_error, KeyRefused)
    assert link.server_error.alert == alert
    assert not link.server.done


@pytest.mark.parametrize("stack", STACKS)
def test_one_of_several_pins_is_enough(stack: str) -> None:
    pins = (STRANGER.spki, SERVER.spki, CLIENT.spki)
    server = build_peer(stack, SERVER, pins=(STRANGER.pin, CLIENT.pin), server=True)
    assert Link(our_client(CLIENT, *pins), server).shake_hands().both_done


def test_no_pin_lets_nobody_in() -> None:
    client = TlsConnection(CLIENT, frozenset[str]().__contains__, server=False)
    link = Link(client, our_server(SERVER)).shake_hands()
    assert isinstance(link.client_error, PinViolation)


@pytest.mark.parametrize("role", ["client", "server"])
def test_the_right_key_without_its_secret(role: str) -> None:
    thief: HostilePeer
    if role == "client":
        thief = HostileClient(private_of(CLIENT))
        link = Link(thief, our_server(SERVER, CLIENT.spki))
    else:
        thief = HostileServer(private_of(SERVER))
        link = Link(our_client(CLIENT, SERVER.spki), thief)
    thief.signer = new_key()
    link.shake_hands()
    ours, error, told = _ours(link, role)
    assert_refused(ours, error)
    assert alert_of(told) == 51


@pytest.mark.parametrize("stack", ["openssl", "python"])
def test_a_client_without_a_key(stack: str) -> None:
    link = Link(_keyless(stack), our_server(SERVER)).shake_hands()
    assert_refused(link.server, link.server_error)
    assert alert_of(link.client_error) == 116


@pytest.mark.parametrize("kind", OTHER_KEYS)
def test_a_client_with_a_key_of_another_kind(kind: str) -> None:
    needs_openssl()
    client = OpensslPeer(_other_key(kind), server=False, signatures=ANY_SIGNATURE)
    link = Link(client, our_server(SERVER)).shake_hands()
    assert_refused(link.server, link.server_error)
    assert alert_of(link.client_error) == 116


@pytest.mark.parametrize("kind", OTHER_KEYS)
def test_a_server_with_a_key_of_another_kind(kind: str) -> None:
    """It gives up by itself, since we ask for P-256 alone."""
    needs_openssl()
    server = OpensslPeer(_other_key(kind), server=True, signatures=ANY_SIGNATURE)
    link = Link(our_client(CLIENT), server).shake_hands()
    assert_refused(link.client, link.client_error)
    assert "alert 40" in str(link.client_error)
    assert isinstance(link.server_error, OpensslError)


@pytest.mark.parametrize("newest", [ssl.TLSVersion.TLSv1_2, ssl.TLSVersion.TLSv1_3])
@pytest.mark.parametrize("role", ["client", "server"])
def test_a_peer_with_certificates(role: str, newest: ssl.TLSVersion) -> None:
    peer = StdlibPeer(server=role == "server", newest=newest)
    link = Link(peer, our_server(SERVER)) if role == "client" else Link(our_client(CLIENT), peer)
    link.shake_hands()
    ours, error, told = _ours(link, role)
    assert_refused(ours, error)
    assert isinstance(told, ssl.SSLError)


@pytest.mark.parametrize("role", ["client", "server"])
def test_a_peer_that_names_no_certificate_type(role: str) -> None:
    """What it shows then is a certificate, by the rules; here it is a raw key in its place."""
    peer: HostilePeer = HostileClient() if role == "client" else HostileServer()
    peer.names_certificate_types = False
    link = Link(peer, our_server(SERVER)) if role == "client" else Link(our_client(CLIENT), peer)
    link.shake_hands()
    ours, error, _ = _ours(link, role)
    assert_refused(ours, error)


class IncuriousServer(HostileServer):
    """Agrees to raw keys for both, and then does not ask for the client's."""

    def encrypted_extensions(self) -> bytes:
        raw = bytes([tls13.RAW_KEY])
        both = {tls13.CLIENT_CERTIFICATE_TYPE: raw, tls13.SERVER_CERTIFICATE_TYPE: raw}
        return tls13.message(tls13.ENCRYPTED_EXTENSIONS, tls13.extensions(both))


@pytest.mark.parametrize("make", [HostileServer, IncuriousServer])
def test_a_server_that_does_not_ask_who_we_are(make: type[HostileServer]) -> None:
    server = make()
    server.asks = False
    link = Link(our_client(CLIENT), server).shake_hands()
    assert_refused(link.client, link.client_error)
    assert not link.client.done


def _ours(link: Link, theirs: str) -> tuple[object, BaseException | None, BaseException | None]:
    """Our end, what it failed with, and what the other end was told."""
    if theirs == "client":
        return link.server, link.server_error, link.client_error
    return link.client, link.client_error, link.server_error


def _keyless(stack: str) -> HostileClient | OpensslPeer:
    if stack == "openssl":
        needs_openssl()
        return OpensslPeer(None, server=False)
    client = HostileClient()
    client.entries = ()
    return client


def _other_key(kind: str) -> bytes:
    return OTHER_KEYS[kind].private_bytes(Encoding.DER, PrivateFormat.PKCS8, NoEncryption())
