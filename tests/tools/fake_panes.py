"""Panes of a fake host: what they show and how the API describes them."""

from dataclasses import dataclass, field
from typing import Any

from collie.herdr.models import (
    AgentInfo,
    AgentSession,
    AgentStatus,
    Explain,
    LayoutPane,
    MatchedRule,
    PaneInfo,
    PaneLayout,
    PaneRead,
    Process,
    ProcessInfo,
    Rect,
    Scroll,
    TabInfo,
    WorkspaceInfo,
)

ROWS = 40
ORDER = (AgentStatus.BLOCKED, AgentStatus.DONE, AgentStatus.WORKING, AgentStatus.IDLE, AgentStatus.UNKNOWN)


@dataclass(slots=True, kw_only=True)
class FakePane:
    """A pane; a test may set any of it, but changes that a host tells of go through `FakeSession`.

    `screen` is the detection text without the newline at its end, `ansi` what an ansi read gives (the screen when
    None), `rule` the id of the rule that explain names.
    """

    pane_id: str
    terminal_id: str
    tab_id: str
    kind: str | None = None
    name: str | None = None
    status: AgentStatus = AgentStatus.UNKNOWN
    screen: str = ""
    ansi: str | None = None
    title: str | None = None
    cwd: str = "/srv/orchard"
    rule: str | None = None
    session: str | None = None
    columns: int = 120
    zoomed: bool = False
    focused: bool = False
    launch_pending: bool = False
    interactive_ready: bool = False
    state_change_seq: int = 0
    counter: int = 0
    processes: list[str] = field(default_factory=list)
    shell_pid: int = 4100

    @property
    def workspace_id(self) -> str:
        return self.pane_id.partition(":")[0]

    @property
    def is_agent(self) -> bool:
        return self.kind is not None or self.name is not None

    @property
    def detection(self) -> str:
        """The text of a detection read."""
        return self.screen and f"{self.screen}\n"

    def info(self) -> PaneInfo:
        return PaneInfo(
            pane_id=self.pane_id,
            terminal_id=self.terminal_id,
            workspace_id=self.workspace_id,
            tab_id=self.tab_id,
            focused=self.focused,
            cwd=self.cwd,
            foreground_cwd=self.cwd,
            agent=self.kind,
            terminal_title=self.title,
            terminal_title_stripped=self.title and self.title.lstrip("·✢✳✶✻✽◐◓◑◒ "),
            agent_status=self.status,
            agent_session=self._session(),
            scroll=Scroll(offset_from_bottom=0, max_offset_from_bottom=0, viewport_rows=ROWS),
        )

    def agent(self) -> AgentInfo:
        return AgentInfo(
            terminal_id=self.terminal_id,
            name=self.name,
            agent=self.kind,
            terminal_title=self.title,
            terminal_title_stripped=self.title and self.title.lstrip("·✢✳✶✻✽◐◓◑◒ "),
            agent_status=self.status,
            agent_session=self._session(),
            workspace_id=self.workspace_id,
            tab_id=self.tab_id,
            pane_id=self.pane_id,
            focused=self.focused,
            launch_pending=self.launch_pending,
            interactive_ready=self.interactive_ready,
            state_change_seq=self.state_change_seq,
            cwd=self.cwd,
            foreground_cwd=self.cwd,
        )

    def read(self, source: str, form: str, lines: int | None) -> PaneRead:
        """As a host reads it, without scrollback: `lines` are counted from the end."""
        styled = form == "ansi" and source != "detection"
        text = (
            self._ansi() if styled else self.detection.rstrip("\n") if source == "recent_unwrapped" else self.detection
        )
        rows = text.splitlines(keepends=True)
        kept = rows if lines is None else rows[max(0, len(rows) - lines) :]
        return PaneRead(
            pane_id=self.pane_id,
            workspace_id=self.workspace_id,
            tab_id=self.tab_id,
            source=source,
            format=form,
            text="".join(kept),
            truncated=len(kept) < len(rows),
        )

    def status_data(self) -> dict[str, Any]:
        """What an event about the status says."""
        data = {"pane_id": self.pane_id, "workspace_id": self.workspace_id, "agent_status": self.status.value}
        return data if self.kind is None else {**data, "agent": self.kind}

    def explain(self) -> Explain:
        state = AgentStatus.IDLE if self.status is AgentStatus.DONE else self.status
        rule = self.rule and MatchedRule(id=self.rule, priority=900, region="whole_recent", state=state)
        return Explain(
            agent=self.kind,
            state=state,
            manifest_source="bundled",
            matched_rule=rule or None,
            visible_blocker=state is AgentStatus.BLOCKED,
            fallback_reason=None if rule else "default_known_agent_idle_fallback",
        )

    def layout(self) -> PaneLayout:
        box = Rect(x=0, y=0, width=self.columns, height=ROWS)
        return PaneLayout(
            workspace_id=self.workspace_id,
            tab_id=self.tab_id,
            zoomed=self.zoomed,
            area=box,
            focused_pane_id=self.pane_id,
            panes=(LayoutPane(pane_id=self.pane_id, focused=True, rect=box),),
            splits=(),
        )

    def process_info(self) -> ProcessInfo:
        names = self.processes or [self.kind or "bash"]
        found = tuple(Process(pid=4177 + at, name=name, argv0=name) for at, name in enumerate(names))
        return ProcessInfo(pane_id=self.pane_id, shell_pid=self.shell_pid, foreground_processes=found)

    def _ansi(self) -> str:
        return self.screen.replace("\n", "\r\n") if self.ansi is None else self.ansi

    def _session(self) -> AgentSession | None:
        if self.session is None or self.kind is None:
            return None
        return AgentSession(source=f"herdr:{self.kind}", agent=self.kind, kind="id", value=self.session)


def roll_up(panes: list[FakePane]) -> AgentStatus:
    return min((pane.status for pane in panes), key=ORDER.index, default=AgentStatus.UNKNOWN)


def workspace_info(workspace_id: str, number: int, label: str, panes: list[FakePane]) -> WorkspaceInfo:
    """The workspace of these panes."""
    tabs = sorted({pane.tab_id for pane in panes})
    return WorkspaceInfo(
        workspace_id=workspace_id,
        number=number,
        label=label,
        focused=number == 1,
        pane_count=len(panes),
        tab_count=len(tabs),
        active_tab_id=tabs[0] if tabs else f"{workspace_id}:t1",
        agent_status=roll_up(panes),
    )


def tab_info(tab_id: str, panes: list[FakePane]) -> TabInfo:
    """The tab of these panes."""
    workspace_id, _, tab = tab_id.partition(":t")
    return TabInfo(
        tab_id=tab_id,
        workspace_id=workspace_id,
        number=int(tab) if tab.isdecimal() else 1,
        label=tab,
        focused=False,
        pane_count=len(panes),
        agent_status=roll_up(panes),
    )
