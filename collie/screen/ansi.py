"""Text with SGR -> a screen of rows and styled runs; every other escape is taken out (`sanitize`)."""

from dataclasses import replace

from collie.screen.cells import PLAIN, Colour, Row, Run, Screen, Style
from collie.screen.sanitize import tokens
from collie.screen.width import text_width

TAB_STOP = 8
"""Cells between tab stops; a host's reads hold no tabs, but a file given to `collie explain` may."""

_ON: dict[int, dict[str, bool]] = {
    1: {"bold": True},
    2: {"dim": True},
    3: {"italic": True},
    4: {"underline": True},
    5: {"blink": True},
    6: {"blink": True},
    7: {"inverse": True},
    8: {"invisible": True},
    9: {"strike": True},
    21: {"underline": True},
    22: {"bold": False, "dim": False},
    23: {"italic": False},
    24: {"underline": False},
    25: {"blink": False},
    27: {"inverse": False},
    28: {"invisible": False},
    29: {"strike": False},
}
_EXTENDED = {38: "foreground", 48: "background", 58: None}


def parse(text: str, columns: int | None = None) -> Screen:
    """Reads what a host gives for a pane, plain or with SGR; rows end in LF or CR LF.

    `columns` is the pane's width in cells, None when unknown. The screen counts as styled when any SGR was in it.
    """
    rows: list[Row] = []
    runs: list[Run] = []
    style, styled = PLAIN, False
    for printable, params in tokens(text):
        first, *others = printable.split("\n")
        _add(runs, first, style)
        for line in others:
            rows.append(_row(runs, style))
            runs = []
            _add(runs, line, style)
        if params is not None:
            style, styled = _apply(style, params), True
    rows.append(_row(runs, style))
    if not rows[-1].text:
        rows.pop()  # what ends in a line end has no row after it
    return Screen(rows=tuple(rows), columns=columns, styled=styled)


def _add(runs: list[Run], text: str, style: Style) -> None:
    text = text.replace("\r", "")
    if "\t" in text:
        text = _expand(text, sum(text_width(run.text) for run in runs))
    if not text:
        return
    if runs and runs[-1].style == style:
        runs[-1] = Run(text=runs[-1].text + text, style=style)
    else:
        runs.append(Run(text=text, style=style))


def _row(runs: list[Run], style: Style) -> Row:
    """A row; an inverse style that no character of it bears is kept as an empty last run.

    tmux cuts trailing blanks, so an inverse cell (a text cursor) at the end of a row is seen in that alone.
    """
    if style.inverse and not (runs and runs[-1].style.inverse):
        runs = [*runs, Run(text="", style=style)]
    return Row(text="".join(run.text for run in runs), runs=tuple(runs))


def _expand(text: str, column: int) -> str:
    parts: list[str] = []
    for part in text.split("\t"):
        column += text_width(part)
        blanks = TAB_STOP - column % TAB_STOP
        parts.append(part + " " * blanks)
        column += blanks
    return "".join(parts)[:-blanks]


def _apply(style: Style, params: str) -> Style:
    groups = [group.split(":") for group in params.split(";")]
    at = 0
    while at < len(groups):
        code, *sub = (int(value) if value else 0 for value in groups[at])
        at += 1
        if code in _EXTENDED:
            if sub:
                colour = _colour(sub[0], sub[2:] if sub[0] == 2 and len(sub) > 4 else sub[1:])
            else:
                rest = [int(group[0] or 0) for group in groups[at : at + 4]]
                mode = rest[0] if rest else 0
                colour, used = _colour(mode, rest[1:]), {2: 4, 5: 2}.get(mode, 1)
                at += used
            name = _EXTENDED[code]
            if name == "foreground":
                style = replace(style, foreground=colour)
            elif name == "background":
                style = replace(style, background=colour)
        elif code == 4 and sub:
            style = replace(style, underline=sub[0] != 0)
        else:
            style = _simple(style, code)
    return style


def _simple(style: Style, code: int) -> Style:
    if code == 0:
        return PLAIN
    if code in _ON:
        return replace(style, **_ON[code])
    if 30 <= code <= 37 or 90 <= code <= 97:
        return replace(style, foreground=code - 30 if code < 90 else code - 82)
    if 40 <= code <= 47 or 100 <= code <= 107:
        return replace(style, background=code - 40 if code < 100 else code - 92)
    if code == 39:
        return replace(style, foreground=None)
    if code == 49:
        return replace(style, background=None)
    return style


def _colour(mode: int, values: list[int]) -> Colour:
    """SGR 38, 48 and 58: mode 5 is a palette index, 2 is r, g, b; anything short or out of range is no colour."""
    if any(value > 255 for value in values[:3]):
        return None
    if mode == 5 and values:
        return values[0]
    if mode == 2 and len(values) >= 3:
        return (values[0], values[1], values[2])
    return None
