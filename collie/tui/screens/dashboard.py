"""The dashboard: *Needs you*, *Agents*, *Audit*, with a header, what is wrong if something is, and the keys."""

from typing import ClassVar, Final

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Container
from textual.message import Message
from textual.widget import Widget

from collie.protocol.models import Agent
from collie.tui.actions import Place, bindings_of
from collie.tui.panes.agents import AgentsPane
from collie.tui.panes.audit import AuditPane
from collie.tui.panes.needs_you import NeedsYouPane
from collie.tui.present import find_agent, header_line
from collie.tui.screens.window import Window
from collie.tui.state import State
from collie.tui.widgets.bar import Bar
from collie.tui.widgets.foot import Foot
from collie.tui.widgets.row_list import RowList

WIDE_COLUMNS: Final = 120
SHORT_ROWS: Final = 22
"""Below this many rows stacked panes would show next to nothing: one stands alone."""

AUDIT_ROWS: Final = 30
"""Below this many rows a question and the agents get the audit pane's rows, until it is turned to."""

PANES: Final = ("needs-you", "agents", "audit")


class DashboardScreen(Window):
    """The window that Collie opens with."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Place.DASHBOARD), *bindings_of(Place.EVERYWHERE)]

    def __init__(self) -> None:
        super().__init__()
        self._pane = PANES[0]
        self._zoomed = False

    def compose(self) -> ComposeResult:
        yield Bar(id="header")
        yield Bar(id="banner")
        with Container(id="panes"):
            yield NeedsYouPane(settle_seconds=self.desk.settle_seconds, id="needs-you").data_bind(Window.state)
            yield AgentsPane(id="agents", classes="pane").data_bind(Window.state)
            yield AuditPane(id="audit").data_bind(Window.state)
        yield Foot(id="foot")

    def on_mount(self) -> None:
        self._focus_pane()

    @property
    def agents(self) -> AgentsPane:
        return self.query_one(AgentsPane)

    @property
    def agent(self) -> Agent | None:
        if self._pane == "needs-you" and (question := self.questions.question) is not None:
            return find_agent(self.state.picture, question.approval.terminal_id)
        return self.agents.agent

    @property
    def places(self) -> tuple[Place, ...]:
        here = {"needs-you": (Place.CARD,), "agents": (Place.AGENTS,)}.get(self._pane, ())
        if self._pane == "needs-you" and self.questions.question is None:
            here = ()
        return (*here, Place.DASHBOARD, Place.EVERYWHERE)

    def watch_state(self, state: State) -> None:
        self.query_one("#header", Bar).show(lambda width: (header_line(state.picture, width, hosting=state.hosting),))
        self.query_one("#banner", Bar).show(state.banner)
        self.refresh_keys()

    def on_resize(self) -> None:
        self._lay_out()

    @on(NeedsYouPane.Changed)
    @on(AgentsPane.Changed)
    def _changed(self, event: Message) -> None:
        event.stop()
        question = self.questions.question
        if self._pane == "needs-you" and question is not None:
            self.agents.turn_to(question.approval.terminal_id)
        self._lay_out()
        self.refresh_keys()

    @on(AgentsPane.Turned)
    def _turned(self, event: AgentsPane.Turned) -> None:
        """The card goes with the cursor of the agents, as that goes with the card's while the card has the focus."""
        event.stop()
        if self._pane == "agents":
            self.questions.turn_to(event.terminal_id)

    @on(RowList.Chosen)
    def _chosen(self, event: RowList.Chosen) -> None:
        event.stop()
        self.action_open()

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        pane = next((node.id for node in event.widget.ancestors_with_self if node.has_class("pane")), None)
        if pane in PANES and pane != self._pane:
            self._pane = pane
            self._lay_out()
        self.refresh_keys()

    def action_next_pane(self) -> None:
        self._turn(1)

    def action_previous_pane(self) -> None:
        self._turn(-1)

    def action_zoom(self) -> None:
        self._zoomed = not self._zoomed
        self._lay_out()

    def action_filter(self) -> None:
        self._show_pane("agents")
        self.agents.open_filter()

    def action_new_agent(self) -> None:
        self.desk.new_agent()

    def action_open(self) -> None:
        """Open the live screen of the agent in question."""
        agent = self.agent
        if agent is None:
            return self.desk.tell(self.why_not("screen.open") or "that agent is gone")
        return self.desk.open_agent(agent.terminal_id)

    def action_back(self) -> None:
        """Close what is open in this window: what was told of a lost host, then the filter, then the zoom."""
        if self.state.news_of_lost:
            self.desk.know_lost()
        elif self.agents.matching or self.agents.is_filtering:
            self.agents.close_filter(keep=False)
        elif self._zoomed:
            self.action_zoom()

    def _turn(self, by: int) -> None:
        self._show_pane(PANES[(PANES.index(self._pane) + by) % len(PANES)])

    def _show_pane(self, pane: str) -> None:
        self._pane = pane
        self._lay_out()
        self._focus_pane()
        self.refresh_keys()

    def _focus_pane(self) -> None:
        target: Widget = {"needs-you": self.questions, "agents": self.agents.rows}.get(
            self._pane, self.query_one(AuditPane)
        )
        target.focus()

    def _lay_out(self) -> None:
        columns, rows = self.size
        single = self._zoomed or rows < SHORT_ROWS
        stacked = columns < WIDE_COLUMNS and not single
        asking = self.questions.question is not None
        self.set_class(single, "-single")
        self.set_class(stacked, "-stacked")
        self.set_class(asking, "-asking")
        for pane in PANES:
            aside = single or (pane == "audit" and stacked and asking and rows < AUDIT_ROWS)
            self.get_widget_by_id(pane).set_class(aside and pane != self._pane, "-aside")
