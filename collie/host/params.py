"""What each method takes. Unknown keys are ignored, as herdr does; a wrong type refuses the request."""

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from collie.herdr.models import AgentStatus, Expect, ReadFormat, ReadSource
from collie.host.splits import Direction

Count = Annotated[int, Meta(ge=0, lt=2**32)]
Count64 = Annotated[int, Meta(ge=0)]
"""A number that herdr reads as 64 bits without a sign."""

Milliseconds = Count64


class Params(msgspec.Struct, frozen=True, kw_only=True):
    """Base of the params; itself those of a method that takes none."""


class Subscribe(Params, frozen=True, kw_only=True):
    subscriptions: tuple["Wanted", ...]


class Wanted(Params, frozen=True, kw_only=True):
    """One subscription; `pane_id` for those to one pane."""

    type: str
    pane_id: str | None = None
    agent_status: AgentStatus | None = None


class NotificationShow(Params, frozen=True, kw_only=True):
    title: str


# Workspaces and tabs


class WorkspaceCreate(Params, frozen=True, kw_only=True):
    cwd: str | None = None
    label: str | None = None
    focus: bool = False
    env: dict[str, str] = {}


class WorkspaceTarget(Params, frozen=True, kw_only=True):
    workspace_id: str


class WorkspaceRename(Params, frozen=True, kw_only=True):
    workspace_id: str
    label: str


class InWorkspace(Params, frozen=True, kw_only=True):
    """The params of a list: of one workspace, or of all."""

    workspace_id: str | None = None


class TabCreate(Params, frozen=True, kw_only=True):
    workspace_id: str | None = None
    cwd: str | None = None
    label: str | None = None
    focus: bool = False
    env: dict[str, str] = {}


class TabTarget(Params, frozen=True, kw_only=True):
    tab_id: str


class TabRename(Params, frozen=True, kw_only=True):
    tab_id: str
    label: str


# Panes


class PaneTarget(Params, frozen=True, kw_only=True):
    pane_id: str


class MaybePane(Params, frozen=True, kw_only=True):
    """A pane, or the focused one."""

    pane_id: str | None = None


class PaneCurrent(Params, frozen=True, kw_only=True):
    caller_pane_id: str | None = None


class PaneSplit(Params, frozen=True, kw_only=True):
    direction: Direction
    target_pane_id: str | None = None
    workspace_id: str | None = None
    ratio: float | None = None
    cwd: str | None = None
    focus: bool = False
    env: dict[str, str] = {}


class PaneRename(Params, frozen=True, kw_only=True):
    pane_id: str
    label: str | None = None


class PaneRead(Params, frozen=True, kw_only=True):
    pane_id: str
    source: ReadSource
    lines: Count | None = None
    format: ReadFormat = ReadFormat.TEXT


class Match(Params, frozen=True, kw_only=True):
    """What output is waited for."""

    type: Literal["substring", "regex"]
    value: str


class WaitForOutput(Params, frozen=True, kw_only=True):
    pane_id: str
    source: ReadSource
    match: Match
    lines: Count | None = None
    timeout_ms: Milliseconds | None = None


# Input


class SendText(Params, frozen=True, kw_only=True):
    pane_id: str
    text: str
    expect: Expect | None = None


class SendKeys(Params, frozen=True, kw_only=True):
    pane_id: str
    keys: tuple[str, ...]
    expect: Expect | None = None


class SendInput(Params, frozen=True, kw_only=True):
    pane_id: str
    text: str = ""
    keys: tuple[str, ...] = ()
    expect: Expect | None = None


# Agents


class AgentTarget(Params, frozen=True, kw_only=True):
    target: str


class AgentRead(Params, frozen=True, kw_only=True):
    target: str
    source: ReadSource
    lines: Count | None = None
    format: ReadFormat = ReadFormat.TEXT


class AgentSendKeys(Params, frozen=True, kw_only=True):
    target: str
    keys: tuple[str, ...]
    expect: Expect | None = None


class Wait(Params, frozen=True, kw_only=True):
    """Until when a prompt is followed."""

    until: tuple[AgentStatus, ...] = ()
    timeout_ms: Milliseconds | None = None


class AgentPrompt(Params, frozen=True, kw_only=True):
    target: str
    text: str
    wait: Wait | None = None


class AgentWait(Params, frozen=True, kw_only=True):
    target: str
    until: tuple[AgentStatus, ...] = ()
    timeout_ms: Milliseconds | None = None


class AgentRename(Params, frozen=True, kw_only=True):
    target: str
    name: str | None = None


class AgentStart(Params, frozen=True, kw_only=True):
    name: str
    kind: str
    pane_id: str
    args: tuple[str, ...] = ()
    timeout_ms: Milliseconds | None = None


# Reports from inside panes


class ReportSession(Params, frozen=True, kw_only=True):
    pane_id: str
    source: str
    agent: str
    seq: Count64 | None = None
    agent_session_id: str | None = None
    agent_session_path: str | None = None
    session_start_source: str | None = None


class ReportAgent(ReportSession, frozen=True, kw_only=True):
    state: AgentStatus


class ReleaseAgent(Params, frozen=True, kw_only=True):
    pane_id: str
    source: str
    agent: str


class ReportMetadata(Params, frozen=True, kw_only=True):
    pane_id: str
    source: str
    seq: Count64 | None = None
    title: str | None = None
    display_agent: str | None = None
    state_labels: dict[str, str] = {}
    tokens: dict[str, str | None] = {}
    clear_title: bool = False
    clear_display_agent: bool = False
    clear_state_labels: bool = False
    ttl_ms: Annotated[int, Meta(ge=1, le=86_400_000)] | None = None
