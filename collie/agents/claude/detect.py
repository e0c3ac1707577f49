"""Claude Code's status for the embedded host, from the screen, the terminal's title and its progress report.

The rule ids are herdr's (specs: herdr-api 10.3). One order is ours: a dialog on the screen wins over a working title,
because blocked is confirmed on the screen; in herdr the title wins.
"""

import re

from collie.agents.claude.banner import read_banner
from collie.agents.claude.dialog import read_dialog
from collie.agents.claude.page import Page
from collie.agents.claude.read import is_transcript_view, state_of
from collie.agents.facts import State
from collie.agents.kind import Detection, Seen
from collie.screen.ansi import parse

_WORKING_TITLE = re.compile(r"[\u2800-\u28ff\u25d0-\u25d3] ")
_IDLE_TITLE = re.compile(r"\u2733 ")
_IDLE_PROGRESS = re.compile(r"4;0(;|\Z)")


def detect(seen: Seen) -> Detection:
    """The status that these three show; `unknown` without a rule when they show none."""
    page = Page(screen=parse(seen.text))
    dialog = read_dialog(page)
    state, rule = state_of(page, dialog, read_banner(page))
    if state is State.BLOCKED:
        return Detection(state=state, rule=rule)
    if _WORKING_TITLE.match(seen.title):
        return Detection(state=State.WORKING, rule="osc_title_working")
    if is_transcript_view(page):
        return Detection(state=State.UNKNOWN, rule=rule, skip=True)
    if rule:
        return Detection(state=state, rule=rule, visible_idle=rule == "live_prompt_box")
    if _IDLE_TITLE.match(seen.title):
        return Detection(state=State.IDLE, rule="osc_title_idle")
    if _IDLE_PROGRESS.match(seen.progress):
        return Detection(state=State.IDLE, rule="osc_progress_idle")
    return Detection(state=State.UNKNOWN)
