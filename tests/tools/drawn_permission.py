"""Draws a permission dialog as Claude Code does, around any command, for the tests of its reader."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from collie.screen.width import clip, text_width

LABELS = (
    "Yes",
    "Yes, and don’t ask again for: npm install *",
    "Yes, and switch to auto mode · auto mode handles these prompts for you",
    "No",
)
_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """What stands in the dialog. `above` is transcript, `name` the session's name on a rule below the footer."""

    command: str
    width: int = 100
    description: str = "Do it"
    reason: str = ""
    labels: Sequence[str] = LABELS
    cursor: int = 0
    above: Sequence[str] = ("❯ go", "", "● Working.", "")
    name: str = ""


def draw(drawing: Drawing) -> str:
    """The dialog as plain text."""
    width = drawing.width
    dashes = "╌" * width
    rows = [*drawing.above, "─" * width, " Bash command", *_gutter(drawing.description, width), dashes]
    rows += [*_gutter(drawing.command, width), dashes]
    rows += [*_gutter(drawing.reason, width), ""] if drawing.reason else []
    rows.append(" Do you want to proceed?")
    for index, label in enumerate(drawing.labels):
        mark = "❯" if index == drawing.cursor else " "
        first, *more = wrap(label, width - 7)
        rows += [f" {mark} {index + 1}. {first}", *(f"      {line}" for line in more)]
    rows += ["", " Esc to cancel · Tab to amend"]
    if drawing.name:
        rows.append(f"{'─' * (width - len(drawing.name) - 3)} {drawing.name} ─")
    return "\n".join(rows)


def wrap(text: str, width: int) -> list[str]:
    """`text` in rows of at most `width` cells, broken at blanks, and within words that are longer."""
    rows = [""]
    for word in text.split(" "):
        rest = word
        if rows[-1] and text_width(rows[-1]) + 1 + text_width(rest) > width:
            rows.append("")
        elif rows[-1]:
            rows[-1] += " "
        while text_width(rest) > width:
            head = clip(rest, width)
            rows[-1] += head
            rest = rest[len(head) :]
            rows.append("")
        rows[-1] += rest
    return rows


def _gutter(text: str, width: int) -> list[str]:
    """A text of several rows has a gutter; what a terminal would not print is shown as U+FFFD."""
    lines = [_CONTROLS.sub("\ufffd", line) for line in text.split("\n")]
    if len(lines) == 1 and text_width(lines[0]) <= width - 4:
        return [f" {lines[0]}"]
    return [f" │ {row}" for line in lines for row in wrap(line, width - 4)]
