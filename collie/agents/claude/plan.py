"""The approval of a plan (specs: claude-code 3): inline below a rule, in fullscreen two columns further in below `▔▔▔`.

A rule (none in fullscreen when rows are few), "Ready to code?", the plan between dashed rules, a rule, the question,
three options, the key hints. In fullscreen a plan longer than the screen scrolls inside the dialog; inline its first
rows leave the screen. The last option is a field for feedback.
"""

import re

from collie.agents import menu
from collie.agents.claude.field import open_field
from collie.agents.claude.footer import read_footer
from collie.agents.claude.page import Page
from collie.agents.claude.parts import OFF_SCREEN
from collie.agents.facts import Dialog, DialogType, Option, Rows, TextField
from collie.agents.menu import NotUnderstood

FULLSCREEN_INDENT = 2
FEEDBACK = "Tell Claude what to change"
FEEDBACK_HINT = "shift+tab to approve with this feedback"

TITLE = "Ready to code?"
QUESTION_START = "Claude has written up a plan"

_QUESTION = re.compile(rf"{QUESTION_START}.*\?")
_MORE_BELOW = re.compile(r".* [↓↑]")


def plan_title(page: Page, top: int, *, indent: int) -> int | None:
    """The row of the plan's title below row `top`, or None when something else stands there."""
    row = top + 1
    while row < page.floor and (not page.lines[row] or page.is_rule(row, indent=indent)):
        row += 1
    return row if page.line(row) == " " * (indent + 1) + TITLE else None


def asks_about_plan(page: Page, rule: int) -> bool:
    """Whether the row below a rule begins a plan's question."""
    return page.line(rule + 1).startswith(f" {QUESTION_START}")


def read_plan(page: Page, title: int, last_rule: int, *, indent: int) -> Dialog:
    """Reads the plan from its title in row `title` to the rule `last_rule`, and the options below.

    `title` is OFF_SCREEN when the plan's first rows left the screen.

    Raises:
        NotUnderstood: Its shape is not known whole.
    """
    at = indent + 1
    footer = read_footer(page, indent=at, starts=("ctrl+g to edit", "Esc to cancel"))
    entries = menu.numbered(page.lines, footer.above, indent=at)
    cursor = menu.cursor_of(entries)
    options = tuple(_option(page, entry) for entry in entries)
    question = Rows(first=last_rule + 1, last=entries[0].rows.first - 1)
    if not _QUESTION.fullmatch(" ".join(line.strip() for line in page.texts(question, indent=at)).strip()):
        raise NotUnderstood("no question about a plan stands above the options")
    top = max(title, 0)
    return Dialog(
        type=DialogType.PLAN,
        readable=True,
        complete=title != OFF_SCREEN and not footer.hidden,
        title=TITLE if title != OFF_SCREEN else "",
        options=options,
        cursor=cursor,
        region=Rows(first=top, last=entries[-1].rows.last),
        body=page.body(Rows(first=top, last=question.last), indent=at),
        scrolled=_is_scrolled(page, Rows(first=top, last=last_rule), indent),
        field=_field(page, entries[cursor], options[cursor], cursor),
    )


def _option(page: Page, entry: menu.Entry) -> Option:
    """An option; the feedback row has a hint below it, which is not part of what is typed there."""
    if page.lines[entry.rows.last].strip() != FEEDBACK_HINT:
        return menu.whole_option(page.lines, entry, width=page.width)
    without = Rows(first=entry.rows.first, last=entry.rows.last - 1)
    label = menu.whole_option(page.lines, entry.over(without), width=page.width).label
    return Option(label=label, rows=entry.rows, detail=FEEDBACK_HINT)


def _field(page: Page, entry: menu.Entry, option: Option, cursor: int) -> TextField | None:
    """The feedback row takes what is typed whenever the cursor is on it."""
    if not option.detail:
        return None
    field = open_field(page, entry, option.label)
    empty = option.label == FEEDBACK or (field is not None and not field.text)
    return TextField(option=cursor, text="" if empty else option.label)


def _is_scrolled(page: Page, rows: Rows, indent: int) -> bool:
    """Whether the plan has rows that are not shown: an arrow at its right edge, or a dashed rule that is missing."""
    dashes = [row for row in range(rows.first, rows.last + 1) if page.is_dashes(row, indent=indent)]
    edge = page.width - indent
    return len(dashes) < 2 or any(
        _MORE_BELOW.fullmatch(line) and len(line) >= edge - 2 for line in page.lines[rows.first : rows.last + 1]
    )
