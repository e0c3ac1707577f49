"""Whether Claude Code works: its working line, the hint in the footer, the agents that run in the background.

Looked for only where Claude Code draws them (specs: claude-code 3): the lowest row above the input box that stands in
column 0, and the rows below the box. The same words in the transcript mean nothing.
"""

import re

from collie.agents.claude.page import Page

INTERRUPT_HINT = "esc to interrupt"
"""In the footer while a turn runs; it vanishes while a draft is in the box."""

_RULES = (
    ("live_turn_working", re.compile(r"[·✢✳✶✻✽∗*] \S.*…(?: \(.*\))?")),
    ("live_turn_working", re.compile(r"[·✢✳✶✻✽∗*] .*\bretrying in \d+s\b.*")),
    ("background_agents_working", re.compile(r"✻ Waiting for \d+ background .+ to finish")),
)
_AGENT_ROW = re.compile(r"(?:  |❯ )◯ \S.* \d+[smh]\b.*")


def working_rule(page: Page, above: int) -> str:
    """The rule that shows a running turn, "" when none does. `above` is the row that ends the transcript."""
    line = next((line for line in reversed(page.lines[:above]) if line and line[0] != " "), "")
    for rule, pattern in _RULES:
        if pattern.fullmatch(line):
            return rule
    below = page.lines[page.box.last + 1 :] if page.box else ()
    if any(INTERRUPT_HINT in line.strip().split(" · ") for line in below):
        return "live_turn_working"
    if any(_AGENT_ROW.fullmatch(line) for line in below):
        return "background_agents_working"
    return ""
