"""Dialogs that an agent draws in a rounded box, with numbered options at their end: Copilot, Gemini."""

from collie.agents import decisions, menu
from collie.agents.facts import Decision, Dialog, DialogType, Option, Rows
from collie.agents.menu import NotUnderstood
from collie.screen.cells import Screen
from collie.screen.regions import Box, box_ending_at, last_row
from collie.screen.wrap import join_lines

SHELL_QUESTION = "Do you want to run this command?"

_SIDE = 2
"""A side of the box and the blank beside it."""


def read_boxed(screen: Screen, *, mark: str, hint: str) -> Dialog | None:
    """The dialog in the box that ends the screen, or None.

    `hint` begins the row of key hints in the box's last row; "" when the kind draws none.
    """
    lines = screen.lines
    box = box_ending_at(lines, last_row(lines))
    if box is None:
        return None
    inner = [*box.inner]
    end = last_row(inner)
    if hint:
        if end < 0 or not inner[end].startswith(hint):
            return None
        end = last_row(inner[:end])
    title = next((line for line in inner if line), "")
    try:
        entries = menu.numbered(inner, end, indent=0, mark=mark)
        cursor = menu.cursor_of(entries)
    except NotUnderstood as problem:
        return _unreadable(box, title, str(problem)) if hint else None
    width = len(lines[box.last].strip())
    options = [menu.whole_option(inner, entry, width=width - 2 * _SIDE) for entry in entries]
    text = inner[: entries[0].rows.first]
    question = next((line for line in reversed(text) if line), "")
    borne = decisions.decide([option.label for option in options])
    return Dialog(
        type=_type(title, borne),
        readable=True,
        title=title,
        options=tuple(_on_screen(option, box.first + 1) for option in options),
        cursor=cursor,
        region=Rows(first=box.first, last=box.first + 1 + entries[-1].rows.last),
        body="\n".join(text).strip("\n"),
        decisions=borne,
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
        why=why,
        title=title,
        options=(),
        cursor=None,
        region=Rows(first=box.first, last=box.last),
        body="\n".join(box.inner).strip("\n"),
    )


def _on_screen(option: Option, offset: int) -> Option:
    rows = Rows(first=option.rows.first + offset, last=option.rows.last + offset)
    return Option(label=option.label, rows=rows, detail=option.detail)


def _boxed_text(lines: list[str]) -> str | None:
    """The text of the box within the box, which holds the command."""
    for row in range(len(lines) - 1, -1, -1):
        box = box_ending_at(lines, row)
        if box is not None:
            return join_lines(box.inner, len(lines[row]) - 2 * _SIDE)
    return None
