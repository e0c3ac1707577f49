"""The card of one question: the whole dialog, scrolled; it knows whether it was read to its end."""

from textual import events
from textual.message import Message
from textual.timer import Timer

from collie.protocol.models import Approval
from collie.tui.card import card_of
from collie.tui.widgets.lines_view import LinesView

READ_KEPT = 64
"""Contents that are remembered as read; more questions than that do not stand at once."""

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
        """The card was read to its end, or has settled: its keys may be live now."""

    def __init__(self, *, settle_seconds: float, id: str | None = None) -> None:
        super().__init__(id=id)
        self.approval: Approval | None = None
        self.settled = False
        self._live = False
        self._settle_seconds = settle_seconds
        self._settling: Timer | None = None
        self._read: list[Content] = []
        self._end = 0
        self._at_end = False
        self._width = 0

    @property
    def seen(self) -> bool:
        """Whether the card's last line was on the screen once."""
        return self.approval is not None and content_of(self.approval) in self._read

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

    def uncovered(self) -> None:
        """What lay over the card is gone: what stands there now may be news to the reader."""
        self._settle_anew()
        self.call_after_refresh(self._note_read)

    def _lay_out(self) -> None:
        self._width = self.line_cells
        if self.approval is None:
            self.show(())
            return
        card = card_of(self.approval, self._width, live=self._live)
        self._end = card.end
        self.show(card.lines)

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
        """Remember that the end was on the screen: laid out, not hidden, nothing over it."""
        if self.approval is None or self.seen or self.app.screen is not self.screen or not self.is_on_screen:
            return
        if self.rows_shown and self._end < self.scroll_offset.y + self.rows_shown:
            self._at_end = True
            self._read = [*self._read[1 - READ_KEPT :], content_of(self.approval)]
            self.post_message(self.Read())
