"""Who calls: what a session knows of its client, and what a handler may ask about it."""

import math
from collections.abc import Callable
from dataclasses import dataclass

from collie.daemon.pace import WIRE_PACE, Pace
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


REPORTER = frozenset({MethodClass.SESSION, MethodClass.HOOK})
"""The classes of who may only report."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """One client.

    `device` keys what is kept for it (operation outcomes); `by` is how people read it, in outcomes and in the audit
    log. `is_authorised` is asked again right before each write to a pane. `barred` says why a client of the control
    socket has fewer classes than others there, "" when it has not. `process` is its process and program, where the
    audit log has to say who was refused. It may send frames at its `pace`, counted together with all that have the
    same `paced_as`, and may be silent for `idle_seconds`.
    """

    device: str
    by: str
    classes: frozenset[MethodClass]
    is_authorised: Callable[[], bool] = lambda: True
    barred: str = ""
    process: str = ""
    pace: Pace = WIRE_PACE
    paced_as: str = ""
    idle_seconds: float = math.inf

    @property
    def is_guest(self) -> bool:
        """Whether it may only report."""
        return self.classes <= REPORTER

    def told(self, said: str) -> str:
        """A refusal as the audit log has it: with process and program, where the caller has them."""
        return f"{said} ({self.process})" if self.process and self.process not in said else said

    def refusal(self) -> WireError:
        """What a request for a class that it has not is answered."""
        if self.barred:
            return WireError(Code.FROM_PANE, self.barred)
        return WireError(Code.UNKNOWN_METHOD, "unknown method")
