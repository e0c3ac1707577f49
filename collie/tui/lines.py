"""Lines as values: pieces of text with a tone, wrapped and cut by display width. Knows no widget.

A tone says what a piece means; which colour that is stands in `styles/base.tcss`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import groupby
from typing import Final

from rich.cells import cell_len, split_graphemes

ELLIPSIS: Final = "…"
BREAK_REACH: Final = 24
"""How many cells back from the edge a blank is looked for to break at."""


class Tone(StrEnum):
    """What a piece means to the reader."""

    PLAIN = "plain"
    DIM = "dim"
    STRONG = "strong"
    ACCENT = "accent"
    CODE = "code"
    KEY = "key"
    DEAD = "dead"
    ADDED = "added"
    REMOVED = "removed"
    GOOD = "good"
    BUSY = "busy"
    WARN = "warn"
    BAD = "bad"
    ALERT = "alert"


@dataclass(frozen=True, slots=True, kw_only=True)
class Piece:
    """A stretch of one tone. `click` is the action a mouse click on it runs, "" for none."""

    text: str
    tone: Tone = Tone.PLAIN
    click: str = ""


Line = tuple[Piece, ...]
"""One row of the screen, left to right."""


def piece(text: str, tone: Tone = Tone.PLAIN, click: str = "") -> Piece:
    """A piece, in as few words as drawing code needs."""
    return Piece(text=text, tone=tone, click=click)


def line_width(line: Line) -> int:
    """How many cells a line takes."""
    return sum(cell_len(each.text) for each in line)


def line_text(line: Line) -> str:
    """The line's text without its tones."""
    return "".join(each.text for each in line)


def clip(line: Line, width: int) -> Line:
    """The line cut to `width` cells, with an ellipsis where something was left out."""
    if line_width(line) <= width:
        return line
    return (*_taken(line, max(0, width - 1)), piece(ELLIPSIS if width > 0 else "", Tone.DIM))


def clip_text(text: str, width: int) -> str:
    """`text` cut to `width` cells, with an ellipsis where something was left out."""
    return line_text(clip((piece(text),), width))


def pad_text(text: str, width: int) -> str:
    """`text` cut or filled to exactly `width` cells."""
    cut = clip_text(text, width)
    return cut + " " * (width - cell_len(cut))


def spread(left: Line, right: Line, width: int) -> Line:
    """`left` and `right` at the two ends of a row; the left one gives way."""
    room = max(0, width - line_width(right) - 1)
    kept = clip(left, room)
    gap = max(0, width - line_width(kept) - line_width(right))
    return (*kept, piece(" " * gap), *right)


def wrap(line: Line, width: int, *, first: Line = (), rest: Line = ()) -> tuple[Line, ...]:
    """The line over as many rows of `width` cells as it needs; not one character is dropped.

    `first` is put before the first row, `rest` before each later one. Takes time linear in the line, which may be a
    whole command without a line end.
    """
    atoms = _atoms(line)
    rooms = (max(1, width - line_width(first)), max(1, width - line_width(rest)))
    rows: list[Line] = []
    start = 0
    while start < len(atoms) or not rows:
        end = _row_end(atoms, start, rooms[bool(rows)])
        rows.append((*(rest if rows else first), *_pieces(line, atoms[start:end])))
        start = end
    return tuple(rows)


_Atom = tuple[str, int, int]
"""A grapheme, its cells, and which piece of the line it is of."""


def _atoms(line: Line) -> list[_Atom]:
    atoms: list[_Atom] = []
    for at, each in enumerate(line):
        if each.text.isascii():
            atoms += [(character, 1, at) for character in each.text]
        else:
            atoms += [(each.text[start:end], cells, at) for start, end, cells in split_graphemes(each.text)[0]]
    return atoms


def _row_end(atoms: list[_Atom], start: int, room: int) -> int:
    """Where the row that begins at `start` ends: after the last blank within reach of its edge, else at the edge."""
    used = blank_used = blank = 0
    for at in range(start, len(atoms)):
        text, cells, _ = atoms[at]
        if used + cells > room:
            return blank if blank and blank_used >= room - BREAK_REACH else max(at, start + 1)
        used += cells
        if text == " ":
            blank, blank_used = at + 1, used
    return len(atoms)


def _pieces(line: Line, atoms: list[_Atom]) -> Iterator[Piece]:
    """The pieces of the line that these atoms are of."""
    for at, group in groupby(atoms, key=lambda atom: atom[2]):
        yield replace(line[at], text="".join(atom[0] for atom in group))


def _taken(line: Line, cells: int) -> Line:
    return tuple(_cut(line, cells))


def _cut(line: Line, cells: int) -> Iterator[Piece]:
    for each in line:
        width = cell_len(each.text)
        if width <= cells:
            cells -= width
            yield each
            continue
        end = 0
        for _, stop, grapheme in split_graphemes(each.text)[0]:
            if grapheme > cells:
                break
            cells -= grapheme
            end = stop
        if end:
            yield replace(each, text=each.text[:end])
        return


def joined(parts: Iterable[Line], between: Line) -> Line:
    """The lines in one row, with `between` among them."""
    whole: list[Piece] = []
    for part in parts:
        if not part:
            continue
        if whole:
            whole.extend(between)
        whole.extend(part)
    return tuple(whole)
