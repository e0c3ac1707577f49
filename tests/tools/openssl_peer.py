"""OpenSSL >= 3.2 as a TLS peer of independent make: by ctypes, from the wheel of psycopg-binary, over memory BIOs.

The wheel's libraries have names of their own, so they live beside the OpenSSL that Python itself has loaded. The peer
has the methods of TlsConnection. Pins are DANE records of type 3-1-1, which is what a pin is (RFC 6698).
"""

import base64
import ctypes
import functools
from collections.abc import Callable, Collection
from ctypes import c_char_p, c_int, c_long, c_size_t, c_ubyte, c_uint64, c_void_p
from dataclasses import dataclass
from importlib.metadata import PackageNotFoundError, files
from pathlib import Path
from typing import Any, Final

MIN_VERSION, MAX_VERSION, SET_GROUPS, SET_SIGNATURES, SET_CLIENT_SIGNATURES, SESSION_CACHE = 123, 124, 92, 98, 102, 44
TLS1_3: Final = 0x0304
NO_TICKET: Final = 1 << 14
VERIFY_PEER, VERIFY_REQUIRED = 1, 2
EOF_RETURN: Final = 130
SSL_CONTROL: Final = 1
WANT_READ, ZERO_RETURN = 2, 6
RAW_KEY: Final = b"\x02"
SUITES: Final = b"TLS_AES_128_GCM_SHA256:TLS_CHACHA20_POLY1305_SHA256:TLS_AES_256_GCM_SHA384"
SIGNATURE: Final = b"ecdsa_secp256r1_sha256"

SSL, CTX, BIO, PKEY = c_void_p, c_void_p, c_void_p, c_void_p
_SSL_FUNCTIONS: Final[dict[str, tuple[Any, tuple[Any, ...]]]] = {
    "TLS_method": (c_void_p, ()),
    "SSL_CTX_new": (CTX, (c_void_p,)),
    "SSL_CTX_free": (None, (CTX,)),
    "SSL_CTX_ctrl": (c_long, (CTX, c_int, c_long, c_char_p)),
    "SSL_CTX_set_ciphersuites": (c_int, (CTX, c_char_p)),
    "SSL_CTX_set_options": (c_uint64, (CTX, c_uint64)),
    "SSL_CTX_set_num_tickets": (c_int, (CTX, c_size_t)),
    "SSL_CTX_set1_client_cert_type": (c_int, (CTX, c_char_p, c_size_t)),
    "SSL_CTX_set1_server_cert_type": (c_int, (CTX, c_char_p, c_size_t)),
    "SSL_CTX_use_PrivateKey": (c_int, (CTX, PKEY)),
    "SSL_CTX_set_verify": (None, (CTX, c_int, c_void_p)),
    "SSL_CTX_set_cert_verify_callback": (None, (CTX, c_void_p, c_void_p)),
    "SSL_CTX_dane_enable": (c_int, (CTX,)),
    "SSL_new": (SSL, (CTX,)),
    "SSL_free": (None, (SSL,)),
    "SSL_set_bio": (None, (SSL, BIO, BIO)),
    "SSL_set_accept_state": (None, (SSL,)),
    "SSL_set_connect_state": (None, (SSL,)),
    "SSL_dane_enable": (c_int, (SSL, c_char_p)),
    "SSL_dane_tlsa_add": (c_int, (SSL, c_ubyte, c_ubyte, c_ubyte, c_char_p, c_size_t)),
    "SSL_do_handshake": (c_int, (SSL,)),
    "SSL_read_ex": (c_int, (SSL, c_void_p, c_size_t, ctypes.POINTER(c_size_t))),
    "SSL_write_ex": (c_int, (SSL, c_char_p, c_size_t, ctypes.POINTER(c_size_t))),
    "SSL_shutdown": (c_int, (SSL,)),
    "SSL_get_error": (c_int, (SSL, c_int)),
    "SSL_key_update": (c_int, (SSL, c_int)),
    "SSL_get_verify_result": (c_long, (SSL,)),
    "SSL_get0_peer_rpk": (PKEY, (SSL,)),
}
_CRYPTO_FUNCTIONS: Final[dict[str, tuple[Any, tuple[Any, ...]]]] = {
    "OpenSSL_version": (c_char_p, (c_int,)),
    "BIO_s_mem": (c_void_p, ()),
    "BIO_new": (BIO, (c_void_p,)),
    "BIO_ctrl": (c_long, (BIO, c_int, c_long, c_void_p)),
    "BIO_read": (c_int, (BIO, c_void_p, c_int)),
    "BIO_write": (c_int, (BIO, c_char_p, c_int)),
    "BIO_ctrl_pending": (c_size_t, (BIO,)),
    "d2i_AutoPrivateKey": (PKEY, (c_void_p, ctypes.POINTER(c_char_p), c_long)),
    "EVP_PKEY_free": (None, (PKEY,)),
    "i2d_PUBKEY": (c_int, (PKEY, ctypes.POINTER(c_void_p))),
    "ERR_get_error": (ctypes.c_ulong, ()),
    "ERR_clear_error": (None, ()),
    "ERR_error_string_n": (None, (ctypes.c_ulong, c_char_p, c_size_t)),
    "CRYPTO_free": (None, (c_void_p, c_char_p, c_int)),
}
_ACCEPT_ANY = ctypes.CFUNCTYPE(c_int, c_void_p, c_void_p)(lambda _store, _argument: 1)


class OpensslError(Exception):
    """A call failed; the text is OpenSSL's."""


@dataclass(frozen=True)
class Openssl:
    """The two libraries."""

    ssl: ctypes.CDLL
    crypto: ctypes.CDLL

    @property
    def version(self) -> str:
        """As `OpenSSL 3.5.9 ...`."""
        return str(self.crypto.OpenSSL_version(0).decode())


@functools.cache
def openssl() -> Openssl | None:
    """The wheel's libraries, or None where the wheel is missing or brings none."""
    crypto, ssl = _library("libcrypto"), _library("libssl")
    if crypto is None or ssl is None:
        return None
    loaded = Openssl(crypto=ctypes.CDLL(str(crypto)), ssl=ctypes.CDLL(str(ssl)))
    for library, functions in ((loaded.ssl, _SSL_FUNCTIONS), (loaded.crypto, _CRYPTO_FUNCTIONS)):
        for name, (restype, argtypes) in functions.items():
            function = getattr(library, name)
            function.restype, function.argtypes = restype, argtypes
    return loaded


def _library(name: str) -> Path | None:
    try:
        listed = files("psycopg-binary") or []
    except PackageNotFoundError:
        return None
    return next((Path(str(file.locate())) for file in listed if file.name.startswith(name)), None)


class OpensslPeer:
    """One end.

    Args:
        pkcs8: its key, of any kind; None to have none
        pins: the keys it accepts; None for any
        groups: in its order; the first is the one it sends a share for
        tickets: how many a server sends
    """

    def __init__(
        self,
        pkcs8: bytes | None,
        pins: Collection[str] | None = None,
        *,
        server: bool,
        groups: bytes = b"P-256:X25519",
        signatures: bytes = SIGNATURE,
        tickets: int = 0,
    ) -> None:
        loaded = openssl()
        assert loaded is not None
        self._ssl, self._crypto = loaded.ssl, loaded.crypto
        self.done = False
        self.peer_closed = False
        context = self._context(pkcs8, pins is None, server, groups, signatures, tickets)
        self._handle = self._ssl.SSL_new(context)
        self._ssl.SSL_CTX_free(context)
        self._in, self._out = (self._crypto.BIO_new(self._crypto.BIO_s_mem()) for _ in range(2))
        for bio in (self._in, self._out):
            self._crypto.BIO_ctrl(bio, EOF_RETURN, -1, None)
        self._ssl.SSL_set_bio(self._handle, self._in, self._out)
        (self._ssl.SSL_set_accept_state if server else self._ssl.SSL_set_connect_state)(self._handle)
        if pins is not None:
            self._pin(pins)

    def __del__(self) -> None:
        if hasattr(self, "_handle"):
            self._ssl.SSL_free(self._handle)

    def _context(
        self, pkcs8: bytes | None, any_key: bool, server: bool, groups: bytes, signatures: bytes, tickets: int
    ) -> int:
        ssl = self._ssl
        context: int = ssl.SSL_CTX_new(ssl.TLS_method())
        ssl.SSL_CTX_ctrl(context, MIN_VERSION, TLS1_3, None)
        ssl.SSL_CTX_ctrl(context, MAX_VERSION, TLS1_3, None)
        self._must(ssl.SSL_CTX_set_ciphersuites(context, SUITES))
        self._must(ssl.SSL_CTX_ctrl(context, SET_GROUPS, 0, groups))
        self._must(ssl.SSL_CTX_ctrl(context, SET_SIGNATURES, 0, signatures))
        self._must(ssl.SSL_CTX_ctrl(context, SET_CLIENT_SIGNATURES, 0, signatures))
        ssl.SSL_CTX_ctrl(context, SESSION_CACHE, 0, None)
        if not tickets:
            ssl.SSL_CTX_set_options(context, NO_TICKET)
        self._must(ssl.SSL_CTX_set_num_tickets(context, tickets))
        self._must(ssl.SSL_CTX_set1_client_cert_type(context, RAW_KEY, 1))
        self._must(ssl.SSL_CTX_set1_server_cert_type(context, RAW_KEY, 1))
        if pkcs8 is not None:
            self._use_key(context, pkcs8)
        ssl.SSL_CTX_set_verify(context, VERIFY_PEER | (VERIFY_REQUIRED if server else 0), None)
        if any_key:
            ssl.SSL_CTX_set_cert_verify_callback(context, _ACCEPT_ANY, None)
        else:
            self._must(ssl.SSL_CTX_dane_enable(context))
        return context

    def _use_key(self, context: int, pkcs8: bytes) -> None:
        key = self._crypto.d2i_AutoPrivateKey(None, ctypes.byref(c_char_p(pkcs8)), len(pkcs8))
        self._must(self._ssl.SSL_CTX_use_PrivateKey(context, key))
        self._crypto.EVP_PKEY_free(key)

    def _pin(self, pins: Collection[str]) -> None:
        self._must(self._ssl.SSL_dane_enable(self._handle, None))
        for pin in pins:
            digest = base64.urlsafe_b64decode(pin + "=")
            self._must(self._ssl.SSL_dane_tlsa_add(self._handle, 3, 1, 1, digest, len(digest)))

    @property
    def pending(self) -> bool:
        """There is something to `take`."""
        return bool(self._crypto.BIO_ctrl_pending(self._out))

    @property
    def peer_spki(self) -> bytes:
        """The other's key, as OpenSSL encodes it."""
        out = c_void_p()
        size = self._crypto.i2d_PUBKEY(self._ssl.SSL_get0_peer_rpk(self._handle), ctypes.byref(out))
        spki = ctypes.string_at(out, size)
        self._crypto.CRYPTO_free(out, b"", 0)
        return spki

    def handshake(self) -> bool:
        """As far as the input allows."""
        if not self.done:
            self.done = self._try(lambda: self._ssl.SSL_do_handshake(self._handle)) is not None
        return self.done

    def feed(self, data: bytes) -> bytes:
        """Take bytes; the plaintext in them."""
        self._crypto.BIO_write(self._in, data, len(data))
        plain, buffer, size = bytearray(), ctypes.create_string_buffer(16_384), c_size_t()
        if self.handshake():
            while self._try(lambda: self._ssl.SSL_read_ex(self._handle, buffer, 16_384, ctypes.byref(size))):
                plain += buffer.raw[: size.value]
        return bytes(plain)

    def write(self, data: bytes) -> None:
        """Encrypt."""
        self._try(lambda: self._ssl.SSL_write_ex(self._handle, data, len(data), ctypes.byref(c_size_t())))

    def take(self) -> bytes:
        """Bytes for the transport."""
        size = self._crypto.BIO_ctrl_pending(self._out)
        buffer = ctypes.create_string_buffer(size)
        self._crypto.BIO_read(self._out, buffer, size)
        return buffer.raw

    def close_notify(self) -> None:
        """Say goodbye."""
        self._ssl.SSL_shutdown(self._handle)

    def update_key(self, *, request: bool) -> None:
        """Change the key, with the next write."""
        self._must(self._ssl.SSL_key_update(self._handle, int(request)))

    def _try(self, call: Callable[[], int]) -> int | None:
        self._crypto.ERR_clear_error()
        result = call()
        if result > 0:
            return result
        error = self._ssl.SSL_get_error(self._handle, result)
        if error == ZERO_RETURN:
            self.peer_closed = True
        elif error != WANT_READ:
            raise OpensslError(self._reason())
        return None

    def _must(self, result: int) -> None:
        if result <= 0:
            raise OpensslError(self._reason())

    def _reason(self) -> str:
        text = ctypes.create_string_buffer(256)
        self._crypto.ERR_error_string_n(self._crypto.ERR_get_error(), text, len(text))
        return text.value.decode()
