"""*Needs you*: the questions that wait, the card of one of them, and the line that says which keys are live."""

from typing import ClassVar

from textual import events, on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Vertical
from textual.css.scalar import Scalar
from textual.message import Message
from textual.reactive import reactive

from collie.client.picture import Link
from collie.tui.actions import Place, bindings_of
from collie.tui.card import gist
from collie.tui.card_keys import card_keys
from collie.tui.lines import Line, Tone, piece, spread, wrap
from collie.tui.present import age, more_lines
from collie.tui.questions import Question, Stage, next_selected, step, why_dead
from collie.tui.reveal import plain
from collie.tui.state import State
from collie.tui.widgets.approval_card import ApprovalCard
from collie.tui.widgets.bar import Bar
from collie.tui.widgets.frame import entitle
from collie.tui.widgets.lines_view import LinesView
from collie.tui.widgets.row_list import Row, RowList

LISTED_FROM = 2
"""A single question needs no list above its card."""

LISTED_LEAST = 3
BESIDE_ROWS = 3
"""What stands between list and card, and below the card."""


class NeedsYouPane(Vertical, can_focus=True):
    """Shows the questions of a state, or those of one terminal; the screen answers them."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Place.CARD, Place.LIST)]
    BORDER_TITLE = "Needs you"

    state: reactive[State] = reactive(State, repaint=False)

    class Changed(Message):
        """What can be done with the shown question may have changed."""

    def __init__(self, *, settle_seconds: float, terminal_id: str | None = None, id: str | None = None) -> None:
        """With a `terminal_id` the pane is about that terminal alone, and its window takes the keys wherever its focus
        is."""
        super().__init__(id=id, classes="pane")
        self._settle_seconds = settle_seconds
        self._terminal_id = terminal_id
        self._selected: str | None = None

    def compose(self) -> ComposeResult:
        questions, card = RowList(id="questions"), ApprovalCard(settle_seconds=self._settle_seconds, id="card")
        questions.can_focus = card.can_focus = False  # the pane has the focus, and passes on the keys that scroll
        yield questions
        yield Bar(id="who")
        yield card
        yield Bar(id="card-keys")

    @property
    def card(self) -> ApprovalCard:
        return self.query_one(ApprovalCard)

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions of this pane."""
        asked = self.state.questions
        return tuple(each for each in asked if self._terminal_id in (None, each.approval.terminal_id))

    @property
    def question(self) -> Question | None:
        """The question that the card shows."""
        found = (each for each in self.questions if each.approval.approval_id == self._selected)
        return next(found, None)

    @property
    def why_dead(self) -> str:
        """Why the question shown cannot be answered now, "" when it can."""
        question, card = self.question, self.card
        if question is None or card.approval != question.approval:
            return "nothing needs you"
        return why_dead(
            question, self.state.picture, unread=len(card.unread), skipped=card.skipped, settled=card.settled
        )

    def step(self, by: int) -> None:
        """Show the question `by` places further."""
        self._select(step(self.questions, self._selected, by))

    def turn_to(self, terminal_id: str) -> None:
        """Show the question of that terminal, if it asks one."""
        asked = (each.approval for each in self.questions if each.stage is not Stage.ENDED)
        found = next((each for each in asked if each.terminal_id == terminal_id), None)
        if found is not None and found.approval_id != self._selected:
            self._select(found.approval_id)

    def watch_state(self) -> None:
        self._select(next_selected(self.questions, self._selected, self.state.now_ms))

    def on_mount(self) -> None:
        self._draw()

    @on(RowList.Moved)
    def _moved(self, event: RowList.Moved) -> None:
        event.stop()
        if event.key == event.rows.selected:  # else it has moved on since
            self._select(event.key)

    @on(ApprovalCard.Read)
    @on(LinesView.Scrolled)
    def _read(self, event: Message) -> None:
        event.stop()
        self._draw_keys()
        self.post_message(self.Changed())

    @on(ApprovalCard.LaidOut)
    def _card_laid_out(self, event: ApprovalCard.LaidOut) -> None:
        event.stop()
        self._laid_out()

    def watch_has_focus(self, has_focus: bool) -> None:
        super().watch_has_focus(has_focus)
        if self.is_mounted:
            self.query_one("#questions", RowList).refresh()
            self._draw_keys()

    def on_resize(self, event: events.Resize) -> None:
        self._draw_rows()
        self.call_after_refresh(self._laid_out)

    def action_line_up(self) -> None:
        self.card.action_line_up()

    def action_line_down(self) -> None:
        self.card.action_line_down()

    def action_a_page_up(self) -> None:
        self.card.action_a_page_up()

    def action_a_page_down(self) -> None:
        self.card.action_a_page_down()

    def action_to_top(self) -> None:
        self.card.action_to_top()

    def action_to_end(self) -> None:
        self.card.action_to_end()

    def _select(self, approval_id: str | None) -> None:
        self._selected = approval_id
        if self.is_mounted:
            self._draw()

    def _draw(self) -> None:
        question = self.question
        self.set_class(question is not None, "-asking")
        self.card.show_approval(question.approval if question else None)
        self._draw_rows()
        self._draw_keys()
        self.call_after_refresh(self._laid_out)
        self.post_message(self.Changed())

    def _draw_rows(self) -> None:
        questions, listed = self.questions, self.query_one("#questions", RowList)
        waiting = sum(each.stage is Stage.OPEN for each in questions)
        entitle(self, title=f"Needs you ({waiting})" if waiting else "Needs you")
        listed.display = len(questions) >= LISTED_FROM
        question, now = self.question, self.state.now_ms
        asks = question is not None and self._terminal_id is None and not listed.display
        self.query_one("#who", Bar).show(lambda width: (who_line(question, now, width),) if asks and question else ())
        width = max(1, self.content_size.width - 3)
        listed.show_rows(
            tuple(
                Row(key=each.approval.approval_id, line=question_row(each, self.state.now_ms, width))
                for each in questions
            )
        )
        if self._selected is not None:
            listed.move_to(self._selected)

    def _laid_out(self) -> None:
        """How many lines the card has is known now."""
        self._share_out()
        self._draw_keys()

    def _share_out(self) -> None:
        """The list gets the rows that the card has no need of, and a few in any case."""
        listed = self.query_one("#questions", RowList)
        room = self.content_size.height - len(self.card.lines) - BESIDE_ROWS
        most = max(LISTED_LEAST, room)
        if listed.styles.max_height != Scalar.from_number(most):
            listed.styles.max_height = most

    def _draw_keys(self) -> None:
        question, card = self.question, self.card
        why = self.why_dead
        card.show_live(not why)
        self.query_one("#card-keys", Bar).show(lambda width: self._foot(question, why, width))
        marks = (
            f"▲ {card.lines_above} above" if card.lines_above else "",
            f"▼ {more_lines(card.lines_below)} below · space" if card.lines_below else "",
        )
        entitle(self, subtitle="   ".join(mark for mark in marks if mark) if question else "")

    def _foot(self, question: Question | None, why: str, width: int) -> tuple[Line, ...]:
        if question is None:
            return tuple(line for text in self._empty() for line in wrap((piece(text, Tone.DIM),), max(1, width)))
        return card_keys(question, why, width, focused=self.has_focus or self._terminal_id is not None)

    def _empty(self) -> tuple[str, ...]:
        picture = self.state.picture
        if picture.link is Link.CONNECTING:
            return ("Looking for the daemon …",)
        if picture.link is Link.LOST:
            return ("Not known while the daemon is lost.",)
        return ("Nothing needs you.", "When an agent asks for a permission, its whole question stands here.")


def who_line(question: Question, now_ms: int, width: int) -> Line:
    """Who asks, where, since when."""
    approval = question.approval
    glyph, tone = _mark(question)
    asks = "asked" if question.stage is Stage.ENDED else "asks"
    left = (
        piece(f"{glyph} ", tone),
        piece(plain(approval.agent_label), Tone.STRONG),
        piece(f" {asks} · {plain(approval.workspace_label)}", Tone.DIM),
    )
    return spread(left, (piece(age(now_ms - question.since_ms), Tone.DIM),), width)


def _mark(question: Question) -> tuple[str, Tone]:
    match question.stage:
        case Stage.OPEN:
            return "▲", Tone.WARN
        case Stage.SENDING:
            return "◌", Tone.BUSY
    return "■", question.tone


def question_row(question: Question, now_ms: int, width: int) -> Line:
    """One question in the list: how it stands, who asks, what."""
    approval = question.approval
    glyph, tone = _mark(question)
    ended = question.stage is Stage.ENDED
    label = plain(approval.agent_label)
    who = (piece(label, Tone.DIM if ended else Tone.STRONG), piece(f" · {plain(approval.workspace_label)}", Tone.DIM))
    what = gist(approval) if question.stage is Stage.OPEN else question.words
    mark = piece(f"{glyph} ", tone)
    said = piece(f"  {what}", Tone.PLAIN if question.stage is Stage.OPEN else Tone.DIM if question.certain else tone)
    return spread((mark, *who, said), (piece(age(now_ms - question.since_ms), Tone.DIM),), width)
