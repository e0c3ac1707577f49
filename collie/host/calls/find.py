"""Ids and names -> what they mean."""

from collie.herdr.wire import PANE_NOT_FOUND
from collie.host.host import Host
from collie.host.layout import Tab, Workspace
from collie.host.pane import Pane
from collie.host.refused import Refused


def workspace(host: Host, workspace_id: str) -> Workspace:
    """The workspace of this id.

    Raises: Refused.
    """
    found = host.session.layout.workspace(workspace_id)
    if found is None:
        raise Refused("workspace_not_found", f"workspace {workspace_id} not found")
    return found


def workspace_or_focused(host: Host, workspace_id: str | None) -> Workspace:
    """The workspace of this id, or the focused one.

    Raises: Refused.
    """
    if workspace_id is not None:
        return workspace(host, workspace_id)
    focused = host.session.layout.focused
    if focused is None:
        raise Refused("workspace_not_found", "there is no workspace")
    return focused


def tab(host: Host, tab_id: str) -> Tab:
    """The tab of this id.

    Raises: Refused.
    """
    found = host.session.layout.tab(tab_id)
    if found is None:
        raise Refused("tab_not_found", f"tab {tab_id} not found")
    return found


def pane(host: Host, pane_id: str) -> Pane:
    """The pane of this id; the id of its terminal is none.

    Raises: Refused.
    """
    found = host.session.pane(pane_id)
    if found is None:
        raise Refused(PANE_NOT_FOUND, f"pane {pane_id} not found")
    return found


def pane_or_focused(host: Host, pane_id: str | None) -> Pane:
    """The pane of this id, or the focused one.

    Raises: Refused.
    """
    if pane_id is not None:
        return pane(host, pane_id)
    slot = host.session.layout.focused_slot
    if slot is None:
        raise Refused(PANE_NOT_FOUND, "there is no pane")
    return host.session.pane_in(slot)


def agent(host: Host, target: str) -> Pane:
    """The pane of an agent, by its name or by the pane's id.

    Raises: Refused.
    """
    found = host.session.pane(target)
    if found is None:
        found = next((each for each in host.session.all_panes() if each.agent.name == target), None)
    if found is None or not found.agent.is_listed:
        raise Refused("agent_not_found", f"agent target {target} not found")
    return found
