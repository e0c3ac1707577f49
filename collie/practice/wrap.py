"""What is shown of a text, how wide it is, and which rows it takes.

Nothing that was typed, pasted or given reaches the terminal as a control: controls, invisible and unassigned
characters are shown as escapes (`\\x1b`, `\\u202e`), so that what is on the screen is all there is.
"""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from collie.practice.style import INVERSE, Row, Span, row_text

_ESCAPED_CATEGORIES = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
_COMBINING_CATEGORIES = {"Mn", "Me"}
_WIDE_SINCE_UNICODE_16 = (
    (0x2630, 0x2637),
    (0x268A, 0x268F),
    (0x4DC0, 0x4DFF),
    (0x1D300, 0x1D356),
    (0x1D360, 0x1D376),
    (0x1F1E6, 0x1F1FF),
)
"""Wide in terminals that know EastAsianWidth of Unicode 16, where Python's older table says narrow; and the letters of
flags. A width that is too large costs an early break, one that is too small breaks the frame."""
_SHORT_ESCAPES = {"\t": "\\t", "\r": "\\r", "\n": "\\n"}


@dataclass(frozen=True, slots=True)
class Cell:
    """One character as it is shown, with the marks that combine with it, and its width in columns."""

    text: str
    style: str
    width: int


def visible(text: str) -> str:
    """`text` with everything escaped that a terminal would not show as itself."""
    return "".join(_shown(character) for character in text)


def width(text: str) -> int:
    """Columns that the shown form of `text` takes; a character of ambiguous width takes one."""
    return sum(cell.width for cell in cells((Span(text),)))


def cells(spans: Iterable[Span]) -> list[Cell]:
    """The cells of a run of spans, everything in it made visible."""
    found: list[Cell] = []
    for span in spans:
        for character in span.text:
            shown = _shown(character)
            if len(shown) > 1:
                found.extend(Cell(each, span.style, 1) for each in shown)
            elif unicodedata.category(character) not in _COMBINING_CATEGORIES:
                found.append(Cell(shown, span.style, _columns(shown)))
            elif found:
                last = found[-1]
                found[-1] = Cell(last.text + shown, last.style, last.width)
    return found


def wrapped(spans: Sequence[Span], columns: int, rest: int | None = None) -> list[Row]:
    """Rows of at most `columns` columns (`rest` from the second row on), broken at spaces where there are any.

    The space at a break is dropped, as Claude Code does; the inverse cell of a cursor never is. There is always at
    least one row.
    """
    line = cells(spans)
    rows: list[Row] = []
    start, room = 0, max(columns, 2)
    while True:
        end = _row_end(line, start, room)
        rows.append(joined(line[start:end]))
        start = end + 1 if end < len(line) and _is_dropped(line[end]) else end
        if start >= len(line):
            return rows
        room = max(columns if rest is None else rest, 2)


def wrapped_lines(text: str, columns: int, style: str = "") -> list[Row]:
    """The rows of a text of several lines."""
    return [row for line in text.split("\n") for row in wrapped((Span(line, style),), columns)]


def fitted(row: Row, columns: int) -> Row:
    """The row, cut where it would pass `columns`."""
    if all(character.isascii() for character in row_text(row)) and len(row_text(row)) <= columns:
        return row
    taken, used = [], 0
    for cell in cells(row):
        used += cell.width
        if used > columns:
            break
        taken.append(cell)
    return joined(taken)


def joined(line: Iterable[Cell]) -> Row:
    """The cells as a row, neighbours of one style in one span."""
    spans: list[Span] = []
    for cell in line:
        if spans and spans[-1].style == cell.style:
            spans[-1] = Span(spans[-1].text + cell.text, cell.style)
        else:
            spans.append(Span(cell.text, cell.style))
    return tuple(spans)


def _row_end(line: Sequence[Cell], start: int, columns: int) -> int:
    """Where the row that begins at `start` ends: after what fits, or at the last space before what does not."""
    used, last_space, seen_text = 0, start, False
    for position in range(start, len(line)):
        cell = line[position]
        if used + cell.width > columns:
            if _is_dropped(cell):
                return position
            return last_space if last_space > start else max(position, start + 1)
        used += cell.width
        if cell.text != " ":
            seen_text = True
        elif seen_text:
            last_space = position
    return len(line)


def _is_dropped(cell: Cell) -> bool:
    return cell.text == " " and cell.style != INVERSE


def _shown(character: str) -> str:
    if " " <= character <= "~":
        return character
    if unicodedata.category(character) in _ESCAPED_CATEGORIES or _selects_variation(character):
        return _SHORT_ESCAPES.get(character) or _escape(ord(character))
    return character


def _escape(code: int) -> str:
    return f"\\x{code:02x}" if code < 0x100 else f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def _selects_variation(character: str) -> bool:
    """Variation selectors (Unicode 23.4) change a character's width in some terminals and show nothing themselves."""
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def _columns(character: str) -> int:
    if character < "\u1100":
        return 1
    code = ord(character)
    wide = unicodedata.east_asian_width(character) in "WF"
    return 2 if wide or any(first <= code <= last for first, last in _WIDE_SINCE_UNICODE_16) else 1
