"""What this dashboard did about approvals, and how endings are worded: honestly, with who and whether it took. Pure."""

from dataclasses import dataclass, replace
from typing import Final

from msgspec import UNSET

from collie.errors import CollieError
from collie.protocol.errors import Code, WireError
from collie.protocol.models import Approval, Decision, Outcome, OutcomeKind
from collie.tui.lines import Tone
from collie.tui.reveal import plain

ENDED_MS: Final = 8_000
"""How long an ending stays to be read."""

CERTAIN: Final = frozenset({OutcomeKind.APPLIED, OutcomeKind.CHOSEN})
"""The endings in which the dialog was seen to be gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """What this dashboard did about one approval. `words` is "" while it is sent."""

    approval: Approval
    decision: Decision
    at_ms: int
    words: str = ""
    tone: Tone = Tone.PLAIN
    certain: bool = False


def with_answer(answers: tuple[Answer, ...], answer: Answer, now_ms: int) -> tuple[Answer, ...]:
    """`answers` with this one, and without those that have been read."""
    key = answer.approval.approval_id
    kept = (each for each in answers if each.approval.approval_id != key)
    return (*(each for each in kept if not each.words or now_ms - each.at_ms < ENDED_MS), answer)


def replied(answer: Answer, outcome: Outcome, now_ms: int) -> Answer:
    """The answer once the daemon said how it ended."""
    words, tone = outcome_words(outcome, ours=True)
    return replace(answer, words=words, tone=tone, at_ms=now_ms, certain=outcome.outcome in CERTAIN)


def refused(answer: Answer, error: CollieError, now_ms: int) -> Answer:
    """The answer once it was refused, or its reply was lost."""
    words, tone = _refusal(error)
    return replace(answer, words=words, tone=tone, at_ms=now_ms)


def _refusal(error: CollieError) -> tuple[str, Tone]:
    if not isinstance(error, WireError):
        return f"not known whether it took: {plain(str(error))}; look at its screen", Tone.WARN
    match error.code:
        case Code.APPROVAL_ALREADY_RESOLVED if error.outcome is not None:
            return f"you were not first: {outcome_words(error.outcome)[0]}", Tone.WARN
        case Code.APPROVAL_ALREADY_RESOLVED:
            return "you were not first: it was already answered", Tone.WARN
        case Code.APPROVAL_EXPIRED:
            return "expired: nothing was sent", Tone.WARN
        case Code.APPROVAL_NOT_FOUND:
            return "gone: nothing was sent", Tone.WARN
    return f"nothing was sent: {plain(error.message)}", Tone.BAD


def outcome_words(outcome: Outcome, *, ours: bool = False) -> tuple[str, Tone]:
    """An ending in honest words: who, what, and whether it was seen to take. With `ours`, who goes without saying."""
    who = plain(outcome.by) if outcome.by is not UNSET and not ours else ""
    by = f" by {who}" if who else ""
    what = _what(outcome)
    match outcome.outcome:
        case OutcomeKind.APPLIED | OutcomeKind.CHOSEN:
            return f"{what}{by}: the dialog is gone", Tone.GOOD
        case OutcomeKind.UNCONFIRMED | OutcomeKind.CHOSEN_UNCONFIRMED:
            return f"{what}{by}: keys sent, not confirmed; look at its screen", Tone.WARN
        case OutcomeKind.SUPERSEDED:
            return _superseded(outcome, who), Tone.WARN
        case OutcomeKind.EXPIRED:
            return "expired: nothing was sent", Tone.DIM
    reason = plain(outcome.reason) if outcome.reason is not UNSET else ""
    return reason or f"ended{by}", Tone.DIM


def _what(outcome: Outcome) -> str:
    if outcome.choice is not UNSET:
        return f"option {outcome.choice + 1} chosen"
    match outcome.decision:
        case Decision.APPROVE:
            return "approved"
        case Decision.APPROVE_ALWAYS:
            return "approved always"
        case Decision.DENY:
            return "denied"
    return "answered"


def _superseded(outcome: Outcome, who: str) -> str:
    if who == "terminal":
        return "answered in the agent's own screen"
    reason = plain(outcome.reason) if outcome.reason is not UNSET else ""
    if outcome.decision is UNSET and outcome.choice is UNSET:
        return f"gone: {reason or 'its screen changed before anyone answered'}"
    return f"nothing was sent: {reason or 'the screen changed'}"
