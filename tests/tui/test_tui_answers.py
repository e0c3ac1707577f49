"""The words for each way an approval can end."""

import pytest
from tools.pictures import NOW, build_approval

from collie.errors import CollieError
from collie.protocol.errors import Code, WireError
from collie.protocol.models import Decision, Outcome, OutcomeKind
from collie.tui.answers import Answer, outcome_words, refused, replied

BY_PHONE = Outcome(outcome=OutcomeKind.APPLIED, decision=Decision.DENY, by="Alice's phone")


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (BY_PHONE, "denied by Alice's phone: the dialog is gone"),
        (
            Outcome(outcome=OutcomeKind.APPLIED, decision=Decision.APPROVE_ALWAYS, by="desk"),
            "approved always by desk: the dialog is gone",
        ),
        (Outcome(outcome=OutcomeKind.CHOSEN, choice=0, by="desk"), "option 1 chosen by desk: the dialog is gone"),
        (
            Outcome(outcome=OutcomeKind.UNCONFIRMED, decision=Decision.APPROVE, by="desk"),
            "approved by desk: keys sent, not confirmed; look at its screen",
        ),
        (
            Outcome(outcome=OutcomeKind.CHOSEN_UNCONFIRMED, choice=2, by="desk"),
            "option 3 chosen by desk: keys sent, not confirmed; look at its screen",
        ),
        (Outcome(outcome=OutcomeKind.EXPIRED), "expired: nothing was sent"),
        (Outcome(outcome=OutcomeKind.SUPERSEDED), "gone: its screen changed before anyone answered"),
        (Outcome(outcome=OutcomeKind.SUPERSEDED, reason="the host was lost"), "gone: the host was lost"),
        (Outcome(outcome=OutcomeKind.SUPERSEDED, by="terminal"), "answered in the agent's own screen"),
        (
            Outcome(outcome=OutcomeKind.SUPERSEDED, decision=Decision.APPROVE, by="desk"),
            "nothing was sent: the screen changed",
        ),
        (
            Outcome(outcome=OutcomeKind.SUPERSEDED, decision=Decision.APPROVE, reason="the cursor moved"),
            "nothing was sent: the cursor moved",
        ),
        (
            Outcome(outcome=OutcomeKind.OTHER, reason="being answered by desk: approve"),
            "being answered by desk: approve",
        ),
        (Outcome(outcome=OutcomeKind.OTHER, by="desk"), "ended by desk"),
        (Outcome(outcome=OutcomeKind.APPLIED, by="a\x1b[31mb"), "answered by a[31mb: the dialog is gone"),
    ],
)
def test_an_ending_in_words(outcome: Outcome, words: str) -> None:
    assert outcome_words(outcome)[0] == words


def test_who_goes_without_saying_when_it_was_us() -> None:
    answer = replied(Answer(approval=build_approval(), decision=Decision.DENY, at_ms=0), BY_PHONE, NOW)
    assert answer.words == "denied: the dialog is gone"
    assert (answer.certain, answer.at_ms) == (True, NOW)


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            WireError(Code.APPROVAL_ALREADY_RESOLVED, "used", outcome=BY_PHONE),
            "you were not first: denied by Alice's phone: the dialog is gone",
        ),
        (WireError(Code.APPROVAL_ALREADY_RESOLVED, "used"), "you were not first: it was already answered"),
        (WireError(Code.APPROVAL_EXPIRED, "late"), "expired: nothing was sent"),
        (WireError(Code.APPROVAL_NOT_FOUND, "what"), "gone: nothing was sent"),
        (WireError(Code.RATE_LIMITED, "slow down"), "nothing was sent: slow down"),
        (
            CollieError("approval.decide: the connection broke"),
            "not known whether it took: approval.decide: the connection broke; look at its screen",
        ),
    ],
)
def test_a_refusal_in_words(error: CollieError, words: str) -> None:
    answer = refused(Answer(approval=build_approval(), decision=Decision.APPROVE, at_ms=0), error, NOW)
    assert answer.words == words
    assert not answer.certain
