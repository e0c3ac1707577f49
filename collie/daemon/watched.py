"""The one terminal that a session follows: its handler says which, its watch task reads it."""

from dataclasses import dataclass

import trio

from collie.protocol.models import ReadSource


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """What is followed, and how. `lines` is None for all of a visible screen."""

    terminal_id: str
    source: ReadSource
    lines: int | None
    low_data: bool = False


class Watched:
    """Holds the newest target; an older one is forgotten, seen or not."""

    def __init__(self) -> None:
        self._target: Target | None = None
        self._changed = trio.Event()

    def follow(self, target: Target | None) -> None:
        """From now on this one, or none."""
        self._target = target
        changed, self._changed = self._changed, trio.Event()
        changed.set()

    def current(self) -> tuple[Target | None, trio.Event]:
        """What is followed now, and what is set as soon as that is another one."""
        return self._target, self._changed
