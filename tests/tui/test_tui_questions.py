"""Which questions are shown, which one the card holds, and when it can be answered."""

from dataclasses import replace

import pytest
from tools.pictures import (
    LOST,
    NOW,
    build_agent,
    build_approval,
    build_incomplete,
    build_picture,
    build_question,
)

from collie.client.picture import Link, Resolved
from collie.protocol.models import AgentStatus, Approval, Decision, HostState, HostStatus, Outcome, OutcomeKind
from collie.tui.answers import ENDED_MS, Answer, replied, with_answer
from collie.tui.lines import Tone
from collie.tui.questions import (
    Question,
    Stage,
    choice_decision,
    next_selected,
    questions_of,
    step,
    why_dead,
)

APPLIED = Outcome(outcome=OutcomeKind.APPLIED, decision=Decision.APPROVE, by="desk")


def build_answer(approval: Approval, **fields: object) -> Answer:
    return replace(Answer(approval=approval, decision=Decision.APPROVE, at_ms=NOW), **fields)  # type: ignore[arg-type]


def build_open(approval_id: str = "a1", **fields: object) -> Question:
    return Question(approval=build_approval(approval_id, **fields))


def build_ended(approval_id: str = "a1", **fields: object) -> Question:
    known: dict[str, object] = {"stage": Stage.ENDED, "words": "ended", "at_ms": NOW}
    return replace(build_open(approval_id), **(known | fields))  # type: ignore[arg-type]


def test_those_that_wait_stand_before_those_that_ended() -> None:
    ended = Resolved(approval=build_approval("a1", created_at_ms=1), outcome=APPLIED, at_ms=NOW)
    picture = build_picture(approvals=(build_approval("a2", created_at_ms=2),), resolved=(ended,))
    stages = [(each.approval.approval_id, each.stage) for each in questions_of(picture, (), NOW)]
    assert stages == [("a2", Stage.OPEN), ("a1", Stage.ENDED)]
    assert len(questions_of(picture, (), NOW + ENDED_MS)) == 1


def test_an_answer_being_sent_is_shown_though_the_daemon_lists_it_no_more() -> None:
    (question,) = questions_of(build_picture(), (build_answer(build_approval()),), NOW)
    assert question.stage is Stage.SENDING
    assert question.words == "sending “approve” …"


def test_our_reply_outranks_what_the_picture_says_of_the_ending() -> None:
    approval = build_approval()
    picture = build_picture(resolved=(Resolved(approval=approval, outcome=APPLIED, at_ms=NOW),))
    answer = build_answer(approval, words="you were not first", tone=Tone.WARN)
    (question,) = questions_of(picture, (answer,), NOW)
    assert (question.words, question.ours) == ("you were not first", True)


def test_a_refused_question_is_open_again_once_the_refusal_was_read() -> None:
    picture = build_picture(approvals=(build_approval(),))
    answer = build_answer(build_approval(), words="nothing was sent: slow down")
    (question,) = questions_of(picture, (answer,), NOW + ENDED_MS)
    assert question.stage is Stage.OPEN


@pytest.mark.parametrize(
    ("question", "fields", "why"),
    [
        (build_open(), {}, ""),
        (build_open(), {"link": Link.LOST}, "no answers while the daemon is lost"),
        (build_open(), {"host": LOST}, "no answers while the host is lost"),
        (
            build_open(),
            {"host": HostStatus(kind="herdr", state=HostState.STARTING)},
            "no answers while the host is starting",
        ),
        (build_ended(), {}, "this question has ended"),
        (
            Question(approval=build_incomplete()),
            {},
            "cannot be answered here: 33 lines of it are above the top of its screen",
        ),
        (
            Question(approval=build_approval(body_complete=False)),
            {},
            "cannot be answered here: a part of it is not on its screen",
        ),
        (
            Question(approval=build_approval(options=(), choices=())),
            {},
            "cannot be answered here: it has no options that are known",
        ),
    ],
)
def test_why_a_question_cannot_be_answered(question: Question, fields: dict[str, object], why: str) -> None:
    assert why_dead(question, build_picture(**fields), unread=0, skipped=0, settled=True) == why


def test_a_question_must_be_read_and_have_settled() -> None:
    picture = build_picture()
    for unread, skipped, settled, why in (
        (9, 0, True, "read it to its end first: 9 lines to go, by space or pgdn"),
        (9, 8, True, "8 lines skipped: space or pgdn goes through them"),
        (1, 1, True, "1 line skipped: space or pgdn goes through it"),
        (0, 0, False, "just shown: a moment"),
    ):
        assert why_dead(build_open(), picture, unread=unread, skipped=skipped, settled=settled) == why


def test_the_card_keeps_an_open_question_whatever_else_comes() -> None:
    assert next_selected((build_open("a0"), build_open("a1")), "a1", NOW) == "a1"


def test_the_card_takes_the_oldest_when_it_held_none() -> None:
    assert next_selected((build_ended("a0"), build_open("a1"), build_open("a2")), None, NOW) == "a1"
    assert next_selected((), None, NOW) is None


@pytest.mark.parametrize(
    "ended", [build_ended("a1", certain=True, ours=True), build_ended("a1", certain=True), build_ended("a1")]
)
def test_an_ending_gives_its_place_to_the_next_question_at_once(ended: Question) -> None:
    assert next_selected((build_open("a2", terminal_id="t2"), ended), "a1", NOW) == "a2"


def test_an_answer_of_ours_that_may_not_have_taken_holds_its_place_until_it_was_read() -> None:
    questions = (build_open("a2", terminal_id="t2"), build_ended("a1", ours=True))
    assert next_selected(questions, "a1", NOW + ENDED_MS - 1) == "a1"
    assert next_selected(questions, "a1", NOW + ENDED_MS) == "a2"


def test_an_agent_waits_since_it_was_blocked_however_often_its_question_is_issued_anew() -> None:
    agents = (
        build_agent("t1", status=AgentStatus.BLOCKED, status_since_ms=NOW - 900_000),
        build_agent("t2", status=AgentStatus.BLOCKED, status_since_ms=NOW - 60_000),
    )
    anew = build_approval("a9", terminal_id="t1", created_at_ms=NOW)
    other = build_approval("a1", terminal_id="t2", created_at_ms=NOW - 60_000)
    shown = questions_of(build_picture(agents=agents, approvals=(other, anew)), (), NOW)
    assert [(each.approval.approval_id, NOW - each.since_ms) for each in shown] == [("a9", 900_000), ("a1", 60_000)]


def test_a_question_that_was_replaced_gives_way_to_its_successor_at_once() -> None:
    questions = (build_ended("a1"), build_open("a0", terminal_id="t2"), build_open("a2"))
    assert next_selected(questions, "a1", NOW) == "a2"


def test_steps_end_at_the_ends() -> None:
    questions = (build_open("a1"), build_open("a2"))
    assert step(questions, "a1", 1) == "a2"
    assert step(questions, "a2", 1) == "a2"
    assert step(questions, "gone", -1) == "a1"
    assert step((), None, 1) is None


def test_a_number_means_the_decision_of_its_option() -> None:
    approval = build_approval()
    assert choice_decision(approval, 1) == (Decision.APPROVE, "")
    assert choice_decision(approval, 4) == (Decision.DENY, "")
    assert choice_decision(approval, 3)[1] == "option 3 can only be chosen in the agent's own screen: press enter"
    assert choice_decision(approval, 9)[1] == "there is no option 9"
    assert choice_decision(build_question(), 2) == (Decision.CHOOSE, "")


def test_answers_that_were_read_are_forgotten_and_those_being_sent_are_not() -> None:
    read = replied(build_answer(build_approval("a1")), APPLIED, NOW - ENDED_MS)
    sending = build_answer(build_approval("a2"))
    latest = build_answer(build_approval("a3"))
    kept = with_answer((read, sending), latest, NOW)
    assert kept == (sending, latest)
