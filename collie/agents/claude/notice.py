"""The notice above the input box whose options are digits, such as the survey (specs: daemon-behaviour 14.2)."""

import re

from collie.agents.claude.page import Page
from collie.agents.facts import NoticeOption
from collie.screen.regions import indent_of

INDENT = 2
MAX_MARGIN_ROWS = 3
MAX_CHOICES = 4
"""Digits 1 to 4 go over the wire; 0 dismisses."""

_CELL = re.compile(r"(\d): ([^:]+)")
_LEAD = re.compile(r"[✦●] \S.*")
_HINT_INDENT = 3
"""A row that stands further right than the options is a hint of the box below."""


def read_notice(page: Page) -> tuple[NoticeOption, ...]:
    """The options in screen order, none when no notice is shown or its shape is not known whole."""
    if page.box is None or not page.lines[page.box.first + 1].startswith("❯"):
        return ()
    row = _last_above(page, page.box.first)
    rows: list[int] = []
    options: list[NoticeOption] = []
    while row >= 0 and (cells := _cells(page.lines[row])):
        options = [*cells, *options]
        rows.append(row)
        row -= 1
    if not options or not _has_lead(page, row, options_top=rows[-1]) or not _counts(options):
        return ()
    return tuple(options)


def _last_above(page: Page, box: int) -> int:
    """The row above the box that is neither blank nor a hint, or -1."""
    blanks = 0
    for row in range(box - 1, -1, -1):
        line = page.lines[row]
        if not line:
            blanks += 1
        elif indent_of(line) < _HINT_INDENT:
            return row if blanks <= MAX_MARGIN_ROWS else -1
    return -1


def _cells(line: str) -> list[NoticeOption]:
    if indent_of(line) != INDENT:
        return []
    found = [_CELL.fullmatch(cell) for cell in re.split(r" {2,}", line.strip())]
    return [NoticeOption(digit=cell[1], label=cell[2]) for cell in found if cell] if all(found) else []


def _has_lead(page: Page, row: int, *, options_top: int) -> bool:
    """Whether the rows above the options lead up to `● text`; one blank row is allowed, right above the options."""
    for at in range(row, -1, -1):
        line = page.lines[at]
        if _LEAD.fullmatch(line):
            return True
        if not (indent_of(line) == INDENT if line else at == options_top - 1):
            return False
    return False


def _counts(options: list[NoticeOption]) -> bool:
    digits = [option.digit for option in options]
    choices = [str(number) for number in range(1, len(digits))]
    return 1 <= len(choices) <= MAX_CHOICES and digits == [*choices, "0"] and options[-1].label == "Dismiss"
