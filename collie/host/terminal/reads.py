"""What the socket API's reads give of a terminal (specs: embedded-host 6.3, with the window rule of herdr 0.9).

Where a row ends, the text formats trim all white space, as herdr does; the joined lines of `recent_unwrapped` only
blanks, as its terminal library does.

A program may fill its cells with accents and give each a style of its own. A read stays below what a line of the API
holds, and what it takes a few milliseconds to write: rows full of accents are fewer, and what would have too many
styles has none.
"""

import re
from dataclasses import dataclass
from itertools import islice
from operator import ne

from collie.host.terminal.reflow import join, soft_lines
from collie.host.terminal.row import Row
from collie.host.terminal.screen import Terminal
from collie.host.terminal.style import DEFAULT, RESET

SOURCES = frozenset({"visible", "recent", "recent_unwrapped", "detection"})
FORMATS = frozenset({"text", "ansi"})
DEFAULT_LINES = 80
MAX_LINES = 1000

MAX_CHARACTERS = 200_000
"""Characters of the rows of one read: 1000 rows of 120 cells, and as much again for marks on them."""
MARKED_CELL = 6
"""Characters that take as long as looking up what marks a cell has."""
MAX_RUNS = 20_000
MAX_BYTES = 900_000
"""Runs of one style, and bytes in JSON, with which a read still has its styles."""

_RUN = re.compile(r"(.)\1*", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Read:
    """`truncated`: there was more than the read gives."""

    text: str
    truncated: bool


def read(terminal: Terminal, source: str, *, lines: int | None = None, format: str = "text") -> Read:
    """What `pane.read` answers.

    Args:
        source: visible, recent, recent_unwrapped or detection.
        lines: at most so many rows (recent, recent_unwrapped; None: 80) or lines of the text (visible, detection; None:
            all). 1000 is the most.
        format: text or ansi; detection is always text.

    Raises:
        ValueError: an unknown source or format.
    """
    if source not in SOURCES or format not in FORMATS:
        raise ValueError(f"there is no read of {source} as {format}")
    limit = None if lines is None else min(max(lines, 0), MAX_LINES)
    ansi = format == "ansi"
    if source == "visible":
        rows = _screen(terminal)
        return _last(_ansi_lines(terminal, rows) if ansi else _text_lines(rows), limit, ansi=ansi)
    if source == "detection":
        return _last(list(detection_rows(terminal)), limit, ansi=False)
    count = DEFAULT_LINES if limit is None else limit
    rows = _affordable(terminal, count)
    truncated = terminal.total_rows > count or len(rows) < min(count, _end(terminal))
    if ansi:
        wrapped = source == "recent"
        return Read(text="\r\n".join(_ansi_lines(terminal, rows, wrapped=wrapped)), truncated=truncated)
    if source == "recent":
        return Read(text=_ended(_text_lines(rows)), truncated=truncated)
    return Read(text="\n".join(_unwrapped_lines(rows)), truncated=truncated)


def detection_rows(terminal: Terminal) -> tuple[str, ...]:
    """The rows of the detection text, right-trimmed: what conditional input compares, and status detection looks at."""
    end = _end(terminal)
    return tuple(_text_lines(terminal.window(end - terminal.rows, end)))


def bare_rows(terminal: Terminal) -> tuple[str, ...]:
    """The same without the marks on characters, of which a screen may hold thirty for each cell."""
    end = _end(terminal)
    rows = [Row(row.text) for row in terminal.window(end - terminal.rows, end)]
    return tuple(_text_lines(rows))


def _screen(terminal: Terminal) -> list[Row]:
    return terminal.window(terminal.scrollback_rows, terminal.total_rows)


def _end(terminal: Terminal) -> int:
    """Where the rows end that a read gives: after the last that shows something, or the cursor's if it is lower.

    On the alternate screen, and where nothing shows, after the last row of the screen.
    """
    if not terminal.alternate:
        rows = _screen(terminal)
        shown = next((index for index in reversed(range(len(rows))) if _trimmed(rows[index])), None)
        if shown is not None:
            return terminal.scrollback_rows + max(shown, terminal.cursor[0]) + 1
    return terminal.total_rows


def _affordable(terminal: Terminal, count: int) -> list[Row]:
    """The last `count` rows, or as many of them as a read can give."""
    rows: list[Row] = []
    left = MAX_CHARACTERS
    for row in islice(terminal.backwards(_end(terminal)), count):
        left -= len(row.text)
        if row.marks:
            left -= sum(map(len, row.marks.values())) + MARKED_CELL * len(row.marks)
        if left < 0:
            break
        rows.append(row)
    rows.reverse()
    return rows


def _last(lines: list[str], limit: int | None, *, ansi: bool) -> Read:
    """The last `limit` lines."""
    kept = lines if limit is None else lines[max(len(lines) - limit, 0) :]
    return Read(text="\r\n".join(kept) if ansi else _ended(kept), truncated=len(kept) < len(lines))


def _ended(lines: list[str]) -> str:
    return "".join(f"{line}\n" for line in lines)


def _trimmed(row: Row) -> str:
    return row.plain().rstrip()


def _text_lines(rows: list[Row]) -> list[str]:
    texts = [_trimmed(row) for row in rows]
    while texts and not texts[-1]:
        texts.pop()
    return texts


def _unwrapped_lines(rows: list[Row]) -> list[str]:
    while rows and not rows[-1].plain():
        rows.pop()
    return [join(group).plain().rstrip(" ") for group in soft_lines(rows)]


def _ansi_lines(terminal: Terminal, rows: list[Row], *, wrapped: bool = True) -> list[str]:
    while rows and not rows[-1].extent():
        rows.pop()
    whole = rows if wrapped else [join(group) for group in soft_lines(rows)]
    if sum(_changes(row) for row in whole) <= MAX_RUNS:
        lines = [_ansi(terminal, row) for row in whole]
        if sum(map(_bytes, lines)) <= MAX_BYTES:
            return lines
    return [row.characters(0, row.extent()) for row in whole]


def _changes(row: Row) -> int:
    """How often the style changes in a row."""
    return sum(map(ne, row.styles, row.styles[1:]))


def _bytes(line: str) -> int:
    """What a line and its end take in JSON."""
    return len(line.encode()) + 5 * line.count("\x1b") + line.count('"') + line.count("\\") + 4


def _ansi(terminal: Terminal, row: Row) -> str:
    """A row's text with its styles; cells never written at its end are left out unless they have a colour."""
    end = row.extent()
    if not row.styles.strip(DEFAULT):
        return row.characters(0, end)
    parts: list[str] = []
    styled = False
    for run in _RUN.finditer(row.styles[:end].ljust(end, DEFAULT)):
        opening = terminal.opening(run[1])  # begins with a reset, which also ends the run before
        parts += opening or RESET * styled, row.characters(run.start(), run.end())
        styled = bool(opening)
    return "".join(parts) + RESET * styled
