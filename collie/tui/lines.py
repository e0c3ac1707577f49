"""Lines as values: pieces of text with a tone, wrapped and cut by display width. Knows no widget.

A tone says what a piece means; which colour that is stands in `styles/base.tcss`.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
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

    `first` is put before the first row, `rest` before each later one.
    """
    rows: list[Line] = []
    remaining = line
    while True:
        lead = rest if rows else first
        room = max(1, width - line_width(lead))
        if line_width(remaining) <= room:
            return (*rows, (*lead, *remaining))
        taken = _taken(remaining, _break_at(line_text(remaining), room))
        if not taken:
            taken = _first_grapheme(remaining)
        rows.append((*lead, *taken))
        remaining = _after(remaining, len(line_text(taken)))


def _break_at(text: str, room: int) -> int:
    """The cells to take: up to the last blank within reach, else all of the room."""
    used, blank = 0, 0
    for start, end, width in split_graphemes(text)[0]:
        if used + width > room:
            break
        used += width
        if text[start:end] == " ":
            blank = used
    return blank if blank and blank >= room - BREAK_REACH else used


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


def _first_grapheme(line: Line) -> Line:
    head = next(each for each in line if each.text)
    return (replace(head, text=head.text[: split_graphemes(head.text)[0][0][1]]),)


def _after(line: Line, characters: int) -> Line:
    kept: list[Piece] = []
    for each in line:
        if characters >= len(each.text):
            characters -= len(each.text)
            continue
        kept.append(replace(each, text=each.text[characters:]))
        characters = 0
    return tuple(kept)


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
