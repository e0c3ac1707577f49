"""Snapshots of the host -> the agents as the protocol has them, and what changed since the last. No I/O."""

import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from collie.herdr.models import AgentInfo, WorkspaceInfo
from collie.protocol.ids import FORMAT_CHARACTERS, TerminalId, WorkspaceId
from collie.protocol.models import Agent, AgentStatus, Workspace

TITLE_CHARS: Final = 256
"""The longest title; a program sets it, so it has no bound of its own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Since:
    """A status, and when it was first seen (milliseconds since 1970)."""

    status: str
    seq: int
    since_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Changes:
    """What one snapshot changed.

    `agents` have another row than before; `is_rearranged` says that agents or workspaces came, went or moved, which
    only a new snapshot shows; `touched` are the terminals whose dialog may be another one, or gone.
    """

    agents: tuple[Agent, ...] = ()
    is_rearranged: bool = False
    touched: frozenset[str] = frozenset()


class Flock:
    """The newest snapshot, and since when each agent has its status."""

    def __init__(self, known: Mapping[str, Since] = {}) -> None:
        self.infos: tuple[AgentInfo, ...] = ()
        self.agents: tuple[Agent, ...] = ()
        self.workspaces: tuple[Workspace, ...] = ()
        self.since = dict(known)
        self._by_terminal: dict[str, AgentInfo] = {}

    def observe(self, infos: Iterable[AgentInfo], workspaces: Iterable[WorkspaceInfo], now_ms: int) -> Changes:
        """Take in a snapshot."""
        infos = tuple(info for info in infos if TerminalId.accepts(info.terminal_id))
        before = {agent.terminal_id: agent for agent in self.agents}
        seqs = {info.terminal_id: _dialog_key(info) for info in self.infos}
        self.since = {info.terminal_id: self._since(info, now_ms) for info in infos}
        self.infos = infos
        self._by_terminal = {info.terminal_id: info for info in infos}
        self.agents = tuple(_agent(info, self.since[info.terminal_id]) for info in infos)
        rooms = _workspaces(workspaces, self.agents)
        is_rearranged = _places(self.agents) != {key: agent.workspace_id for key, agent in before.items()} or (
            _named(rooms) != _named(self.workspaces)
        )
        self.workspaces = rooms
        return Changes(
            agents=tuple(agent for agent in self.agents if _is_other(before.get(agent.terminal_id), agent)),
            is_rearranged=is_rearranged,
            touched=_touched(seqs, {info.terminal_id: _dialog_key(info) for info in infos}),
        )

    def clear(self) -> tuple[str, ...]:
        """The host has gone: forget its agents, and give what people call them. How long each was so is kept, as the
        host may come back with them."""
        names = tuple(agent.name or agent.title or agent.kind or agent.terminal_id for agent in self.agents)
        self.infos = self.agents = self.workspaces = ()
        self._by_terminal = {}
        return names

    def info(self, terminal_id: str) -> AgentInfo | None:
        """What the host last said of the agent in this terminal."""
        return self._by_terminal.get(terminal_id)

    def at_pane(self, pane_id: str) -> AgentInfo | None:
        """The agent that is in this pane."""
        return next((info for info in self.infos if info.pane_id == pane_id), None)

    def labels(self) -> dict[str, str]:
        """Workspace id -> what it is called."""
        return {workspace.workspace_id: workspace.label for workspace in self.workspaces}

    def _since(self, info: AgentInfo, now_ms: int) -> Since:
        known = self.since.get(info.terminal_id)
        status, seq = info.agent_status.value, info.state_change_seq
        if known and (known.status, known.seq) == (status, seq) and known.since_ms <= now_ms:
            return known
        return Since(status=status, seq=seq, since_ms=now_ms)


def plain_line(text: str | None, limit: int = TITLE_CHARS) -> str | None:
    """What a program called itself, as one line without controls and invisible characters; None when none is left."""
    if text is None:
        return None
    kept = "".join(each for each in FORMAT_CHARACTERS.sub("", text) if unicodedata.category(each) not in ("Cc", "Cs"))
    return " ".join(kept.split())[:limit] or None


def _agent(info: AgentInfo, since: Since) -> Agent:
    return Agent(
        terminal_id=info.terminal_id,
        workspace_id=info.workspace_id,
        kind=info.agent,
        name=info.name,
        title=plain_line(info.terminal_title_stripped or info.title),
        status=AgentStatus(info.agent_status.value),
        status_since_ms=since.since_ms,
        cwd=info.foreground_cwd or info.cwd,
    )


def _workspaces(found: Iterable[WorkspaceInfo], agents: tuple[Agent, ...]) -> tuple[Workspace, ...]:
    folders = {agent.workspace_id: agent.cwd for agent in reversed(agents)}
    return tuple(
        Workspace(
            workspace_id=each.workspace_id,
            label=plain_line(each.label) or "workspace",
            number=each.number,
            status=AgentStatus(each.agent_status.value),
            cwd=each.worktree.checkout_path if each.worktree else folders.get(each.workspace_id),
        )
        for each in found
        if WorkspaceId.accepts(each.workspace_id)
    )


def _is_other(before: Agent | None, now: Agent) -> bool:
    return before is not None and before != now


def _places(agents: tuple[Agent, ...]) -> dict[str, str]:
    return {agent.terminal_id: agent.workspace_id for agent in agents}


def _named(workspaces: tuple[Workspace, ...]) -> list[tuple[str, str, int]]:
    return [(each.workspace_id, each.label, each.number) for each in workspaces]


def _dialog_key(info: AgentInfo) -> tuple[object, ...]:
    return (info.agent_status, info.state_change_seq, info.agent, info.pane_id, info.workspace_id)


def _touched(before: Mapping[str, object], now: Mapping[str, object]) -> frozenset[str]:
    return frozenset(terminal for terminal in before.keys() | now.keys() if before.get(terminal) != now.get(terminal))
