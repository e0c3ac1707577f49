"""Dialogs of a heading, a text and options, without what a permission has: trust, startup questions, warnings.

They stand below a rule (startup) or below `▔▔▔` (`/add-dir`); most have no numbers, and the safe choice is under the
cursor (specs: claude-code 3). Older versions numbered them.
"""

from collections.abc import Sequence

from collie.agents import decisions, menu
from collie.agents.claude.footer import read_footer
from collie.agents.claude.page import Page
from collie.agents.facts import Decision, Dialog, DialogType, Option, Rows
from collie.agents.menu import NotUnderstood
from collie.screen.regions import indent_of, last_row
from collie.screen.wrap import join_words, separator

CONFIRM = "Enter to confirm"
MAX_INDENT = 3

STAY_IN_AUTO_MODE = "Enter to stay in auto mode"
STAY_IN_AUTO_MODE_WHY = (
    "no option rows: it is answered by keys that its footer names "
    "(Enter stays in auto mode, shift+Tab leaves it, Esc cancels)"
)

_TRUST_WORDS = ("trust this folder", "one you trust?", "do you trust the files in this folder")


def read_form(page: Page, top: int) -> Dialog:
    """Reads the form below row `top`; its text stands at the indent of its first row.

    Raises:
        NotUnderstood: Its shape is not known whole.
    """
    indent = indent_of(page.lines[top + 1])
    if not 1 <= indent <= MAX_INDENT:
        raise NotUnderstood("no heading stands below the rule")
    footer = read_footer(page, indent=indent, starts=(CONFIRM,))
    entries = _entries(page, footer.above, indent)
    options = tuple(menu.whole_option(page.lines, entry, width=page.width) for entry in entries)
    text = Rows(first=top + 1, last=last_row(page.lines[: options[0].rows.first]))
    paragraphs = " ".join(page.texts(text, indent=indent))
    is_trust = _speaks_of_trust(paragraphs, options)
    if is_trust and (footer.rows is None or not _all_decide(options)):
        raise NotUnderstood("the options of the trust question are not all known")
    return Dialog(
        type=DialogType.TRUST if is_trust else DialogType.STARTUP,
        readable=True,
        title=heading(page, text, indent),
        options=options,
        cursor=menu.cursor_of(entries),
        region=Rows(first=top, last=options[-1].rows.last),
        body=page.body(text, indent=indent),
        decisions=decisions.decide([option.label for option in options]) if is_trust else (),
    )


def read_stay_in_auto_mode(page: Page, top: int) -> Dialog | None:
    """The dialog without options that comes when auto mode's check cannot be reached; None for any other."""
    indent = indent_of(page.lines[top + 1])
    footer = read_footer(page, indent=indent, starts=(STAY_IN_AUTO_MODE,))
    if footer.rows is None:
        return None
    text = Rows(first=top + 1, last=footer.above)
    return Dialog(
        type=DialogType.OTHER,
        readable=False,
        why=STAY_IN_AUTO_MODE_WHY,
        title=heading(page, text, indent),
        options=(),
        cursor=None,
        region=text,
        body=page.body(text, indent=indent),
    )


def heading(page: Page, text: Rows, indent: int) -> str:
    """The first row, and those in which it goes on because it had no room."""
    width = page.width - indent - menu.RIGHT_MARGIN
    first, *more = page.texts(text, indent=indent)
    rows = [first]
    for line in more:
        if separator(rows[-1], line, width) == "\n":
            break
        rows.append(line)
    return join_words(rows, width)


def _entries(page: Page, last: int, indent: int) -> tuple[menu.Entry, ...]:
    if menu.is_numbered(page.lines, last, indent=indent):
        entries = menu.numbered(page.lines, last, indent=indent)
    else:
        entries = menu.unnumbered(page.lines, last, indent=indent, width=page.width)
    if len(entries) < 2:
        raise NotUnderstood("no options were found at the dialog's end")
    return entries


def _speaks_of_trust(text: str, options: Sequence[Option]) -> bool:
    words = " ".join([text, *(option.label for option in options)]).lower()
    return any(known in " ".join(words.split()) for known in _TRUST_WORDS)


def _all_decide(options: Sequence[Option]) -> bool:
    """Whether each option bears a decision of its own."""
    borne: list[Decision | None] = [decisions.meaning(option.label) for option in options]
    return None not in borne and len(set(borne)) == len(borne)
