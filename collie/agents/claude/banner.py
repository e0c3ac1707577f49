"""The pill over the last row of a transcript that was scrolled up (specs: claude-code 3, daemon-behaviour 14.1)."""

import re
from collections.abc import Iterator
from itertools import groupby

from collie.agents.claude.page import Page
from collie.screen.cells import Row
from collie.screen.regions import indent_of
from collie.screen.width import text_width

WAITING = "Waiting for your answer"
"""The dialog and the input box are then hidden below, and keys reach the dialog unseen."""

_LABEL = rf"(?P<label>Jump to bottom|\d+ new messages?|{WAITING})"
_HINT = r"(?: ↓| \([^)]*\) ↓|: \S+ to scroll)"
_PILL = re.compile(rf" {_LABEL}{_HINT}? ?")
_IN_TEXT = re.compile(rf" {_LABEL}{_HINT}(?: |\Z)")

MAX_OFF_CENTRE = 1.0
"""Columns between the pill's middle and the screen's."""

_HINT_SHARE = 0.4
"""Rows that begin further right than this share of the width are hints above the box (`◐ medium · /effort`)."""


def read_banner(page: Page) -> str | None:
    """The label of the pill, or None when the transcript is not scrolled up."""
    bottom = page.box.first if page.box else len(page.lines)
    for row in range(bottom - 1, -1, -1):
        line = page.lines[row]
        is_hint = page.box is not None and indent_of(line) > page.width * _HINT_SHARE and "↓" not in line
        if line and not is_hint:
            return _label_in(page, page.screen.rows[row])
    return None


def _label_in(page: Page, row: Row) -> str | None:
    for start, text in _shaded(row) if page.screen.styled else [(0, row.text)]:
        found = _PILL.fullmatch(text) if page.screen.styled else _IN_TEXT.search(text)
        if found is not None:
            before = text_width(row.text[: start + found.start()])
            if _is_centred(page, before + text_width(found.group().rstrip() + " ") / 2):
                return found["label"]
    return None


def _is_centred(page: Page, middle: float) -> bool:
    """Whether a pill's middle is the screen's; of a screen of unknown width no row may be wider than that tells."""
    if page.screen.columns is None and not page.rules:
        return page.width <= 2 * (middle + MAX_OFF_CENTRE)
    return abs(middle - page.width / 2) <= MAX_OFF_CENTRE


def _shaded(row: Row) -> Iterator[tuple[int, str]]:
    """The stretches of a row with one background, and where each begins."""
    start = 0
    for background, runs in groupby(row.runs, key=lambda run: run.style.background):
        text = "".join(run.text for run in runs)
        if background is not None:
            yield start, text
        start += len(text)
