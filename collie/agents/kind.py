"""What a kind of agent must and may give. One frozen value a kind; `registry.py` lists them all."""

from collections.abc import Callable
from dataclasses import dataclass

from collie.agents.facts import Facts, State
from collie.screen.cells import Screen


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What the embedded host knows of a pane when it asks for the agent's status.

    `text` is the detection read (rows joined by newlines), `title` the last OSC 0 or 2, `progress` the last OSC 9
    payload; both are "" when the program set none.
    """

    text: str
    title: str = ""
    progress: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """A status seen on a screen, and the rule that said so ("" when no rule matched).

    `skip` keeps the previous state (a viewer covers the screen). `visible_idle` means that idle was seen, not merely
    assumed, so it need not be confirmed by further looks.
    """

    state: State
    rule: str = ""
    visible_idle: bool = False
    skip: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Launch:
    """How one agent is to be started: `resume` is a session id to go on with."""

    args: tuple[str, ...] = ()
    resume: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentKind:
    """One kind of coding agent.

    `name` is its label on the wire (`claude`), `title` what people call it, `executables` the file names that mean
    this kind in a process list (the first is what is started), `packages` parts of a script's path that do so too (its
    file name alone being `cli.js`). `reads_dialogs` says that decisions may be offered
    from its screens; a kind without it gets cards that are answered by hand. `assumed_idle` is what no matching rule
    means: IDLE, or UNKNOWN for kinds whose idle screen cannot be told apart.
    """

    name: str
    title: str
    executables: tuple[str, ...]
    argv: Callable[[Launch], tuple[str, ...]]
    detect: Callable[[Seen], Detection]
    read: Callable[[Screen], Facts]
    packages: tuple[str, ...] = ()
    reads_dialogs: bool = False
    assumed_idle: State = State.IDLE
