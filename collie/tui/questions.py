"""The questions of the *Needs you* pane: those that wait, those being answered, and those that ended a moment ago.

Pure: pictures, answers and times in, values out.
"""

from dataclasses import dataclass
from enum import Enum
from typing import Final

from msgspec import UNSET

from collie.client.picture import Link, Picture
from collie.protocol.models import Approval, Decision, HostState
from collie.tui.answers import CERTAIN, ENDED_MS, Answer, outcome_words
from collie.tui.card import DECISION_WORDS, can_decide
from collie.tui.lines import Tone
from collie.tui.reveal import plain

APPLIED_MS: Final = 2_500
"""How long an ending that needs no thought holds its place before the next question."""


class Stage(Enum):
    """How far a question has come."""

    OPEN = "open"
    SENDING = "sending"
    ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One approval as it stands now. `words` says how it stands, "" while it is open; `certain` that it was seen to
    end as it was decided; `ours` that this dashboard answered it."""

    approval: Approval
    stage: Stage = Stage.OPEN
    words: str = ""
    tone: Tone = Tone.PLAIN
    at_ms: int = 0
    certain: bool = False
    ours: bool = False


def questions_of(picture: Picture, answers: tuple[Answer, ...], now_ms: int) -> tuple[Question, ...]:
    """Every question to be shown, oldest first."""
    shown: dict[str, Question] = {approval.approval_id: Question(approval=approval) for approval in picture.approvals}
    for ended in picture.resolved:
        if now_ms - ended.at_ms < ENDED_MS:
            words, tone = outcome_words(ended.outcome)
            shown[ended.approval.approval_id] = Question(
                approval=ended.approval,
                stage=Stage.ENDED,
                words=words,
                tone=tone,
                at_ms=ended.at_ms,
                certain=ended.outcome.outcome in CERTAIN,
            )
    for answer in answers:
        _overlay(shown, answer, now_ms)
    return tuple(sorted(shown.values(), key=lambda each: each.approval.created_at_ms))


def _overlay(shown: dict[str, Question], answer: Answer, now_ms: int) -> None:
    """What we did ourselves is said from the reply, which also knows what the picture does not: that we were second."""
    key = answer.approval.approval_id
    if not answer.words:
        words = f"sending “{DECISION_WORDS[answer.decision]}” …"
        shown[key] = Question(approval=answer.approval, stage=Stage.SENDING, words=words, tone=Tone.BUSY, ours=True)
    elif now_ms - answer.at_ms < ENDED_MS:
        shown[key] = Question(
            approval=answer.approval,
            stage=Stage.ENDED,
            words=answer.words,
            tone=answer.tone,
            at_ms=answer.at_ms,
            certain=answer.certain,
            ours=True,
        )


def why_dead(question: Question, picture: Picture, *, unread: int, skipped: int, settled: bool) -> str:
    """Why the question cannot be answered now, "" when it can.

    `unread`: how many of its lines were not on the screen yet, `skipped` those of them above the ones that are;
    `settled`: it has been there for longer than a slip of the finger.
    """
    if question.stage is not Stage.OPEN:
        return question.words
    if picture.link is not Link.CONNECTED:
        return "no answers while the daemon is lost"
    if picture.host is not None and picture.host.state is not HostState.UP:
        return f"no answers while the host is {picture.host.state.value}"
    if not can_decide(question.approval):
        return why_unread(question.approval)
    if skipped:
        return f"{_lines(skipped)} skipped: space or pgdn goes through {'it' if skipped == 1 else 'them'}"
    if unread:
        return f"read it to its end first: {_lines(unread)} to go, by space or pgdn"
    if not settled:
        return "just shown: a moment"
    return ""


def _lines(count: int) -> str:
    return f"{count} line{'' if count == 1 else 's'}"


def why_unread(approval: Approval) -> str:
    """Why a dialog has no keys here."""
    reason = plain(approval.unreadable)
    if not reason:
        reason = (
            "a part of it is not on its screen" if not approval.body_complete else "it has no options that are known"
        )
    return f"cannot be answered here: {reason}"


def choice_decision(approval: Approval, number: int) -> tuple[Decision, str]:
    """What choosing the option of that number (from 1) sends, and why it cannot be chosen ("" when it can).

    A dialog whose options bear decisions is answered by a decision; only one without any takes a choice.
    """
    choice = next((each for each in approval.choices if each.index == number - 1), None)
    if choice is None:
        return Decision.CHOOSE, f"there is no option {number}"
    if not approval.options:
        return Decision.CHOOSE, ""
    if choice.decision is UNSET or choice.decision not in approval.options:
        return Decision.CHOOSE, f"option {number} can only be chosen in the agent's own screen: press enter"
    return choice.decision, ""


def next_selected(questions: tuple[Question, ...], selected: str | None, now_ms: int) -> str | None:
    """The approval that the card shows: the one it showed for as long as that is worth reading, else its successor."""
    current = next((each for each in questions if each.approval.approval_id == selected), None)
    if current is not None and not _is_over(current, questions, now_ms):
        return selected
    waiting = [each for each in questions if each.stage is Stage.OPEN]
    if current is not None:
        same = [each for each in waiting if each.approval.terminal_id == current.approval.terminal_id]
        waiting = same or waiting
    if waiting:
        return waiting[0].approval.approval_id
    if current is not None:
        return selected
    return questions[-1].approval.approval_id if questions else None


def _is_over(current: Question, questions: tuple[Question, ...], now_ms: int) -> bool:
    """Whether an ended question may give its place away: at once when it was replaced without our doing."""
    if current.stage is not Stage.ENDED:
        return False
    if not current.ours and not current.certain and _has_successor(current, questions):
        return True
    return now_ms - current.at_ms >= (APPLIED_MS if current.certain else ENDED_MS)


def _has_successor(current: Question, questions: tuple[Question, ...]) -> bool:
    return any(
        each.stage is Stage.OPEN and each.approval.terminal_id == current.approval.terminal_id for each in questions
    )


def step(questions: tuple[Question, ...], selected: str | None, by: int) -> str | None:
    """The approval `by` places further, without going round."""
    ids = [each.approval.approval_id for each in questions]
    if not ids:
        return None
    at = ids.index(selected) if selected in ids else 0
    return ids[max(0, min(len(ids) - 1, at + by))]
