"""Reads agents off the host: first what it says of the agent, then what is on its screen."""

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from collie.agents.facts import Facts, State
from collie.agents.registry import kind_named
from collie.daemon.approvals.card import agent_label
from collie.daemon.approvals.host import Panes
from collie.daemon.approvals.jobs import has_stopped
from collie.daemon.approvals.sight import Sight
from collie.daemon.dispatch import where_of
from collie.daemon.drive.refusals import GONE
from collie.daemon.drive.width import columns_of
from collie.herdr.errors import HostRefused
from collie.herdr.models import AgentInfo, AgentStatus, ReadFormat, ReadSource
from collie.screen.ansi import parse

log = logging.getLogger(__name__)

WIDTH_SECONDS: Final = 1.0
"""How long a pane's width is taken as known. It is asked for before the text, which must be the last thing read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Shot:
    """All that the facts of a screen depend on."""

    kind: str | None
    width: int | None
    text: str


class Reader:
    """Knows where each terminal is, and what was read there last, so that an unchanged screen is not parsed again."""

    def __init__(self, *, host: Panes, now: Callable[[], float]) -> None:
        self._host = host
        self._now = now
        self._places: dict[str, str] = {}
        self._widths: dict[str, tuple[int | None, float]] = {}
        self._shots: dict[str, tuple[_Shot, Facts]] = {}

    def place(self, terminal_id: str) -> str:
        """The pane that shows the terminal, by what was heard last."""
        return self._places[terminal_id]

    def heard(self, agent: AgentInfo) -> None:
        """The host says that this agent's terminal is in this pane."""
        self._places[agent.terminal_id] = agent.pane_id

    def forget(self, terminal_ids: frozenset[str]) -> None:
        """These have gone."""
        for terminal_id in terminal_ids:
            self._places.pop(terminal_id, None)
            self._widths.pop(terminal_id, None)
            self._shots.pop(terminal_id, None)

    async def read(self, terminal_id: str) -> Sight:
        """What is there now; the screen is read last, so that nothing is older than it.

        Raises: HostUnavailable; HostRefused with a code of GONE when the terminal is in no pane any more.
        """
        agent = await self._agent(terminal_id)
        if agent is None:
            return await self._after_agent(terminal_id)
        text, facts = await self._facts(terminal_id, agent.pane_id, agent.agent)
        session = agent.agent_session
        return Sight(
            terminal_id=terminal_id,
            is_blocked=agent.agent_status is AgentStatus.BLOCKED,
            seq=agent.state_change_seq,
            session=session.value if session and session.agent == agent.agent else "",
            text=text,
            facts=facts,
            agent_label=agent_label(agent),
            workspace_id=agent.workspace_id,
        )

    async def _after_agent(self, terminal_id: str) -> Sight:
        """The terminal of an agent that has ended, or was suspended."""
        place = self._places[terminal_id]
        if (await self._host.pane_get(place)).terminal_id != terminal_id:
            raise HostRefused("pane_not_found", f"terminal {terminal_id} is in no pane")
        last = self._shots.get(terminal_id)
        text, facts = await self._facts(terminal_id, place, last[0].kind if last else None)
        shell = (await self._host.pane_process_info(place)).shell_pid
        return Sight(
            terminal_id=terminal_id,
            is_blocked=False,
            seq=None,
            session="",
            text=text,
            facts=facts,
            has_ended=shell is not None and not has_stopped(shell),
        )

    async def _agent(self, terminal_id: str) -> AgentInfo | None:
        """The agent of the terminal, wherever its pane has moved to."""
        try:
            agent = await self._host.agent_get(self._places[terminal_id])
        except HostRefused as refused:
            if refused.code not in GONE:
                raise
        else:
            if agent.terminal_id == terminal_id:
                return agent
        for agent in await self._host.agent_list():
            if agent.terminal_id == terminal_id:
                self.heard(agent)
                return agent
        return None

    async def _facts(self, terminal_id: str, place: str, kind: str | None) -> tuple[str, Facts]:
        width = await self._width(terminal_id, place)
        read = await self._host.pane_read(place, ReadSource.DETECTION, format=ReadFormat.TEXT)
        shot = _Shot(kind=kind, width=width, text=read.text)
        last = self._shots.get(terminal_id)
        if last is None or last[0] != shot:
            last = self._shots[terminal_id] = (shot, _facts_of(shot))
        return read.text, last[1]

    async def _width(self, terminal_id: str, place: str) -> int | None:
        width, asked_at = self._widths.get(terminal_id, (None, -WIDTH_SECONDS))
        if self._now() >= asked_at + WIDTH_SECONDS:
            width = await columns_of(self._host, place)
            self._widths[terminal_id] = (width, self._now())
        return width


def _facts_of(shot: _Shot) -> Facts:
    kind = kind_named(shot.kind) if shot.kind else None
    nothing = Facts(kind=shot.kind or "", state=State.UNKNOWN)
    if kind is None:
        return nothing
    try:
        return kind.read(parse(shot.text, shot.width))
    except Exception as error:  # noqa: BLE001 (a reader's fault must not hide that the agent waits: it gets a card without decisions)
        log.error("reading a screen of %s failed: %s", kind.name, where_of(error))
        return nothing
