"""How a method says no, and which refusals are told."""

from dataclasses import dataclass
from typing import Final

from collie.errors import CollieError

BURST: Final = 5
EVERY: Final = 10.0
"""Refusals of one kind that are told one by one, and seconds after which there is room for another: who is refused may
try again any number of times, and must not drown what was told before."""

KINDS_KEPT: Final = 256


class Refused(CollieError):
    """The request was understood and is not done; `code` is the wire's."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


class FromPane(Refused):
    """Input that came from inside the pane that it was for, while the agent there waits for an answer."""

    def __init__(self, pane_id: str, terminal_id: str) -> None:
        super().__init__(
            "from_pane", "the agent in this pane waits for an answer; it must not come from the pane itself"
        )
        self.pane_id = pane_id
        self.terminal_id = terminal_id


@dataclass(frozen=True, slots=True, kw_only=True)
class _Run:
    room: float
    at: float
    untold: int


class Refusals:
    """Which refusals are told, and how many were not. No I/O."""

    def __init__(self) -> None:
        self._runs: dict[str, _Run] = {}

    def count(self, of: str, now: float) -> int:
        """How many refusals there were since one was told, this one included; 0: it is not told.

        Args:
            of: what they have in common: a terminal, or a reason.
        """
        run = self._runs.pop(of, _Run(room=BURST, at=now, untold=0))
        room = min(run.room + (now - run.at) / EVERY, BURST)
        is_told = room >= 1
        self._runs[of] = _Run(room=room - is_told, at=now, untold=0 if is_told else run.untold + 1)
        if len(self._runs) > KINDS_KEPT:
            del self._runs[next(iter(self._runs))]
        return run.untold + 1 if is_told else 0
