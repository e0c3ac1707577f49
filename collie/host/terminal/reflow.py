"""Rows of another width: soft-wrapped rows joined into the line they were, and lines wrapped into rows again."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate

from collie.host.terminal.row import HEAD, NEVER, TAIL, Row
from collie.host.terminal.style import DEFAULT

Point = tuple[int, int]
"""(row, column). A column may be that after the last one, where a cursor waits that is about to wrap."""

_WIDE_CELLS = re.compile(f".{TAIL}", re.DOTALL)


def soft_lines(rows: Sequence[Row]) -> Iterator[Sequence[Row]]:
    """The rows in groups, each group one line that was soft-wrapped into them."""
    first = 0
    for index, row in enumerate(rows):
        if not row.wrapped or index + 1 == len(rows):
            yield rows[first : index + 1]
            first = index + 1


def join(rows: Sequence[Row]) -> Row:
    """One row as long as need be, from the rows of one line, whatever their widths."""
    if len(rows) == 1:
        return rows[0]
    *before, last = rows
    texts = [_filled(row) for row in before] + [last.text]
    styles = [row.styles[: len(text)].ljust(len(text), DEFAULT) for row, text in zip(rows, texts, strict=True)]
    marks = {
        start + column: marks
        for row, start in zip(rows, _starts(texts), strict=True)
        for column, marks in (row.marks or {}).items()
    }
    return Row("".join(texts), "".join(styles), marks)


def rewrap(rows: Sequence[Row], new: int, points: Sequence[Point]) -> tuple[list[Row], list[Point]]:
    """The rows as rows of `new` columns; and where the points went.

    A blank that was only coloured never makes a line longer than its text: it is cut off at the end of its row.
    """
    result: list[Row] = []
    moved = list(points)
    index = 0
    for group in soft_lines(rows):
        inside = [number for number, (row, _) in enumerate(points) if index <= row < index + len(group)]
        if len(group) == 1 and len(group[0].text) <= new and not inside:
            group[0].end_wrap()
            result.append(group[0])
        else:
            starts = list(_starts([_filled(row) for row in group]))
            cuts = _wrap(join(group), new, result)
            for number in inside:
                row, column = points[number]
                moved[number] = _locate(starts[row - index] + column, cuts, new, len(result) - len(cuts))
        index += len(group)
    return result, moved


def _filled(row: Row) -> str:
    """The cells of a row that ran over its end: all of them, but for the one that a wide character had no room in."""
    return row.text.removesuffix(HEAD) if row.text.endswith(HEAD) else row.text.ljust(row.wrapped, NEVER)


def _starts(texts: Sequence[str]) -> Iterator[int]:
    return accumulate((len(text) for text in texts[:-1]), initial=0)


def _locate(offset: int, cuts: Sequence[int], columns: int, first: int) -> Point:
    """Where the cell `offset` of a line is, whose rows start at the cells `cuts` and at the row `first`."""
    index = bisect_right(cuts, offset) - 1
    column = offset - cuts[index]
    return first + index, column if column <= columns else columns - 1


def _wrap(line: Row, columns: int, result: list[Row]) -> list[int]:
    """Append the line's rows to `result`; returns the cells at which they start."""
    if columns == 1 and TAIL in line.text:
        line = _without_wide(line)
    text = line.text
    cuts = _cuts(text, columns)
    first = len(result)
    for start, end in zip(cuts, [*cuts[1:], cuts[-1] + columns], strict=True):
        row = Row(text[start:end], line.styles[start:end])
        if end - start < columns:
            row.write(columns - 1, HEAD, row.style_at(columns - 2))
        row.wrapped = columns
        result.append(row)
    result[-1].wrapped = 0
    for column, marks in (line.marks or {}).items():
        index = bisect_right(cuts, column) - 1
        if column - cuts[index] < columns:
            result[first + index].set_marks(column - cuts[index], marks)
    return cuts


def _without_wide(line: Row) -> Row:
    """A line with blanks for its wide characters, which no row of one cell has room for."""
    marks = {
        column: marks for column, marks in (line.marks or {}).items() if line.text[column + 1 : column + 2] != TAIL
    }
    return Row(_WIDE_CELLS.sub(NEVER + NEVER, line.text), line.styles, marks)


def _cuts(text: str, columns: int) -> list[int]:
    """Where the rows of a line start: a wide character is never split."""
    length = len(text.rstrip(NEVER))
    if TAIL not in text:
        return list(range(0, max(length, 1), columns))
    cuts = [0]
    while (end := cuts[-1] + columns) < length:
        cuts.append(end - (text[end] == TAIL))
    return cuts
