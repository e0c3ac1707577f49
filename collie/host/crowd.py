"""How many clients the host has at once, and who is turned away when they are too many.

A few processes inside of panes could otherwise take every connection there is; then nobody could see their agents,
answer them or end them.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from collie.host import descriptors

MOST: Final = 128
"""Clients at once."""

MOST_FROM_PANES: Final = 48
"""Clients at once while somebody from inside a pane is still let in."""


class Crowd:
    """The clients that are there now."""

    def __init__(self) -> None:
        self._present = 0

    @contextmanager
    def entered(self) -> Iterator[None]:
        """One more client, while the block lasts."""
        self._present += 1
        try:
            yield
        finally:
            self._present -= 1

    def has_room(self, stands_in_pane: Callable[[], bool]) -> bool:
        """Whether another client is let in. Where it stands is only looked at when it matters."""
        if self._present >= MOST:
            return False
        is_dense = self._present >= MOST_FROM_PANES or descriptors.left() <= descriptors.RESERVE // 2
        return not (is_dense and stands_in_pane())
