"""A launch through `agent.start`, from the typed command to an agent that can be spoken to. No I/O."""

from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from collie.agents.facts import State

DEADLINE_MS: Final = 30_000
"""How long a launch may take where the caller does not say (herdr's default)."""

DEADLINES_MS: Final = range(3_001, 300_001)
"""What a caller may say."""

SETTLE: Final = 3.0
"""Seconds after which an agent whose idle screen cannot be told apart counts as started."""


class Phase(Enum):
    """How far a launch has come."""

    PENDING = "pending"
    BLOCKED = "blocked"
    ACTIVE = "active"


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """An agent that was started by name. `found_at` is when its process was first seen."""

    kind: str
    deadline: float
    phase: Phase = Phase.PENDING
    found_at: float | None = None

    @property
    def is_pending(self) -> bool:
        """Whether the agent cannot be spoken to yet."""
        return self.phase is not Phase.ACTIVE

    def due(self, settles_unknown: bool) -> float | None:
        """When to look again though nothing happens; None: never."""
        if self.phase is not Phase.PENDING:
            return None
        if settles_unknown and self.found_at is not None:
            return min(self.deadline, self.found_at + SETTLE)
        return self.deadline

    def seen(self, now: float, kind: str | None, state: State, *, settles_unknown: bool) -> "Launch | None":
        """The launch after a look at its pane; None: it came to nothing, and the name is free again.

        Args:
            settles_unknown: this kind shows nothing that proves it idle, so `unknown` does in the end.
        """
        if kind is not None and kind != self.kind:
            return None
        if kind is None:
            return None if now >= self.deadline or self.found_at is not None else self
        launch = self if self.found_at is not None else replace(self, found_at=now)
        if launch.phase is Phase.ACTIVE:
            return launch
        if state is State.BLOCKED:
            return replace(launch, phase=Phase.BLOCKED)
        if launch._is_ready(now, state, settles_unknown):
            return replace(launch, phase=Phase.ACTIVE)
        return None if launch.phase is Phase.PENDING and now >= launch.deadline else launch

    def _is_ready(self, now: float, state: State, settles_unknown: bool) -> bool:
        """An agent that works has started as surely as one that waits."""
        if state in (State.IDLE, State.WORKING):
            return True
        return settles_unknown and self.found_at is not None and now >= self.found_at + SETTLE
