"""The text field that the option under the cursor can be: a note on Yes or No, a pattern, free text.

Claude Code hides the terminal's cursor and draws its own as a reversed cell; a placeholder is dim behind it. What the
row says before the field has the colour of the mark `❯` (specs: claude-code 3). So an open field is certain only where
the colours were read, its known placeholders aside.
"""

from dataclasses import dataclass
from itertools import pairwise

from collie.agents.claude.page import Page
from collie.agents.facts import Rows
from collie.agents.menu import CURSOR, Entry
from collie.screen.cells import Colour, Row

AMENDABLE = ("Yes, ", "No, ")
"""What stands before a note; the decision is the first word's, whatever the note says."""

_ALWAYS_AMENDABLE = "No, "
"""A No can always take a note: with words behind it, and no hint to open a field, the field is open."""

_PLACEHOLDERS = {"Yes, and tell Claude what to do next": "Yes, ", "No, and tell Claude what to do differently": "No, "}


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenField:
    """`prefix` is the fixed text before the field, `text` what is typed in it ("" for its placeholder)."""

    prefix: str
    text: str


def open_field(page: Page, entry: Entry, label: str, *, can_open: bool = True) -> OpenField | None:
    """The field in the rows of `entry`, whose whole label is `label`; None when none is seen open.

    `can_open` says that the key hints offer to open it: so it is not open yet.
    """
    if label in _PLACEHOLDERS:
        return OpenField(prefix=_PLACEHOLDERS[label], text="")
    if not page.has_inverse(entry.rows):
        is_open = label.startswith(_ALWAYS_AMENDABLE) and not can_open
        return OpenField(prefix=_ALWAYS_AMENDABLE, text=label[len(_ALWAYS_AMENDABLE) :]) if is_open else None
    prefix = _prefix(page.row(entry.rows.first), entry, label)
    return OpenField(prefix=prefix, text="" if shows_placeholder(page, entry.rows) else label[len(prefix) :])


def shows_placeholder(page: Page, rows: Rows) -> bool:
    """Whether the reversed cell is followed by dim text, as a placeholder's first character is."""
    return any(
        run.style.inverse and following.style.dim
        for row in page.screen.rows[rows.first : rows.last + 1]
        for run, following in pairwise(row.runs)
    )


def _prefix(row: Row, entry: Entry, label: str) -> str:
    """The label's beginning in the mark's colour; without any colours, a beginning that is known."""
    colour = _mark_colour(row)
    if colour is None:
        return next((known for known in AMENDABLE if label.startswith(known)), "")
    prefix, column = "", 0
    for run in row.runs:
        end = column + len(run.text)
        if end > entry.label_at:
            if run.style.inverse or run.style.foreground != colour:
                break
            prefix += run.text[max(entry.label_at - column, 0) :]
        column = end
    return prefix


def _mark_colour(row: Row) -> Colour:
    return next((run.style.foreground for run in row.runs if CURSOR in run.text), None)
