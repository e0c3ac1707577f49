"""What a daemon tells its clients unasked (specs: phone-protocol section 8)."""

import msgspec

from collie.protocol.models import Agent, Approval, AuditLine, HostStatus, Outcome, ReadSource


class Event(msgspec.Struct, frozen=True, kw_only=True, tag_field="name"):
    """Base of the events; the tag rides in `name`."""


class AgentStatusChanged(Event, frozen=True, kw_only=True, tag="agent.status"):
    """An agent changed in a way its row shows."""

    agent: Agent


class AgentOutput(Event, frozen=True, kw_only=True, tag="agent.output"):
    """The watched terminal's text, whole; fields as in `TerminalRead`."""

    terminal_id: str
    source: ReadSource
    ansi: str
    truncated: bool = False
    columns: int = 0
    rows: int = 0


class ApprovalNeeded(Event, frozen=True, kw_only=True, tag="approval.needed"):
    """A new or reissued approval."""

    approval: Approval


class ApprovalResolved(Event, frozen=True, kw_only=True, tag="approval.resolved"):
    """An approval ended, however it did."""

    approval_id: str
    outcome: Outcome


class FlockChanged(Event, frozen=True, kw_only=True, tag="flock.changed"):
    """Something changed that only a new snapshot shows."""


class HostChanged(Event, frozen=True, kw_only=True, tag="host.changed"):
    """Ours, to the operator: the host was found, lost or came back."""

    host: HostStatus


class AuditAppended(Event, frozen=True, kw_only=True, tag="audit.line"):
    """Ours, to an operator that asked for `audit.tail`: a line was written."""

    line: AuditLine


class DaemonStopping(Event, frozen=True, kw_only=True, tag="daemon.stopping"):
    """Ours, to the operator: the daemon ends on purpose; `reason` says why."""

    reason: str


AnyEvent = (
    AgentStatusChanged
    | AgentOutput
    | ApprovalNeeded
    | ApprovalResolved
    | FlockChanged
    | HostChanged
    | AuditAppended
    | DaemonStopping
)
"""Every event this version knows; a client ignores others but counts their `seq`."""
