"""A pane's screen as what the operator's terminal is sent. No I/O.

Drawn from cells: the only sequences in it are those made here (styles, cursor moves, erasing to the end of a row), and
each frame is one synchronized update, so that nothing flickers.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from collie.screen.cells import PLAIN, Colour, Row, Screen, Style
from collie.screen.width import clip, text_width

BEGIN: Final = "\x1b[?2026h\x1b[?25l"
END: Final = "\x1b[?2026l"

_TURNING: Final = re.compile(r"[\u200e\u200f\u061c\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Characters that would have the operator's terminal put the row in another order."""

_FLAGS: Final = (
    ("bold", 1),
    ("dim", 2),
    ("italic", 3),
    ("underline", 4),
    ("blink", 5),
    ("inverse", 7),
    ("invisible", 8),
    ("strike", 9),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Size:
    """Cells of a screen."""

    columns: int
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """What the operator's terminal shows: a text with styles for each of its rows, and the cursor, None: hidden."""

    rows: tuple[str, ...]
    cursor: tuple[int, int] | None


def frame(screen: Screen, pane: Size, window: Size, *, cursor: tuple[int, int] | None, note: str) -> Frame:
    """The frame of a pane in a window, which may be smaller: then the rows around the cursor and the first columns.

    The last row of the window is the note.
    """
    shown = max(window.rows - 1, 0)
    top = _top(pane.rows, shown, cursor)
    rows = [_painted(row, window.columns) for row in screen.rows[top : top + shown]]
    rows += [""] * (shown - len(rows))
    bar = clip(note, window.columns).ljust(window.columns)
    place = None
    if cursor is not None and top <= cursor[0] < top + shown and cursor[1] < window.columns:
        place = (cursor[0] - top, cursor[1])
    return Frame(rows=(*rows, f"\x1b[7m{bar}\x1b[0m")[: window.rows], cursor=place)


def difference(old: Frame | None, new: Frame) -> str:
    """What turns a terminal that shows `old` (None: anything) into one that shows `new`."""
    before = old.rows if old is not None and len(old.rows) == len(new.rows) else None
    changed = [
        f"\x1b[{index + 1};1H{row}\x1b[K"
        for index, row in enumerate(new.rows)
        if before is None or before[index] != row
    ]
    place = "" if new.cursor is None else f"\x1b[{new.cursor[0] + 1};{new.cursor[1] + 1}H\x1b[?25h"
    return f"{BEGIN}{''.join(changed)}{place}{END}"


def describe(name: str, pane: Size, window: Size) -> str:
    """The note of a pane that is shown: what it is, whether all of it is seen, how to leave."""
    seen = Size(columns=min(pane.columns, window.columns), rows=min(pane.rows, window.rows - 1))
    clipped = "" if seen == pane else f", {seen.columns}×{seen.rows} shown"
    return f" ctrl+\\ leaves  {name}  {pane.columns}×{pane.rows}{clipped} "


def _top(rows: int, shown: int, cursor: tuple[int, int] | None) -> int:
    """The first row to show: the bottom counts, but the cursor counts more."""
    top = max(rows - shown, 0)
    return top if cursor is None else min(top, cursor[0])


def _painted(row: Row, columns: int) -> str:
    return "".join(_runs(row, columns))


def _runs(row: Row, columns: int) -> Iterator[str]:
    left = columns
    for run in row.runs:
        text = clip(_TURNING.sub("", run.text), left)
        left -= text_width(text)
        if text:
            yield text if run.style == PLAIN else f"{_sgr(run.style)}{text}\x1b[0m"


def _sgr(style: Style) -> str:
    codes = [str(code) for name, code in _FLAGS if getattr(style, name)]
    codes += _colour(38, style.foreground) + _colour(48, style.background)
    return f"\x1b[{';'.join(codes)}m"


def _colour(code: int, colour: Colour) -> list[str]:
    if colour is None:
        return []
    if isinstance(colour, int):
        return [f"{code};5;{colour}"]
    return [f"{code};2;{colour[0]};{colour[1]};{colour[2]}"]
