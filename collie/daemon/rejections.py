"""Clients that are not let in, in the audit log: a line for each, up to a rate (specs: phone-protocol section 1.3)."""

from collections.abc import Callable
from typing import Final

from collie.daemon.bucket import Buckets
from collie.daemon.dispatch import Audit

METHOD: Final = "control.connect"
LINES_A_SECOND: Final = 1
LINES_AT_ONCE: Final = 10


class Rejections:
    """Writes an audit line for each client that was not let in, unless there are too many of the same kind."""

    def __init__(self, audit: Audit, now: Callable[[], float]) -> None:
        self._audit = audit
        self._now = now
        self._lines = Buckets(rate=LINES_A_SECOND, burst=LINES_AT_ONCE)

    def __call__(self, peer: str, why: str) -> None:
        """This one was not let in."""
        take = self._lines.take(peer, self._now())
        if take.allowed:
            self._audit(peer, METHOD, None, f"rejected: {why}")
        elif take.is_first_refusal:
            self._audit(peer, METHOD, None, f"rejected: {why}; the next ones are not written down")
