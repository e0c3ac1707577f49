"""When a pane's foreground is worth a look. No I/O. To ask for its group is cheap, to find an agent in it is not."""

from dataclasses import dataclass
from typing import Final

TICK: Final = 0.3
"""Seconds between two questions for the foreground group (herdr: 0.3 with an agent, 0.5 without)."""

RESTING_TICKS: Final = 4
"""How many ticks pass between two questions to a pane that has been quiet: what goes or comes there prints something,
and is asked for then."""

YOUNG: Final = 1.5
YOUNG_EVERY: Final = 0.1
"""Seconds after a change for which it is looked at again, and how often: a child is a copy of its parent until it
becomes another program."""

STALE: Final = 5.0
"""Seconds after which a pane that has printed is looked at again: a script may have come to its next command."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Foreground:
    """What stands in the foreground: its group, and the kind of agent found in it, with its process."""

    group: int | None
    kind: str | None = None
    pid: int | None = None


class ForegroundWatch:
    """One pane's foreground as it was found last."""

    def __init__(self) -> None:
        self.found = Foreground(group=None)
        self._changed_at = float("-inf")
        self._looked_at = float("-inf")
        self._printed = False

    def printed(self) -> None:
        """The pane has printed something."""
        self._printed = True

    def looked(self, now: float, found: Foreground) -> None:
        """The foreground was looked at."""
        if found.group != self.found.group:
            self._changed_at = now
        self.found = found
        self._looked_at = now
        self._printed = False

    def rests(self, now: float, *, missed: bool) -> bool:
        """Whether nothing points to a change: nothing printed, nothing new, nothing missed."""
        return not self._printed and not missed and now - self._changed_at >= YOUNG

    def is_due(self, now: float, group: int | None, *, missed: bool, died: bool) -> bool:
        """Whether to look now.

        Args:
            missed: an agent is known, but was not found at the last look.
            died: the process that was taken for the agent has ended.
        """
        if group != self.found.group or died:
            return True
        age = now - self._looked_at
        if now - self._changed_at < YOUNG and age >= YOUNG_EVERY:
            return True
        return (missed and age >= TICK) or (self._printed and age >= STALE)
