"""A pairing window, from its opening to the one device that was paired or to none, as a machine without I/O
(specs: daemon-behaviour section 9.3, phone-protocol section 5.2).

A code is tried once. Nothing is stored but after a yes to a device that knew it, and silence is no.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from collie.daemon.pairing import rules
from collie.daemon.pairing.events import (
    Attempt,
    Cancel,
    Command,
    Confirm,
    Event,
    Left,
    NotStored,
    Open,
    Overdue,
    Stored,
)
from collie.daemon.pairing.rules import Progress, State, Step
from collie.errors import CollieError

Rule = Callable[[Progress, Any, float], Step]

CLOSED, OPEN, ASKING, STORING = State

TRANSITIONS: Mapping[tuple[State, type[Event]], tuple[Rule, frozenset[State]]] = MappingProxyType(
    {
        (CLOSED, Open): (rules.open_window, frozenset({OPEN})),
        (OPEN, Attempt): (rules.attempt, frozenset({OPEN, ASKING, CLOSED})),
        (OPEN, Cancel): (rules.cancel, frozenset({CLOSED})),
        (OPEN, Overdue): (rules.expire, frozenset({CLOSED})),
        (ASKING, Confirm): (rules.confirm, frozenset({ASKING, STORING, CLOSED})),
        (ASKING, Cancel): (rules.silence, frozenset({CLOSED})),
        (ASKING, Overdue): (rules.silence, frozenset({CLOSED})),
        **{(state, Left): (rules.left, frozenset({CLOSED})) for state in (ASKING, STORING)},
        (STORING, Stored): (rules.stored, frozenset({CLOSED})),
        (STORING, NotStored): (rules.not_stored, frozenset({CLOSED})),
        **{(state, Open): (rules.open_already, frozenset({state})) for state in (OPEN, ASKING, STORING)},
        **{(state, Attempt): (rules.no_window, frozenset({state})) for state in (CLOSED, ASKING, STORING)},
        **{(state, Confirm): (rules.nothing_to_confirm, frozenset({state})) for state in (CLOSED, OPEN, STORING)},
    }
)
"""(state, event) -> the rule, and the states it may lead to. What is not here cannot happen."""


class Impossible(CollieError):
    """An event came that its state does not know, or a rule left its row of the table: a fault of ours."""


class Machine:
    """The windows of a daemon, one after the other; `handle` changes it and says what to do next, in this order."""

    def __init__(self) -> None:
        self._progress = Progress()

    @property
    def state(self) -> State:
        """Where the window stands."""
        return self._progress.state

    @property
    def deadline(self) -> float | None:
        """When Overdue is due, in monotonic seconds; None while nothing waits."""
        return self._progress.deadline if self.state in (State.OPEN, State.ASKING) else None

    def window(self, now: float) -> int | None:
        """The number of the window that a device may try at, None when there is none."""
        is_open = self.state is State.OPEN and now < self._progress.deadline
        return self._progress.window if is_open else None

    def handle(self, event: Event, now: float) -> tuple[Command, ...]:
        """What follows from `event`. Raises Impossible, and changes nothing, where the table does not allow it."""
        row = TRANSITIONS.get((self.state, type(event)))
        if row is None:
            raise Impossible(f"{type(event).__name__} while {self.state.name}")
        rule, allowed = row
        progress, commands = rule(self._progress, event, now)
        if progress.state not in allowed:
            raise Impossible(f"{type(event).__name__} led from {self.state.name} to {progress.state.name}")
        self._progress = progress
        return commands
