"""How text is written: its style and character set, and whether it wraps, pushes others aside, joins in clusters."""

from functools import lru_cache

from collie.host.terminal.charset import DESIGNATIONS
from collie.host.terminal.grid import Grid
from collie.host.terminal.row import HEAD, NEVER, TAIL, Row
from collie.host.terminal.style import DEFAULT
from collie.screen.width import MAX_CLUSTER_WIDTH, cluster_width, continues, pieces, text_width

MAX_CLUSTER = 32
"""Code points in one cell. The longest emoji sequence in use has ten; a text that piles up accents has any number."""
LOST = "\ufffd"
"""Stands last in a cell, once, for the code points that it had no room for: what was left out must not go unseen."""

_cluster_width = lru_cache(maxsize=1024)(cluster_width)
_text_width = lru_cache(maxsize=1024)(text_width)
_continues = lru_cache(maxsize=1024)(continues)
"""What a text has of such characters, it mostly has many times."""


class Pen:
    """Writes text into a grid, at its cursor."""

    def __init__(self) -> None:
        self.style = DEFAULT
        self.use_charsets(("B", "B"), shifted=False)
        self.autowrap = True
        self.insert = False
        self.join_clusters = True
        self.last = ""
        """The last character that got a cell of its own, for REP."""

    def use_charsets(self, charsets: tuple[str, str], *, shifted: bool) -> None:
        """Set G0 and G1 by the final characters that designate them; `shifted` means that G1 is in use."""
        self.charsets = charsets
        self.shifted = shifted
        self._charset = DESIGNATIONS.get(charsets[shifted])

    def write(self, grid: Grid, text: str) -> None:
        """Write text that holds no controls."""
        if self._charset:
            text = text.translate(self._charset)
        if text.isascii():
            self._write_narrow(grid, text)
            self.last = text[-1]
            return
        last = ""
        for narrow, wide, other in pieces(text):
            if narrow:
                self._write_narrow(grid, narrow)
                last = narrow
            elif wide:
                self._write_cells(grid, TAIL.join(wide) + TAIL, 2)
                last = wide
            elif self._write_other(grid, other):
                last = other
        if last:
            self.last = last[-1]

    def repeat(self, grid: Grid, count: int) -> None:
        """Write the last character again, so many times. One that joins itself is not wanted more than a cell full."""
        if not self.last:
            return
        if _continues(self.last, self.last):
            self.write(grid, self.last * min(count, MAX_CLUSTER))
            return
        self.write(grid, self.last)
        width = _cluster_width(self.last)
        self._write_cells(grid, (self.last + TAIL * (width - 1)) * (count - 1), width)

    def _write_narrow(self, grid: Grid, text: str) -> None:
        column = grid.column
        end = column + len(text)
        if end > grid.columns or self.insert:
            self._write_cells(grid, text, 1)
            return
        grid.buffer.rows[grid.row].write(column, text, self.style)
        grid.column = end

    def _write_cells(self, grid: Grid, cells: str, unit: int) -> None:
        """Write cells that go together by `unit`, on as many rows as it takes."""
        if grid.columns < unit:
            return
        done = 0
        while done < len(cells):
            grid.spent += 2
            room = grid.columns - grid.column
            if room < unit:
                if self.autowrap:
                    grid.wrap()
                elif unit == 1:
                    grid.settle()
                else:
                    return
                continue
            part = cells[done : done + room - room % unit]
            done += len(part)
            if not self.autowrap and unit == 1 and done < len(cells):
                part, done = part[:-1] + cells[-1], len(cells)
            row = grid.rows[grid.row]
            if self.insert:
                row.insert(grid.column, len(part), grid.columns, grid.blank)
            row.write(grid.column, part, self.style)
            grid.column += len(part)

    def _write_other(self, grid: Grid, character: str) -> bool:
        """Write a character that may belong to the cell before the cursor; whether it got one of its own.

        One without a width is kept in a cell that nothing was written to, as a blank; in the first column it has no
        cell, and is dropped.
        """
        grid.spent += 2
        row = grid.rows[grid.row]
        column = self._cell_before(grid, row)
        width = _cluster_width(character)
        if column is None and width == 0 and grid.column:
            column = grid.column - 1
            row.write(column, " ", self.style)
        if column is not None:
            cluster = row.cluster(column)
            if width == 0 or (self.join_clusters and self._joins(cluster, character)):
                self._extend(grid, row, column, cluster + character)
                return False
        if width:
            self._write_cells(grid, character + TAIL * (width - 1), width)
        return width > 0

    @staticmethod
    def _joins(cluster: str, character: str) -> bool:
        return _continues(cluster, character) and _text_width(cluster + character) <= MAX_CLUSTER_WIDTH

    def _cell_before(self, grid: Grid, row: Row) -> int | None:
        """The column of the character before the cursor, if there is one."""
        column = grid.column - 1
        if not 0 <= column < len(row.text):
            return None
        if row.text[column] == TAIL:
            column -= 1
        return None if row.text[column] in {NEVER, HEAD} else column

    def _extend(self, grid: Grid, row: Row, column: int, cluster: str) -> None:
        """Make the cell at `column` hold `cluster`, which may make it wider or narrower."""
        if len(cluster) > MAX_CLUSTER:
            self._lose(row, column)
            return
        old = 2 if row.text[column + 1 : column + 2] == TAIL else 1
        new = max(_text_width(cluster), 1) if self.join_clusters else old
        style = row.style_at(column)
        if column + new > grid.columns:
            if not self.autowrap or grid.columns < new:
                self._lose(row, column)
                return
            row.write(column, NEVER, style)
            grid.column = column
            grid.wrap()
            row, column, style = grid.rows[grid.row], 0, self.style
        if new != old:
            row.write(column, cluster[0] + (TAIL if new == 2 else NEVER), style)
            grid.column = column + new
        row.set_marks(column, cluster[1:])

    @staticmethod
    def _lose(row: Row, column: int) -> None:
        marks = row.cluster(column)[1:]
        if not marks.endswith(LOST):
            row.set_marks(column, marks + LOST)
