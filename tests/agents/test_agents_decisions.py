"""Which label bears which decision."""

import pytest

from collie.agents.decisions import amended_meaning, decide, meaning
from collie.agents.facts import Decision

APPROVE, ALWAYS, DENY = Decision.APPROVE, Decision.APPROVE_ALWAYS, Decision.DENY


@pytest.mark.parametrize(
    ("label", "decision"),
    [
        ("Yes", APPROVE),
        ("Yes, proceed (y)", APPROVE),
        ("Yes, I trust this folder", APPROVE),
        ("Yes, and don't ask again for: npm install *", ALWAYS),
        ("Yes, and don’t ask again for: npm install *", ALWAYS),
        ("Yes, allow reading from /etc during this session", ALWAYS),
        ("Yes, allow all edits during this session (shift+tab)", ALWAYS),
        ("Yes, and always allow access to /srv from this project", ALWAYS),
        ("Yes, and switch to accept edits (auto-approve file edits) for this session (shift+tab)", ALWAYS),
        ("Yes, and allow Claude to edit files in this project's .claude folder for this session", ALWAYS),
        ("No", DENY),
        ("No (esc)", DENY),
        ("No, and tell Claude what to do differently (esc)", DENY),
        ("Reject", DENY),
        ("Yes, and switch to auto mode · auto mode handles these prompts for you", None),
        ("Yes, and use auto mode", None),
        ("Yes, and bypass permissions", None),
        ("Yes, allow this once", None),
        ("Yesterday", None),
        ("Not now", None),
        ("Nothing", None),
        ("", None),
    ],
)
def test_a_label_says_what_it_decides(label: str, decision: Decision | None) -> None:
    assert meaning(label) is decision


def test_two_options_for_one_decision_leave_it_out() -> None:
    assert decide(["Yes", "Yes", "Yes, and don't ask again for x", "No"]) == ((ALWAYS, 2), (DENY, 3))


def test_without_a_yes_not_even_a_no_is_offered() -> None:
    assert decide(["Start over", "No"]) == ()


def test_a_note_being_written_does_not_change_what_its_row_decides() -> None:
    labels = ["Yes, and then don't ask again for a week", "No"]
    assert decide(labels, amended=0) == ((APPROVE, 0), (DENY, 1))
    assert amended_meaning("No, yes is not what I mean") is DENY
    assert amended_meaning("Maybe") is None
