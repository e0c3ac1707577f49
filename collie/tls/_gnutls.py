"""GnuTLS by ctypes: the library, what its failures become, and what it calls back.

ctypes and not cffi, because its closures need no memory that is both writable and executable, so they also run under
systemd's MemoryDenyWriteExecute. Three rules hold it together:

- A callback that raises would return 0 to C, which means "key accepted" or "end of file". Each one therefore keeps what
  was raised for whoever called into C and returns -1; and nobody relies on the verify callback alone, since an
  interrupt may also arrive before its first line: `connection` asks afterwards what the judge really said.
- C holds a number for each session and key, looked up in weak tables: strong ones would keep every session alive.
- GNUTLS_E_AGAIN also comes with input left (after a KeyUpdate or a ticket, amid a fragmented message), so a call is
  repeated while input remains and some was read since.
"""

import ctypes
import errno
import functools
import itertools
import os
import threading
from ctypes import byref, c_void_p
from typing import Any, Final, Protocol
from weakref import WeakValueDictionary

from collie.errors import CollieError
from collie.tls import _header as header
from collie.tls._header import PrivkeyInfo
from collie.tls.errors import TlsUnavailable
from collie.tls.loading import Loaded, load

PRIORITY: Final = (
    "NONE:+VERS-TLS1.3:+AES-128-GCM:+CHACHA20-POLY1305:+AES-256-GCM:+AEAD"
    ":+GROUP-SECP256R1:+GROUP-X25519:+SIGN-ECDSA-SECP256R1-SHA256:+CTYPE-CLI-RAWPK:+CTYPE-SRV-RAWPK"
)
"""P-256 stands before X25519 for systems in FIPS mode. Without a PSK in it, a session can never be resumed."""

KEY_BITS: Final = 256


class GnutlsError(CollieError):
    """A call failed; `alert` is what TLS prescribes to tell the peer."""

    def __init__(self, code: int, text: str, alert: int) -> None:
        super().__init__(f"{text} (GnuTLS {code})")
        self.code = code
        self.alert = alert

    @property
    def undecryptable(self) -> bool:
        """A record was not encrypted under the keys of this moment."""
        return self.code == header.E_DECRYPTION_FAILED

    @property
    def truncated(self) -> bool:
        """The input ended, between records or inside of one."""
        return self.code in (header.E_PREMATURE_TERMINATION, header.E_UNEXPECTED_PACKET_LENGTH)


class AlertReceived(CollieError):
    """The peer sent an alert that ends the connection."""

    def __init__(self, alert: int) -> None:
        super().__init__(f"alert {alert}")
        self.alert = alert


class Endpoint(Protocol):
    """What the callbacks ask of a session."""

    handle: c_void_p
    ended: bool

    @property
    def more(self) -> bool: ...

    def pull(self, size: int) -> bytes: ...

    def push(self, data: bytes) -> int: ...

    def judged(self) -> bool: ...


class Signer(Protocol):
    """What they ask of a key that is not in memory."""

    def sign(self, digest: bytes, /) -> bytes: ...


class Gnutls:
    """The loaded library with its priorities, and the callbacks of this process. `gnutls` makes the only one."""

    def __init__(self, loaded: Loaded) -> None:
        self.info = loaded.info
        self.c = loaded.cdll
        header.declare(self.c)
        self.numbers = itertools.count(1)
        self.sessions: WeakValueDictionary[int, Endpoint] = WeakValueDictionary()
        self.signers: WeakValueDictionary[int, Signer] = WeakValueDictionary()
        self._raised = threading.local()
        self._malloc = ctypes.cast(c_void_p.in_dll(self.c, "gnutls_malloc"), header.AllocFunction)
        self.push, self.pull = header.PushFunction(self._push), header.PullFunction(self._pull)
        self.pull_timeout = header.PullTimeoutFunction(self._pull_timeout)
        self.verify = header.VerifyFunction(self._verify)
        self.sign_hash, self.key_info = header.SignHashFunction(self._sign_hash), header.InfoFunction(_key_info)
        self.priority = self._allowed_priority()

    def check(self, code: int) -> int:
        """`code`, unless it tells of a failure.

        Raises: GnutlsError.
        """
        if code < 0:
            alert = self.c.gnutls_error_to_alert(code, None)
            raise GnutlsError(code, self.c.gnutls_strerror(code).decode(), alert)
        return code

    def alert_name(self, alert: int) -> str:
        """The alert in GnuTLS's words."""
        name = self.c.gnutls_alert_get_name(alert)
        return name.decode() if name else "an alert of no known meaning"

    def reraise(self) -> None:
        """Raise what a callback raised during this thread's last call into C."""
        error: BaseException | None = self._raised.__dict__.pop("error", None)
        if error is not None:
            raise error

    def _allowed_priority(self) -> c_void_p:
        priority = c_void_p()
        if self.c.gnutls_priority_init(byref(priority), PRIORITY.encode(), None) < 0:
            raise TlsUnavailable(
                f"GnuTLS {self.info.version} may not speak TLS 1.3 with P-256 here: allow both in this system's crypto "
                "policy (/etc/gnutls/config, or the file that GNUTLS_SYSTEM_PRIORITY_FILE names)"
            )
        return priority

    def _push(self, number: int, data: int, size: int) -> int:
        try:
            return self.sessions[number].push(ctypes.string_at(data, size))
        except BaseException as error:  # noqa: BLE001 - see _keep
            return self._keep(error)

    def _pull(self, number: int, buffer: int, size: int) -> int:
        try:
            session = self.sessions[number]
            data = session.pull(size)
            if data or session.ended:
                ctypes.memmove(buffer, data, len(data))
                return len(data)
            self.c.gnutls_transport_set_errno(session.handle, errno.EAGAIN)
            return -1
        except BaseException as error:  # noqa: BLE001 - see _keep
            return self._keep(error)

    def _pull_timeout(self, number: int, _milliseconds: int) -> int:
        try:
            return int(self.sessions[number].more)
        except BaseException as error:  # noqa: BLE001 - see _keep
            return self._keep(error)

    def _verify(self, handle: int) -> int:
        try:
            return 0 if self.sessions[self.c.gnutls_session_get_ptr(handle)].judged() else -1
        except BaseException as error:  # noqa: BLE001 - see _keep
            return self._keep(error)

    def _sign_hash(self, _key: int, _algorithm: int, number: int, _flags: int, digest: Any, signature: Any) -> int:
        try:
            signed = self.signers[number].sign(digest.contents.bytes())
            signature.contents.data = self._malloc(len(signed))
            signature.contents.size = len(signed)
            ctypes.memmove(signature.contents.data, signed, len(signed))
            return header.E_SUCCESS
        except BaseException as error:  # noqa: BLE001 - see _keep
            return self._keep(error, header.E_PK_SIGN_FAILED)

    def _keep(self, error: BaseException, code: int = -1) -> int:
        """No exception may cross C, so it is kept for `reraise`, and C is told that something failed."""
        self._raised.error = error
        return code


@functools.cache
def gnutls() -> Gnutls:
    """The system's GnuTLS, loaded at the first call.

    Raises: TlsUnavailable.
    """
    return Gnutls(load(os.environ))


def _key_info(_key: int, flags: int, _number: int) -> int:
    """What an external key is: ECDSA on P-256, with SHA-256."""
    if flags & PrivkeyInfo.PK_ALGO:
        return header.PK_ECDSA
    if flags & PrivkeyInfo.HAVE_SIGN_ALGO:
        return int(flags >> 20 == header.SIGN_ECDSA_SECP256R1_SHA256)
    return KEY_BITS if flags & PrivkeyInfo.PK_ALGO_BITS else 0
