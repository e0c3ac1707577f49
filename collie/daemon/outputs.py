"""Who wants to know when a terminal's program writes something, and whether the host tells."""

from collections import defaultdict

import trio


class Outputs:
    """A bell for each terminal. `told` says that the host rings them; without that a watcher has to poll."""

    def __init__(self) -> None:
        self.told = False
        self._bells: defaultdict[str, trio.Event] = defaultdict(trio.Event)

    def ring(self, terminal_id: str) -> None:
        """Something was written there."""
        if (bell := self._bells.pop(terminal_id, None)) is not None:
            bell.set()

    def ring_all(self) -> None:
        """Something may have been written anywhere."""
        for terminal_id in list(self._bells):
            self.ring(terminal_id)

    def bell(self, terminal_id: str) -> trio.Event:
        """Set by the next thing that is written; take it before a read, so that nothing is missed."""
        return self._bells[terminal_id]
