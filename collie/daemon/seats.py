"""How many clients of the control socket there may be at once. No I/O.

The operator has its own seats, so that what runs in panes can take none of them away; each pane has its own among the
others, so that one agent takes none of another's.
"""

from typing import Final

from collie.daemon.caller import Caller
from collie.protocol.errors import Code, WireError

SESSIONS: Final = 64
"""The operator's (specs: phone-protocol section 1.3)."""

GUESTS: Final = 32
"""Of all who may only report: hooks are short, and this many agents may have one at the same moment."""

GUESTS_A_PANE: Final = 8
"""Of those of one pane: an agent runs some hooks side by side, and waits for them."""

OPERATORS: Final = ""


class Seats:
    """Who sits where, by the number of the session."""

    def __init__(self) -> None:
        self._taken: dict[int, str] = {}

    def sit(self, number: int, caller: Caller) -> None:
        """Give a session a seat, or another one now that more is known of it. Raises WireError when all are taken."""
        kind = caller.device if caller.is_guest else OPERATORS
        others = [each for session, each in self._taken.items() if session != number]
        if (full := _is_full(kind, others)) is not None:
            raise WireError(Code.RATE_LIMITED, f"too many connections: {full}")
        self._taken[number] = kind

    def leave(self, number: int) -> None:
        """The session has ended; one that had no seat is no error."""
        self._taken.pop(number, None)


def _is_full(kind: str, others: list[str]) -> str | None:
    """Why there is no seat beside these; None when there is one."""
    if kind == OPERATORS:
        return f"the daemon serves {SESSIONS} clients at once" if others.count(kind) >= SESSIONS else None
    if others.count(kind) >= GUESTS_A_PANE:
        return f"{GUESTS_A_PANE} from one pane at once"
    if len(others) - others.count(OPERATORS) >= GUESTS:
        return f"{GUESTS} from inside panes at once"
    return None
