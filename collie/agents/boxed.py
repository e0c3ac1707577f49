"""Dialogs that an agent draws in a rounded box, with numbered options at their end: Copilot, Gemini."""

from collie.agents import decisions, menu
from collie.agents.facts import Dialog, DialogType, Option, Rows
from collie.agents.menu import NotUnderstood
from collie.screen.cells import Screen
from collie.screen.regions import box_ending_at, last_row
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
    try:
        entries = menu.numbered(inner, end, indent=0, mark=mark)
        cursor = menu.cursor_of(entries)
    except NotUnderstood:
        return None
    width = len(lines[box.last].strip())
    options = [menu.whole_option(inner, entry, width=width - 2 * _SIDE) for entry in entries]
    text = inner[: entries[0].rows.first]
    title = next((line for line in text if line), "")
    question = next((line for line in reversed(text) if line), "")
    is_trust = "trust" in title.lower()
    return Dialog(
        type=DialogType.TRUST if is_trust else DialogType.PERMISSION,
        readable=True,
        title=title,
        options=tuple(_on_screen(option, box.first + 1) for option in options),
        cursor=cursor,
        region=Rows(first=box.first, last=box.first + 1 + entries[-1].rows.last),
        body="\n".join(text).strip("\n"),
        decisions=decisions.decide([option.label for option in options]),
        command=_boxed_text(text) if question == SHELL_QUESTION else None,
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
