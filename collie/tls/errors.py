"""What can go wrong in TLS. All but a missing library also mean that the stream is broken, in trio's sense."""

import trio

from collie.errors import CollieError


class TlsUnavailable(CollieError):
    """The system's GnuTLS is missing, too old, or not allowed to speak TLS 1.3; the message says what to install."""


class TlsError(CollieError, trio.BrokenResourceError):
    """The connection failed and nothing more can be sent or received on it."""


class TlsTruncated(TlsError):
    """The transport ended without the peer's goodbye: what was received may be only the beginning."""


class PinViolation(TlsError):
    """The peer proved a key that is not wanted here; `pin` names it."""

    def __init__(self, message: str, pin: str) -> None:
        super().__init__(message)
        self.pin = pin


class KeyRefused(TlsError):
    """The peer refused this side's key, by the TLS alert `alert` (42, 46, 49 or 116): pair again.

    A client learns it on its first read after its own handshake is done, and only from a server whose key it has
    already proved; so it is final.
    """

    def __init__(self, message: str, alert: int) -> None:
        super().__init__(message)
        self.alert = alert
