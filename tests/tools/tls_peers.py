"""Any two TLS ends, joined in memory."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import load_der_private_key
from tools.hostile_peer import HostileClient, HostileServer
from tools.openssl_peer import OpensslPeer, openssl

from collie.tls.connection import TlsConnection
from collie.tls.keys import LocalKey
from collie.tls.pins import pin_of


class Peer(Protocol):
    """What TlsConnection, OpenSSL's and the hostile peer have in common."""

    done: bool
    peer_closed: bool

    @property
    def peer_spki(self) -> bytes | None: ...

    @property
    def pending(self) -> bool: ...

    def handshake(self) -> bool: ...

    def feed(self, data: bytes, /) -> bytes: ...

    def write(self, data: bytes, /) -> None: ...

    def take(self) -> bytes: ...

    def close_notify(self) -> None: ...


@dataclass
class Link:
    """Two ends, what each has received, and what each has failed with."""

    client: Peer
    server: Peer
    piece: int = 1 << 30

    def __post_init__(self) -> None:
        self.at_client, self.at_server = b"", b""
        self.client_error: BaseException | None = None
        self.server_error: BaseException | None = None

    def shake_hands(self) -> "Link":
        """From the first hello until both are quiet."""
        self.client.handshake()
        return self.run()

    def run(self) -> "Link":
        """Carry what is there, in pieces of the given size, until both are quiet."""
        while self.client.pending or self.server.pending:
            self._carry(self.client.take(), self.to_server)
            self._carry(self.server.take(), self.to_client)
        return self

    def to_server(self, data: bytes) -> None:
        """Bytes that arrive at the server."""
        if self.server_error is None:
            try:
                self.at_server += self.server.feed(data)
            except Exception as error:  # noqa: BLE001 - what went wrong is what tests look at
                self.server_error = error

    def to_client(self, data: bytes) -> None:
        """Bytes that arrive at the client."""
        if self.client_error is None:
            try:
                self.at_client += self.client.feed(data)
            except Exception as error:  # noqa: BLE001 - what went wrong is what tests look at
                self.client_error = error

    def cut_off(self) -> "Link":
        """The transport ends for both."""
        self.to_server(b"")
        self.to_client(b"")
        return self

    def _carry(self, data: bytes, deliver: Callable[[bytes], None]) -> None:
        for start in range(0, len(data), self.piece):
            deliver(data[start : start + self.piece])

    @property
    def both_done(self) -> bool:
        """Both ends have ended the handshake, and nothing has failed."""
        return self.client.done and self.server.done and not (self.client_error or self.server_error)


def build_peer(stack: str, key: LocalKey, *, pins: tuple[str, ...], server: bool) -> Peer:
    """An end of that make which holds `key` and accepts others with `pins`.

    Args:
        stack: `gnutls` (Collie's own), `openssl` or `python`
    """
    if stack == "gnutls":
        return TlsConnection(key, pins.__contains__, server=server)
    if stack == "openssl":
        needs_openssl()
        return OpensslPeer(key.pkcs8(), pins, server=server)
    return (HostileServer if server else HostileClient)(private_of(key), lambda spki: pin_of(spki) in pins)


def needs_openssl() -> None:
    """Skip the test where the wheel brings no OpenSSL for this system."""
    if openssl() is None:
        pytest.skip("psycopg-binary brings no OpenSSL here")


def private_of(key: LocalKey) -> ec.EllipticCurvePrivateKey:
    """The key for those who compute with it."""
    private = load_der_private_key(key.pkcs8(), password=None)
    assert isinstance(private, ec.EllipticCurvePrivateKey)
    return private


def our_client(key: LocalKey, *peers: bytes) -> TlsConnection:
    """Collie's client that accepts servers with these keys, or any where none is named."""
    return TlsConnection(key, _accepting(peers), server=False)


def our_server(key: LocalKey, *peers: bytes) -> TlsConnection:
    """Collie's server that accepts clients with these keys, or any where none is named."""
    return TlsConnection(key, _accepting(peers), server=True)


def _accepting(spkis: tuple[bytes, ...]) -> Callable[[str], bool]:
    pins = {pin_of(spki) for spki in spkis}
    return lambda pin: not pins or pin in pins
