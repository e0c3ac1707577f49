"""What stands in the input box (specs: daemon-behaviour 13.1, claude-code 3)."""

from dataclasses import dataclass
from itertools import zip_longest

from collie.agents.claude.page import Page
from collie.agents.menu import CURSOR
from collie.screen.cells import Row
from collie.screen.wrap import join_lines

MAX_BYTES = 32_768
"""The longest draft the protocol carries (specs: phone-protocol 3.5)."""

_PROMPT_WIDTH = 2
_SIDE_WIDTH = 4
"""Columns of the box that no text takes: the prompt on the left, as much on the right."""

_OPAQUE = ("[Pasted text #", "[Image #", "[...Truncated text #", "[✦ Team setup guide #", "[⧉ ")
"""What Claude Code shows in place of something that it holds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """`text` is "" for an empty box or a placeholder; `rows` are the box's inner rows, over which keys move.

    `opaque` means that the box holds what its text does not say: a paste, an image, a shell command to run.
    """

    text: str
    rows: int
    opaque: bool = False


def read_draft(page: Page) -> Draft | None:
    """The draft in the input box, or None when no box is shown."""
    if page.box is None:
        return None
    rows = page.screen.rows[page.box.first + 1 : page.box.last]
    shown = "\n".join(row.text for row in rows)
    texts = [_typed(row) for row in rows]
    text = join_lines([text[_PROMPT_WIDTH:] for text in texts], page.width - _SIDE_WIDTH)
    text = "\n".join(line.rstrip() for line in text.split("\n")).rstrip()
    return Draft(
        text=text.encode()[:MAX_BYTES].decode(errors="ignore"),
        rows=len(rows),
        opaque=not shown.startswith(CURSOR) or any(mark in shown for mark in _OPAQUE),
    )


def _typed(row: Row) -> str:
    """A row without its dim text, which nobody typed: placeholders and suggestions."""
    kept = ""
    for run, following in zip_longest(row.runs, row.runs[1:]):
        starts_placeholder = run.style.inverse and following is not None and following.style.dim
        if not run.style.dim and not starts_placeholder:
            kept += run.text
    return kept
