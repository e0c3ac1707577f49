"""What a screen of GitHub Copilot CLI shows (1.0.102; specs: claude-code 6)."""

import re

from collie.agents.boxed import read_boxed
from collie.agents.facts import Dialog, Facts, Rows, State
from collie.agents.kind import Detection, Seen
from collie.agents.menu import CURSOR
from collie.screen.ansi import parse
from collie.screen.cells import Screen
from collie.screen.regions import RULE, indent_of
from collie.screen.wrap import join_lines

HINT = "↑/↓ to navigate"
MIN_RULE = 20

_PROMPT_WIDTH = 2
_DRAFT_MARGIN = 2
_WORKING = re.compile(r" \S Working\b.*")
_CANCEL_HINT = re.compile(r".*\besc (?:again )?to (?:cancel|interrupt)\b.*", re.IGNORECASE)


def read(screen: Screen, *, kind: str) -> Facts:
    """The facts of a screen of Copilot."""
    dialog = read_boxed(screen, mark=CURSOR, hint=HINT)
    box = None if dialog else _box(screen)
    state, rule = _state(screen, dialog, box)
    return Facts(kind=kind, state=state, rule=rule, dialog=dialog, draft=_draft(screen, box) if box else None)


def detect(seen: Seen) -> Detection:
    """The status on the screen; the rule ids are herdr's (specs: herdr-api 10.3)."""
    facts = read(parse(seen.text), kind="")
    return Detection(state=facts.state, rule=facts.rule, visible_idle=facts.state is State.IDLE)


def _state(screen: Screen, dialog: Dialog | None, box: Rows | None) -> tuple[State, str]:
    if dialog is not None:
        return State.BLOCKED, "selection_blocker"
    if box is None:
        return State.UNKNOWN, ""
    shown = [line for line in (*screen.lines[: box.first], *screen.lines[box.last :]) if line]
    near = [line for line in shown[-_NEAR_ROWS:] if indent_of(line) <= 1]
    below = screen.lines[box.last + 1 :]
    if any(_CANCEL_HINT.fullmatch(line) for line in near) or any(_WORKING.fullmatch(line) for line in below):
        return State.WORKING, "working_cancel_hint"
    return State.IDLE, "prompt_box"


_NEAR_ROWS = 4
"""Rows around the input box in which the hint of a running turn stands."""


def _box(screen: Screen) -> Rows | None:
    """The input box: the last two rules, with the prompt in the row below the first."""
    lines = screen.lines
    rules = [row for row, line in enumerate(lines) if len(line) >= MIN_RULE and not line.strip(RULE)]
    if len(rules) < 2 or not lines[rules[-2] + 1].startswith(CURSOR):
        return None
    return Rows(first=rules[-2], last=rules[-1])


def _draft(screen: Screen, box: Rows) -> str:
    texts = [
        "".join(run.text for run in row.runs if not run.style.dim)[_PROMPT_WIDTH:]
        for row in screen.rows[box.first + 1 : box.last]
    ]
    return join_lines(texts, len(screen.lines[box.first]) - _PROMPT_WIDTH - _DRAFT_MARGIN).rstrip()
