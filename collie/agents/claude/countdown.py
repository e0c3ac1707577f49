"""The paragraph that counts down to an automatic refusal (specs: daemon-behaviour 12.5).

It changes each second, so it must not be part of what an answer is bound to. It is taken out only where Claude Code
draws it: as the last paragraph above the question, below the dashed rules, in exactly its words.
"""

import re

from collie.agents.claude.page import Page
from collie.agents.facts import Rows

MAX_ROWS = 3

_GUTTER = "│ "
_TEXT = re.compile(
    r"⚠ Claude Code will automatically deny this request in "
    r"(?:(?:0|[1-9]\d*):[0-5]\d|about [1-9]\d* (?:minute|second)s?)"
    r", to avoid blocking progress on an unattended session"
)


def countdown_rows(page: Page, reason: Rows | None) -> range:
    """The countdown's rows among those between call and question; none when there is no countdown."""
    if reason is None:
        return range(0)
    last = reason.last
    while last >= reason.first and not page.lines[last]:
        last -= 1
    first = last + 1
    while first > reason.first and page.lines[first - 1]:
        first -= 1
    text = " ".join(line.strip().removeprefix(_GUTTER) for line in page.lines[first : last + 1])
    return range(first, last + 1) if last - first < MAX_ROWS and _TEXT.fullmatch(text) else range(0)
