"""The daemon's time and randomness, given to all that need them: tests give their own."""

import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass

import trio


def _wall_ms() -> int:
    return time.time_ns() // 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Clock:
    """`now` counts seconds for durations, `wall_ms` milliseconds since 1970, `token` gives that many random
    bytes as base64url."""

    now: Callable[[], float] = trio.current_time
    wall_ms: Callable[[], int] = _wall_ms
    token: Callable[[int], str] = secrets.token_urlsafe
