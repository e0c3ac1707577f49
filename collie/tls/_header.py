"""What is used of gnutls.h and abstract.h, under the names that they have there (less the prefix)."""

import ctypes
from ctypes import CFUNCTYPE, POINTER, c_char_p, c_int, c_size_t, c_ssize_t, c_uint, c_void_p
from enum import IntEnum, IntFlag
from typing import Any, Final

SIGN_ECDSA_SECP256R1_SHA256: Final = 37
PK_ECDSA: Final = 4
X509_FMT_DER: Final = 0
KEY_DIGITAL_SIGNATURE: Final = 128
CRD_CERTIFICATE: Final = 1
CERT_REQUIRE: Final = 2
CERTIFICATE_SKIP_KEY_CERT_MATCH: Final = 1
SHUT_WR: Final = 1
AL_FATAL: Final = 2
TLS1_3: Final = 5

E_SUCCESS: Final = 0
E_UNEXPECTED_PACKET_LENGTH: Final = -9
E_FATAL_ALERT_RECEIVED: Final = -12
E_WARNING_ALERT_RECEIVED: Final = -16
E_DECRYPTION_FAILED: Final = -24
E_AGAIN: Final = -28
E_PK_SIGN_FAILED: Final = -46
E_PREMATURE_TERMINATION: Final = -110


class InitFlag(IntFlag):
    """gnutls_init_flags_t. GnuTLS ignores those that it does not know yet (NO_STATUS_REQUEST is of 3.8)."""

    SERVER = 1
    CLIENT = 1 << 1
    NONBLOCK = 1 << 3
    NO_DEFAULT_EXTENSIONS = 1 << 4
    NO_SIGNAL = 1 << 6
    NO_TICKETS = 1 << 10
    ENABLE_RAWPK = 1 << 18
    NO_AUTO_SEND_TICKET = 1 << 21
    NO_STATUS_REQUEST = 1 << 24


class CertificateType(IntEnum):
    """gnutls_certificate_type_t."""

    UNKNOWN = 0
    X509 = 1
    OPENPGP = 2
    RAWPK = 3


class Target(IntEnum):
    """gnutls_ctype_target_t: whose certificate type is asked for."""

    CLIENT = 0
    SERVER = 1
    OURS = 2
    PEERS = 3


class PrivkeyInfo(IntFlag):
    """What GnuTLS asks an external key for; the algorithm that it means stands in the bits from 20 on."""

    PK_ALGO = 1
    HAVE_SIGN_ALGO = 1 << 2
    PK_ALGO_BITS = 1 << 3


class Datum(ctypes.Structure):
    """gnutls_datum_t."""

    _fields_ = (("data", c_void_p), ("size", c_uint))

    @classmethod
    def of(cls, data: bytes) -> "Datum":
        """A view of `data`, which must outlive it."""
        return cls(ctypes.cast(c_char_p(data), c_void_p), len(data))

    def bytes(self) -> bytes:
        """A copy of what it points to."""
        return ctypes.string_at(self.data, self.size)


class Pcert(ctypes.Structure):
    """gnutls_pcert_st."""

    _fields_ = (("pubkey", c_void_p), ("cert", Datum), ("type", c_int))


PushFunction = CFUNCTYPE(c_ssize_t, c_void_p, c_void_p, c_size_t)
PullFunction = CFUNCTYPE(c_ssize_t, c_void_p, c_void_p, c_size_t)
PullTimeoutFunction = CFUNCTYPE(c_int, c_void_p, c_uint)
VerifyFunction = CFUNCTYPE(c_int, c_void_p)
SignHashFunction = CFUNCTYPE(c_int, c_void_p, c_int, c_void_p, c_uint, POINTER(Datum), POINTER(Datum))
InfoFunction = CFUNCTYPE(c_int, c_void_p, c_uint, c_void_p)
AllocFunction = CFUNCTYPE(c_void_p, c_size_t)

_HANDLE = c_void_p
_NEW_HANDLE = POINTER(c_void_p)
_DATUM = POINTER(Datum)

PROTOTYPES: Final[dict[str, tuple[Any, tuple[Any, ...]]]] = {
    "gnutls_strerror": (c_char_p, (c_int,)),
    "gnutls_error_to_alert": (c_int, (c_int, POINTER(c_int))),
    "gnutls_alert_get_name": (c_char_p, (c_int,)),
    "gnutls_priority_init": (c_int, (_NEW_HANDLE, c_char_p, POINTER(c_char_p))),
    "gnutls_certificate_allocate_credentials": (c_int, (_NEW_HANDLE,)),
    "gnutls_certificate_free_credentials": (None, (_HANDLE,)),
    "gnutls_certificate_set_flags": (None, (_HANDLE, c_uint)),
    "gnutls_certificate_set_rawpk_key_mem": (
        c_int,
        (_HANDLE, _DATUM, _DATUM, c_int, c_char_p, c_uint, c_void_p, c_uint, c_uint),
    ),
    "gnutls_certificate_set_key": (c_int, (_HANDLE, c_void_p, c_int, POINTER(Pcert), c_int, _HANDLE)),
    "gnutls_pcert_import_rawpk_raw": (c_int, (POINTER(Pcert), _DATUM, c_int, c_uint, c_uint)),
    "gnutls_privkey_init": (c_int, (_NEW_HANDLE,)),
    "gnutls_privkey_import_ext4": (
        c_int,
        (_HANDLE, c_void_p, c_void_p, SignHashFunction, c_void_p, c_void_p, InfoFunction, c_uint),
    ),
    "gnutls_init": (c_int, (_NEW_HANDLE, c_uint)),
    "gnutls_deinit": (None, (_HANDLE,)),
    "gnutls_priority_set": (c_int, (_HANDLE, _HANDLE)),
    "gnutls_credentials_set": (c_int, (_HANDLE, c_int, _HANDLE)),
    "gnutls_transport_set_ptr": (None, (_HANDLE, c_void_p)),
    "gnutls_session_set_ptr": (None, (_HANDLE, c_void_p)),
    "gnutls_session_get_ptr": (c_void_p, (_HANDLE,)),
    "gnutls_transport_set_errno": (None, (_HANDLE, c_int)),
    "gnutls_transport_set_push_function": (None, (_HANDLE, PushFunction)),
    "gnutls_transport_set_pull_function": (None, (_HANDLE, PullFunction)),
    "gnutls_transport_set_pull_timeout_function": (None, (_HANDLE, PullTimeoutFunction)),
    "gnutls_session_set_keylog_function": (None, (_HANDLE, c_void_p)),
    "gnutls_session_set_verify_function": (None, (_HANDLE, VerifyFunction)),
    "gnutls_certificate_server_set_request": (None, (_HANDLE, c_int)),
    "gnutls_handshake_set_timeout": (None, (_HANDLE, c_uint)),
    "gnutls_handshake_set_max_packet_length": (None, (_HANDLE, c_size_t)),
    "gnutls_handshake": (c_int, (_HANDLE,)),
    "gnutls_certificate_type_get2": (c_int, (_HANDLE, c_int)),
    "gnutls_certificate_get_peers": (_DATUM, (_HANDLE, POINTER(c_uint))),
    "gnutls_protocol_get_version": (c_int, (_HANDLE,)),
    "gnutls_sign_algorithm_get": (c_int, (_HANDLE,)),
    "gnutls_sign_algorithm_get_client": (c_int, (_HANDLE,)),
    "gnutls_session_is_resumed": (c_int, (_HANDLE,)),
    "gnutls_alert_get": (c_int, (_HANDLE,)),
    "gnutls_alert_send": (c_int, (_HANDLE, c_int, c_int)),
    "gnutls_record_send": (c_ssize_t, (_HANDLE, c_char_p, c_size_t)),
    "gnutls_record_recv": (c_ssize_t, (_HANDLE, c_void_p, c_size_t)),
    "gnutls_bye": (c_int, (_HANDLE, c_int)),
}


def declare(library: ctypes.CDLL) -> None:
    """Give each function its types; without them a handle would be cut to 32 bits."""
    for name, (restype, argtypes) in PROTOTYPES.items():
        function = getattr(library, name)
        function.restype, function.argtypes = restype, argtypes
