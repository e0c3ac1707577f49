"""The host's state as the records of the wire."""

import os
from collections.abc import Iterable
from typing import Final

from collie.herdr.models import (
    AgentInfo,
    AgentStatus,
    LayoutPane,
    PaneInfo,
    PaneLayout,
    Scroll,
    SessionSnapshot,
    TabInfo,
    WorkspaceInfo,
)
from collie.host import said, splits
from collie.host.launch import Phase
from collie.host.layout import AREA, Slot, Tab, Workspace
from collie.host.pane import Pane
from collie.host.session import Session

VERSION: Final = "0.9.5+collie.1"
"""Ours cannot be mistaken for a herdr's, and sorts as one that offers what 0.9.5 does."""

PROTOCOL: Final = 20
"""herdr's protocol number, of 0.8.2's schema."""

_WEIGHTS: Final = (
    AgentStatus.BLOCKED,
    AgentStatus.DONE,
    AgentStatus.WORKING,
    AgentStatus.IDLE,
    AgentStatus.UNKNOWN,
)
"""Which status stands for several: the first of these that occurs."""


def workspace_info(session: Session, workspace: Workspace) -> WorkspaceInfo:
    """A workspace now."""
    slots = list(session.layout.slots(workspace))
    return WorkspaceInfo(
        workspace_id=workspace.workspace_id,
        number=session.layout.workspaces.index(workspace) + 1,
        label=workspace_label(workspace),
        focused=session.layout.is_focused(workspace),
        pane_count=len(slots),
        tab_count=len(workspace.tabs),
        active_tab_id=workspace.active.tab_id,
        agent_status=_roll_up(session, slots),
    )


def workspace_label(workspace: Workspace) -> str:
    """What a workspace is called: what it was named, else its folder."""
    folder = workspace.folder
    return workspace.label or said.label(said.in_unicode(os.path.basename(folder) or folder)) or "/"


def tab_label(tab: Tab) -> str:
    """What a tab is called: what it was named, else its place."""
    return tab.label or str(tab.workspace.tabs.index(tab) + 1)


def tab_info(session: Session, tab: Tab) -> TabInfo:
    """A tab now."""
    slots = list(session.layout.slots_of(tab))
    return TabInfo(
        tab_id=tab.tab_id,
        workspace_id=tab.workspace.workspace_id,
        number=tab.number,
        label=tab_label(tab),
        focused=session.layout.is_focused(tab),
        pane_count=len(slots),
        agent_status=_roll_up(session, slots),
    )


class _Said:
    """What was said of a pane, as far as a record has room for it; what identifies it comes first."""

    def __init__(self, pane: Pane) -> None:
        metadata = pane.agent.reports.metadata
        room = said.Room()
        self.cwd = room.take(said.path(pane.cwd()))
        self.session = room.take(pane.agent.reports.session)
        self.stripped_title = room.take(pane.stripped_title)
        self.title = room.take(metadata.title)
        self.foreground_cwd = room.take(said.path(pane.foreground_cwd()))
        self.label = room.take(pane.slot.label)
        self.display_agent = room.take(metadata.display_agent)
        self.tokens = room.take(dict(metadata.tokens)) or {}
        self.state_labels = room.take(dict(metadata.state_labels)) or {}
        self.terminal_title = room.take(pane.title)


def pane_info(session: Session, pane: Pane) -> PaneInfo:
    """A pane now."""
    slot, agent, of_it = pane.slot, pane.agent, _Said(pane)
    return PaneInfo(
        pane_id=pane.pane_id,
        terminal_id=pane.terminal_id,
        workspace_id=slot.workspace.workspace_id,
        tab_id=slot.tab.tab_id,
        focused=session.layout.is_focused(slot),
        cwd=of_it.cwd,
        foreground_cwd=of_it.foreground_cwd,
        label=of_it.label,
        agent=agent.machine.kind,
        title=of_it.title,
        terminal_title=of_it.terminal_title,
        terminal_title_stripped=of_it.stripped_title,
        display_agent=of_it.display_agent,
        agent_status=agent.status(seen=slot.seen),
        state_labels=of_it.state_labels,
        tokens=of_it.tokens,
        agent_session=of_it.session,
        scroll=Scroll(
            offset_from_bottom=0,
            max_offset_from_bottom=pane.terminal.scrollback_rows,
            viewport_rows=pane.terminal.rows,
        ),
        revision=pane.revision,
    )


def agent_info(session: Session, pane: Pane) -> AgentInfo:
    """An agent now, or a launch on its way."""
    slot, agent, of_it = pane.slot, pane.agent, _Said(pane)
    return AgentInfo(
        terminal_id=pane.terminal_id,
        name=agent.name,
        agent=agent.machine.kind,
        title=of_it.title,
        terminal_title=of_it.terminal_title,
        terminal_title_stripped=of_it.stripped_title,
        display_agent=of_it.display_agent,
        agent_status=agent.status(seen=slot.seen),
        state_labels=of_it.state_labels,
        tokens=of_it.tokens,
        agent_session=of_it.session,
        workspace_id=slot.workspace.workspace_id,
        tab_id=slot.tab.tab_id,
        pane_id=pane.pane_id,
        focused=session.layout.is_focused(slot),
        launch_pending=agent.is_launching,
        interactive_ready=agent.launch is not None and agent.launch.phase is Phase.ACTIVE,
        state_change_seq=agent.change_seq,
        cwd=of_it.cwd,
        foreground_cwd=of_it.foreground_cwd,
        revision=pane.revision,
    )


def layout_info(session: Session, tab: Tab) -> PaneLayout:
    """How a tab is divided now."""
    return PaneLayout(
        workspace_id=tab.workspace.workspace_id,
        tab_id=tab.tab_id,
        area=AREA,
        focused_pane_id=tab.focused,
        panes=tuple(
            LayoutPane(pane_id=pane_id, focused=pane_id == tab.focused, rect=box)
            for pane_id, box in splits.boxes(tab.tree, AREA)
        ),
        splits=splits.split_records(tab.tree, AREA),
    )


def snapshot(session: Session) -> SessionSnapshot:
    """Everything now."""
    focus = session.layout.focused_slot
    return SessionSnapshot(
        version=VERSION,
        protocol=PROTOCOL,
        focused_workspace_id=focus.workspace.workspace_id if focus else None,
        focused_tab_id=focus.tab.tab_id if focus else None,
        focused_pane_id=focus.pane_id if focus else None,
        workspaces=tuple(workspace_info(session, each) for each in session.layout.workspaces),
        tabs=tuple(tab_info(session, each) for each in session.layout.tabs()),
        panes=tuple(pane_info(session, each) for each in session.all_panes()),
        layouts=tuple(layout_info(session, each) for each in session.layout.tabs()),
        agents=agents(session),
    )


def agents(session: Session) -> tuple[AgentInfo, ...]:
    """All agents, launches on their way included."""
    return tuple(agent_info(session, pane) for pane in session.all_panes() if pane.agent.is_listed)


def _roll_up(session: Session, slots: Iterable[Slot]) -> AgentStatus:
    found = {session.pane_in(slot).agent.status(seen=slot.seen) for slot in slots}
    return next((each for each in _WEIGHTS if each in found), AgentStatus.UNKNOWN)
