"""What a screen of Gemini CLI shows (0.61.0, its trust question only; specs: claude-code 6)."""

import re

from collie.agents.boxed import read_boxed
from collie.agents.facts import Facts, State
from collie.agents.kind import Detection, Seen
from collie.screen.ansi import parse
from collie.screen.cells import Screen

MARK = "●"

_READY_TITLE = re.compile(r"◇\s+Ready\b")


def read(screen: Screen, *, kind: str) -> Facts:
    """The facts of a screen of Gemini CLI; beyond a dialog in a box nothing of it is known."""
    dialog = read_boxed(screen, mark=MARK, hint="")
    if dialog is None:
        return Facts(kind=kind, state=State.UNKNOWN)
    return Facts(kind=kind, state=State.BLOCKED, rule="selection_box", dialog=dialog)


def detect(seen: Seen) -> Detection:
    """The status on the screen, else what the title says."""
    facts = read(parse(seen.text), kind="")
    if facts.state is State.UNKNOWN and _READY_TITLE.match(seen.title):
        return Detection(state=State.IDLE, rule="osc_title_idle", visible_idle=True)
    return Detection(state=facts.state, rule=facts.rule)
