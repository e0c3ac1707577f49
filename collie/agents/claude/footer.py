"""The line of key hints that ends a dialog, and the count of rows that are off the screen above it."""

import re
from dataclasses import dataclass

from collie.agents.claude.page import Page
from collie.agents.facts import Rows
from collie.agents.menu import CURSOR, NotUnderstood
from collie.screen.regions import indent_of

MAX_FOOTER_ROWS = 4
"""`Esc to cancel · Tab to amend · ctrl+x ctrl+k twice to stop background agents` takes two rows in 60 columns."""

_MORE_ROWS = re.compile(r" *↑ (\d+) more lines?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Footer:
    """`rows` is None for a dialog without one; `above` is the last row above it that is not blank.

    `hidden` counts the rows that Claude Code says are off the screen.
    """

    text: str
    rows: Rows | None
    above: int
    hidden: int = 0

    @property
    def hints(self) -> tuple[str, ...]:
        return tuple(self.text.split(" · "))


def read_footer(page: Page, *, indent: int, starts: tuple[str, ...]) -> Footer:
    """The footer in the lowest rows at exactly `indent`, which begins with one of `starts`.

    Raises:
        NotUnderstood: It hangs on text, without a blank row or the count of hidden rows that parts them. (A terminal
            with few rows has no blank one there: but then options stand above, which are further right.)
    """
    last = row = page.floor
    while row >= 0 and last - row < MAX_FOOTER_ROWS and _may_be_hint(page.lines[row], indent):
        if page.lines[row][indent:].startswith(starts):
            return _footer(page, Rows(first=row, last=last))
        row -= 1
    return Footer(text="", rows=None, above=last)


def _may_be_hint(line: str, indent: int) -> bool:
    return bool(line) and indent_of(line) == indent and line[indent] != CURSOR


def _footer(page: Page, rows: Rows) -> Footer:
    text = " ".join(line.strip() for line in page.lines[rows.first : rows.last + 1])
    above = rows.first - 1
    more = _MORE_ROWS.fullmatch(page.lines[above]) if above >= 0 else None
    if above < 0:
        raise NotUnderstood("nothing stands above the key hints")
    if more or not page.lines[above]:
        return Footer(text=text, rows=rows, above=above - 1, hidden=int(more[1]) if more else 0)
    if indent_of(page.lines[above]) <= indent_of(page.lines[rows.first]) and CURSOR not in page.lines[above]:
        raise NotUnderstood("the key hints are not parted from the text above them")
    return Footer(text=text, rows=rows, above=above)
