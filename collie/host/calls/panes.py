"""Methods about panes: lists, reads, opening, closing, focus."""

from collie.herdr import models as m
from collie.host import params as p
from collie.host import processes, records, said, splits
from collie.host.caller import Caller
from collie.host.calls import find
from collie.host.calls.workspaces import opening
from collie.host.host import Host
from collie.host.pane import Pane
from collie.host.pty import SpawnFailed
from collie.host.refused import Refused
from collie.host.terminal.reads import read
from collie.host.view import Cursor, PaneView


def list_panes(host: Host, params: p.InWorkspace, caller: Caller) -> m.PaneList:
    """The panes of one workspace, or all."""
    workspace = None if params.workspace_id is None else find.workspace(host, params.workspace_id)
    slots = host.session.layout.slots(workspace)
    return m.PaneList(panes=tuple(records.pane_info(host.session, host.session.pane_in(each)) for each in slots))


def get_pane(host: Host, params: p.PaneTarget, caller: Caller) -> m.PaneResult:
    """One pane."""
    return m.PaneResult(pane=records.pane_info(host.session, find.pane(host, params.pane_id)))


def current_pane(host: Host, params: p.PaneCurrent, caller: Caller) -> m.PaneCurrent:
    """The caller's own pane, or the focused one."""
    pane = find.pane_or_focused(host, params.caller_pane_id)
    return m.PaneCurrent(pane=records.pane_info(host.session, pane))


def focus_pane(host: Host, params: p.PaneTarget, caller: Caller) -> m.PaneResult:
    """Give it the focus; its tab counts as seen."""
    pane = find.pane(host, params.pane_id)
    host.focus(pane.slot)
    return m.PaneResult(pane=records.pane_info(host.session, pane))


def rename_pane(host: Host, params: p.PaneRename, caller: Caller) -> m.PaneResult:
    """Give it a label, or take it away; no event tells of it, as with herdr."""
    pane = find.pane(host, params.pane_id)
    pane.slot.label = said.label(params.label)
    return m.PaneResult(pane=records.pane_info(host.session, pane))


def split_pane(host: Host, params: p.PaneSplit, caller: Caller) -> m.PaneResult:
    """A pane beside another, which runs a shell."""
    beside = _split_target(host, params)
    asked = opening(params.cwd, params.env, focus=params.focus)
    ratio = splits.RATIO if params.ratio is None else params.ratio
    try:
        pane = host.split_pane(beside, asked, params.direction, ratio)
    except SpawnFailed as exc:
        raise Refused("pane_split_failed", str(exc)) from exc
    return m.PaneResult(pane=records.pane_info(host.session, pane))


def _split_target(host: Host, params: p.PaneSplit) -> Pane:
    if params.target_pane_id is None:
        active = find.workspace_or_focused(host, params.workspace_id).active
        return find.pane(host, active.focused)
    found = host.session.pane(params.target_pane_id)
    if found is None:
        raise Refused("target_pane_not_found", f"pane {params.target_pane_id} not found")
    return found


def close_pane(host: Host, params: p.PaneTarget, caller: Caller) -> m.Ok:
    """Close it and end what runs in it."""
    host.close_pane(find.pane(host, params.pane_id))
    return m.Ok()


def layout(host: Host, params: p.MaybePane, caller: Caller) -> m.PaneLayoutResult:
    """How the pane's tab is divided."""
    pane = find.pane_or_focused(host, params.pane_id)
    return m.PaneLayoutResult(layout=records.layout_info(host.session, pane.slot.tab))


def process_info(host: Host, params: p.MaybePane, caller: Caller) -> m.PaneProcessInfo:
    """Its shell, and what stands in the foreground."""
    pane = find.pane_or_focused(host, params.pane_id)
    group = pane.pty.foreground()
    return m.PaneProcessInfo(
        process_info=m.ProcessInfo(
            pane_id=pane.pane_id,
            shell_pid=pane.pty.pid,
            foreground_process_group_id=group,
            foreground_processes=processes.describe(group) if group is not None else (),
        )
    )


def read_pane(host: Host, params: p.PaneRead, caller: Caller) -> m.PaneReadResult:
    """What it shows. Reading changes nothing: not its size, its scroll, its focus, nor whether it was seen."""
    pane = find.pane(host, params.pane_id)
    return m.PaneReadResult(read=read_of(pane, params))


def view_pane(host: Host, params: p.PaneTarget, caller: Caller) -> PaneView:
    """What it shows, with its size and its cursor."""
    pane = find.pane(host, params.pane_id)
    terminal = pane.terminal
    row, column = terminal.cursor
    return PaneView(
        pane_id=pane.pane_id,
        columns=terminal.columns,
        rows=terminal.rows,
        text=read(terminal, m.ReadSource.VISIBLE, format=m.ReadFormat.ANSI).text,
        cursor=Cursor(row=row, column=column, visible=terminal.cursor_visible),
    )


def read_of(pane: Pane, asked: p.PaneRead | p.AgentRead) -> m.PaneRead:
    """What a read gives of a pane."""
    found = read(pane.terminal, asked.source, lines=asked.lines, format=asked.format)
    return m.PaneRead(
        pane_id=pane.pane_id,
        workspace_id=pane.slot.workspace.workspace_id,
        tab_id=pane.slot.tab.tab_id,
        source=asked.source,
        format=asked.format,
        text=found.text,
        truncated=found.truncated,
    )
