"""One session of GnuTLS, and the key that it proves."""

import ctypes
from collections.abc import Callable
from ctypes import byref, c_uint, c_void_p
from typing import Final
from weakref import finalize

from collie.tls import _header as header
from collie.tls._gnutls import AlertReceived, Gnutls
from collie.tls._header import CertificateType, Datum, InitFlag, Target
from collie.tls.keys import LocalKey

FLAGS: Final = (
    InitFlag.NONBLOCK
    | InitFlag.NO_DEFAULT_EXTENSIONS
    | InitFlag.NO_SIGNAL
    | InitFlag.NO_TICKETS
    | InitFlag.ENABLE_RAWPK
    | InitFlag.NO_AUTO_SEND_TICKET
    | InitFlag.NO_STATUS_REQUEST
)

HANDSHAKE_BYTES: Final = 4096
"""The largest handshake message; one with a raw key has some 100 bytes, and by default 128 KiB would be buffered."""

RECORD_BYTES: Final = 16_384
"""The most plaintext in one record (RFC 8446, section 5.1)."""


class Credentials:
    """A local key as GnuTLS holds it: imported, or with a way to have it sign."""

    def __init__(self, gnutls: Gnutls, key: LocalKey) -> None:
        self.handle = c_void_p()
        gnutls.check(gnutls.c.gnutls_certificate_allocate_credentials(byref(self.handle)))
        # The halves match by how a LocalKey is made; else GnuTLS tries a signature now, with an external key too.
        gnutls.c.gnutls_certificate_set_flags(self.handle, header.CERTIFICATE_SKIP_KEY_CERT_MATCH)
        finalize(self, gnutls.c.gnutls_certificate_free_credentials, self.handle).atexit = False
        if key.sign is None:
            self._import(gnutls, key.spki, key.pkcs8())
        else:
            self.sign = key.sign
            self._refer(gnutls, key.spki)

    def _import(self, gnutls: Gnutls, spki: bytes, pkcs8: bytes) -> None:
        gnutls.check(
            gnutls.c.gnutls_certificate_set_rawpk_key_mem(
                self.handle,
                byref(Datum.of(spki)),
                byref(Datum.of(pkcs8)),
                header.X509_FMT_DER,
                None,
                header.KEY_DIGITAL_SIGNATURE,
                None,
                0,
                0,
            )
        )

    def _refer(self, gnutls: Gnutls, spki: bytes) -> None:
        number = next(gnutls.numbers)
        gnutls.signers[number] = self
        private, public = c_void_p(), header.Pcert()
        gnutls.check(gnutls.c.gnutls_privkey_init(byref(private)))
        gnutls.check(
            gnutls.c.gnutls_privkey_import_ext4(private, number, None, gnutls.sign_hash, None, None, gnutls.key_info, 0)
        )
        gnutls.check(
            gnutls.c.gnutls_pcert_import_rawpk_raw(
                byref(public), byref(Datum.of(spki)), header.X509_FMT_DER, header.KEY_DIGITAL_SIGNATURE, 0
            )
        )
        gnutls.check(gnutls.c.gnutls_certificate_set_key(self.handle, None, 0, byref(public), 1, private))


class Session:
    """One TLS session between two byte buffers.

    `judge` is asked in the midst of the handshake: is it a raw key, and which are they? GnuTLS is told its word, but
    whether it was asked at all must be looked at again afterwards.
    """

    def __init__(
        self, gnutls: Gnutls, key: LocalKey, judge: Callable[[bool, tuple[bytes, ...]], bool], *, server: bool
    ) -> None:
        self._gnutls = gnutls
        self._c = gnutls.c
        self._judge = judge
        self.outgoing = bytearray()
        self.ended = False
        self._incoming = b""
        self._position = 0
        self._pulled = False
        self._plain = ctypes.create_string_buffer(RECORD_BYTES)
        credentials = Credentials(gnutls, key)
        self.handle = c_void_p()
        gnutls.check(self._c.gnutls_init(byref(self.handle), FLAGS | (InitFlag.SERVER if server else InitFlag.CLIENT)))
        self._free = finalize(self, _deinit, self._c, self.handle, credentials)
        self._free.atexit = False
        self._set_up(credentials, server)

    def _set_up(self, credentials: Credentials, server: bool) -> None:
        c, handle, gnutls = self._c, self.handle, self._gnutls
        number = next(gnutls.numbers)
        gnutls.sessions[number] = self
        gnutls.check(c.gnutls_priority_set(handle, gnutls.priority))
        gnutls.check(c.gnutls_credentials_set(handle, header.CRD_CERTIFICATE, credentials.handle))
        c.gnutls_transport_set_ptr(handle, number)
        c.gnutls_session_set_ptr(handle, number)
        c.gnutls_transport_set_push_function(handle, gnutls.push)
        c.gnutls_transport_set_pull_function(handle, gnutls.pull)
        c.gnutls_transport_set_pull_timeout_function(handle, gnutls.pull_timeout)
        c.gnutls_session_set_keylog_function(handle, None)  # or SSLKEYLOGFILE in the environment gives the secrets away
        c.gnutls_handshake_set_timeout(handle, 0)
        c.gnutls_handshake_set_max_packet_length(handle, HANDSHAKE_BYTES)
        c.gnutls_session_set_verify_function(handle, gnutls.verify)
        if server:
            c.gnutls_certificate_server_set_request(handle, header.CERT_REQUIRE)

    @property
    def more(self) -> bool:
        """There is input that GnuTLS has not seen yet, be it the end."""
        return self._position < len(self._incoming) or self.ended

    def feed(self, data: bytes) -> None:
        """Add input; b"" tells that the transport ended."""
        self._incoming = self._incoming[self._position :] + data
        self._position = 0
        self.ended = self.ended or not data

    def pull(self, size: int) -> bytes:
        """What GnuTLS takes of the input."""
        data = self._incoming[self._position : self._position + size]
        self._position += len(data)
        self._pulled = True
        return data

    def push(self, data: bytes) -> int:
        """What GnuTLS gives to the transport."""
        self.outgoing += data
        return len(data)

    def judged(self) -> bool:
        """The judge's word, which GnuTLS asks for once the peer has proved its key."""
        return self._judge(self.peer_is_raw, self.peer_keys())

    def handshake(self) -> bool:
        """As far as the input allows; True once it is done.

        Raises: GnutlsError, AlertReceived.
        """
        return self._repeat(lambda: self._c.gnutls_handshake(self.handle)) is not None

    def receive(self) -> bytes | None:
        """One record's plaintext; b"" for the peer's close_notify, None when there is not enough input.

        Raises: GnutlsError, AlertReceived.
        """
        size = self._repeat(lambda: self._c.gnutls_record_recv(self.handle, self._plain, RECORD_BYTES))
        return None if size is None else ctypes.string_at(self._plain, size)

    def send(self, data: bytes | bytearray | memoryview) -> None:
        """Encrypt all of it.

        Raises: GnutlsError.
        """
        with memoryview(data) as view:
            for start in range(0, len(view), RECORD_BYTES):
                chunk = bytes(view[start : start + RECORD_BYTES])
                self._checked(self._c.gnutls_record_send(self.handle, chunk, len(chunk)))

    def bye(self) -> None:
        """Say close_notify; reading goes on.

        Raises: GnutlsError.
        """
        self._checked(self._c.gnutls_bye(self.handle, header.SHUT_WR))

    def send_alert(self, alert: int) -> None:
        """Say why this side ends the connection. GnuTLS never does so by itself.

        Raises: GnutlsError.
        """
        self._checked(self._c.gnutls_alert_send(self.handle, header.AL_FATAL, alert))

    @property
    def peer_is_raw(self) -> bool:
        """The peer showed raw keys, as far as the hellos agreed on it, and not certificates."""
        return self._certificate_type(Target.PEERS) == CertificateType.RAWPK

    def peer_keys(self) -> tuple[bytes, ...]:
        """What the peer showed as its certificates, as received: for raw keys one SubjectPublicKeyInfo."""
        count = c_uint(0)
        first = self._c.gnutls_certificate_get_peers(self.handle, byref(count))
        return tuple(first[index].bytes() for index in range(count.value)) if first else ()

    def meets_profile(self) -> bool:
        """After the handshake: is it TLS 1.3 between two raw keys, both of which signed as agreed, and not resumed?

        The priorities do not see to all of it: a peer that names no certificate type gets X.509, and only the client's
        own signature shows that a server asked for it.
        """
        c, handle, signature = self._c, self.handle, header.SIGN_ECDSA_SECP256R1_SHA256
        return (
            c.gnutls_protocol_get_version(handle) == header.TLS1_3
            and self._certificate_type(Target.CLIENT) == CertificateType.RAWPK
            and self._certificate_type(Target.SERVER) == CertificateType.RAWPK
            and c.gnutls_sign_algorithm_get(handle) == signature
            and c.gnutls_sign_algorithm_get_client(handle) == signature
            and c.gnutls_session_is_resumed(handle) == 0
        )

    def close(self) -> None:
        """Free it; nothing may be asked of it afterwards."""
        self._free()

    def _repeat(self, call: Callable[[], int]) -> int | None:
        while True:
            self._pulled = False
            code = call()
            self._gnutls.reraise()
            if code == header.E_AGAIN and not (self._pulled and self.more):
                return None
            if code != header.E_AGAIN:
                return self._result(code)

    def _certificate_type(self, target: Target) -> int:
        return int(self._c.gnutls_certificate_type_get2(self.handle, target))

    def _checked(self, code: int) -> int:
        self._gnutls.reraise()
        return self._result(code)

    def _result(self, code: int) -> int:
        if code in (header.E_FATAL_ALERT_RECEIVED, header.E_WARNING_ALERT_RECEIVED):
            raise AlertReceived(self._c.gnutls_alert_get(self.handle))
        return self._gnutls.check(code)


def _deinit(library: ctypes.CDLL, handle: c_void_p, _credentials: Credentials) -> None:
    """Free a session; its credentials are named here because they must live until then."""
    library.gnutls_deinit(handle)
