"""The records of the host's socket API: what a pane, an agent, a layout is on the wire.

Field names and meanings are herdr's (0.8.2, protocol 20, which 0.9 keeps). Reading is lenient, since a later herdr may
add and drop: unknown fields are ignored, an unknown status is `unknown`, and a plain fact that is missing takes its
empty value. Writing is exact: a field that herdr always sends is always encoded, an absent optional one is omitted,
never null.
"""

from collections.abc import Callable
from enum import StrEnum
from typing import TypeVar

import msgspec

T = TypeVar("T")


def written(empty: Callable[[], T]) -> T:
    """A field that may be missing when read, and is encoded even when it has its empty value.

    `omit_defaults` compares with a default value, not with what a factory gives, hence the factory.
    """
    field: T = msgspec.field(default_factory=empty)
    return field


class Record(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A JSON object of the API."""


class AgentStatus(StrEnum):
    """What an agent does, as the wire says it; `done` is an idle that nobody has looked at yet."""

    IDLE = "idle"
    WORKING = "working"
    BLOCKED = "blocked"
    DONE = "done"
    UNKNOWN = "unknown"

    @classmethod
    def _missing_(cls, value: object) -> "AgentStatus":
        return cls.UNKNOWN


class ReadSource(StrEnum):
    """Which rows a read gives."""

    VISIBLE = "visible"
    RECENT = "recent"
    RECENT_UNWRAPPED = "recent_unwrapped"
    DETECTION = "detection"


class ReadFormat(StrEnum):
    """Whether a read gives styles."""

    TEXT = "text"
    ANSI = "ansi"


def _unknown() -> AgentStatus:
    return AgentStatus.UNKNOWN


class Worktree(Record, frozen=True, kw_only=True):
    """The checkout that a workspace stands for."""

    repo_key: str
    repo_name: str
    repo_root: str
    checkout_path: str
    is_linked_worktree: bool = written(bool)


class WorkspaceInfo(Record, frozen=True, kw_only=True):
    """A workspace; `number` is its 1-based position, `agent_status` the roll-up of its panes."""

    workspace_id: str
    number: int = written(int)
    label: str = written(str)
    focused: bool = written(bool)
    pane_count: int = written(int)
    tab_count: int = written(int)
    active_tab_id: str = written(str)
    agent_status: AgentStatus = written(_unknown)
    tokens: dict[str, str] = {}
    worktree: Worktree | None = None


class TabInfo(Record, frozen=True, kw_only=True):
    """A tab; `number` is stable, unlike a workspace's."""

    tab_id: str
    workspace_id: str
    number: int = written(int)
    label: str = written(str)
    focused: bool = written(bool)
    pane_count: int = written(int)
    agent_status: AgentStatus = written(_unknown)


class AgentSession(Record, frozen=True, kw_only=True):
    """The session that an agent's hook reported; it can outlive the agent for a moment, so compare `agent`."""

    source: str
    agent: str
    kind: str
    value: str


class Scroll(Record, frozen=True, kw_only=True):
    """Where the viewport of a pane stands, in rows."""

    offset_from_bottom: int
    max_offset_from_bottom: int
    viewport_rows: int


class PaneInfo(Record, frozen=True, kw_only=True):
    """A pane and its terminal. `pane_id` changes when the pane moves, `terminal_id` follows it."""

    pane_id: str
    terminal_id: str
    workspace_id: str
    tab_id: str
    focused: bool = written(bool)
    cwd: str | None = None
    foreground_cwd: str | None = None
    label: str | None = None
    agent: str | None = None
    title: str | None = None
    terminal_title: str | None = None
    terminal_title_stripped: str | None = None
    display_agent: str | None = None
    agent_status: AgentStatus = written(_unknown)
    state_labels: dict[str, str] = {}
    tokens: dict[str, str] = {}
    agent_session: AgentSession | None = None
    scroll: Scroll | None = None
    revision: int = written(int)


class AgentInfo(Record, frozen=True, kw_only=True):
    """An agent, or a launch on its way: then it has `name` and `launch_pending`, but no `agent` (kind) yet.

    `state_change_seq` moves when the inner state changes: not on done <-> idle, and not when a second question replaces
    the first. `interactive_ready` exists only for agents that were started through the API.
    """

    terminal_id: str
    name: str | None = None
    agent: str | None = None
    title: str | None = None
    terminal_title: str | None = None
    terminal_title_stripped: str | None = None
    display_agent: str | None = None
    agent_status: AgentStatus = written(_unknown)
    screen_detection_skipped: bool = False
    state_labels: dict[str, str] = {}
    tokens: dict[str, str] = {}
    agent_session: AgentSession | None = None
    workspace_id: str
    tab_id: str
    pane_id: str
    focused: bool = written(bool)
    launch_pending: bool = False
    interactive_ready: bool = False
    state_change_seq: int = written(int)
    cwd: str | None = None
    foreground_cwd: str | None = None
    revision: int = written(int)


class Rect(Record, frozen=True, kw_only=True):
    """A box in cells."""

    x: int
    y: int
    width: int
    height: int


class LayoutPane(Record, frozen=True, kw_only=True):
    """A pane's place in its tab: its outer box, borders included."""

    pane_id: str
    focused: bool = written(bool)
    rect: Rect


class Split(Record, frozen=True, kw_only=True):
    """A split of a tab; `direction` is `right` or `down`."""

    id: str
    direction: str
    ratio: float
    rect: Rect


class PaneLayout(Record, frozen=True, kw_only=True):
    """How one tab is divided."""

    workspace_id: str
    tab_id: str
    zoomed: bool = written(bool)
    area: Rect
    focused_pane_id: str
    panes: tuple[LayoutPane, ...]
    splits: tuple[Split, ...]


class PaneRead(Record, frozen=True, kw_only=True):
    """What a read gave; `source` and `format` as they were asked for, `revision` always 0."""

    pane_id: str
    workspace_id: str
    tab_id: str
    source: str
    format: str
    text: str
    revision: int = written(int)
    truncated: bool = written(bool)


class Process(Record, frozen=True, kw_only=True):
    """A process of the foreground group."""

    pid: int
    name: str
    argv0: str | None = None
    argv: tuple[str, ...] | None = None
    cmdline: str | None = None
    cwd: str | None = None


class ProcessInfo(Record, frozen=True, kw_only=True):
    """What runs in a pane."""

    pane_id: str
    shell_pid: int | None = None
    foreground_process_group_id: int | None = None
    tty: str | None = None
    foreground_processes: tuple[Process, ...] = ()


class SessionSnapshot(Record, frozen=True, kw_only=True):
    """One consistent picture. Right after a host's start it can be empty, as panes are restored later."""

    version: str
    protocol: int
    focused_workspace_id: str | None = None
    focused_tab_id: str | None = None
    focused_pane_id: str | None = None
    workspaces: tuple[WorkspaceInfo, ...]
    tabs: tuple[TabInfo, ...]
    panes: tuple[PaneInfo, ...]
    layouts: tuple[PaneLayout, ...]
    agents: tuple[AgentInfo, ...]


class Capabilities(Record, frozen=True, kw_only=True):
    """What a host can do beyond the protocol; `conditional_input` (see `Expect`) and `refusals` (it tells of them) are
    the embedded host's."""

    live_handoff: bool = written(bool)
    detached_server_daemon: bool = written(bool)
    conditional_input: bool = False
    refusals: bool = False


class Manifest(Record, frozen=True, kw_only=True):
    """The detection rules in force for one kind of agent; `source_kind` is bundled, remote or local override."""

    agent: str
    source: str
    source_kind: str
    active_version: str | None = None
    cached_remote_version: str | None = None
    local_override_shadowing_remote: bool = written(bool)
    remote_update_result: str | None = None
    remote_update_error: str | None = None
    remote_last_checked_unix: int | None = None
    warning: str | None = None


class WorktreeSource(Record, frozen=True, kw_only=True):
    """The repository that a list of worktrees belongs to."""

    repo_key: str
    repo_name: str
    repo_root: str
    source_checkout_path: str
    source_workspace_id: str | None = None


class WorktreeInfo(Record, frozen=True, kw_only=True):
    """A checkout of a repository, open as a workspace or not."""

    path: str
    branch: str | None = None
    is_bare: bool = written(bool)
    is_detached: bool = written(bool)
    is_prunable: bool = written(bool)
    is_linked_worktree: bool = written(bool)
    open_workspace_id: str | None = None
    label: str = written(str)
