"""Token buckets, one a key: how often something may be done (specs: phone-protocol section 1.4).

Time comes in as an argument, in seconds of a monotonic clock.
"""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Take:
    """Whether a token was there. `is_first_refusal` marks the first of a run of refusals, the only one to audit."""

    allowed: bool
    is_first_refusal: bool = False


@dataclass(slots=True)
class _Bucket:
    tokens: float
    filled_at: float
    is_refusing: bool = False


class Buckets:
    """Buckets that start full with `burst` tokens and gain `rate` a second."""

    def __init__(self, *, rate: float, burst: float) -> None:
        self._rate = rate
        self._burst = burst
        self._buckets: dict[str, _Bucket] = {}

    def take(self, key: str, now: float) -> Take:
        """Takes one token of `key`, if there is one."""
        bucket = self._buckets.get(key)
        if bucket is None:
            self._forget_full_ones(now)
            bucket = self._buckets[key] = _Bucket(self._burst, now)
        bucket.tokens = self._level(bucket, now)
        bucket.filled_at = now
        if bucket.tokens >= 1:
            bucket.tokens -= 1
            bucket.is_refusing = False
            return Take(allowed=True)
        is_first = not bucket.is_refusing
        bucket.is_refusing = True
        return Take(allowed=False, is_first_refusal=is_first)

    def _level(self, bucket: _Bucket, now: float) -> float:
        return min(self._burst, bucket.tokens + (now - bucket.filled_at) * self._rate)

    def _forget_full_ones(self, now: float) -> None:
        """A full bucket says nothing that a new one would not, so keys that come and go take no memory."""
        self._buckets = {key: each for key, each in self._buckets.items() if self._level(each, now) < self._burst}
