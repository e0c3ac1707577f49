"""The kinds of agents that a host recognises."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from collie.agents.kind import AgentKind


@dataclass(frozen=True, slots=True, kw_only=True)
class Kinds:
    """All kinds, by label and by the command line of a process; a label may also be one of a kind's aliases."""

    all: tuple[AgentKind, ...]
    named: Callable[[str], AgentKind | None]
    of_process: Callable[[Sequence[str]], AgentKind | None]
