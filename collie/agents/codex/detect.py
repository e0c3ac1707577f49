"""Codex's status for the embedded host; the rule ids are herdr's (specs: herdr-api 10.3)."""

import re

from collie.agents.codex.read import read
from collie.agents.facts import State
from collie.agents.kind import Detection, Seen
from collie.screen.ansi import parse

_SPINNER = re.compile(r"(?:^|\s)[\u2800-\u28ff](?:\s|$)")
_ACTION_REQUIRED = "Action Required"


def detect(seen: Seen) -> Detection:
    """The status on the screen; the title counts where the screen shows neither a dialog nor the composer."""
    facts = read(parse(seen.text), kind="")
    if facts.state is State.BLOCKED:
        return Detection(state=facts.state, rule=facts.rule)
    if _ACTION_REQUIRED in seen.title and facts.draft is None:
        return Detection(state=State.BLOCKED, rule="osc_title_blocked")
    if _SPINNER.search(seen.title):
        return Detection(state=State.WORKING, rule="osc_title_working")
    if facts.rule:
        return Detection(state=facts.state, rule=facts.rule, visible_idle=facts.state is State.IDLE)
    if seen.title.strip():
        return Detection(state=State.IDLE, rule="osc_title_idle")
    return Detection(state=State.UNKNOWN)
