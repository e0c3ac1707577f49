"""The dialog at the bottom of a Codex screen: an approval, the question about trust, a settings menu.

It has no frame: a heading in column 2 that follows the transcript, text, numbered options with `›` in column 0, a row
of key hints (codex 0.171.0; specs: claude-code 6).
"""

import re

from collie.agents import decisions, menu
from collie.agents.facts import Dialog, DialogType, Option, Rows
from collie.agents.menu import Entry, NotUnderstood
from collie.screen.cells import Screen
from collie.screen.regions import indent_of, last_row
from collie.screen.wrap import join_command, join_label

MARK = "›"
INDENT = 2
TRUST_HEADINGS = ("Folder access",)
COMMAND_QUESTION = "Would you like to run the following command?"

_APPROVAL_QUESTION = "Would you like to"
_ANSWER_HINTS = re.compile(r"  (?:Press enter to confirm or esc to .+|enter continue · esc .+)")
_MENU_HINTS = re.compile(r"  enter select · esc .+")
_MENU_ROW = re.compile(rf"(?P<mark>{MARK} |  )(?:[1-9][0-9]?\. )?(?P<label>\S+(?: \S+)*)(?: {{2,}}.*)?")
_FOLDED = re.compile(r"  \[… \d+ lines?\] .*")
_COMMAND_MARK = "$ "


def width_of(screen: Screen) -> int:
    """The screen's columns, or what its widest row takes where they are not known."""
    return screen.columns or max((len(line) for line in screen.lines), default=0)


def read_dialog(screen: Screen) -> Dialog | None:
    """The dialog that ends the screen, or None. One that is not understood is given as not readable."""
    lines = screen.lines
    floor = last_row(lines)
    if floor < 0:
        return None
    if _MENU_HINTS.fullmatch(lines[floor]):
        return _menu(lines, floor)
    if not _ANSWER_HINTS.fullmatch(lines[floor]):
        return None
    try:
        return _answerable(screen, floor)
    except NotUnderstood as problem:
        return _unreadable(lines, floor, str(problem))


def _answerable(screen: Screen, floor: int) -> Dialog:
    lines, width = screen.lines, width_of(screen)
    entries = menu.numbered(lines, last_row(lines[:floor]), indent=0, mark=MARK)
    cursor = menu.cursor_of(entries)
    options = tuple(Option(label=_label(lines, entry, width), rows=entry.rows) for entry in entries)
    text = _text_above(lines, options[0].rows.first)
    title = lines[text.first].strip()
    folded = any(_FOLDED.fullmatch(line) for line in lines[text.first : text.last + 1])
    complete = not folded and _has_heading(lines, text.first, title)
    return Dialog(
        type=_type(title),
        readable=True,
        complete=complete,
        title=title,
        options=options,
        cursor=cursor,
        region=Rows(first=text.first, last=options[-1].rows.last),
        body=_body(lines, text),
        decisions=decisions.decide([option.label for option in options]) if complete else (),
        command=_command(lines, text, width) if title == COMMAND_QUESTION else None,
    )


def _label(lines: tuple[str, ...], entry: Entry, width: int) -> str:
    return join_label([entry.label, *entry.continuation(lines)], width - entry.label_at)


def _text_above(lines: tuple[str, ...], first_option: int) -> Rows:
    """The rows of the dialog's text: from its heading, which follows the last row of the transcript in column 0."""
    row = first_option - 1
    while row >= 0 and (not lines[row] or indent_of(lines[row]) >= INDENT):
        row -= 1
    first = next((at for at in range(row + 1, first_option) if indent_of(lines[at]) == INDENT), first_option)
    return Rows(first=first, last=max(last_row(lines[:first_option]), first))


def _has_heading(lines: tuple[str, ...], first: int, title: str) -> bool:
    """Whether the text begins in row `first`: with a known heading below a blank row, or below the transcript."""
    if first > 0 and _type(title) is not DialogType.OTHER:
        return not lines[first - 1]
    return any(line and indent_of(line) < INDENT for line in lines[:first])


def _type(title: str) -> DialogType:
    if title in TRUST_HEADINGS:
        return DialogType.TRUST
    return DialogType.PERMISSION if title.startswith(_APPROVAL_QUESTION) else DialogType.OTHER


def _body(lines: tuple[str, ...], text: Rows) -> str:
    return "\n".join(line[INDENT:] for line in lines[text.first : text.last + 1]).strip("\n")


def _command(lines: tuple[str, ...], text: Rows, width: int) -> str | None:
    """The rows from `$ ` on; a command's further lines stand below it without a mark."""
    rows = [line[INDENT:] for line in lines[text.first : text.last + 1] if not _FOLDED.fullmatch(line)]
    start = next((at for at, row in enumerate(rows) if row.startswith(_COMMAND_MARK)), None)
    if start is None:
        return None
    first, *more = rows[start:]
    return join_command([first.removeprefix(_COMMAND_MARK), *more], width - 2 * INDENT).rstrip()


def _menu(lines: tuple[str, ...], floor: int) -> Dialog:
    """A settings menu: its rows, as far as they are on the screen; what stands in a second column describes them."""
    end = last_row(lines[:floor])
    first = end
    while first > 0 and lines[first - 1]:
        first -= 1
    found = [(row, _MENU_ROW.fullmatch(lines[row])) for row in range(first, end + 1)]
    rows = [(row, match) for row, match in found if match]
    text = _text_above(lines, first)
    return Dialog(
        type=DialogType.PICKER,
        readable=True,
        title=lines[text.first].strip(),
        options=tuple(Option(label=match["label"], rows=Rows(first=row, last=row)) for row, match in rows),
        cursor=next((at for at, (_, match) in enumerate(rows) if match["mark"] != "  "), None),
        region=Rows(first=text.first, last=end),
        body=_body(lines, text),
    )


def _unreadable(lines: tuple[str, ...], floor: int, why: str) -> Dialog:
    text = _text_above(lines, floor)
    title = lines[text.first].strip()
    return Dialog(
        type=_type(title),
        readable=False,
        why=why,
        title=title,
        options=(),
        cursor=None,
        region=Rows(first=text.first, last=floor),
        body=_body(lines, text),
    )
