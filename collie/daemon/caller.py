"""Who calls: what a session knows of its client, and what a handler may ask about it."""

from collections.abc import Callable
from dataclasses import dataclass

from collie.protocol.errors import Code, WireError
from collie.protocol.methods import MethodClass

DESK = "desk"
"""`by` of a decision made in the dashboard."""

COMMAND_LINE = "desk (command line)"
"""`by` of a decision made with `collie decide`."""

HOOK = "hook"
"""`by` of what an agent's own hook reports."""

INSIDE_PANE = "inside a pane"
"""`by` of a client that an agent may have started."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """One client.

    `device` keys what is kept for it (operation outcomes, rates); `by` is how people read it, in outcomes and in the
    audit log. `is_authorised` is asked again right before each write to a pane. `barred` says why a client of the
    control socket has fewer classes than others there, "" when it has not.
    """

    device: str
    by: str
    classes: frozenset[MethodClass]
    is_authorised: Callable[[], bool] = lambda: True
    barred: str = ""

    def refusal(self) -> WireError:
        """What a request for a class that it has not is answered."""
        if self.barred:
            return WireError(Code.FROM_PANE, self.barred)
        return WireError(Code.UNKNOWN_METHOD, "unknown method")
