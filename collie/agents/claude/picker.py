"""Settings menus and slash command panels: they grant nothing, so they are shown and never block.

They stand below `▔▔▔` (or, at start, below a rule) and share no shape but this: a title in the first row, `❯` in column
2 before the row under the cursor, labels two columns further, or four where ticks or bullets come first. What is muted
(the colour of the key hints) or bold in these columns is a description or a heading.
"""

import re
from dataclasses import dataclass

from collie.agents.claude.page import Page
from collie.agents.facts import Dialog, DialogType, Option, Rows
from collie.agents.menu import CURSOR, RIGHT_MARGIN
from collie.screen.cells import Colour, Style
from collie.screen.regions import indent_of
from collie.screen.wrap import join_words

INDENT = 2
LABEL_AT = 4
TICK_WIDTH = 2

_MARKED = " " * INDENT + f"{CURSOR} "
_SEARCH_BOX = " " * INDENT + "│ ⌕"
_MARKS = (f"{CURSOR} ", "↓ ", "↑ ", "  ")
_TICK = re.compile(r"[●◯○◉✔✘✗⚠△◼◻] ")
_NUMBER = re.compile(r"[1-9][0-9]?\. ")
_MORE = re.compile(r"[↓↑] \d+ more\b.*")
_CELLS = re.compile(r" {2,}")
_SLIDER = re.compile(r" +(?P<track>─+▲─+)(?: .*)?")
_CHOSEN = " ✔"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Row:
    label: str
    row: int
    marked: bool
    style: Style
    mark_style: Style


def read_picker(page: Page, top: int) -> Dialog:
    """Reads the panel below row `top`; only the rows that are visible are options."""
    inner = Rows(first=top + 2, last=_above_hints(page, top))
    slider = _slider(page, inner)
    found = [] if slider else _rows(page, inner)
    options, cursor = slider or (
        tuple(Option(label=row.label, rows=Rows(first=row.row, last=row.row)) for row in found),
        _cursor(found, _muted(page, inner)),
    )
    return Dialog(
        type=DialogType.PICKER,
        readable=True,
        title=_CELLS.split(page.lines[top + 1].strip())[0],
        options=options,
        cursor=cursor,
        region=Rows(first=top, last=page.floor),
        body=page.body(Rows(first=top + 1, last=page.floor), indent=INDENT),
    )


def has_search_box(page: Page, top: int) -> bool:
    """Whether a box to search in stands below row `top`, as in the list of sessions at start and in the history."""
    return any(line.startswith(_SEARCH_BOX) for line in page.lines[top + 1 : page.floor])


def _above_hints(page: Page, top: int) -> int:
    """The last row above the key hints, which are the last paragraph unless options are."""
    row = page.floor
    while row > top and page.lines[row]:
        row -= 1
    has_options = any(line.startswith(_MARKED) for line in page.lines[row + 1 : page.floor + 1])
    return page.floor if has_options or row == top else row


def _rows(page: Page, rows: Rows) -> list[_Row]:
    lines = page.lines
    marked = [row for row in range(rows.first, rows.last + 1) if lines[row].startswith(_MARKED)]
    if not marked:
        return []
    ticked = any(_TICK.match(lines[row][LABEL_AT:]) for row in marked)
    found = [_row(page, row, ticked) for row in range(rows.first, rows.last + 1)]
    muted = _muted(page, rows)
    return [row for row in found if row and (row.marked or not (row.style.bold or _is_muted(row.style, muted)))]


def _muted(page: Page, rows: Rows) -> Colour:
    """The colour of the key hints, None where none are shown or no colour was read."""
    return page.screen.rows[page.floor].style_at(INDENT).foreground if rows.last < page.floor else None


def _is_muted(style: Style, muted: Colour) -> bool:
    return muted is not None and style.foreground == muted


def _row(page: Page, row: int, ticked: bool) -> _Row | None:
    """A row that has a label where options have theirs, or None."""
    line = page.lines[row]
    rest = line[LABEL_AT:]
    if line[:INDENT].strip() or line[INDENT:LABEL_AT] not in _MARKS or not rest or _MORE.match(rest):
        return None
    at = LABEL_AT
    if ticked:
        if not _TICK.match(rest) and rest[:TICK_WIDTH].strip():
            return None
        at += TICK_WIDTH
    number = _NUMBER.match(line[at:])
    at += number.end() if number else 0
    if at >= len(line) or line[at] == " ":
        return None
    return _Row(
        label=_label(page, row, at) if number else _CELLS.split(line[at:])[0].removesuffix(_CHOSEN),
        row=row,
        marked=line[INDENT] == CURSOR,
        style=page.screen.rows[row].style_at(at),
        mark_style=page.screen.rows[row].style_at(INDENT),
    )


def _label(page: Page, row: int, at: int) -> str:
    """A numbered label; one without a second column may go on below, in its own column."""
    cells = _CELLS.split(page.lines[row][at:])
    texts = [cells[0].removesuffix(_CHOSEN)]
    while len(cells) == 1 and row < page.floor and indent_of(page.lines[row + 1]) == at:
        row += 1
        texts.append(page.lines[row].strip())
    return join_words(texts, page.width - at - RIGHT_MARGIN)


def _cursor(rows: list[_Row], muted: Colour) -> int | None:
    """The marked row; of several marks that which is not muted."""
    marked = [index for index, row in enumerate(rows) if row.marked]
    if len(marked) > 1:
        marked = [index for index in marked if not _is_muted(rows[index].mark_style, muted)]
    return marked[0] if len(marked) == 1 else None


def _slider(page: Page, rows: Rows) -> tuple[tuple[Option, ...], int] | None:
    """The steps of a slider such as that of `/effort`, and the one under its mark."""
    for row in range(rows.first, rows.last):
        track = _SLIDER.fullmatch(page.lines[row])
        if track is None:
            continue
        start, end = track.span("track")
        mark = page.lines[row].index("▲")
        words = [word for word in re.finditer(r"\S+(?: \S+)*", page.lines[row + 1]) if start <= word.start() < end]
        if words:
            nearest = min(range(len(words)), key=lambda at: abs(sum(words[at].span()) / 2 - mark))
            at_row = Rows(first=row + 1, last=row + 1)
            return tuple(Option(label=word.group(), rows=at_row) for word in words), nearest
    return None
