"""What an event of the host means for who watches its agents. No I/O.

Events are hints, never facts: herdr 0.8.2 replays old ones and loses others without a sign. They say when to look.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from collie.herdr.models import AgentInfo, AgentStatus
from collie.herdr.wire import OUTPUT_SUBSCRIPTION, Event

WATCHED: Final = (
    "workspace.created",
    "workspace.closed",
    "workspace.renamed",
    "tab.created",
    "tab.closed",
    "pane.created",
    "pane.closed",
    "pane.updated",
    "pane.moved",
    "pane.exited",
    "pane.agent_detected",
    "layout.updated",
)
"""The global subscriptions that are of use. One that a host does not know would make it refuse them all, so no more."""

STATUS_SUBSCRIPTION: Final = "pane.agent_status_changed"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rebuilt:
    """A stream is open, and what happened before is unknown: take a snapshot now.

    `output` says that the host tells of output; without it a watcher has to poll.
    """

    output: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Lost:
    """There is no stream for now, so silence means nothing; `Rebuilt` follows when there is one again."""

    why: str


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusSeen:
    """An agent's status, perhaps the one that is known already. `agent` is its kind, None once it has gone."""

    pane_id: str
    status: AgentStatus
    agent: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class OutputSeen:
    """A pane's program wrote something; `counter` grows with it."""

    pane_id: str
    terminal_id: str | None
    counter: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """Panes, agents, their places or names may be others: look at the lists again."""

    subscription: str
    pane_id: str | None


Hint = Rebuilt | Lost | StatusSeen | OutputSeen | Changed


def subscriptions(panes: Iterable[str], *, output: bool) -> list[dict[str, str]]:
    """What to subscribe to: all that is global, output where the host has it, and the status of each of these panes."""
    wanted = [{"type": name} for name in WATCHED]
    if output:
        wanted.append({"type": OUTPUT_SUBSCRIPTION})
    return wanted + [{"type": STATUS_SUBSCRIPTION, "pane_id": pane} for pane in panes]


def read_hint(event: Event) -> Hint | None:
    """What the event says, or None: nothing that we know."""
    pane_id = _pane_id(event.data)
    match event.subscription:
        case "pane.agent_status_changed":
            status = AgentStatus(event.data.get("agent_status", ""))
            return StatusSeen(pane_id=pane_id, status=status, agent=_text(event.data, "agent")) if pane_id else None
        case "pane.output":
            counter = event.data.get("counter")
            if pane_id is None or not isinstance(counter, int):
                return None
            return OutputSeen(pane_id=pane_id, terminal_id=_text(event.data, "terminal_id"), counter=counter)
        case name if name in WATCHED:
            return Changed(subscription=name, pane_id=pane_id)
    return None


def unsettles(event: Event, watched: Mapping[str, AgentInfo]) -> bool:
    """Whether the agents may be others than the watched ones (by pane id), so that the list must be taken again.

    A replayed event mostly tells of what is so already, and must not set anything in motion.
    """
    pane_id = _pane_id(event.data)
    match event.subscription:
        case "pane.agent_detected":
            return (pane_id in watched) == (event.data.get("released") is True)
        case "pane.closed" | "pane.exited":
            return pane_id in watched
        case "pane.updated":
            return pane_id not in watched and _text(_mapping(event.data, "pane"), "agent") is not None
        case "pane.moved":
            return _text(event.data, "previous_pane_id") in watched
        case "tab.closed":
            return any(agent.tab_id == event.data.get("tab_id") for agent in watched.values())
        case "workspace.closed":
            return any(agent.workspace_id == event.data.get("workspace_id") for agent in watched.values())
    return False


def _pane_id(data: Mapping[str, Any]) -> str | None:
    return _text(data, "pane_id") or _text(_mapping(data, "pane"), "pane_id")


def _text(data: Mapping[str, Any], key: str) -> str | None:
    value = data.get(key)
    return value if isinstance(value, str) else None


def _mapping(data: Mapping[str, Any], key: str) -> Mapping[str, Any]:
    value = data.get(key)
    return value if isinstance(value, dict) else {}
