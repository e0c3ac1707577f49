"""A scrolling view of lines: draws what it is given, and repaints only the rows that differ."""

from typing import ClassVar

from textual.binding import BindingType
from textual.geometry import Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from collie.tui.actions import Place, bindings_of
from collie.tui.lines import Line
from collie.tui.widgets.tones import Tones


class LinesView(Tones, ScrollView, can_focus=True):
    """Lines of pieces. Subclasses decide what lines there are at which width."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Place.LIST)]

    class Scrolled(Message):
        """Other lines are on the screen now."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.lines: tuple[Line, ...] = ()

    @property
    def rows_shown(self) -> int:
        """How many rows of the terminal the lines have."""
        return self.scrollable_content_region.height

    @property
    def line_cells(self) -> int:
        """The cells a line may take; the scrollbar's column is left free, so that its coming changes nothing."""
        return max(1, self.content_size.width - 1)

    @property
    def lines_below(self) -> int:
        """How many lines are under the last one on the screen."""
        return max(0, len(self.lines) - self.scroll_offset.y - self.rows_shown)

    @property
    def lines_above(self) -> int:
        """How many lines are over the first one on the screen."""
        return min(len(self.lines), self.scroll_offset.y)

    def show(self, lines: tuple[Line, ...]) -> None:
        """Draw these lines from now on."""
        old, self.lines = self.lines, lines
        if len(old) != len(lines):
            self.virtual_size = Size(0, len(lines))
            self.refresh()
            return
        for at, (before, after) in enumerate(zip(old, lines, strict=True)):
            if before != after:
                self.refresh_line(at)

    def is_cursor(self, at: int) -> bool:
        """Whether the line at `at` bears the cursor."""
        return False

    def render_line(self, y: int) -> Strip:
        at = y + self.scroll_offset.y
        width = self.scrollable_content_region.width
        line = self.lines[at] if at < len(self.lines) else ()
        return self.strip_of(line, width, under_cursor=self.is_cursor(at))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        if round(old_value) != round(new_value):
            self.post_message(self.Scrolled())

    def action_line_up(self) -> None:
        self.scroll_relative(y=-1, animate=False)

    def action_line_down(self) -> None:
        self.scroll_relative(y=1, animate=False)

    def action_a_page_up(self) -> None:
        self.scroll_relative(y=-max(1, self.rows_shown - 1), animate=False)

    def action_a_page_down(self) -> None:
        self.scroll_relative(y=max(1, self.rows_shown - 1), animate=False)

    def action_to_top(self) -> None:
        self.to_line(0)

    def action_to_end(self) -> None:
        self.to_line(len(self.lines))

    def to_line(self, at: int) -> None:
        """Scroll so that this line is the first one shown, or the last line the last one.

        By force: Textual knows of new lines only after the next layout, and would not scroll to them.
        """
        self.scroll_to(y=at, animate=False, force=True)
