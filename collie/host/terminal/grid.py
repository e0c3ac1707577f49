"""Where things are: the two screens, the cursor, the margins, the tab stops, and all that moves or removes cells."""

from dataclasses import replace

from collie.host.terminal.buffer import Buffer
from collie.host.terminal.row import HEAD, Row
from collie.host.terminal.style import DEFAULT

MAX_COLUMNS = 1000
MAX_ROWS = 1000
"""A terminal is never made larger, whatever is asked for: sizes bound memory and the work of one sequence."""
_TAB = 8


class Grid:
    """The cells of a terminal and its cursor.

    `column` equals `columns` while the cursor waits in the last column for a character that will wrap. `blank` is the
    style of cells that are erased or scrolled in. `spent` counts the work done, in rows (some 0.3 to 1 µs each), where
    it does not follow from the number of bytes that asked for it.
    """

    def __init__(self, columns: int, height: int, scrollback: int) -> None:
        self.columns = min(max(columns, 1), MAX_COLUMNS)
        self.height = min(max(height, 1), MAX_ROWS)
        self._scrollback = scrollback
        self.spent = 0
        self.reset()

    def reset(self) -> None:
        """As at the start: everything empty."""
        self.spent += 2 * self.height
        self.primary = Buffer(self.height, self._scrollback)
        self.alternate = Buffer(self.height, 0)
        self.buffer = self.primary
        self.row = 0
        self.column = 0
        self.blank = DEFAULT
        self.origin = False
        self.release_margins()
        self.reset_tabs()

    @property
    def rows(self) -> list[Row]:
        """The rows of the screen that shows."""
        return self.buffer.rows

    def release_margins(self) -> None:
        """Let the whole screen scroll."""
        self.top = 0
        self.bottom = self.height - 1

    def show(self, buffer: Buffer) -> None:
        """Show the primary or the alternate screen; the cursor stays where it is."""
        self.buffer = buffer

    def resize(self, columns: int, height: int) -> None:
        """Take another size; the margins are released. Only the primary screen's text is wrapped anew."""
        old = (self.height, self.columns)
        self.columns = min(max(columns, 1), MAX_COLUMNS)
        self.height = min(max(height, 1), MAX_ROWS)
        new = (self.height, self.columns)
        for buffer in (self.primary, self.alternate):
            saved = (buffer.saved.row, buffer.saved.column)
            shown = buffer is self.buffer
            cursor = (self.row, self.column) if shown else saved
            points = buffer.resize(old, new, [cursor, saved], reflow=buffer is self.primary)
            buffer.saved = replace(buffer.saved, row=points[1][0], column=points[1][1])
            if shown:
                self.row, self.column = points[0]
        self.release_margins()

    # Moving the cursor

    def move_to(self, row: int, column: int) -> None:
        """Set the cursor, counted from the margins while origin mode is on."""
        first, last = (self.top, self.bottom) if self.origin else (0, self.height - 1)
        self.row = min(max(row + first, first), last)
        self.column = min(max(column, 0), self.columns - 1)

    def move_rows(self, by: int) -> None:
        """Move the cursor up (negative) or down; a margin that it stands inside of stops it."""
        self.settle()
        if by < 0:
            self.row = max(self.row + by, self.top if self.row >= self.top else 0)
        else:
            self.row = min(self.row + by, self.bottom if self.row <= self.bottom else self.height - 1)

    def move_columns(self, by: int) -> None:
        """Move the cursor left (negative) or right."""
        self.settle()
        self.column = min(max(self.column + by, 0), self.columns - 1)

    def settle(self) -> None:
        """Stop waiting to wrap."""
        self.column = min(self.column, self.columns - 1)

    def wrap(self) -> None:
        """Go to the start of the next row, which continues this one."""
        row = self.rows[self.row]
        has_room_left = self.column < self.columns
        if self.height == 1:
            self._run_over(row, has_room_left=has_room_left)
        self.line_feed()
        if self.rows[self.row] is not row:
            self._run_over(row, has_room_left=has_room_left)
        self.column = 0

    def _run_over(self, row: Row, *, has_room_left: bool) -> None:
        if has_room_left:
            row.write(self.columns - 1, HEAD, self.blank)
        row.wrapped = self.columns

    # Tab stops

    def reset_tabs(self) -> None:
        """A stop in every eighth column."""
        self.tabs = bytearray((b"\1" + bytes(_TAB - 1)) * (MAX_COLUMNS // _TAB))

    def tab(self, count: int) -> None:
        """Go to the `count`-th stop to the right, at most to the last column."""
        self.settle()
        while count and self.column < self.columns - 1:
            found = self.tabs.find(1, self.column + 1, self.columns)
            self.column = found if found >= 0 else self.columns - 1
            self.spent += 1
            count -= 1

    def tab_back(self, count: int) -> None:
        """Go to the `count`-th stop to the left, at most to the first column."""
        self.settle()
        while count and self.column:
            self.column = max(self.tabs.rfind(1, 0, self.column), 0)
            self.spent += 1
            count -= 1

    # Scrolling

    def line_feed(self) -> None:
        """Down one row; from the bottom margin the rows scroll up instead."""
        self.settle()
        if self.row == self.bottom:
            self.scroll_up(1)
        elif self.row < self.height - 1:
            self.row += 1

    def reverse_line_feed(self) -> None:
        """Up one row; from the top margin the rows scroll down instead."""
        self.settle()
        if self.row == self.top:
            self.scroll_down(1)
        elif self.row > 0:
            self.row -= 1

    def scroll_up(self, count: int) -> None:
        """Scroll between the margins. What leaves the top of the screen goes to the scrollback."""
        rows = self.rows
        if self.top == 0 and self.bottom == self.height - 1:
            for _ in range(min(count, self.height)):
                row = rows.pop(0)
                self.buffer.history.append(row.emptied())
                rows.append(self._blank(row))
            return
        if self.top == 0:
            self.buffer.history.extend(row.kept() for row in rows[: min(count, self.bottom + 1)])
        self._close_margins()
        self._remove_rows(self.top, count)

    def scroll_down(self, count: int) -> None:
        """Scroll between the margins; what leaves the bottom is lost."""
        self.spent += 1
        self._close_margins()
        self._end_wrap_above(self.top)
        self._add_rows(self.top, count)

    def insert_lines(self, count: int) -> None:
        """Insert blank rows at the cursor's, which goes to the first column."""
        if self.top <= self.row <= self.bottom:
            self._end_wraps()
            self._add_rows(self.row, count)
            self.column = 0

    def delete_lines(self, count: int) -> None:
        """Delete rows from the cursor's on, which goes to the first column."""
        if self.top <= self.row <= self.bottom:
            self._end_wraps()
            self._remove_rows(self.row, count)
            self.column = 0

    def _remove_rows(self, first: int, count: int) -> None:
        count = min(count, self.bottom + 1 - first)
        del self.rows[first : first + count]
        self.rows[self.bottom + 1 - count : self.bottom + 1 - count] = self._blank_rows(count)

    def _add_rows(self, first: int, count: int) -> None:
        count = min(count, self.bottom + 1 - first)
        del self.rows[self.bottom + 1 - count : self.bottom + 1]
        self.rows[first:first] = self._blank_rows(count)

    def _blank_rows(self, count: int) -> list[Row]:
        return [self._blank(Row()) for _ in range(count)]

    def _blank(self, row: Row) -> Row:
        """A row that is empty, with the background that it is to have."""
        self.spent += 1
        if self.blank != DEFAULT:
            row.erase(0, self.columns, self.blank)
            self.spent += 1
        return row

    def _close_margins(self) -> None:
        """Rows on the two sides of a margin no longer continue one another."""
        self.rows[self.bottom].end_wrap()
        if self.top > 0:
            self._end_wrap_above(self.top)

    def _end_wraps(self) -> None:
        self._end_wrap_above(self.row)
        for row in self.rows[self.row : self.bottom + 1]:
            row.end_wrap()

    def _end_wrap_above(self, index: int) -> None:
        """Whatever comes into the row `index` does not continue the one above, be it in the scrollback."""
        if index:
            self.rows[index - 1].end_wrap()
        else:
            self.buffer.end_wrap_of_newest()

    # Cells

    def erase_line(self, mode: int) -> None:
        """Erase the cursor's row: 0 from the cursor on, 1 up to and with it, 2 all of it."""
        self.settle()
        row = self.rows[self.row]
        if mode != 1:
            row.end_wrap()
        start = 0 if mode else self.column
        end = self.column + 1 if mode == 1 else self.columns
        row.erase(start, end, self.blank)

    def erase_display(self, mode: int) -> None:
        """Erase the screen: 0 from the cursor on, 1 up to and with it, 2 all of it; 3 is the scrollback."""
        if mode == 3:
            self.buffer.history.clear()
            return
        if mode < 2:
            self.erase_line(mode)
        self.settle()
        first = self.row + 1 if mode == 0 else 0
        end = self.row if mode == 1 else self.height
        self._end_wrap_above(first)
        if first < end:
            self.rows[first:end] = self._blank_rows(end - first)

    def insert_cells(self, count: int) -> None:
        """Insert blanks at the cursor."""
        self.settle()
        row = self._row_to_shift()
        row.insert(self.column, min(count, self.columns - self.column), self.columns, self.blank)

    def delete_cells(self, count: int) -> None:
        """Delete cells from the cursor on."""
        self.settle()
        row = self._row_to_shift()
        row.end_wrap()
        row.delete(self.column, min(count, self.columns - self.column), self.columns, self.blank)

    def _row_to_shift(self) -> Row:
        """The cursor's row, whose marked cells all have to be moved one by one."""
        row = self.rows[self.row]
        self.spent += len(row.marks or ()) // 4
        return row

    def erase_cells(self, count: int) -> None:
        """Blank cells from the cursor on."""
        self.settle()
        row = self.rows[self.row]
        row.end_wrap()
        row.erase(self.column, min(self.column + count, self.columns), self.blank)
