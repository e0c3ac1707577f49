"""What each method answers: a tagged object, whose `type` is its tag.

Both ends use them: the host encodes one as the result of a reply, the client asks for the one that its method gives.
"""

from collie.herdr.models.explain import Explain
from collie.herdr.models.records import (
    AgentInfo,
    Capabilities,
    Manifest,
    PaneInfo,
    PaneLayout,
    PaneRead,
    ProcessInfo,
    Record,
    SessionSnapshot,
    TabInfo,
    WorkspaceInfo,
    WorktreeInfo,
    WorktreeSource,
    written,
)


class Result(Record, frozen=True, kw_only=True, tag_field="type"):
    """The result of a successful reply."""


class Ok(Result, frozen=True, kw_only=True, tag="ok"):
    """Accepted. For input: written to the terminal's queue, not that the program acted."""


class SubscriptionStarted(Result, frozen=True, kw_only=True, tag="subscription_started"):
    """The stream is open: from here on nothing is missed (0.9) or old events are replayed (0.8.2)."""


class Pong(Result, frozen=True, kw_only=True, tag="pong"):
    """A host is there. herdr answers it without its main thread, so other calls may still hang."""

    version: str
    protocol: int = written(int)
    capabilities: Capabilities | None = None

    @property
    def conditional_input(self) -> bool:
        """Whether input can be tied to what the screen shows (`Expect`), and output events exist."""
        return self.capabilities is not None and self.capabilities.conditional_input


class SessionSnapshotResult(Result, frozen=True, kw_only=True, tag="session_snapshot"):
    snapshot: SessionSnapshot


class AgentManifestStatus(Result, frozen=True, kw_only=True, tag="agent_manifest_status"):
    last_check_unix: int | None = None
    last_result: str | None = None
    manifests: tuple[Manifest, ...]


class AgentManifestReload(Result, frozen=True, kw_only=True, tag="agent_manifest_reload"):
    manifests: tuple[Manifest, ...]


class NotificationShow(Result, frozen=True, kw_only=True, tag="notification_show"):
    shown: bool
    reason: str


class AgentList(Result, frozen=True, kw_only=True, tag="agent_list"):
    agents: tuple[AgentInfo, ...]


class AgentResult(Result, frozen=True, kw_only=True, tag="agent_info"):
    agent: AgentInfo


class AgentStarted(Result, frozen=True, kw_only=True, tag="agent_started"):
    """Sent at once, while the launch is pending; `argv` is what was typed into the shell."""

    agent: AgentInfo
    argv: tuple[str, ...]


class AgentPrompted(Result, frozen=True, kw_only=True, tag="agent_prompted"):
    agent: AgentInfo


class AgentExplain(Result, frozen=True, kw_only=True, tag="agent_explain"):
    explain: Explain


class WorkspaceList(Result, frozen=True, kw_only=True, tag="workspace_list"):
    workspaces: tuple[WorkspaceInfo, ...]


class WorkspaceResult(Result, frozen=True, kw_only=True, tag="workspace_info"):
    workspace: WorkspaceInfo


class WorkspaceCreated(Result, frozen=True, kw_only=True, tag="workspace_created"):
    workspace: WorkspaceInfo
    tab: TabInfo
    root_pane: PaneInfo


class TabList(Result, frozen=True, kw_only=True, tag="tab_list"):
    tabs: tuple[TabInfo, ...]


class TabResult(Result, frozen=True, kw_only=True, tag="tab_info"):
    tab: TabInfo


class TabCreated(Result, frozen=True, kw_only=True, tag="tab_created"):
    tab: TabInfo
    root_pane: PaneInfo


class PaneList(Result, frozen=True, kw_only=True, tag="pane_list"):
    panes: tuple[PaneInfo, ...]


class PaneResult(Result, frozen=True, kw_only=True, tag="pane_info"):
    pane: PaneInfo


class PaneCurrent(Result, frozen=True, kw_only=True, tag="pane_current"):
    pane: PaneInfo


class PaneReadResult(Result, frozen=True, kw_only=True, tag="pane_read"):
    read: PaneRead


class PaneLayoutResult(Result, frozen=True, kw_only=True, tag="pane_layout"):
    layout: PaneLayout


class PaneProcessInfo(Result, frozen=True, kw_only=True, tag="pane_process_info"):
    process_info: ProcessInfo


class OutputMatched(Result, frozen=True, kw_only=True, tag="output_matched"):
    pane_id: str
    revision: int = written(int)
    matched_line: str | None = None
    read: PaneRead


class WaitMatched(Result, frozen=True, kw_only=True, tag="wait_matched"):
    """`event` is the line that a subscriber would have got: `event` and `data`."""

    event: dict[str, object]


class WorktreeList(Result, frozen=True, kw_only=True, tag="worktree_list"):
    source: WorktreeSource
    worktrees: tuple[WorktreeInfo, ...]


class WorktreeCreated(Result, frozen=True, kw_only=True, tag="worktree_created"):
    workspace: WorkspaceInfo
    tab: TabInfo
    root_pane: PaneInfo
    worktree: WorktreeInfo


class WorktreeOpened(Result, frozen=True, kw_only=True, tag="worktree_opened"):
    workspace: WorkspaceInfo
    tab: TabInfo
    root_pane: PaneInfo
    worktree: WorktreeInfo
    already_open: bool = written(bool)


class WorktreeRemoved(Result, frozen=True, kw_only=True, tag="worktree_removed"):
    workspace_id: str
    path: str
    forced: bool = written(bool)
