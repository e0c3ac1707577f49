"""What a screen of Codex shows (codex 0.171.0; specs: claude-code 6).

A dialog stands at the bottom, or the composer does: `› ` in column 0, a blank row, the status rows.
"""

import re

from collie.agents.codex.dialog import INDENT, MARK, read_dialog, width_of
from collie.agents.facts import Dialog, DialogType, Facts, Rows, State
from collie.screen.cells import Screen
from collie.screen.regions import indent_of, last_row
from collie.screen.wrap import join_lines

_WORKING = re.compile(r"[•◦] .*\(.*\besc to interrupt\)")


def read(screen: Screen, *, kind: str) -> Facts:
    """The facts of a screen of Codex."""
    dialog = read_dialog(screen)
    composer = None if dialog else _composer(screen)
    state, rule = _state(screen, dialog, composer)
    draft = None if composer is None else _draft(screen, composer)
    return Facts(kind=kind, state=state, rule=rule, dialog=dialog, draft=draft)


def _state(screen: Screen, dialog: Dialog | None, composer: Rows | None) -> tuple[State, str]:
    """The state and the rule that says so, with herdr's ids where it has one (specs: herdr-api 10.3)."""
    if dialog is not None and dialog.type is not DialogType.PICKER:
        return State.BLOCKED, "trust_directory" if dialog.type is DialogType.TRUST else "live_strong_blocker"
    if dialog is not None:
        return State.IDLE, "settings_picker"
    if composer is None:
        return State.UNKNOWN, ""
    if _is_working(screen.lines[: composer.first]):
        return State.WORKING, "screen_working_fallback"
    return State.IDLE, "composer"


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
    return join_lines(texts, width_of(screen) - INDENT - 1).rstrip()


def _is_working(above: tuple[str, ...]) -> bool:
    line = next((line for line in reversed(above) if line and indent_of(line) == 0), "")
    return _WORKING.fullmatch(line) is not None
