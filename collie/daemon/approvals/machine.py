"""One approval: from the question that was seen to the answer that was proven, as a machine without I/O.

Nothing is typed but by `PressKeys` and `TypeText`; each of them answers a sight whose picture was compared, and carries
the condition that this picture still stands. No path leads back to PENDING: an attempt burns the approval.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Any

from collie.daemon.approvals import claiming, pressing, settling
from collie.daemon.approvals.events import (
    Abandoned,
    Changed,
    Command,
    Decide,
    Event,
    Failed,
    Greeted,
    Overdue,
    Revoked,
    Saw,
    Withdraw,
)
from collie.daemon.approvals.offer import Offer
from collie.daemon.approvals.progress import Progress, State, Step
from collie.errors import CollieError

VERDICT_SECONDS = 3.8
"""From the claim to the verdict, whatever the host does; whoever decides was promised 4 s."""

Rule = Callable[[Progress, Any, float], Step]

P, C, A = State.PENDING, State.CHECKING, State.AIMING
F, W, S, E = State.OPENING, State.WRITING, State.SETTLING, State.ENDED

TRANSITIONS: Mapping[tuple[State, type[Event]], tuple[Rule, frozenset[State]]] = MappingProxyType(
    {
        (P, Decide): (claiming.claim, frozenset({C, E})),
        (P, Withdraw): (claiming.withdraw, frozenset({E})),
        (C, Greeted): (pressing.greeted, frozenset({C})),
        (C, Saw): (pressing.check, frozenset({C, A, F, S, E})),
        (A, Saw): (pressing.aim, frozenset({A, F, S, E})),
        (F, Saw): (pressing.open_field, frozenset({F, W, E})),
        (W, Saw): (pressing.read_note, frozenset({W, S, E})),
        (S, Saw): (settling.settle, frozenset({S, E})),
        (S, Failed): (settling.failed_late, frozenset({E})),
        (S, Overdue): (settling.unsettled, frozenset({E})),
        (S, Abandoned): (settling.abandoned, frozenset({E})),
        **{(state, Failed): (settling.failed, frozenset({E})) for state in (C, A, F, W)},
        **{(state, Overdue): (settling.overdue, frozenset({E})) for state in (C, A, F, W)},
        **{(state, Abandoned): (settling.cut_short, frozenset({E})) for state in (C, A, F, W)},
        **{(state, Changed): (settling.changed, frozenset({E})) for state in (A, F, W, S)},
        **{(state, Revoked): (settling.revoked, frozenset({E})) for state in (A, F, W, S)},
        **{(state, Decide): (claiming.taken, frozenset({state})) for state in (C, A, F, W, S)},
    }
)
"""(state, event) -> the rule, and the states it may lead to. What is not here cannot happen."""


class Impossible(CollieError):
    """An event came that its state does not know, or a rule left its row of the table: a fault of ours."""


class Machine:
    """The life of one approval; `handle` changes it and says what to do next, in this order."""

    def __init__(self, offer: Offer) -> None:
        self._progress = Progress(offer=offer)

    @property
    def offer(self) -> Offer:
        """What was shown."""
        return self._progress.offer

    @property
    def state(self) -> State:
        """Where it stands."""
        return self._progress.state

    @property
    def progress(self) -> Progress:
        """All of it."""
        return self._progress

    @property
    def verdict_at(self) -> float:
        """When Overdue is due, once it is claimed."""
        return self._progress.claimed_at + VERDICT_SECONDS

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
