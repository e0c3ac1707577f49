"""The questions of the *Needs you* pane: those that wait, those being answered, and those that ended a moment ago.

Pure: pictures, answers and times in, values out.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum

from msgspec import UNSET

from collie.client.picture import Link, Picture
from collie.protocol.models import Agent, AgentStatus, Approval, Decision, HostState
from collie.tui.answers import CERTAIN, ENDED_MS, Answer, outcome_words
from collie.tui.card import DECISION_WORDS, can_decide
from collie.tui.lines import Tone
from collie.tui.reveal import plain


class Stage(Enum):
    """How far a question has come."""

    OPEN = "open"
    SENDING = "sending"
    ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """One approval as it stands now. `since_ms` is since when its agent waits; `words` says how it stands, "" while it
    is open; `certain` that it was seen to end as it was decided; `ours` that this dashboard answered it."""

    approval: Approval
    since_ms: int = 0
    stage: Stage = Stage.OPEN
    words: str = ""
    tone: Tone = Tone.PLAIN
    at_ms: int = 0
    certain: bool = False
    ours: bool = False


def questions_of(picture: Picture, answers: tuple[Answer, ...], now_ms: int) -> tuple[Question, ...]:
    """Every question to be shown: those that wait, the longest first, then those that ended."""
    shown: dict[str, Question] = {approval.approval_id: Question(approval=approval) for approval in picture.approvals}
    blocked = {each.terminal_id: each for each in picture.agents if each.status is AgentStatus.BLOCKED}
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
    dated = (replace(each, since_ms=_since(each.approval, blocked)) for each in shown.values())
    return tuple(sorted(dated, key=_place))


def _place(question: Question) -> tuple[bool, int, str]:
    """Those that wait come first, the longest at the top; of those that ended the newest."""
    ended = question.stage is Stage.ENDED
    return ended, -question.at_ms if ended else question.since_ms, question.approval.approval_id


def _since(approval: Approval, blocked: Mapping[str, Agent]) -> int:
    """Since when the agent waits: an approval is issued anew while it does, and is younger then."""
    agent = blocked.get(approval.terminal_id)
    return min(approval.created_at_ms, agent.status_since_ms) if agent else approval.created_at_ms


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
    if question.stage is Stage.ENDED:
        return "this question has ended"
    if question.stage is Stage.SENDING:
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
    """The approval that the card shows: the one it showed while that waits or is worth a thought, else its
    successor. What it showed ends below the others in the list, so nothing is lost by going on."""
    current = next((each for each in questions if each.approval.approval_id == selected), None)
    if current is not None and not _is_over(current, now_ms):
        return selected
    waiting = [each for each in questions if each.stage is Stage.OPEN]
    if current is not None:
        same = [each for each in waiting if each.approval.terminal_id == current.approval.terminal_id]
        waiting = same or waiting
    if waiting:
        return waiting[0].approval.approval_id
    if current is not None:
        return selected
    return questions[0].approval.approval_id if questions else None


def _is_over(current: Question, now_ms: int) -> bool:
    """Whether an ended question gives its place away: at once, unless our own answer may not have taken."""
    if current.stage is not Stage.ENDED:
        return False
    return not current.ours or current.certain or now_ms - current.at_ms >= ENDED_MS


def step(questions: tuple[Question, ...], selected: str | None, by: int) -> str | None:
    """The approval `by` places further, without going round; past those that ended while any waits."""
    ids = [each.approval.approval_id for each in questions if each.stage is not Stage.ENDED]
    ids = ids or [each.approval.approval_id for each in questions]
    if not ids:
        return None
    at = ids.index(selected) if selected in ids else 0
    return ids[max(0, min(len(ids) - 1, at + by))]
