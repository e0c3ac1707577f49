"""What a client knows, as one immutable value, and how frames change it. No I/O, no clock.

Events fold into the flock by their `seq`: a snapshot says how many events came before it, so an event is applied only
when it is newer (specs: phone-protocol section 2.3).
"""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from collie.protocol.events import (
    AgentOutput,
    AgentStatusChanged,
    AnyEvent,
    ApprovalNeeded,
    ApprovalResolved,
    AuditAppended,
    DaemonStopping,
    HostChanged,
)
from collie.protocol.methods import AuditResult, FlockResult, HelloResult, HostResult
from collie.protocol.models import (
    Agent,
    Approval,
    AuditLine,
    HostStatus,
    MachineInfo,
    Outcome,
    TerminalRead,
    Workspace,
)

AUDIT_KEPT: Final = 500
RESOLVED_KEPT: Final = 32


class Link(StrEnum):
    """How the session with the daemon stands."""

    CONNECTING = "connecting"
    CONNECTED = "connected"
    LOST = "lost"


@dataclass(frozen=True, slots=True, kw_only=True)
class Resolved:
    """An approval that ended while this client watched; `at_ms` is the client's wall clock."""

    approval: Approval
    outcome: Outcome
    at_ms: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Picture:
    """Everything a dashboard draws. `agents` are in the daemon's order, `audit` newest last, `output` is the watched
    terminal's latest text. `stopping` says why the daemon ended on purpose, "" when it did not."""

    link: Link = Link.CONNECTING
    link_detail: str = ""
    machine: MachineInfo | None = None
    daemon_version: str = ""
    seq: int = 0
    workspaces: tuple[Workspace, ...] = ()
    agents: tuple[Agent, ...] = ()
    approvals: tuple[Approval, ...] = ()
    resolved: tuple[Resolved, ...] = ()
    host: HostStatus | None = None
    audit: tuple[AuditLine, ...] = ()
    output: TerminalRead | None = None
    stopping: str = ""


def with_hello(picture: Picture, hello: HelloResult) -> Picture:
    """A session was greeted; what the last one showed stays until its own snapshot replaces it."""
    return replace(
        picture,
        link=Link.CONNECTED,
        link_detail="",
        machine=hello.machine,
        daemon_version=hello.collied_version,
        stopping="",
        seq=0,
    )


def with_lost(picture: Picture, detail: str) -> Picture:
    """The session ended. What was last seen stays to be shown with its age, but nothing of it can be answered."""
    return replace(picture, link=Link.LOST, link_detail=detail)


def with_flock(picture: Picture, flock: FlockResult) -> Picture:
    """A snapshot: it replaces the lists."""
    return replace(
        picture,
        seq=max(picture.seq, flock.seq),
        machine=flock.machine,
        workspaces=flock.workspaces,
        agents=flock.agents,
        approvals=flock.approvals,
    )


def with_host(picture: Picture, host: HostResult) -> Picture:
    """How the host stands."""
    return replace(picture, host=host.host)


def with_audit(picture: Picture, audit: AuditResult) -> Picture:
    """The newest audit lines."""
    return replace(picture, audit=audit.lines[-AUDIT_KEPT:])


def with_event(picture: Picture, seq: int, event: AnyEvent | None, now_ms: int) -> Picture:
    """One event; those that a snapshot already covers change nothing."""
    if seq <= picture.seq:
        return picture
    picture = replace(picture, seq=seq)
    match event:
        case AgentStatusChanged(agent=agent):
            return replace(picture, agents=_with_agent(picture.agents, agent))
        case ApprovalNeeded(approval=approval):
            return replace(picture, approvals=_with_approval(picture.approvals, approval))
        case ApprovalResolved(approval_id=approval_id, outcome=outcome):
            return _with_resolved(picture, approval_id, outcome, now_ms)
        case AgentOutput():
            return replace(picture, output=_read_of(event))
        case HostChanged(host=host):
            return replace(picture, host=host)
        case AuditAppended(line=line):
            return replace(picture, audit=(*picture.audit, line)[-AUDIT_KEPT:])
        case DaemonStopping(reason=reason):
            return replace(picture, stopping=reason)
        case _:
            return picture


def _with_agent(agents: tuple[Agent, ...], agent: Agent) -> tuple[Agent, ...]:
    if any(known.terminal_id == agent.terminal_id for known in agents):
        return tuple(agent if known.terminal_id == agent.terminal_id else known for known in agents)
    return (*agents, agent)


def _with_approval(approvals: tuple[Approval, ...], approval: Approval) -> tuple[Approval, ...]:
    others = tuple(known for known in approvals if known.approval_id != approval.approval_id)
    return tuple(sorted((*others, approval), key=lambda each: each.created_at_ms))


def _with_resolved(picture: Picture, approval_id: str, outcome: Outcome, now_ms: int) -> Picture:
    ended = [known for known in picture.approvals if known.approval_id == approval_id]
    resolved = tuple(Resolved(approval=approval, outcome=outcome, at_ms=now_ms) for approval in ended)
    return replace(
        picture,
        approvals=tuple(known for known in picture.approvals if known.approval_id != approval_id),
        resolved=(*picture.resolved, *resolved)[-RESOLVED_KEPT:],
    )


def _read_of(event: AgentOutput) -> TerminalRead:
    return TerminalRead(
        terminal_id=event.terminal_id,
        source=event.source,
        ansi=event.ansi,
        truncated=event.truncated,
        columns=event.columns,
        rows=event.rows,
    )
