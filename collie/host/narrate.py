"""Which events each thing that happens gives, and in which order (specs: embedded-host section 7.3).

Where herdr says nothing (a tab that went with its last pane), nothing is said here either: a client that lived on a
tidier stream would fail on herdr's.
"""

from dataclasses import dataclass

from collie.herdr.models import AgentStatus, WorkspaceInfo
from collie.herdr.wire import REFUSED_SUBSCRIPTION, Event
from collie.host import records
from collie.host.events import STATUS_SUBSCRIPTION
from collie.host.layout import Slot, Tab, Workspace
from collie.host.pane import Pane
from collie.host.refused import FromPane
from collie.host.session import Session


@dataclass(frozen=True, slots=True, kw_only=True)
class Focus:
    """Where the focus was, to see later what of it moved."""

    workspace: Workspace | None
    tab: Tab | None
    slot: Slot | None

    @classmethod
    def of(cls, session: Session) -> "Focus":
        """Where it is now."""
        slot = session.layout.focused_slot
        if slot is None:
            return cls(workspace=None, tab=None, slot=None)
        return cls(workspace=slot.workspace, tab=slot.tab, slot=slot)


def workspace_opened(session: Session, pane: Pane) -> None:
    """A workspace came to be, with its first pane."""
    workspace = records.workspace_info(session, pane.slot.workspace)
    session.publish(Event.of("workspace.created", workspace=workspace))
    tab_opened(session, pane)


def tab_opened(session: Session, pane: Pane) -> None:
    """A tab came to be, with its first pane."""
    session.publish(Event.of("tab.created", tab=records.tab_info(session, pane.slot.tab)))
    pane_opened(session, pane)


def pane_opened(session: Session, pane: Pane) -> None:
    """A pane came to be."""
    session.publish(Event.of("pane.created", pane=records.pane_info(session, pane)))
    layout_changed(session, pane.slot.tab)


def pane_closed(session: Session, pane: Pane) -> None:
    """A pane was taken away."""
    session.publish(Event.of("pane.closed", **_place(pane)))


def pane_exited(session: Session, pane: Pane) -> None:
    """What ran in a pane ended, and the pane with it."""
    session.publish(Event.of("pane.exited", **_place(pane)))


def tab_closed(session: Session, tab: Tab) -> None:
    """A tab was taken away with its panes."""
    session.publish(Event.of("tab.closed", tab_id=tab.tab_id, workspace_id=tab.workspace.workspace_id))


def tab_renamed(session: Session, tab: Tab) -> None:
    """A tab has another label."""
    place = {"tab_id": tab.tab_id, "workspace_id": tab.workspace.workspace_id}
    session.publish(Event.of("tab.renamed", **place, label=records.tab_label(tab)))


def workspace_closed(session: Session, last: WorkspaceInfo) -> None:
    """A workspace was taken away with its panes; `last` is how it was before."""
    session.publish(Event.of("workspace.closed", workspace_id=last.workspace_id, workspace=last))


def workspace_renamed(session: Session, workspace: Workspace) -> None:
    """A workspace has another label."""
    label = records.workspace_label(workspace)
    session.publish(Event.of("workspace.renamed", workspace_id=workspace.workspace_id, label=label))


def layout_changed(session: Session, tab: Tab) -> None:
    """A tab is divided in another way."""
    session.publish(Event.of("layout.updated", layout=records.layout_info(session, tab)))


def focus_moved(session: Session, before: Focus) -> None:
    """The focus may have moved; what it left and what it came to are told apart."""
    now = Focus.of(session)
    if now.slot is None:
        return
    workspace_id, tab_id = now.slot.workspace.workspace_id, now.slot.tab.tab_id
    if now.workspace is not before.workspace:
        session.publish(Event.of("workspace.focused", workspace_id=workspace_id))
    if now.tab is not before.tab:
        session.publish(Event.of("tab.focused", tab_id=tab_id, workspace_id=workspace_id))
    if now.slot is not before.slot:
        session.publish(Event.of("pane.focused", pane_id=now.slot.pane_id, workspace_id=workspace_id))


def pane_updated(session: Session, pane: Pane) -> None:
    """The name, the launch, the title or the tokens of a pane changed."""
    session.publish(Event.of("pane.updated", pane=records.pane_info(session, pane)))


def agent_found(session: Session, pane: Pane) -> None:
    """An agent runs in a pane, or another than before."""
    session.publish(_detected(pane, agent=pane.agent.machine.kind))


def agent_gone(session: Session, pane: Pane, kind: str, final: AgentStatus) -> None:
    """The agent of a pane is gone; `final` is the last status that was told of it."""
    session.publish(_detected(pane, agent=kind, released=True, final_status=final))


def status_shown(session: Session, pane: Pane) -> None:
    """What is shown of an agent may have changed; who was told the same already is not told again."""
    session.publish(status_event(pane))


def refused(session: Session, refused: FromPane, *, method: str, pid: int | None, program: str, count: int) -> None:
    """Input was refused because of who sent it."""
    who = {"pid": pid, "program": program, "count": count}
    place = {"pane_id": refused.pane_id, "terminal_id": refused.terminal_id}
    session.publish(Event.of(REFUSED_SUBSCRIPTION, **place, method=method, code=refused.code, **who))


def status_event(pane: Pane) -> Event:
    """What a watch on a pane's status is told now."""
    metadata = pane.agent.reports.metadata
    return Event.of(
        STATUS_SUBSCRIPTION,
        **_place(pane),
        agent_status=pane.agent.status(seen=pane.slot.seen),
        agent=pane.agent.machine.kind,
        title=metadata.title,
        display_agent=metadata.display_agent,
        state_labels=dict(metadata.state_labels) or None,
    )


def _detected(pane: Pane, **data: object) -> Event:
    return Event.of("pane.agent_detected", **_place(pane), **data)


def _place(pane: Pane) -> dict[str, str]:
    return {"pane_id": pane.pane_id, "workspace_id": pane.slot.workspace.workspace_id}
