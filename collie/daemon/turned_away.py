"""Callers that were not let in, in the audit log: a line for each, up to a rate a source (specs: phone-protocol
section 1.3, daemon-behaviour section 4)."""

from collections.abc import Callable
from typing import Final

from collie.daemon.bucket import Buckets
from collie.daemon.dispatch import Audit

METHOD: Final = "connect"
LINES_A_SECOND: Final = 1
LINES_AT_ONCE: Final = 10


class TurnedAway:
    """Writes the lines. `now` counts seconds."""

    def __init__(self, audit: Audit, now: Callable[[], float]) -> None:
        self._audit = audit
        self._now = now
        self._lines = Buckets(rate=LINES_A_SECOND, burst=LINES_AT_ONCE)

    def __call__(self, address: str, why: str, node_id: str = "") -> None:
        """The caller at `address` was not let in.

        Args:
            address: a source, a colon, and what tells this connection from others of that source
            why: a gate's reason, or what else it was
            node_id: who called, where that is known
        """
        take = self._lines.take(address.rpartition(":")[0], self._now())
        if take.allowed:
            self._audit(node_id or address, METHOD, address, f"rejected: {why}")
        elif take.is_first_refusal:
            more = "further rejections from this address suppressed"
            self._audit(node_id or address, METHOD, address, f"rejected: {why}; {more}")
