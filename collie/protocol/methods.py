"""The one table of methods: name -> params, result, class (specs: phone-protocol section 6.1; design, section 7)."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from types import MappingProxyType
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, UnsetType

from collie.protocol import limits
from collie.protocol.ids import (
    AgentKindName,
    AgentName,
    ApprovalId,
    Cwd,
    DraftText,
    Label,
    Nonce,
    Note,
    OpId,
    PromptText,
    TerminalId,
)
from collie.protocol.models import (
    Agent,
    Approval,
    AuditLine,
    Decision,
    HostStatus,
    Key,
    MachineInfo,
    Outcome,
    ReadSource,
    Terminal,
    TerminalRead,
    Workspace,
)


class MethodClass(StrEnum):
    """Who may call a method. OPERATOR and HOOK exist on the control socket alone."""

    SESSION = "session"
    READ = "read"
    DRIVE = "drive"
    APPROVAL = "approval"
    PUSH = "push"
    TERMINAL = "terminal"
    OPERATOR = "operator"
    HOOK = "hook"


class Surface(StrEnum):
    """What a client on the control socket is, for the `by` of its decisions."""

    DASHBOARD = "dashboard"
    COMMAND_LINE = "command_line"
    HOOK = "hook"


class Params(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Base of the params: an unknown field refuses the whole frame."""


class Result(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """Base of the results; the tag rides in `type`."""


class Ok(Result, frozen=True, kw_only=True, tag="ok"):
    """Done, and there is nothing to say."""


class Hello(Params, frozen=True, kw_only=True):
    """The first frame of a session; `surface` is ours, for the control socket."""

    protocol_version: int
    app_version: Label
    surface: Surface | None = None


class HelloResult(Result, frozen=True, kw_only=True, tag="hello"):
    """Who answers. `barred` is ours, for the control socket: why whatever this client asks for will be refused."""

    protocol_version: int
    collied_version: str
    machine: MachineInfo
    herdr_version: str | None = None
    paired: bool = True
    barred: str | UnsetType = UNSET


class Nothing(Params, frozen=True, kw_only=True):
    """No params: exactly `{}`."""


class OfTerminal(Params, frozen=True, kw_only=True):
    """Params of a method about one terminal."""

    terminal_id: TerminalId


class AgentReadParams(Params, frozen=True, kw_only=True):
    terminal_id: TerminalId
    source: ReadSource
    lines: Annotated[int, Meta(ge=1, le=limits.READ_LINES)] | None = None


class AgentWatchParams(Params, frozen=True, kw_only=True):
    """`terminal_id` None ends the session's watch.

    `source` is ours: RECENT (the newest `lines`, 200 when it does not say) is what the specification has, VISIBLE is
    the screen as it is.
    """

    terminal_id: TerminalId | None = None
    source: ReadSource = ReadSource.RECENT
    lines: Annotated[int, Meta(ge=0, le=65_535)] | None = None
    low_data: bool = False


class AgentPromptParams(Params, frozen=True, kw_only=True):
    op_id: OpId
    terminal_id: TerminalId
    text: PromptText
    expected_draft: DraftText | None = None


class AgentSendKeysParams(Params, frozen=True, kw_only=True):
    op_id: OpId
    terminal_id: TerminalId
    keys: Annotated[tuple[Key, ...], Meta(min_length=1, max_length=limits.KEYS_PER_CALL)]


class ApprovalDecideParams(Params, frozen=True, kw_only=True):
    """`choice` exactly with CHOOSE; `note` only with APPROVE or DENY."""

    approval_id: ApprovalId
    decision: Decision
    choice: Annotated[int, Meta(ge=0, le=255)] | None = None
    nonce: Nonce
    note: Note | None = None

    def __post_init__(self) -> None:
        if (self.choice is not None) != (self.decision is Decision.CHOOSE):
            raise ValueError("params out of range")
        if self.note is not None and self.decision not in (Decision.APPROVE, Decision.DENY):
            raise ValueError("params out of range")


class CloseParams(Params, frozen=True, kw_only=True):
    terminal_id: TerminalId
    confirm: bool = False


class AgentStartParams(Params, frozen=True, kw_only=True):
    """`search_path` is the PATH of the shell it was asked in, where Collie's own host is to look for the program."""

    op_id: OpId
    kind: AgentKindName
    cwd: Cwd
    name: AgentName | None = None
    prompt: PromptText | None = None
    search_path: Annotated[str, Meta(max_length=limits.SEARCH_PATH_CHARS)] | None = None


class AgentExplainParams(Params, frozen=True, kw_only=True):
    terminal_id: TerminalId


class AuditTailParams(Params, frozen=True, kw_only=True):
    """The newest `lines`, and with `follow` each later one as an `audit.line` event."""

    lines: Annotated[int, Meta(ge=0, le=10_000)] = 200
    follow: bool = False


class FlockResult(Result, frozen=True, kw_only=True, tag="flock"):
    """Everything at once; `seq` counts the events sent before it on this connection."""

    seq: int
    machine: MachineInfo
    workspaces: tuple[Workspace, ...] = ()
    agents: tuple[Agent, ...] = ()
    approvals: tuple[Approval, ...] = ()
    terminals: tuple[Terminal, ...] = ()


class TerminalResult(Result, TerminalRead, frozen=True, kw_only=True, tag="terminal"):
    """The text of a terminal."""


class DraftResult(Result, frozen=True, kw_only=True, tag="draft"):
    """The text of the agent's input box; None for no box or one whose text cannot be known."""

    text: str | None = None


class ApprovalsResult(Result, frozen=True, kw_only=True, tag="approvals"):
    approvals: tuple[Approval, ...] = ()


class ApprovalResolvedResult(Result, frozen=True, kw_only=True, tag="approval_resolved"):
    approval_id: str
    outcome: Outcome


class AgentStartedResult(Result, frozen=True, kw_only=True, tag="agent_started"):
    """The new agent; `prompted` says that the first prompt was given to it."""

    terminal_id: str
    kind: str
    name: str
    cwd: str
    prompted: bool = False


class ExplainResult(Result, frozen=True, kw_only=True, tag="explain"):
    """What is read on an agent's screen, and why not more: `facts` as the JSON object, `text` for people."""

    terminal_id: str
    kind: str
    facts: dict[str, Any]
    text: str


class AuditResult(Result, frozen=True, kw_only=True, tag="audit"):
    """The newest lines, oldest first."""

    lines: tuple[AuditLine, ...] = ()


class HostResult(Result, frozen=True, kw_only=True, tag="host"):
    host: HostStatus


class DaemonStatusResult(Result, frozen=True, kw_only=True, tag="daemon_status"):
    """How the daemon does; `agents` counts by status, `troubles` are what a person should see to."""

    version: str
    pid: int
    started_ms: int
    data_dir: str
    headless: bool
    host: HostStatus
    tailnet: str
    sessions: int
    agents: dict[str, int]
    approvals: int
    troubles: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Method:
    """One row of the table.

    `target` is what the audit line names (None for a method that is `quiet`: no line when it succeeds). `op_id` marks
    the methods whose outcome is kept for a repeat. A `beside` method runs beside its session, so that a long one does
    not hold up the others. `reply_seconds` is how long a client waits.
    """

    name: str
    params: type[Params]
    result: type[Result]
    method_class: MethodClass
    target: Callable[[Any], str | None] = lambda _: None
    quiet: bool = False
    op_id: bool = False
    beside: bool = False
    reply_seconds: float = limits.REPLY_SECONDS


def _terminal(params: Any) -> str | None:
    return str(params.terminal_id)


def _watched(params: AgentWatchParams) -> str:
    return str(params.terminal_id) if params.terminal_id else "none"


def _keys(params: AgentSendKeysParams) -> str:
    return f"{params.terminal_id} keys={','.join(params.keys)}"


def _start(params: AgentStartParams) -> str:
    return f"{params.cwd} kind={params.kind}"


_ROWS = (
    Method(name="hello", params=Hello, result=HelloResult, method_class=MethodClass.SESSION, quiet=True),
    Method(name="flock.snapshot", params=Nothing, result=FlockResult, method_class=MethodClass.READ, quiet=True),
    Method(
        name="agent.read",
        params=AgentReadParams,
        result=TerminalResult,
        method_class=MethodClass.READ,
        target=_terminal,
    ),
    Method(name="agent.watch", params=AgentWatchParams, result=Ok, method_class=MethodClass.READ, target=_watched),
    Method(name="agent.draft", params=OfTerminal, result=DraftResult, method_class=MethodClass.READ, target=_terminal),
    Method(name="approval.list", params=Nothing, result=ApprovalsResult, method_class=MethodClass.READ, quiet=True),
    Method(
        name="agent.prompt",
        params=AgentPromptParams,
        result=Ok,
        method_class=MethodClass.DRIVE,
        target=_terminal,
        op_id=True,
        reply_seconds=30.0,
    ),
    Method(
        name="agent.send_keys",
        params=AgentSendKeysParams,
        result=Ok,
        method_class=MethodClass.DRIVE,
        target=_keys,
        op_id=True,
        reply_seconds=30.0,
    ),
    Method(name="agent.focus", params=OfTerminal, result=Ok, method_class=MethodClass.DRIVE, target=_terminal),
    Method(name="pane.close", params=CloseParams, result=Ok, method_class=MethodClass.DRIVE, target=_terminal),
    Method(
        name="approval.decide",
        params=ApprovalDecideParams,
        result=ApprovalResolvedResult,
        method_class=MethodClass.APPROVAL,
        target=lambda params: str(params.approval_id),
        beside=True,
        reply_seconds=20.0,
    ),
    Method(
        name="agent.start",
        params=AgentStartParams,
        result=AgentStartedResult,
        method_class=MethodClass.OPERATOR,
        target=_start,
        op_id=True,
        beside=True,
        reply_seconds=90.0,
    ),
    Method(
        name="agent.explain",
        params=AgentExplainParams,
        result=ExplainResult,
        method_class=MethodClass.OPERATOR,
        target=_terminal,
    ),
    Method(
        name="audit.tail", params=AuditTailParams, result=AuditResult, method_class=MethodClass.OPERATOR, quiet=True
    ),
    Method(name="host.status", params=Nothing, result=HostResult, method_class=MethodClass.OPERATOR, quiet=True),
    Method(name="host.stop", params=Nothing, result=Ok, method_class=MethodClass.OPERATOR),
    Method(
        name="daemon.status", params=Nothing, result=DaemonStatusResult, method_class=MethodClass.OPERATOR, quiet=True
    ),
    Method(name="daemon.stop", params=Nothing, result=Ok, method_class=MethodClass.OPERATOR),
)

METHODS: Mapping[str, Method] = MappingProxyType({row.name: row for row in _ROWS})
"""Every method this version serves."""
