"""What the protocol speaks of (specs: phone-protocol section 7).

Fields that are ours (design, section 4) are additive: an older client ignores them. "null" fields of the
specification have the default None and are written; "omit" fields are `UNSET` when empty.
"""

from enum import StrEnum

import msgspec
from msgspec import UNSET, UnsetType


class AgentStatus(StrEnum):
    """What an agent is doing; DONE is idle that nobody has looked at yet."""

    IDLE = "idle"
    WORKING = "working"
    BLOCKED = "blocked"
    DONE = "done"
    UNKNOWN = "unknown"

    @classmethod
    def _missing_(cls, value: object) -> "AgentStatus":
        return cls.UNKNOWN


class Decision(StrEnum):
    """What a client may decide; CHOOSE picks one of `choices` by its index."""

    APPROVE = "approve"
    APPROVE_ALWAYS = "approve_always"
    DENY = "deny"
    CHOOSE = "choose"


class OutcomeKind(StrEnum):
    """How an approval ended. Only APPLIED and CHOSEN mean that the dialog was seen to be gone after our keys."""

    APPLIED = "applied"
    UNCONFIRMED = "unconfirmed"
    CHOSEN = "chosen"
    CHOSEN_UNCONFIRMED = "chosen_unconfirmed"
    EXPIRED = "expired"
    SUPERSEDED = "superseded"
    OTHER = "other"

    @classmethod
    def _missing_(cls, value: object) -> "OutcomeKind":
        return cls.OTHER


class Key(StrEnum):
    """The keys a client may press; the name is the host's name of the key."""

    ENTER = "enter"
    ESC = "esc"
    UP = "up"
    DOWN = "down"
    LEFT = "left"
    SHIFT_LEFT = "shift+left"
    RIGHT = "right"
    TAB = "tab"
    SHIFT_TAB = "shift+tab"
    BACKSPACE = "backspace"
    CTRL_A = "ctrl+a"
    CTRL_B = "ctrl+b"
    CTRL_C = "ctrl+c"
    CTRL_E = "ctrl+e"
    CTRL_ENTER = "ctrl+enter"
    CTRL_K = "ctrl+k"
    CTRL_L = "ctrl+l"
    CTRL_U = "ctrl+u"
    CTRL_W = "ctrl+w"


class ReadSource(StrEnum):
    """What of a terminal is read: the visible screen, or the newest lines with the host's wraps joined."""

    VISIBLE = "visible"
    RECENT = "recent"


class HostState(StrEnum):
    """How the daemon stands with the host that owns the panes."""

    STARTING = "starting"
    UP = "up"
    LOST = "lost"


class MachineInfo(msgspec.Struct, frozen=True, kw_only=True):
    """The machine a daemon runs on; `node_id` is "local" until it is on a tailnet."""

    name: str
    node_id: str
    herdr_session: str = "default"


class Workspace(msgspec.Struct, frozen=True, kw_only=True):
    """One workspace of the host."""

    workspace_id: str
    label: str
    number: int
    status: AgentStatus
    cwd: str | None = None


class Agent(msgspec.Struct, frozen=True, kw_only=True):
    """One agent; times are milliseconds since 1970."""

    terminal_id: str
    workspace_id: str
    kind: str | None = None
    name: str | None = None
    title: str | None = None
    status: AgentStatus
    status_since_ms: int
    cwd: str | None = None
    last_line: str | None = None


class Terminal(msgspec.Struct, frozen=True, kw_only=True):
    """A pane with a plain shell."""

    terminal_id: str
    workspace_id: str
    label: str | None = None
    cwd: str | None = None


class Tool(msgspec.Struct, frozen=True, kw_only=True):
    """The call that an agent's hook reported for the dialog."""

    name: str
    summary: str


class Choice(msgspec.Struct, frozen=True, kw_only=True):
    """One option of a dialog, in screen order; `decision` is ours: what choosing it means, unset when it bears none."""

    index: int
    label: str
    current: bool = False
    detail: str | UnsetType = UNSET
    decision: Decision | UnsetType = UNSET


class Approval(msgspec.Struct, frozen=True, kw_only=True):
    """A dialog that waits for a person.

    Ours beside the specification (design, section 4): `kind`, `title`, the whole dialog text in `body` with
    `body_complete`, the `command`, `flags` (`invisible`, `bidi`, `lookalike`, `escape`), the `witnesses` that agree
    and why it is `unreadable` ("" when it is readable). With `body_complete` false, `options` is empty.
    """

    approval_id: str
    terminal_id: str
    agent_label: str
    workspace_label: str
    snippet: str
    tool: Tool | None = None
    options: tuple[Decision, ...] = ()
    choices: tuple[Choice, ...] = ()
    accepts_input: bool = False
    has_text_field: bool = False
    supports_note: bool = False
    nonce: str
    created_at_ms: int
    expires_at_ms: int
    kind: str = ""
    title: str = ""
    body: str = ""
    body_complete: bool = True
    command: str | None = None
    flags: tuple[str, ...] = ()
    witnesses: tuple[str, ...] = ("screen",)
    unreadable: str = ""

    def __repr__(self) -> str:
        return f"Approval({self.approval_id}, {self.terminal_id})"


class Outcome(msgspec.Struct, frozen=True, kw_only=True):
    """How an approval ended.

    `by` is a device's label, `desk` (dashboard), `desk (command line)`, or `terminal` (answered in the agent itself);
    `reason` is ours: why a decision was not carried out, for a person.
    """

    outcome: OutcomeKind
    decision: Decision | UnsetType = UNSET
    choice: int | UnsetType = UNSET
    by: str | UnsetType = UNSET
    reason: str | UnsetType = UNSET


class TerminalRead(msgspec.Struct, frozen=True, kw_only=True):
    """Sanitised text of a terminal: printable characters, CR, LF, TAB and SGR sequences only.

    `wraps` and `splits` are row indexes that continue the row above, joined with a space or with nothing. `columns`
    and `rows` are ours: the terminal's size in cells, 0 when unknown.
    """

    terminal_id: str
    source: ReadSource
    ansi: str
    truncated: bool = False
    wraps: tuple[int, ...] | UnsetType = UNSET
    splits: tuple[int, ...] | UnsetType = UNSET
    columns: int = 0
    rows: int = 0


class HostStatus(msgspec.Struct, frozen=True, kw_only=True):
    """The host that owns the panes: `kind` is `herdr` or `embedded`; `lost` names the agents that went with it."""

    kind: str
    state: HostState
    version: str = ""
    socket: str = ""
    detail: str = ""
    lost: tuple[str, ...] = ()
    other: str = ""


class AuditLine(msgspec.Struct, frozen=True, kw_only=True):
    """One attempt: who (`peer`), what (`method`), on what (`target`), with what result; `ts` in milliseconds."""

    ts: int
    peer: str
    method: str
    target: str | None = None
    result: str
