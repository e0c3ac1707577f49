"""The card of one question: the whole dialog, scrolled; it knows which of its lines were on the screen."""

from textual import events
from textual.message import Message
from textual.timer import Timer

from collie.protocol.models import Approval
from collie.tui.card import card_of
from collie.tui.reading import Reading
from collie.tui.widgets.lines_view import LinesView

Content = tuple[object, ...]


def content_of(approval: Approval) -> Content:
    """What a person reads of an approval: one that is issued anew with the same content has been read."""
    return (approval.terminal_id, approval.title, approval.body, approval.command, approval.options, approval.choices)


def _differ(one: Approval | None, other: Approval | None) -> bool:
    """Whether a reader of one has yet to look at the other."""
    if one is None or other is None:
        return True
    return one.approval_id != other.approval_id or content_of(one) != content_of(other)


class ApprovalCard(LinesView):
    """Draws one approval. `settle_seconds` is how long it must stand before a key counts: a card that comes up under a
    finger must not be answered by the key meant for the one before it."""

    class Read(Message):
        """More of the card was read, or it has settled: its keys may be live now."""

    class LaidOut(Message):
        """The card has another number of lines."""

    def __init__(self, *, settle_seconds: float, id: str | None = None) -> None:
        super().__init__(id=id)
        self.approval: Approval | None = None
        self.settled = False
        self._live = False
        self._settle_seconds = settle_seconds
        self._settling: Timer | None = None
        self._reading = Reading()
        self._end = 0
        self._at_end = False
        self._width = 0

    @property
    def unread(self) -> tuple[int, ...]:
        """The lines that were not on the screen yet."""
        if self.approval is None:
            return ()
        return self._reading.unseen(content_of(self.approval), self._width, len(self.lines))

    @property
    def skipped(self) -> int:
        """How many of the unread lines are above those on the screen."""
        return sum(line < self.scroll_offset.y for line in self.unread)

    def action_a_page_down(self) -> None:
        """A page down; from the end to what was skipped on the way there."""
        unread = self.unread
        if unread and self.lines_below == 0:
            self.to_line(unread[0])
        else:
            super().action_a_page_down()

    def show_approval(self, approval: Approval | None) -> None:
        """Draw this approval; another one than the last starts at its top and has to settle."""
        changed = _differ(approval, self.approval)
        if approval == self.approval and self._width == self.line_cells:
            return
        self.approval = approval
        self._lay_out()
        if changed:
            self._at_end = False
            self.to_line(0)
            self._settle_anew()
        self.call_after_refresh(self._note_read)

    def show_live(self, live: bool) -> None:
        """Draw the keys of the options as live, or as dead."""
        if live != self._live:
            self._live = live
            self._lay_out()

    def on_resize(self, event: events.Resize) -> None:
        self._lay_out()
        if self._at_end:
            self.action_to_end()
        self.call_after_refresh(self._note_read)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._at_end = self.lines_below == 0
        self.call_after_refresh(self._note_read)

    def on_show(self, event: events.Show) -> None:
        self.call_after_refresh(self._note_read)

    def hold_off(self) -> None:
        """A key came too soon: it has to settle anew, so that no row of keys answers more than the first question."""
        if not self.settled:
            self._settle_anew()

    def uncovered(self) -> None:
        """What lay over the card is gone: what stands there now may be news to the reader."""
        self._settle_anew()
        self.call_after_refresh(self._note_read)

    def _lay_out(self) -> None:
        self._width = self.line_cells
        before = len(self.lines)
        self.show(card_of(self.approval, self._width, live=self._live) if self.approval else ())
        if len(self.lines) != before:
            self.post_message(self.LaidOut())

    def _settle_anew(self) -> None:
        self.settled = False
        if self._settling is not None:
            self._settling.stop()
        if self.approval is None:
            return
        if self._settle_seconds > 0:
            self._settling = self.set_timer(self._settle_seconds, self._settle)
        else:
            self.call_after_refresh(self._settle)

    def _settle(self) -> None:
        self.settled = True
        self.post_message(self.Read())

    def _note_read(self) -> None:
        """Remember which lines are on the screen: laid out, not hidden, nothing over them."""
        if self.approval is None or self.app.screen is not self.screen or not self.is_on_screen:
            return
        unread = len(self.unread)
        if not unread or not self.rows_shown:
            return
        shown = range(self.scroll_offset.y, self.scroll_offset.y + self.rows_shown)
        self._reading.saw(content_of(self.approval), self._width, shown, len(self.lines))
        if len(self.unread) != unread:
            self._at_end = self._at_end or self.lines_below == 0
            self.post_message(self.Read())
