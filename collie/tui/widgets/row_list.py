"""A list of rows with a cursor that stays on its row's key when rows come, go or move."""

from dataclasses import dataclass

from textual import events
from textual.message import Message
from textual.widget import Widget

from collie.tui.lines import Line, Tone, piece
from collie.tui.widgets.lines_view import LinesView

MARK = "▸ "


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row: what it says, and the key by which it is known."""

    key: str
    line: Line


class RowList(LinesView):
    """Rows with a cursor. The mark before the cursor's row says where it is without colour."""

    @dataclass
    class Moved(Message):
        """A person moved the cursor to another row. What the program does to rows and cursor is told to nobody: a pane
        that answered to its own doing would never come to rest."""

        rows: "RowList"
        key: str

        @property
        def control(self) -> "RowList":
            return self.rows

    @dataclass
    class Chosen(Message):
        """A row was clicked twice."""

        key: str

    def __init__(self, rows: tuple[Row, ...] = (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.keys: tuple[str, ...] = ()
        self.cursor = 0
        self._was_moved = False
        self._rows: tuple[Row, ...] = ()
        self.show_rows(rows)

    @property
    def selected(self) -> str | None:
        """The key under the cursor, None when the list is empty."""
        return self.keys[self.cursor] if self.keys else None

    def show_rows(self, rows: tuple[Row, ...]) -> None:
        """Draw these rows; the cursor follows its key, or stays at its place when the key is gone."""
        held = self.selected if self._was_moved else None  # until it is moved, the cursor is for the first row
        self._rows, self.keys = rows, tuple(row.key for row in rows)
        was, self.cursor = self.cursor, self._at(held)
        self._draw()
        if self.cursor != was:
            self._keep_visible()

    def _at(self, held: str | None) -> int:
        return self.keys.index(held) if held in self.keys else min(self.cursor, max(0, len(self.keys) - 1))

    def move_to(self, key: str) -> None:
        """Put the cursor on a row; nothing when it is not there."""
        if key in self.keys:
            self._place(self.keys.index(key))

    def is_cursor(self, at: int) -> bool:
        """The cursor's row is lit where keys move it; elsewhere its mark alone says where it stands."""
        return at == self.cursor and self._has_keys

    @property
    def _has_keys(self) -> bool:
        return self.has_focus or (not self.can_focus and isinstance(self.parent, Widget) and self.parent.has_focus)

    def on_focus(self) -> None:
        self.refresh()

    def on_blur(self) -> None:
        self.refresh()

    def on_click(self, event: events.Click) -> None:
        at = event.y + self.scroll_offset.y
        if at < len(self.keys):
            self._move(at)
            if event.chain == 2:
                self.post_message(self.Chosen(self.keys[at]))

    def _move(self, to: int) -> None:
        """Go where a person wants to."""
        if self.keys and self._place(max(0, min(len(self.keys) - 1, to))):
            self.post_message(self.Moved(self, self.keys[self.cursor]))

    def _place(self, to: int) -> bool:
        """Put the cursor there; whether it was elsewhere."""
        self._was_moved = True
        if to == self.cursor:
            return False
        self.cursor = to
        self._draw()
        self._keep_visible()
        return True

    def _draw(self) -> None:
        mark, blank = (piece(MARK, Tone.ACCENT),), (piece(" " * len(MARK)),)
        self.show(tuple((*(mark if at == self.cursor else blank), *row.line) for at, row in enumerate(self._rows)))

    def _keep_visible(self) -> None:
        height = self.rows_shown
        top = self.scroll_offset.y
        if self.cursor < top:
            self.to_line(self.cursor)
        elif self.cursor >= top + height:
            self.to_line(self.cursor - height + 1)

    def on_resize(self, event: events.Resize) -> None:
        self._keep_visible()

    def action_line_up(self) -> None:
        self._move(self.cursor - 1)

    def action_line_down(self) -> None:
        self._move(self.cursor + 1)

    def action_a_page_up(self) -> None:
        self._move(self.cursor - max(1, self.rows_shown - 1))

    def action_a_page_down(self) -> None:
        self._move(self.cursor + max(1, self.rows_shown - 1))

    def action_to_top(self) -> None:
        self._move(0)

    def action_to_end(self) -> None:
        self._move(len(self.keys) - 1)
