"""What an agent does, from what is seen of its process and its screen. No I/O: looks go in, changes come out.

herdr's rhythm with one difference: there is no blind time after an agent's start. A rule that matches counts at once;
only *idle* waits, since a screen that no rule knows also looks idle: three looks in a row, or, for an agent that has
shown nothing yet, the time that herdr gives it to start. `visible_idle` (an idle that was seen, not assumed) is not
waited for.
"""

from dataclasses import dataclass
from typing import Final

from collie.agents.facts import State
from collie.agents.kind import Detection

LOOKS: Final = 3
"""Looks in a row that must find an agent idle."""

LOOK_EVERY: Final = 0.1
"""Seconds between those looks."""

START_WAIT: Final = 3.0
"""Seconds for which an agent that was just found is not called idle by assumption."""

MISSES: Final = 6
"""Looks in a row at the processes that must not find the agent before it counts as gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KindFound:
    """An agent runs; `before` is the kind that it takes the place of."""

    kind: str
    before: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class KindGone:
    """The agent's process is gone."""

    kind: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StateChanged:
    """The agent does something else. `finished`: it has worked or asked, and is done; its first idle is not that."""

    old: State
    new: State
    finished: bool = False


Change = KindFound | KindGone | StateChanged


class StatusMachine:
    """One pane's agent. `due` is when the screen wants to be looked at again, though it may be the same."""

    def __init__(self) -> None:
        self.kind: str | None = None
        self.state = State.UNKNOWN
        self.due: float | None = None
        self._found_at = 0.0
        self._was_idle = False
        self._looks = 0
        self._misses = 0

    def process_seen(self, now: float, kind: str | None, *, shell_in_front: bool) -> Change | None:
        """The foreground was looked at and this kind found there. Where the shell is back, one look is enough.

        To be called until it gives None: an agent that goes is idle first.
        """
        if kind is None:
            return self._missed(shell_in_front)
        self._misses = 0
        if kind == self.kind:
            return None
        before = self.kind
        self._begin(kind, now)
        return KindFound(kind=kind, before=before)

    def screen_seen(self, now: float, seen: Detection) -> Change | None:
        """The screen was looked at, because it changed or because it was `due`."""
        if self.kind is None:
            return None
        if seen.skip or seen.state is self.state:
            self._forget_looks()
            return None
        if seen.state is State.IDLE and not seen.visible_idle and not self._is_idle_proven(now):
            return None
        finished = seen.state is State.IDLE and self._was_idle
        self._was_idle = self._was_idle or seen.state is State.IDLE
        return self._change(seen.state, finished=finished)

    def _is_idle_proven(self, now: float) -> bool:
        if self.state is State.UNKNOWN and not self._was_idle and now < self._found_at + START_WAIT:
            self.due = self._found_at + START_WAIT
            return False
        if self._looks and self.due is not None and now < self.due:
            return False
        self._looks += 1
        self.due = now + LOOK_EVERY
        return self._looks >= LOOKS

    def _change(self, new: State, *, finished: bool) -> StateChanged:
        old, self.state = self.state, new
        self._forget_looks()
        return StateChanged(old=old, new=new, finished=finished)

    def _missed(self, shell_in_front: bool) -> Change | None:
        if self.kind is None:
            return None
        self._misses += 1
        if self._misses < MISSES and not shell_in_front:
            return None
        if self.state is not State.IDLE:
            return self._change(State.IDLE, finished=False)
        gone = KindGone(kind=self.kind)
        self._end()
        return gone

    def _begin(self, kind: str, now: float) -> None:
        self._end()
        self.kind = kind
        self._found_at = now

    def _end(self) -> None:
        self.kind = None
        self.state = State.UNKNOWN
        self._was_idle = False
        self._misses = 0
        self._forget_looks()

    def _forget_looks(self) -> None:
        self._looks = 0
        self.due = None
