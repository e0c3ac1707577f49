"""Who calls: what a session knows of its client, and what a handler may ask about it."""

from collections.abc import Callable
from dataclasses import dataclass

from collie.protocol.methods import MethodClass

DESK = "desk"
"""`by` of a decision made in the dashboard."""

COMMAND_LINE = "desk (command line)"
"""`by` of a decision made with `collie decide`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """One client.

    `device` keys what is kept for it (operation outcomes, rates); `by` is how people read it, in outcomes and in the
    audit log. `is_authorised` is asked again right before each write to a pane.
    """

    device: str
    by: str
    classes: frozenset[MethodClass]
    is_authorised: Callable[[], bool] = lambda: True
