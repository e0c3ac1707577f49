"""The parts of a permission dialog, from its rule to its question, told apart by its dashed rules."""

import re
from dataclasses import dataclass

from collie.agents.claude.page import Page
from collie.agents.facts import Rows
from collie.agents.menu import RIGHT_MARGIN, NotUnderstood
from collie.screen.regions import indent_of
from collie.screen.wrap import join_words

INDENT = 1
OFF_SCREEN = -1
"""The row of a rule that scrolled away."""

MAX_QUESTION_ROWS = 6

_FOLDED = re.compile(r" \(ctrl\+o to expand\b.*\)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The rows of a permission dialog. `header` stands above the dashed rules, `content` between them, `reason` below.

    Each is None when it has no rows; `header` also when the dialog's top is off the screen.
    """

    header: Rows | None
    content: Rows | None
    reason: Rows | None
    question: Rows


def split(page: Page, top: int, last: int) -> Parts:
    """Parts the rows between the dialog's rule and its first option, the last of which is `last`.

    Raises:
        NotUnderstood: The dashed rules are not paired, or a row stands where no dialog has one.
    """
    question = _question_rows(page, last)
    above = range(top + 1, question.first)
    dashes = [row for row in above if page.is_dashes(row)]
    if any(page.lines[row] and indent_of(page.lines[row]) < INDENT for row in above if row not in dashes):
        raise NotUnderstood("a row of the dialog stands at the screen's edge")
    if top == OFF_SCREEN:
        if len(dashes) not in (1, 2):
            raise NotUnderstood("the dialog's top is off the screen")
        dashes = [OFF_SCREEN, *dashes][-2:]
    elif len(dashes) not in (0, 2) or not page.lines[top + 1]:
        raise NotUnderstood("the rules around what is asked for are not paired")
    opening, closing = dashes or (question.first, question.first - 1)
    return Parts(
        header=None if top == OFF_SCREEN else _rows(top + 1, opening - 1),
        content=_rows(opening + 1, closing - 1),
        reason=_rows(closing + 1, question.first - 1),
        question=question,
    )


def is_folded(page: Page, rows: Rows | None) -> bool:
    """Whether the last of these rows says that more of the text is shown only on demand."""
    return rows is not None and any(
        _FOLDED.fullmatch(line) for line in page.lines[max(rows.first, rows.last - 1) : rows.last + 1]
    )


def question_of(page: Page, rows: Rows) -> str:
    """The question, which must be one.

    Raises:
        NotUnderstood: What stands above the options asks nothing.
    """
    texts = page.texts(rows, indent=INDENT)
    question = join_words(texts, page.width - INDENT - RIGHT_MARGIN)
    if not question.endswith("?"):
        raise NotUnderstood(f"what stands above the options is no question: {question[-40:]}")
    return question


def _question_rows(page: Page, last: int) -> Rows:
    first = last + 1
    while first > 0 and last - first < MAX_QUESTION_ROWS and indent_of(page.lines[first - 1]) == INDENT:
        first -= 1
    if first > last:
        raise NotUnderstood("no question stands right above the options")
    return Rows(first=first, last=last)


def _rows(first: int, last: int) -> Rows | None:
    return Rows(first=first, last=last) if first <= last else None
