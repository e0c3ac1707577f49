"""Events fold into the picture once each, by their number."""

from collie.client.picture import AUDIT_KEPT, Link, Picture, with_event, with_flock, with_hello, with_lost
from collie.protocol.events import (
    AgentOutput,
    AgentStatusChanged,
    ApprovalNeeded,
    ApprovalResolved,
    AuditAppended,
    DaemonStopping,
    FlockChanged,
)
from collie.protocol.methods import FlockResult, HelloResult
from collie.protocol.models import (
    Agent,
    AgentStatus,
    Approval,
    AuditLine,
    MachineInfo,
    Outcome,
    OutcomeKind,
    ReadSource,
)

MACHINE = MachineInfo(name="orchard", node_id="local")


def build_agent(terminal_id: str = "t1", status: AgentStatus = AgentStatus.IDLE) -> Agent:
    return Agent(terminal_id=terminal_id, workspace_id="w1", status=status, status_since_ms=1)


def build_approval(approval_id: str = "a1", created_at_ms: int = 5) -> Approval:
    return Approval(
        approval_id=approval_id,
        terminal_id="t1",
        agent_label="claude",
        workspace_label="orchard",
        snippet="",
        nonce="n" * 43,
        created_at_ms=created_at_ms,
        expires_at_ms=created_at_ms + 600_000,
    )


def test_an_agents_new_status_replaces_its_row_in_place() -> None:
    picture = Picture(agents=(build_agent("t1"), build_agent("t2")))
    working = build_agent("t1", AgentStatus.WORKING)
    changed = with_event(picture, 1, AgentStatusChanged(agent=working), 0)
    assert changed.agents == (working, build_agent("t2"))


def test_an_event_that_the_snapshot_covers_changes_nothing() -> None:
    picture = with_flock(Picture(), FlockResult(seq=4, machine=MACHINE, agents=(build_agent(),)))
    old = AgentStatusChanged(agent=build_agent(status=AgentStatus.BLOCKED))
    assert with_event(picture, 4, old, 0) == picture
    assert with_event(picture, 5, old, 0).agents[0].status is AgentStatus.BLOCKED


def test_approvals_stand_in_the_order_they_were_made() -> None:
    picture = with_event(Picture(), 1, ApprovalNeeded(approval=build_approval("late", 9)), 0)
    picture = with_event(picture, 2, ApprovalNeeded(approval=build_approval("early", 3)), 0)
    assert [approval.approval_id for approval in picture.approvals] == ["early", "late"]


def test_an_ended_approval_leaves_the_list_and_is_remembered_with_how_it_ended() -> None:
    outcome = Outcome(outcome=OutcomeKind.APPLIED, by="desk")
    picture = with_event(
        Picture(approvals=(build_approval(),)), 1, ApprovalResolved(approval_id="a1", outcome=outcome), 7
    )
    assert picture.approvals == ()
    assert [(each.approval.approval_id, each.outcome, each.at_ms) for each in picture.resolved] == [("a1", outcome, 7)]
    unknown = with_event(picture, 2, ApprovalResolved(approval_id="zz", outcome=outcome), 8)
    assert unknown.resolved == picture.resolved


def test_the_audit_is_kept_to_its_newest_lines() -> None:
    picture = Picture()
    for number in range(AUDIT_KEPT + 3):
        line = AuditLine(ts=number, peer="desk", method="hello", result="ok")
        picture = with_event(picture, number + 1, AuditAppended(line=line), 0)
    assert (len(picture.audit), picture.audit[-1].ts) == (AUDIT_KEPT, AUDIT_KEPT + 2)


def test_unknown_and_empty_events_only_advance_the_number() -> None:
    assert with_event(Picture(), 3, None, 0) == Picture(seq=3)
    assert with_event(Picture(), 3, FlockChanged(), 0) == Picture(seq=3)


def test_a_new_session_counts_from_zero_and_forgets_why_the_last_one_stopped() -> None:
    stopped = with_event(Picture(seq=8), 9, DaemonStopping(reason="stopped by the operator"), 0)
    lost = with_lost(stopped, "gone")
    assert (lost.link, lost.link_detail, lost.stopping) == (Link.LOST, "gone", "stopped by the operator")
    greeted = with_hello(lost, HelloResult(protocol_version=25, collied_version="9", machine=MACHINE))
    assert greeted == Picture(link=Link.CONNECTED, machine=MACHINE, daemon_version="9")


def test_the_watched_text_is_kept_as_a_read() -> None:
    event = AgentOutput(terminal_id="t1", source=ReadSource.VISIBLE, ansi="hi", columns=80, rows=24)
    output = with_event(Picture(), 1, event, 0).output
    assert output is not None
    assert (output.terminal_id, output.ansi, output.columns, output.rows) == ("t1", "hi", 80, 24)
