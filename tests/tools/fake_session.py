"""What a fake host holds: panes with scripted screens, what was typed into them, a ring of events. No sockets."""

import itertools
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias

import msgspec
from tools.fake_panes import FakePane, tab_info, workspace_info

from collie.herdr.models import AgentStatus, TabInfo, WorkspaceInfo
from collie.herdr.wire import PANE_NOT_FOUND, Event, Fault

Manners: TypeAlias = Literal["0.8.2", "0.9", "embedded"]
"""Whose manners: herdr's old ones, herdr's new ones, or the new ones with the embedded host's additions."""

Params: TypeAlias = Mapping[str, Any]

VERSIONS: Mapping[Manners, str] = {"0.8.2": "0.8.2", "0.9": "0.9.5", "embedded": "0.9.5+collie.1"}
RING = 512


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """Input that was written to a pane; a prompt's Enter is among its keys."""

    method: str
    pane_id: str
    text: str | None = None
    keys: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reaction:
    """What a pane does when it gets a key, or exactly this text; `after` is in seconds."""

    pane_id: str
    typed: str
    screen: str | None
    status: AgentStatus | None
    after: float


class Refused(Exception):
    """A method's refusal."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.fault = Fault(code, message)


class FakeSession:
    """A host's state, with everything a test can do to it."""

    def __init__(self, manners: Manners = "0.9") -> None:
        self.manners = manners
        self.panes: dict[str, FakePane] = {}
        self.labels: dict[str, str] = {}
        self.sent: list[tuple[str, dict[str, Any]]] = []
        self.typed: list[Typed] = []
        self.events: list[Event] = []
        self.events_before = 0
        self._reactions: list[Reaction] = []
        self._on_input: list[Callable[[FakePane, Typed], None]] = []
        self._on_start: list[Callable[[FakePane, Params], None]] = []
        self._seq = 0
        self._terminals = 0
        self._numbers: dict[str, int] = {}

    # What a test sets up

    def add_agent(
        self,
        kind: str,
        pane_id: str | None = None,
        *,
        screen: str = "",
        ansi: str | None = None,
        status: str = "idle",
        name: str | None = None,
        cwd: str = "/srv/orchard",
        rule: str | None = None,
        session: str | None = None,
    ) -> FakePane:
        """An agent in a pane of its own; `w<n>:p1` with its own workspace unless told otherwise."""
        pane = self.add_pane(pane_id, screen=screen, ansi=ansi, cwd=cwd)
        pane.name, pane.interactive_ready, pane.rule, pane.session = name, name is not None, rule, session
        self.detect(pane.pane_id, kind, status)
        return pane

    def add_pane(
        self, pane_id: str | None = None, *, screen: str = "$", ansi: str | None = None, cwd: str = "/srv/orchard"
    ) -> FakePane:
        """A shell."""
        place = pane_id or self.next_pane(self.next_workspace())
        workspace_id = place.partition(":")[0]
        pane = FakePane(
            pane_id=place,
            terminal_id=self._next_terminal(),
            tab_id=f"{workspace_id}:t1",
            screen=screen,
            ansi=ansi,
            cwd=cwd,
        )
        self.panes[place] = pane
        if workspace_id not in self.labels:
            self.labels[workspace_id] = cwd.rsplit("/", 1)[-1]
            self.emit("workspace.created", workspace=self.workspace(workspace_id))
            self.emit("tab.created", tab=self.tab(pane.tab_id))
        self.emit("pane.created", pane=pane.info())
        self.emit("layout.updated", layout=pane.layout())
        return pane

    def set_screen(self, pane_id: str, screen: str, *, ansi: str | None = None) -> None:
        """The program draws this."""
        pane = self.panes[pane_id]
        pane.screen, pane.ansi = screen, ansi
        pane.counter += 1
        if self.manners == "embedded":
            self.emit("pane.output", pane_id=pane_id, terminal_id=pane.terminal_id, counter=pane.counter)

    def set_status(self, pane_id: str, status: str, *, rule: str | None = None) -> None:
        """The host finds this status (and this rule) on the screen."""
        pane = self.panes[pane_id]
        before, pane.status = pane.status, AgentStatus(status)
        pane.rule = rule if rule is not None else pane.rule
        if {before, pane.status} != {AgentStatus.DONE, AgentStatus.IDLE} and before is not pane.status:
            self._seq += 1
            pane.state_change_seq = self._seq
        if before is not pane.status:
            self.emit_status(pane)

    def detect(self, pane_id: str, kind: str, status: str = "idle") -> None:
        """The host recognises an agent in the pane; a launch on its way has then arrived."""
        pane = self.panes[pane_id]
        pane.kind = kind
        self.emit("pane.agent_detected", pane_id=pane_id, workspace_id=pane.workspace_id, agent=kind)
        if pane.launch_pending and status != "blocked":
            pane.launch_pending, pane.interactive_ready = False, True
            self.emit("pane.updated", pane=pane.info())
        self.set_status(pane_id, status)

    def release(self, pane_id: str) -> None:
        """The agent exits to its shell."""
        pane = self.panes[pane_id]
        gone, final = pane.kind, pane.status
        pane.kind = pane.name = pane.session = pane.rule = None
        pane.status, pane.launch_pending, pane.interactive_ready = AgentStatus.UNKNOWN, False, False
        place = {"pane_id": pane_id, "workspace_id": pane.workspace_id}
        self.emit("pane.agent_detected", **place, agent=gone, released=True, final_status=final)
        self.emit_status(pane)

    def exit(self, pane_id: str) -> None:
        """The pane's shell exits: the pane goes, and that is all that a host tells."""
        pane = self.panes.pop(pane_id)
        self.emit("pane.exited", pane_id=pane_id, workspace_id=pane.workspace_id)

    def close(self, pane_id: str) -> None:
        """Somebody closes the pane."""
        pane = self.panes.pop(pane_id)
        self.emit("pane.closed", pane_id=pane_id, workspace_id=pane.workspace_id)
        if not self._in_workspace(pane.workspace_id):
            self.emit("workspace.closed", workspace_id=pane.workspace_id)

    def close_tab(self, tab_id: str) -> bool:
        """Somebody closes a tab: its panes go without a word. False if there is no such tab."""
        gone = [pane for pane in self.panes.values() if pane.tab_id == tab_id]
        self._drop(gone)
        for pane in gone[:1]:
            self.emit("tab.closed", tab_id=tab_id, workspace_id=pane.workspace_id)
            if not self._in_workspace(pane.workspace_id):
                self.emit("workspace.closed", workspace_id=pane.workspace_id)
        return bool(gone)

    def close_workspace(self, workspace_id: str) -> None:
        """Somebody closes a workspace: its tabs and panes go without a word."""
        self._drop(self._in_workspace(workspace_id))
        self.emit("workspace.closed", workspace_id=workspace_id)

    def restart(self) -> None:
        """What a restart of the host leaves: the same panes with new terminals, no events, numbers from the start."""
        self._seq = 0
        self.events_before, self.events = 0, []
        for pane in self.panes.values():
            pane.terminal_id, pane.state_change_seq = self._next_terminal(), 0

    def move(self, pane_id: str, to: str) -> None:
        """The pane gets another id in another workspace; its terminal stays."""
        pane = self.panes.pop(pane_id)
        before = {
            "previous_pane_id": pane_id,
            "previous_workspace_id": pane.workspace_id,
            "previous_tab_id": pane.tab_id,
        }
        moved = self.panes[to] = replace(pane, pane_id=to, tab_id=to.partition(":")[0] + ":t1")
        self.labels.setdefault(moved.workspace_id, "moved")
        self.emit("pane.moved", **before, pane=moved.info())

    def when(
        self, pane_id: str, typed: str, *, screen: str | None = None, status: str | None = None, after: float = 0.0
    ) -> None:
        """A key, or exactly this text, makes the pane show another screen or status. Later rules go first."""
        wanted = None if status is None else AgentStatus(status)
        self._reactions.insert(0, Reaction(pane_id=pane_id, typed=typed, screen=screen, status=wanted, after=after))

    def on_input(self, act: Callable[[FakePane, Typed], None]) -> None:
        """Call this after each input that was written."""
        self._on_input.append(act)

    def on_start(self, act: Callable[[FakePane, Params], None]) -> None:
        """Call this after agent.start was accepted, with its params: the place to `detect` the agent."""
        self._on_start.append(act)

    # What happened

    def calls(self, method: str) -> list[dict[str, Any]]:
        """The params of each request for this method."""
        return [params for name, params in self.sent if name == method]

    def emit(self, subscription: str, **data: Any) -> None:
        """Let an event happen."""
        event = Event.of(subscription, **data)
        # events are plain values at once: what a record is by the time it is sent is another matter
        self.events.append(Event(event.event, msgspec.to_builtins(event.data)))
        if len(self.events) > RING:
            self.events_before += 1
            del self.events[0]

    def emit_status(self, pane: FakePane) -> None:
        """Tell those who subscribed to this pane's status."""
        self.emit("pane.agent_status_changed", **pane.status_data())

    def workspace(self, workspace_id: str) -> WorkspaceInfo:
        number = list(self.labels).index(workspace_id) + 1
        return workspace_info(workspace_id, number, self.labels[workspace_id], self._in_workspace(workspace_id))

    def tab(self, tab_id: str) -> TabInfo:
        return tab_info(tab_id, [pane for pane in self.panes.values() if pane.tab_id == tab_id])

    # What methods are made of

    def pane(self, pane_id: str) -> FakePane:
        """The pane with this id, or the refusal that a host has for it."""
        if pane_id not in self.panes:
            raise Refused(PANE_NOT_FOUND, f"pane {pane_id} not found")
        return self.panes[pane_id]

    def agent(self, target: str) -> FakePane:
        """The agent with this name or in this pane, or the refusal."""
        for pane in self.panes.values():
            if pane.is_agent and target in (pane.pane_id, pane.name):
                return pane
        raise Refused("agent_not_found", f"agent target {target} not found")

    def write(self, pane: FakePane, typed: Typed) -> None:
        """The pane gets input."""
        self.typed.append(typed)
        for act in self._on_input:
            act(pane, typed)

    def started(self, pane: FakePane, params: Params) -> None:
        """The pane's shell got the command line of an agent."""
        for act in self._on_start:
            act(pane, params)

    def reactions(self, inputs: list[Typed]) -> list[Reaction]:
        """What these inputs set off: the first rule for each key and text."""
        found: list[Reaction] = []
        for typed in inputs:
            for what in (typed.text, *typed.keys):
                rules = (rule for rule in self._reactions if (rule.pane_id, rule.typed) == (typed.pane_id, what))
                found.extend(itertools.islice(rules, 1))
        return found

    def react(self, reaction: Reaction) -> None:
        """Let it happen, unless the pane has gone."""
        if reaction.pane_id not in self.panes:
            return
        if reaction.screen is not None:
            self.set_screen(reaction.pane_id, reaction.screen)
        if reaction.status is not None:
            self.set_status(reaction.pane_id, reaction.status)

    def next_workspace(self) -> str:
        """An id that no workspace has had."""
        taken = (int(each[1:]) for each in self.labels if each[1:].isdecimal())
        return f"w{max(taken, default=0) + 1}"

    def next_pane(self, workspace_id: str) -> str:
        """An id that no pane of this workspace has had."""
        self._numbers[workspace_id] = self._numbers.get(workspace_id, 0) + 1
        place = f"{workspace_id}:p{self._numbers[workspace_id]}"
        return place if place not in self.panes else self.next_pane(workspace_id)

    def _drop(self, panes: list[FakePane]) -> None:
        for pane in panes:
            del self.panes[pane.pane_id]

    def _next_terminal(self) -> str:
        self._terminals += 1
        return f"term_{0x66173D6044000 + self._terminals:x}"

    def _in_workspace(self, workspace_id: str) -> list[FakePane]:
        return [pane for pane in self.panes.values() if pane.workspace_id == workspace_id]
