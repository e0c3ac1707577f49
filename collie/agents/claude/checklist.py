"""The startup question that lists several things to tick, such as the servers of a `.mcp.json`.

A heading, a text, rows with ticks, a row without one that confirms them, and the key hints right below, one column
further left than all else (Claude Code 2.1.332).
"""

import re

from collie.agents.claude.footer import read_footer
from collie.agents.claude.form import heading
from collie.agents.claude.page import Page
from collie.agents.facts import Dialog, DialogType, Option, Rows
from collie.agents.menu import NotUnderstood
from collie.screen.regions import last_row

INDENT = 2
HINT = "Space to select"

_ROW = re.compile(r"  (?P<mark>❯ |  )\[(?P<tick>[ ✔])\] (?P<label>\S.*)")
_CONFIRM = re.compile(r"  (?P<mark>❯ |  ) {3}(?P<label>\S.*)")


def is_checklist(page: Page) -> bool:
    """Whether the lowest row holds the key hints of such a question."""
    return page.lines[page.floor].startswith(" " * (INDENT - 1) + HINT)


def read_checklist(page: Page, top: int) -> Dialog:
    """Reads the question below the rule in row `top`.

    Raises:
        NotUnderstood: Its shape is not known whole.
    """
    last = read_footer(page, indent=INDENT - 1, starts=(HINT,)).above
    confirm = _CONFIRM.fullmatch(page.lines[last])
    first = last
    while _ROW.fullmatch(page.lines[first - 1]):
        first -= 1
    rows = [found for found in map(_ROW.fullmatch, page.lines[first:last]) if found]
    if confirm is None or not rows or page.lines[first - 1]:
        raise NotUnderstood("the list to tick is not shown whole")
    marks = [found["mark"] != "  " for found in (*rows, confirm)]
    if marks.count(True) != 1:
        raise NotUnderstood(f"{marks.count(True)} rows are marked, where one must be")
    text = Rows(first=top + 1, last=last_row(page.lines[:first]))
    return Dialog(
        type=DialogType.STARTUP,
        readable=True,
        title=heading(page, text, INDENT),
        options=tuple(
            Option(label=found["label"], rows=Rows(first=row, last=row))
            for row, found in enumerate((*rows, confirm), first)
        ),
        cursor=marks.index(True),
        region=Rows(first=top, last=last),
        body=page.body(text, indent=INDENT),
        ticked=tuple(index for index, found in enumerate(rows) if found["tick"] != " "),
    )
