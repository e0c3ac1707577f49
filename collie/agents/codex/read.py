"""What a screen of Codex shows (codex 0.171.0; specs: claude-code 6).

A dialog stands at the bottom, without a frame: a heading in column 2, text, numbered options with `›` in column 0, a
row of key hints. Else the composer does: `› ` in column 0, a blank row, the status rows.
"""

import re

from collie.agents import decisions, menu
from collie.agents.facts import Dialog, DialogType, Facts, Rows, State
from collie.agents.menu import NotUnderstood
from collie.screen.cells import Screen
from collie.screen.regions import indent_of, last_row
from collie.screen.wrap import join_lines

MARK = "›"
INDENT = 2
TRUST_HEADINGS = ("Folder access",)
COMMAND_QUESTION = "Would you like to run the following command?"

_HINTS = re.compile(r"  (?:Press enter to confirm or esc to .+|enter continue · esc .+)")
_WORKING = re.compile(r"[•◦] .*\(.*\besc to interrupt\)")
_COMMAND_MARK = "$ "


def read(screen: Screen, *, kind: str) -> Facts:
    """The facts of a screen of Codex."""
    dialog = _dialog(screen)
    composer = None if dialog else _composer(screen)
    if dialog is not None:
        state = State.BLOCKED
        rule = "trust_directory" if dialog.type is DialogType.TRUST else "live_strong_blocker"
    elif composer is None:
        state, rule = State.UNKNOWN, ""
    elif _is_working(screen.lines[: composer.first]):
        state, rule = State.WORKING, "screen_working_fallback"
    else:
        state, rule = State.IDLE, "composer"
    draft = None if composer is None else _draft(screen, composer)
    return Facts(kind=kind, state=state, rule=rule, dialog=dialog, draft=draft)


def _dialog(screen: Screen) -> Dialog | None:
    lines = screen.lines
    floor = last_row(lines)
    if floor < 0 or not _HINTS.fullmatch(lines[floor]):
        return None
    try:
        entries = menu.numbered(lines, last_row(lines[:floor]), indent=0, mark=MARK)
        cursor = menu.cursor_of(entries)
    except NotUnderstood as problem:
        return _unreadable(lines, floor, str(problem))
    options = tuple(menu.whole_option(lines, entry, width=_width(screen)) for entry in entries)
    text = _text_above(lines, options[0].rows.first)
    title = lines[text.first].strip()
    return Dialog(
        type=_type(title),
        readable=True,
        title=title,
        options=options,
        cursor=cursor,
        region=Rows(first=text.first, last=options[-1].rows.last),
        body="\n".join(line[INDENT:] for line in lines[text.first : text.last + 1]).strip("\n"),
        decisions=decisions.decide([option.label for option in options]),
        command=_command(lines, text, _width(screen)) if title == COMMAND_QUESTION else None,
    )


def _type(title: str) -> DialogType:
    if title in TRUST_HEADINGS:
        return DialogType.TRUST
    return DialogType.PERMISSION if title.startswith("Would you like to") else DialogType.OTHER


def _unreadable(lines: tuple[str, ...], floor: int, why: str) -> Dialog:
    text = _text_above(lines, floor)
    return Dialog(
        type=_type(lines[text.first].strip()),
        readable=False,
        why=why,
        title=lines[text.first].strip(),
        options=(),
        cursor=None,
        region=Rows(first=text.first, last=floor),
        body="\n".join(line[INDENT:] for line in lines[text.first : text.last + 1]).strip("\n"),
    )


def _text_above(lines: tuple[str, ...], first_option: int) -> Rows:
    """The rows of the dialog's text: from its heading, which follows the last row of the transcript in column 0."""
    row = first_option - 1
    while row >= 0 and (not lines[row] or indent_of(lines[row]) >= INDENT):
        row -= 1
    first = next((at for at in range(row + 1, first_option) if indent_of(lines[at]) == INDENT), first_option)
    return Rows(first=first, last=max(last_row(lines[:first_option]), first))


def _command(lines: tuple[str, ...], text: Rows, width: int) -> str | None:
    """The rows from `$ ` on; a command's further lines stand below it without a mark."""
    rows = [line[INDENT:] for line in lines[text.first : text.last + 1]]
    start = next((at for at, row in enumerate(rows) if row.startswith(_COMMAND_MARK)), None)
    if start is None:
        return None
    return join_lines([rows[start][len(_COMMAND_MARK) :], *rows[start + 1 :]], width - INDENT)


def _composer(screen: Screen) -> Rows | None:
    """The rows of the composer: the lowest prompt and the rows below it up to a blank one."""
    lines = screen.lines
    first = next((row for row in range(len(lines) - 1, -1, -1) if lines[row].startswith(MARK)), None)
    if first is None:
        return None
    last = first
    while last + 1 < len(lines) and lines[last + 1]:
        last += 1
    below = lines[last + 1 : last_row(lines) + 1]
    return Rows(first=first, last=last) if all(not line or indent_of(line) >= INDENT for line in below) else None


def _draft(screen: Screen, rows: Rows) -> str:
    """The composer's text without its dim placeholder."""
    texts = [
        "".join(run.text for run in row.runs if not run.style.dim)[INDENT:]
        for row in screen.rows[rows.first : rows.last + 1]
    ]
    return join_lines(texts, _width(screen) - INDENT).rstrip()


def _is_working(above: tuple[str, ...]) -> bool:
    line = next((line for line in reversed(above) if line and indent_of(line) == 0), "")
    return _WORKING.fullmatch(line) is not None


def _width(screen: Screen) -> int:
    return screen.columns or max((len(line) for line in screen.lines), default=0)
