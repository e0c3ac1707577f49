"""Everything that a host holds: the layout, the live panes in it, and who hears of changes."""

import itertools
from collections.abc import Iterator

import trio

from collie.herdr.wire import Event
from collie.host import ids
from collie.host.events import Hub
from collie.host.layout import Layout, Slot
from collie.host.pane import Pane


class Session:
    """The state of one host. `state_seq` counts changes of agents' states; the `bell` rings after whatever happens.

    Who takes a pane's output, or looks at what it shows, holds the `stage` for that turn: so there is one turn between
    two looks at the sockets, however many panes print, and whoever asks something waits for one turn only.
    """

    def __init__(self, started_us: int) -> None:
        self.layout = Layout()
        self.hub = Hub()
        self.bell = trio.lowlevel.ParkingLot()
        self.stage = trio.Lock()
        self.state_seq = 0
        self._panes: dict[str, Pane] = {}
        self._started_us = started_us
        self._numbers = itertools.count(1)

    def next_terminal_id(self) -> str:
        """An id that no other terminal has, in this host or another."""
        return ids.terminal_id(self._started_us, next(self._numbers))

    def add(self, pane: Pane) -> None:
        """A pane is live; its slot is in the layout already."""
        self._panes[pane.pane_id] = pane

    def discard(self, pane: Pane) -> None:
        """A pane is gone from the layout."""
        del self._panes[pane.pane_id]
        self.hub.forget(pane.terminal_id)

    def pane(self, pane_id: str) -> Pane | None:
        """The live pane of this id."""
        return self._panes.get(pane_id)

    def pane_in(self, slot: Slot) -> Pane:
        """The pane in a slot of the layout."""
        return self._panes[slot.pane_id]

    def all_panes(self) -> Iterator[Pane]:
        """All panes in the layout's order."""
        return (self._panes[slot.pane_id] for slot in self.layout.slots())

    def panes_by_age(self) -> tuple[Pane, ...]:
        """All panes as they were opened; cheaper than the layout's order."""
        return tuple(self._panes.values())

    def holds(self, pane: Pane) -> bool:
        """Whether the pane is still there."""
        return self._panes.get(pane.pane_id) is pane

    def publish(self, event: Event) -> None:
        """Tell the subscribers."""
        self.hub.publish(event)
        self.bell.unpark_all()

    def told_output(self, pane: Pane) -> None:
        """Tell those who watch output that a pane has printed."""
        self.hub.output(pane.terminal_id, pane.pane_id, pane.counter)
        self.bell.unpark_all()
