"""When a pane is looked at. No I/O: times in, times out.

Output is waited for a moment, so that a screen that is being drawn is looked at once; and no pane is looked at more
often than a person could tell. A pane that prints nothing, and whose agent waits for nothing, is never due.
"""

from typing import Final

COALESCE: Final = 0.016
"""Seconds after output at which it is looked at, and told."""

LOOK_EVERY: Final = 1 / 30
"""Seconds between two looks at one screen, at least."""


DRAWING_WAITS: Final = 8
"""How often a look waits for a program to end a synchronized update (mode 2026) that it has begun."""


class Rhythm:
    """The looks at one pane. `told_due` is for events of output, `look_due` for the screen; None: nothing to do."""

    def __init__(self) -> None:
        self.told_due: float | None = None
        self.look_due: float | None = None
        self._looked = float("-inf")
        self._waits = 0

    def printed(self, now: float) -> None:
        """The pane has printed something."""
        if self.told_due is None:
            self.told_due = now + COALESCE
        soon = max(now + COALESCE, self._looked + LOOK_EVERY)
        if self.look_due is None or self.look_due > soon:
            self.look_due = soon

    def look_by(self, when: float) -> None:
        """Something besides the screen wants a look, at the latest then."""
        self.look_due = when if self.look_due is None else min(self.look_due, when)

    def may_wait(self, now: float) -> bool:
        """Whether a look that is due, but finds the screen in the middle of being drawn, can be put off a little."""
        if self._waits >= DRAWING_WAITS:
            self._waits = 0
            return False
        self._waits += 1
        self.look_due = now + COALESCE
        return True

    def told(self) -> None:
        """Output was told."""
        self.told_due = None

    def looked(self, now: float, again: float | None) -> None:
        """The screen was looked at, and wants to be looked at `again` then (None: when it changes)."""
        self._looked = now
        self._waits = 0
        self.look_due = again

    @property
    def due(self) -> float | None:
        """The earlier of both."""
        times = [each for each in (self.told_due, self.look_due) if each is not None]
        return min(times, default=None)
