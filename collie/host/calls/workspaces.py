"""Methods about workspaces and tabs."""

from collections.abc import Mapping

from collie.herdr import models as m
from collie.host import narrate, records, said
from collie.host import params as p
from collie.host.caller import Caller
from collie.host.calls import find
from collie.host.environment import env_fault
from collie.host.host import Host, Opening
from collie.host.pty import SpawnFailed
from collie.host.refused import Refused


def create_workspace(host: Host, params: p.WorkspaceCreate, caller: Caller) -> m.WorkspaceCreated:
    """A workspace with one tab and one pane, which runs a shell."""
    asked = opening(params.cwd, params.env, focus=params.focus)
    try:
        pane = host.open_workspace(asked, said.label(params.label))
    except SpawnFailed as exc:
        raise Refused("workspace_create_failed", str(exc)) from exc
    return m.WorkspaceCreated(
        workspace=records.workspace_info(host.session, pane.slot.workspace),
        tab=records.tab_info(host.session, pane.slot.tab),
        root_pane=records.pane_info(host.session, pane),
    )


def list_workspaces(host: Host, params: p.Params, caller: Caller) -> m.WorkspaceList:
    """All workspaces in their order."""
    workspaces = host.session.layout.workspaces
    return m.WorkspaceList(workspaces=tuple(records.workspace_info(host.session, each) for each in workspaces))


def get_workspace(host: Host, params: p.WorkspaceTarget, caller: Caller) -> m.WorkspaceResult:
    """One workspace."""
    workspace = find.workspace(host, params.workspace_id)
    return m.WorkspaceResult(workspace=records.workspace_info(host.session, workspace))


def focus_workspace(host: Host, params: p.WorkspaceTarget, caller: Caller) -> m.WorkspaceResult:
    """Give it the focus; its active tab counts as seen."""
    workspace = find.workspace(host, params.workspace_id)
    host.focus(find.pane(host, workspace.active.focused).slot)
    return m.WorkspaceResult(workspace=records.workspace_info(host.session, workspace))


def rename_workspace(host: Host, params: p.WorkspaceRename, caller: Caller) -> m.WorkspaceResult:
    """Give it a label."""
    workspace = find.workspace(host, params.workspace_id)
    workspace.label = said.label(params.label)
    narrate.workspace_renamed(host.session, workspace)
    return m.WorkspaceResult(workspace=records.workspace_info(host.session, workspace))


def close_workspace(host: Host, params: p.WorkspaceTarget, caller: Caller) -> m.Ok:
    """Close it with its panes."""
    host.close_workspace(find.workspace(host, params.workspace_id))
    return m.Ok()


def create_tab(host: Host, params: p.TabCreate, caller: Caller) -> m.TabCreated:
    """A tab with one pane, which runs a shell."""
    workspace = find.workspace_or_focused(host, params.workspace_id)
    asked = opening(params.cwd, params.env, focus=params.focus)
    try:
        pane = host.open_tab(workspace, asked, said.label(params.label))
    except SpawnFailed as exc:
        raise Refused("tab_create_failed", str(exc)) from exc
    return m.TabCreated(
        tab=records.tab_info(host.session, pane.slot.tab), root_pane=records.pane_info(host.session, pane)
    )


def list_tabs(host: Host, params: p.InWorkspace, caller: Caller) -> m.TabList:
    """The tabs of one workspace, or all."""
    tabs = host.session.layout.tabs() if params.workspace_id is None else find.workspace(host, params.workspace_id).tabs
    return m.TabList(tabs=tuple(records.tab_info(host.session, each) for each in tabs))


def get_tab(host: Host, params: p.TabTarget, caller: Caller) -> m.TabResult:
    """One tab."""
    return m.TabResult(tab=records.tab_info(host.session, find.tab(host, params.tab_id)))


def focus_tab(host: Host, params: p.TabTarget, caller: Caller) -> m.TabResult:
    """Give it the focus; its panes count as seen."""
    tab = find.tab(host, params.tab_id)
    host.focus(find.pane(host, tab.focused).slot)
    return m.TabResult(tab=records.tab_info(host.session, tab))


def rename_tab(host: Host, params: p.TabRename, caller: Caller) -> m.TabResult:
    """Give it a label."""
    tab = find.tab(host, params.tab_id)
    tab.label = said.label(params.label)
    narrate.tab_renamed(host.session, tab)
    return m.TabResult(tab=records.tab_info(host.session, tab))


def close_tab(host: Host, params: p.TabTarget, caller: Caller) -> m.Ok:
    """Close it with its panes; the last takes its workspace along."""
    host.close_tab(find.tab(host, params.tab_id))
    return m.Ok()


def opening(cwd: str | None, env: Mapping[str, str], *, focus: bool) -> Opening:
    """What is to run in a new pane.

    Raises: Refused.
    """
    fault = env_fault(env)
    if fault is not None:
        raise Refused("invalid_env", fault)
    return Opening(cwd=cwd, env=env, focus=focus)
