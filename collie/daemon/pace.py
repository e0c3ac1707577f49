"""How many frames a client may send (specs: phone-protocol sections 1.3, 1.4)."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from collie.daemon.bucket import Buckets, Take
from collie.protocol import limits


@dataclass(frozen=True, slots=True, kw_only=True)
class Pace:
    """So many at once, and then so many a second."""

    rate: float
    burst: float


WIRE_PACE: Final = Pace(rate=limits.FRAMES_A_SECOND, burst=limits.FRAMES_AT_ONCE)
"""A device's, and that of whoever may only report."""

OPERATOR_PACE: Final = Pace(rate=1_000, burst=2_000)
"""Each session's of the operator: nothing that a person or a script of commands does comes near it. A dashboard asks
twice for each `flock.changed`, one refresh after the other, which in a storm of changes comes to a few hundred a
second; a held key repeats 30 times. It only keeps a client that runs wild from filling the audit log."""


class FrameRates:
    """Counts the frames of all clients. `now` counts seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._buckets: dict[Pace, Buckets] = {}

    def take(self, key: str, pace: Pace) -> Take:
        """One more frame of `key`, which has this pace."""
        buckets = self._buckets.setdefault(pace, Buckets(rate=pace.rate, burst=pace.burst))
        return buckets.take(key, self._now())
