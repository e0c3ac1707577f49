"""One row of cells, kept as two strings: what is in each cell, and in what style.

A cell of `text` is a character or one of three marks: NEVER (nothing was written there), TAIL (the right half of the
wide character before it), HEAD (the last cell of a wrapped row, left empty because a wide character had no room). A
cell of `styles` is a key of the style table. Both may be shorter than the row is wide: what is missing was never
written, and is in the default style. The further code points of a cell's grapheme cluster are in `marks`, by column.

Rows of the scrollback are kept as tuples of strings, which Python's garbage collector need not go through each time: a
host has hundreds of thousands of them.
"""

import sys

from collie.host.terminal.style import DEFAULT

NEVER = "\0"
TAIL = "\x01"
HEAD = "\x02"

Kept = tuple[str, str, str, int]
"""A row that scrolled off: text, styles, marks (each as its column plus one, itself, and NEVER), `wrapped`."""


class Row:
    """A row's cells. `wrapped`: the text ran over its end into the next row; the width that it filled, 0 for none."""

    __slots__ = ("marks", "styles", "text", "wrapped")

    def __init__(self, text: str = "", styles: str = "", marks: dict[int, str] | None = None) -> None:
        self.text = text
        self.styles = styles
        self.marks = marks
        self.wrapped = 0

    @classmethod
    def of(cls, kept: Kept) -> "Row":
        """The row that was kept so."""
        text, styles, marks, wrapped = kept
        row = cls(text, styles)
        if marks:
            row.marks = {ord(each[0]) - 1: each[1:] for each in marks.split(NEVER)[:-1]}
        row.wrapped = wrapped
        return row

    def kept(self) -> Kept:
        """The row, to be kept for long."""
        if not self.marks:
            return self.text, self.styles, "", self.wrapped
        marks = "".join(f"{chr(column + 1)}{marks}{NEVER}" for column, marks in self.marks.items())
        return self.text, self.styles, marks, self.wrapped

    def emptied(self) -> Kept:
        """The row, to be kept for long; it is as a new one then."""
        kept = self.kept()
        self.text = self.styles = ""
        self.marks = None
        self.wrapped = 0
        return kept

    def write(self, column: int, cells: str, style: str) -> None:
        """Put `cells` at `column`; a wide character cut by their edges is blanked."""
        text = self.text
        if column == len(text):
            self.text = text + cells
        else:
            end = column + len(cells)
            if TAIL in text:
                self._part(column)
                self._part(end)
                text = self.text
            self.text = f"{text[:column].ljust(column, NEVER)}{cells}{text[end:]}"
            self._drop_marks(column, end)
        if style != DEFAULT or len(self.styles) > column:
            self._paint(column, len(cells), style)

    def erase(self, start: int, end: int, style: str) -> None:
        """Make the cells from `start` to before `end` never written, in `style` (which has only a background)."""
        if style != DEFAULT or end < len(self.text):
            self.write(start, NEVER * (end - start), style)
            return
        self._part(start)
        self.text = self.text[:start]
        self.styles = self.styles[:start]
        self._drop_marks(start, end)

    def insert(self, column: int, count: int, columns: int, style: str) -> None:
        """Shift the cells from `column` on to the right; what passes the end of the row is lost."""
        self._part(column)
        self.text = self.text.replace(HEAD, NEVER).ljust(column, NEVER)
        self.styles = self.styles.ljust(column, DEFAULT)
        self.text = self.text[:column] + NEVER * count + self.text[column:]
        self.styles = self.styles[:column] + style * count + self.styles[column:]
        self._shift_marks(column, count)
        self.cut(columns)

    def delete(self, column: int, count: int, columns: int, style: str) -> None:
        """Take out `count` cells at `column`; the rest moves left and blanks come in at the end."""
        self._part(column)
        self._part(column + count)
        self._drop_marks(column, column + count)
        self.text = self.text[:column] + self.text[column + count :].replace(HEAD, NEVER)
        self.styles = self.styles[:column] + self.styles[column + count :]
        self._shift_marks(column + count, -count)
        if style != DEFAULT:
            self.erase(columns - count, columns, style)

    def cut(self, columns: int) -> None:
        """Lose every cell from `columns` on."""
        self._part(columns)
        self.text = self.text[:columns]
        self.styles = self.styles[:columns]
        self._drop_marks(columns, sys.maxsize)

    def end_wrap(self) -> None:
        """Forget that the text ran on into the next row."""
        if self.wrapped:
            self.wrapped = 0
            self.text = self.text.replace(HEAD, NEVER)

    def cluster(self, column: int) -> str:
        """All code points of one cell."""
        return self.text[column] + (self.marks.get(column, "") if self.marks else "")

    def set_marks(self, column: int, marks: str) -> None:
        """Replace the code points that follow the first one of a cell."""
        if self.marks is None:
            self.marks = {}
        self.marks[column] = marks

    def style_at(self, column: int) -> str:
        """The style of one cell."""
        return self.styles[column : column + 1] or DEFAULT

    def extent(self) -> int:
        """Cells up to the last one that was written or coloured."""
        return max(len(self.text.rstrip(NEVER + HEAD)), len(self.styles.rstrip(DEFAULT)))

    def plain(self) -> str:
        """The row's text, with blanks for cells never written; those at the end of the row are left out."""
        return self.characters(0, len(self.text.rstrip(NEVER + HEAD)))

    def characters(self, start: int, end: int) -> str:
        """The text of some cells, with blanks for those never written."""
        text = self.text[start:end].ljust(end - start, NEVER)
        if self.marks:
            text = "".join(cell + self.marks.get(column, "") for column, cell in enumerate(text, start))
        return text.replace(NEVER, " ").replace(TAIL, "").replace(HEAD, "")

    def _part(self, column: int) -> None:
        """Blank the wide character that lies across the left edge of `column`, if one does."""
        text = self.text
        if 0 < column < len(text) and text[column] == TAIL:
            self.text = f"{text[: column - 1]}{NEVER}{NEVER}{text[column + 1 :]}"
            self._drop_marks(column - 1, column)

    def _paint(self, column: int, count: int, style: str) -> None:
        styles = self.styles.ljust(column, DEFAULT)
        self.styles = styles[:column] + style * count + styles[column + count :]

    def _drop_marks(self, start: int, end: int) -> None:
        if not self.marks:
            return
        if end - start < len(self.marks):
            for column in range(start, end):
                self.marks.pop(column, None)
        else:
            self.marks = {column: marks for column, marks in self.marks.items() if not start <= column < end}

    def _shift_marks(self, start: int, by: int) -> None:
        if self.marks:
            self.marks = {column + by * (column >= start): marks for column, marks in self.marks.items()}
