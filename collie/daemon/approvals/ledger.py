"""Which approvals there are: at most one a terminal, and how the last ones ended."""

from collections import OrderedDict
from typing import Final

from collie.daemon.approvals.claiming import told_later
from collie.daemon.approvals.machine import Machine
from collie.daemon.approvals.progress import State
from collie.protocol.models import Approval, Outcome

ENDED_KEPT: Final = 256
"""So that who comes too late is told who was first."""


class Ledger:
    """Holds the machines that have not ended."""

    def __init__(self) -> None:
        self._open: dict[str, Machine] = {}
        self._ended: OrderedDict[str, Outcome] = OrderedDict()

    def pending(self) -> tuple[Approval, ...]:
        """What can be decided, oldest first."""
        found = (each.offer.approval for each in self._open.values() if each.state is State.PENDING)
        return tuple(sorted(found, key=lambda approval: approval.created_at_ms))

    def machines(self) -> tuple[Machine, ...]:
        """All that have not ended."""
        return tuple(self._open.values())

    def terminals(self) -> frozenset[str]:
        """Where they are."""
        return frozenset(self._open)

    def at(self, terminal_id: str) -> Machine | None:
        """The approval of this terminal, also while it is being decided."""
        return self._open.get(terminal_id)

    def find(self, approval_id: str) -> Machine | None:
        """The approval with this id that has not ended."""
        return next((each for each in self._open.values() if each.offer.approval.approval_id == approval_id), None)

    def ended(self, approval_id: str) -> Outcome | None:
        """What is told of an approval that has ended."""
        return self._ended.get(approval_id)

    def open(self, machine: Machine) -> None:
        """A new approval, where none is."""
        terminal_id = machine.offer.approval.terminal_id
        if terminal_id in self._open:
            raise ValueError("the terminal has an approval already")
        self._open[terminal_id] = machine

    def settle(self, machine: Machine) -> None:
        """Keep only the outcome of one that has ended; any other stays."""
        if machine.state is not State.ENDED:
            return
        approval = machine.offer.approval
        if self._open.get(approval.terminal_id) is machine:
            del self._open[approval.terminal_id]
        self._ended[approval.approval_id] = told_later(machine.progress)
        while len(self._ended) > ENDED_KEPT:
            self._ended.popitem(last=False)
