"""*Agents*: a row each, those that need a person first; below, what the row had no room for."""

from dataclasses import dataclass
from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.message import Message
from textual.reactive import reactive
from textual.widgets import Input

from collie.client.picture import Link
from collie.protocol.models import Agent
from collie.tui.actions import Place, bindings_of
from collie.tui.card import gist
from collie.tui.lines import Line, Tone, piece, wrap
from collie.tui.present import find_agent, sorted_agents
from collie.tui.state import State
from collie.tui.table import agent_detail, agent_row, columns_for, heading
from collie.tui.widgets.bar import Bar
from collie.tui.widgets.frame import entitle
from collie.tui.widgets.row_list import Row, RowList

DETAIL_FROM_ROWS = 9
"""The pane's height from which the lines about the selected agent have room."""


class AgentsPane(Vertical):
    """Shows the agents of a state, filtered by what is typed after `/`."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Place.AGENTS)]
    BORDER_TITLE = "Agents"

    state: reactive[State] = reactive(State, repaint=False)
    matching: reactive[str] = reactive("", repaint=False)

    class Changed(Message):
        """Another agent is selected, or the selected one changed."""

    @dataclass
    class Turned(Message):
        """A person turned to this agent."""

        terminal_id: str

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._told_of: Agent | None = None

    def compose(self) -> ComposeResult:
        yield Bar(id="agents-heading")
        yield RowList(id="agents-rows")
        yield Bar(id="agents-empty")
        yield Bar(id="agents-detail")

    @property
    def rows(self) -> RowList:
        return self.query_one("#agents-rows", RowList)

    @property
    def agent(self) -> Agent | None:
        """The agent under the cursor."""
        key = self.rows.selected
        return find_agent(self.state.picture, key) if key else None

    @property
    def is_filtering(self) -> bool:
        """Whether the filter's words are being typed."""
        return bool(self.query(Input))

    def turn_to(self, terminal_id: str) -> None:
        """Put the cursor on that agent, if it is shown."""
        self.rows.move_to(terminal_id)
        self._draw_detail()

    def open_filter(self) -> None:
        """Ask for the words of the filter."""
        if not self.query(Input):
            field = Input(self.matching, placeholder="show agents with these words", compact=True, id="agents-filter")
            self.mount(field, before=0)
        self.query_one(Input).focus()

    def close_filter(self, *, keep: bool) -> None:
        """Back to the rows; without `keep`, all of them are shown again."""
        self.query(Input).remove()
        if not keep:
            self.matching = ""
        self.rows.focus()

    def watch_state(self) -> None:
        self._draw()

    def watch_matching(self) -> None:
        self._draw()

    def on_resize(self, event: events.Resize) -> None:
        self._draw()

    @on(Input.Changed)
    def _typed(self, event: Input.Changed) -> None:
        event.stop()
        self.matching = event.value

    @on(Input.Submitted)
    def _typed_all(self, event: Input.Submitted) -> None:
        event.stop()
        self.close_filter(keep=True)

    @on(RowList.Moved)
    def _moved(self, event: RowList.Moved) -> None:
        event.stop()
        self._draw_detail()
        self.post_message(self.Turned(event.key))

    def _draw(self) -> None:
        if not self.is_mounted:
            return
        state, labels, width = self.state, self.state.labels, max(1, self.content_size.width - 1)
        asked = {each.terminal_id: gist(each) for each in state.picture.approvals}
        agents = sorted_agents(state.picture.agents, self.matching, labels, asked)
        columns = columns_for(agents, labels, width)
        shown = tuple(
            Row(
                key=agent.terminal_id,
                line=agent_row(agent, columns, labels, state.now_ms, asked.get(agent.terminal_id, "")),
            )
            for agent in agents
        )
        self._draw_title(len(agents))
        self.query_one("#agents-heading", Bar).show(lambda _: (heading(columns),) if agents else ())
        self.rows.display = bool(agents)
        self.rows.show_rows(shown)
        self.query_one("#agents-empty", Bar).show(self._empty if not agents else _nothing)
        self._draw_detail()

    def _draw_title(self, shown: int) -> None:
        total = len(self.state.picture.agents)
        count = f" ({shown} of {total})" if self.matching else f" ({total})" if total else ""
        entitle(self, title=f"Agents{count}", subtitle="filter: esc shows all" if self.matching else "")

    def _draw_detail(self) -> None:
        agent, labels = self.agent, self.state.labels
        detail = self.query_one("#agents-detail", Bar)
        detail.display = agent is not None and self.size.height >= DETAIL_FROM_ROWS
        detail.show(lambda width: agent_detail(agent, labels, width) if agent else ())
        if agent != self._told_of:
            self._told_of = agent
            self.post_message(self.Changed())

    def _empty(self, width: int) -> tuple[Line, ...]:
        texts = self._empty_texts()
        return tuple(line for text in texts for line in wrap((piece(text, Tone.DIM),), max(1, width)))

    def _empty_texts(self) -> tuple[str, ...]:
        if self.matching and self.state.picture.agents:
            return ("No agent has these words. Press esc to show all.",)
        match self.state.picture.link:
            case Link.CONNECTING:
                return ("Looking for the daemon …",)
            case Link.LOST:
                return ("Not known while the daemon is lost.",)
        return ("No agents yet.", "Press n to start one, or run `collie start practice` in a shell.")


def _nothing(width: int) -> tuple[Line, ...]:
    return ()
