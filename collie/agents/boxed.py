"""Dialogs that an agent draws in a rounded box, with numbered options at their end: Copilot, Gemini.

An option whose label takes several rows may stand one column further left, and goes on in the column of its number.
"""

import re
from collections.abc import Sequence

from collie.agents import decisions, menu
from collie.agents.facts import Decision, Dialog, DialogType, Option, Rows
from collie.agents.menu import Entry, NotUnderstood
from collie.screen.cells import Screen
from collie.screen.regions import Box, box_ending_at, indent_of, last_row
from collie.screen.wrap import join_label, join_lines

SHELL_QUESTION = "Do you want to run this command?"

_SIDE = 2
"""A side of the box and the blank beside it."""

_LABEL_AT = menu.MARK_WIDTH + menu.NUMBER_WIDTH
_SHIFTED = re.compile(r"(?P<mark>\S| )(?P<option>[1-9]\. \S.*)")
_NUMBERED = re.compile(r"(?:\S |  )[1-9]\. \S.*")


def read_boxed(screen: Screen, *, mark: str, hint: str) -> Dialog | None:
    """The dialog in the box that ends the screen, or None.

    `hint` begins the row of key hints in the box's last row; "" when the kind draws none.
    """
    lines = screen.lines
    box = box_ending_at(lines, last_row(lines), may_be_cut=True)
    if box is None:
        return None
    inner = [*box.inner]
    end = last_row(inner)
    if hint:
        if end < 0 or not inner[end].startswith(hint):
            return None
        end = last_row(inner[:end])
    title = next((line for line in inner if line), "") if box.whole else ""
    inner = _straightened(inner, end)
    try:
        entries = menu.numbered(inner, end, indent=0, mark=mark)
        cursor = menu.cursor_of(entries)
    except NotUnderstood as problem:
        return _unreadable(box, title, str(problem)) if hint else None
    room = len(lines[box.last].strip()) - 2 * _SIDE - _LABEL_AT
    options = [_option(inner, entry, room, box.first + 1) for entry in entries]
    text = inner[: entries[0].rows.first]
    question = next((line for line in reversed(text) if line), "")
    borne = decisions.decide([option.label for option in options])
    return Dialog(
        type=_type(title, borne),
        readable=True,
        complete=box.whole,
        title=title,
        options=tuple(options),
        cursor=cursor,
        region=Rows(first=_first_seen(box), last=box.first + 1 + entries[-1].rows.last),
        body="\n".join(text).strip("\n"),
        decisions=borne if box.whole else (),
        command=_boxed_text(text) if question == SHELL_QUESTION else None,
    )


def _type(title: str, borne: tuple[tuple[Decision, int], ...]) -> DialogType:
    if "trust" in title.lower():
        return DialogType.TRUST
    return DialogType.PERMISSION if borne else DialogType.OTHER


def _unreadable(box: Box, title: str, why: str) -> Dialog:
    return Dialog(
        type=DialogType.OTHER,
        readable=False,
        complete=box.whole,
        why=why,
        title=title,
        options=(),
        cursor=None,
        region=Rows(first=_first_seen(box), last=box.last),
        body="\n".join(box.inner).strip("\n"),
    )


def _first_seen(box: Box) -> int:
    return box.first if box.whole else box.first + 1


def _straightened(inner: Sequence[str], end: int) -> list[str]:
    """The rows of the box, with all options up to row `end` where those of one row stand."""
    lines = [*inner]
    row = end
    while row >= 0 and lines[row]:
        line = lines[row]
        shifted = _SHIFTED.fullmatch(line)
        if shifted:
            lines[row] = f"{shifted['mark']} {shifted['option']}"
        elif 0 < indent_of(line) < _LABEL_AT and not _NUMBERED.fullmatch(line):
            lines[row] = " " * _LABEL_AT + line.lstrip()
        row -= 1
    return lines


def _option(inner: Sequence[str], entry: Entry, room: int, offset: int) -> Option:
    label = join_label([entry.label, *entry.continuation(inner)], room)
    return Option(label=label, rows=Rows(first=entry.rows.first + offset, last=entry.rows.last + offset))


def _boxed_text(lines: list[str]) -> str | None:
    """The text of the box within the box, which holds the command."""
    for row in range(len(lines) - 1, -1, -1):
        box = box_ending_at(lines, row)
        if box is not None:
            return join_lines(box.inner, len(lines[row]) - 2 * _SIDE)
    return None
