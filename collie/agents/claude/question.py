"""AskUserQuestion: one question, a form of several, its review page (specs: claude-code 3).

A rule, the header (one question) or the row of tabs, the question, the options in column 0, another rule with "Chat
about this" below it, the key hints. In a multiple choice a row without a number (`Submit`, `Next`) follows the options.
"""

import re

from collie.agents import menu
from collie.agents.claude.choices import Choices, read_choices
from collie.agents.claude.field import shows_placeholder
from collie.agents.claude.footer import read_footer
from collie.agents.claude.page import Page
from collie.agents.claude.parts import OFF_SCREEN
from collie.agents.facts import Dialog, DialogType, Option, Rows, TextField
from collie.agents.menu import RIGHT_MARGIN, NotUnderstood
from collie.screen.wrap import join_lines

REVIEW_TITLE = "Review your answers"
REVIEW_OPTIONS = ("Submit answers", "Cancel")
FREE_TEXT = ("Type something.", "Type something")

_GUTTER = "│ "
_HEADER = re.compile(r" [☐☒] \S.*")
_TABS = re.compile(r"←  (?P<tabs>.*\S) +→")
_NEXT_TAB = re.compile(r" +(?=[☐☒✔] )")
_TAB = re.compile(r"[☐☒✔] (?P<label>\S.*)")
_CHAT = re.compile(r"(?P<mark>❯ |  )(?:(?P<number>[1-9])\. )?(?P<label>Chat about this)")


def is_question(page: Page, top: int) -> bool:
    """Whether the row below the rule `top` is a question's header or its tabs."""
    line = page.line(top + 1)
    return _HEADER.fullmatch(line) is not None or line.startswith("←  ")


def is_chat_row(line: str) -> bool:
    """Whether a row is the one that ends every question's options."""
    return _CHAT.fullmatch(line) is not None


def read_question(page: Page, top: int, chat_rule: int) -> Dialog:
    """Reads the question between the rules `top` and `chat_rule`, and "Chat about this" below them.

    `top` is OFF_SCREEN when the question is taller than the screen; its header and text are then not known.

    Raises:
        NotUnderstood: Its shape is not known whole.
    """
    chat_row = chat_rule + 1
    footer = read_footer(page, indent=0, starts=("Enter to select",))
    chat = _CHAT.fullmatch(page.lines[chat_row])
    if chat is None or footer.rows is None or footer.above != chat_row:
        raise NotUnderstood("the question's last rows are off the screen")
    header = max(top + 1, 0)
    choices = read_choices(page, Rows(first=header, last=chat_rule - 1))
    if chat["number"] not in (None, str(choices.numbered + 1)):
        raise NotUnderstood("the options are not counted through")
    options = (*choices.options, Option(label=chat["label"], rows=Rows(first=chat_row, last=chat_row)))
    marks = (*choices.marks, chat["mark"] != "  ")
    if marks.count(True) != 1:
        raise NotUnderstood(f"{marks.count(True)} options are marked, where one must be")
    cursor = marks.index(True)
    is_complete = top != OFF_SCREEN and not footer.hidden
    free_text = choices.numbered - 1 if chat["number"] else None
    return Dialog(
        type=DialogType.QUESTION,
        readable=True,
        complete=is_complete,
        title=_title(page, Rows(first=top + 2, last=options[0].rows.first - 1)) if is_complete else "",
        options=options,
        cursor=cursor,
        region=Rows(first=max(top, 0), last=chat_row),
        body=page.body(Rows(first=header, last=options[0].rows.first - 1), indent=0),
        ticked=choices.ticked,
        field=_field(page, choices, options[cursor], cursor, free_text),
        pages=_pages(page, top) if is_complete else (),
    )


def read_review(page: Page, top: int) -> Dialog:
    """Reads the page before a form is sent; it has no key hints.

    Raises:
        NotUnderstood: Its shape is not known whole.
    """
    entries = menu.numbered(page.lines, page.floor, indent=0)
    labels = tuple(entry.label for entry in entries)
    first = entries[0].rows.first
    title = next((line for line in page.lines[top + 2 : first] if line), "")
    if labels != REVIEW_OPTIONS or title != REVIEW_TITLE or page.lines[first - 1]:
        raise NotUnderstood("this page of the form is not known")
    return Dialog(
        type=DialogType.QUESTION,
        readable=True,
        title=REVIEW_TITLE,
        options=tuple(Option(label=entry.label, rows=entry.rows) for entry in entries),
        cursor=menu.cursor_of(entries),
        region=Rows(first=top, last=page.floor),
        body=page.body(Rows(first=top + 1, last=first - 1), indent=0),
        pages=_pages(page, top),
    )


def _title(page: Page, rows: Rows) -> str:
    lines = list(page.lines[rows.first : rows.last + 1])
    while lines and not lines[0]:
        del lines[0]
    while lines and not lines[-1]:
        del lines[-1]
    if not lines or any(line.startswith(" ") for line in lines):
        raise NotUnderstood("no question stands above the options")
    gutter = len(_GUTTER) if all(line.startswith(_GUTTER.rstrip()) for line in lines) else 0
    return join_lines([line[gutter:] for line in lines], page.width - gutter - RIGHT_MARGIN)


def _field(page: Page, choices: Choices, option: Option, cursor: int, free_text: int | None) -> TextField | None:
    """The row of free text takes what is typed whenever the cursor is on it; notes only once they were opened."""
    if cursor == free_text:
        empty = option.label in FREE_TEXT or shows_placeholder(page, option.rows)
        return TextField(option=cursor, text="" if empty else option.label)
    if choices.notes is not None:
        return TextField(option=cursor, text=choices.notes)
    return None


def _pages(page: Page, top: int) -> tuple[str, ...]:
    """The tabs' labels, none for a single question without a form."""
    line = page.lines[top + 1]
    if _HEADER.fullmatch(line):
        return ()
    tabs = _TABS.fullmatch(line)
    found = [_TAB.fullmatch(tab) for tab in _NEXT_TAB.split(tabs["tabs"])] if tabs else [None]
    if not all(found):
        raise NotUnderstood("the form's tabs are not shown whole")
    return tuple(tab["label"] for tab in found if tab)
