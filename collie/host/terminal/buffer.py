"""The rows of one screen, primary or alternate, with what scrolled off its top."""

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass

from collie.host.terminal.reflow import Point, rewrap
from collie.host.terminal.row import Kept, Row
from collie.host.terminal.style import DEFAULT

REFLOW = 4000
"""How much of the scrollback is wrapped anew at another width, in rows that come of it and marked cells: some 10 ms.
Rows above, more than anybody reads, keep the width they have."""
MARKED_CELLS = 4
"""Marked cells that take as long as a row."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SavedCursor:
    """What DECSC keeps."""

    row: int = 0
    column: int = 0
    style: str = DEFAULT
    charsets: tuple[str, str] = ("B", "B")
    shifted: bool = False
    origin: bool = False


class Buffer:
    """A screen's rows, its scrollback, and the state that each screen has of its own."""

    def __init__(self, rows: int, scrollback: int) -> None:
        """`scrollback` is how many rows are kept that scrolled off the top: none by the alternate screen."""
        self.rows = [Row() for _ in range(rows)]
        self.history: deque[Kept] = deque(maxlen=scrollback)
        self.saved = SavedCursor()
        self.keyboard = [0]

    @property
    def total(self) -> int:
        """Rows of scrollback and screen together."""
        return len(self.history) + len(self.rows)

    def window(self, first: int, end: int) -> list[Row]:
        """The rows from `first` to before `end`, counted from the oldest."""
        return list(self.backwards(end, max(first, 0)))[::-1]

    def backwards(self, end: int, first: int = 0) -> Iterator[Row]:
        """The rows before `end`, the newest first, down to `first`."""
        scrolled = len(self.history)
        for index in reversed(range(first, min(end, self.total))):
            yield self.rows[index - scrolled] if index >= scrolled else Row.of(self.history[index])

    def end_wrap_of_newest(self) -> None:
        """What comes below the scrollback does not continue its last row."""
        if self.history and self.history[-1][-1]:
            row = Row.of(self.history[-1])
            row.end_wrap()
            self.history[-1] = row.kept()

    def resize(self, old: Point, new: Point, points: list[Point], *, reflow: bool) -> list[Point]:
        """Take another size.

        Rows below the last text and the cursor are the first to go; then rows pass from the top into the scrollback,
        and back out of it when the cursor stood in the last row (as herdr's terminal library does).

        Args:
            old, new: (rows, columns).
            points: positions on the screen, the cursor's first.

        Returns:
            Where the points are now.
        """
        cursor_row = points[0][0]
        used = max([cursor_row, *(index for index, row in enumerate(self.rows) if row.extent())]) + 1
        is_wider_or_narrower = new[1] != old[1]
        taken = self._take_newest(new, work=REFLOW if reflow and is_wider_or_narrower else 0)
        rows = [*taken, *self.rows[:used]]
        places = [(min(row, used - 1) + len(taken), column) for row, column in [*points, (0, 0)]]
        if reflow and is_wider_or_narrower:
            rows, places = rewrap(rows, new[1], places)
        overflow = max(len(rows) - new[0], 0)
        top = overflow if cursor_row == old[0] - 1 else max(places[-1][0], overflow)
        top = min(top, places[0][0])
        self.history.extend(row.kept() for row in rows[:top])
        self.rows = rows[top : top + new[0]]
        self._cut(new[1])
        self.rows += [Row() for _ in range(new[0] - len(self.rows))]
        self.rows[-1].end_wrap()
        return [(min(max(row - top, 0), new[0] - 1), min(column, new[1])) for row, column in places[:-1]]

    def _take_newest(self, size: Point, *, work: int) -> list[Row]:
        """Take the newest rows out of the scrollback: as many as the screen may get back, and as `work` allows."""
        taken: list[Row] = []
        height, columns = size
        while self.history and (len(taken) < height or work > 0):
            row = Row.of(self.history.pop())
            work -= 1 + len(row.text) // columns + len(row.marks or ()) // MARKED_CELLS
            taken.append(row)
        taken.reverse()
        return taken

    def _cut(self, columns: int) -> None:
        """Rows that were not wrapped anew may be of another width."""
        for row in self.rows:
            if len(row.text) > columns or row.wrapped not in (0, columns):
                row.cut(columns)
                row.end_wrap()
