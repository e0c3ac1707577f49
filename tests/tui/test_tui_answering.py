"""Answering a question from the dashboard: which keys are live when, what is sent, what is said of it."""

from dataclasses import replace

import pytest
from tools.desk import Desk, open_desk
from tools.pictures import (
    LOST,
    NOW,
    build_approval,
    build_busy,
    build_incomplete,
    build_long,
    build_question,
)

from collie.client.picture import Link
from collie.protocol.errors import Code, WireError
from collie.protocol.methods import ApprovalResolvedResult
from collie.protocol.models import Decision, Outcome, OutcomeKind
from collie.tui.screens.note import NoteScreen

pytestmark = pytest.mark.asyncio


@pytest.mark.parametrize(("key", "decision"), [("a", "approve"), ("A", "approve_always"), ("d", "deny")])
async def test_one_key_answers_a_short_question(key: str, decision: str) -> None:
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        await desk.press(key)
        assert desk.decided() == [("a1", decision)]


@pytest.mark.parametrize(("key", "decision"), [("1", "approve"), ("2", "approve_always"), ("4", "deny")])
async def test_a_digit_answers_with_what_its_option_means(key: str, decision: str) -> None:
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        await desk.press(key)
        assert desk.decided() == [("a1", decision)]


async def test_an_option_without_a_decision_is_left_to_the_agents_own_screen() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        await desk.press("3", "7")
        assert desk.decided() == []
        assert "there is no option 7" in desk.text()


async def test_a_question_without_decisions_takes_a_choice() -> None:
    async with open_desk(build_busy(approvals=(build_question(),))) as desk:
        await desk.press("a", "2")
        (params,) = desk.engine.asked("approval.decide")
        assert (params.decision, params.choice) == (Decision.CHOOSE, 1)  # type: ignore[attr-defined]
        assert "option 2 chosen: the dialog is gone" in desk.text()


async def read_on(desk: Desk) -> None:
    """Page through the whole of the question."""
    for _ in range(12):
        await desk.press("space")


async def test_keys_are_dead_until_each_line_was_on_the_screen_once() -> None:
    async with open_desk(build_busy(approvals=(build_long(),)), size=(80, 24)) as desk:
        await desk.press("a", "A", "d", "1", "e")
        assert desk.decided() == []
        assert "read it to its end first" in desk.text()
        assert "more lines below" in desk.text()
        await read_on(desk)
        assert "approve always" in desk.text()
        await desk.press("g", "a")
        assert desk.decided() == [("a1", "approve")]


async def test_what_was_skipped_on_the_way_to_the_end_counts_as_unread() -> None:
    async with open_desk(build_busy(approvals=(build_long(),)), size=(80, 24)) as desk:
        await desk.press("G", "a", "d")
        assert desk.decided() == []
        assert "lines skipped: space or pgdn goes through them" in desk.text()
        await desk.press("space")
        assert "4. No" not in desk.text()
        await read_on(desk)
        assert "skipped" not in desk.text()
        await desk.press("d")
        assert desk.decided() == [("a1", "deny")]


async def test_what_was_read_stays_read_when_it_is_issued_anew_with_the_same_content() -> None:
    async with open_desk(build_busy(approvals=(build_long(),)), size=(80, 24)) as desk:
        await read_on(desk)
        await desk.show(build_busy(approvals=(build_long("a2", created_at_ms=NOW),)))
        await desk.press("a")
        assert desk.decided() == [("a2", "approve")]


async def test_another_content_must_be_read_anew() -> None:
    async with open_desk(build_busy(approvals=(build_long(),)), size=(80, 24)) as desk:
        await read_on(desk)
        changed = build_long("a2", title="Another command")
        await desk.show(build_busy(approvals=(changed,)))
        await desk.press("a")
        assert desk.decided() == []


async def test_a_card_that_comes_up_under_a_finger_is_not_answered() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),)), settle_seconds=60.0) as desk:
        await desk.press("a")
        assert desk.decided() == []
        assert "just shown: a moment" in desk.text()


async def test_an_incomplete_dialog_has_no_keys_but_a_way_out() -> None:
    async with open_desk(build_busy(approvals=(build_incomplete(),)), size=(80, 24)) as desk:
        await desk.press("G", "a", "d", "1")
        assert desk.decided() == []
        assert "cannot be answered here: 33 lines of it are above the top of its screen" in desk.text()
        await desk.press("enter")
        assert desk.engine.watched == ["t1"]


async def test_sending_is_said_and_then_what_came_of_it() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        held = desk.engine.hold("approval.decide")
        await desk.pilot.press("a")
        await desk.pilot.pause()
        assert "sending “approve” …" in desk.text()
        await desk.pilot.press("d")
        held.set()
        await desk.settle()
        assert desk.decided() == [("a1", "approve")]
        assert "approved: the dialog is gone" in desk.text()


@pytest.mark.parametrize(
    ("reply", "words"),
    [
        (
            Outcome(outcome=OutcomeKind.UNCONFIRMED, decision=Decision.APPROVE, by="desk"),
            "approved: keys sent, not confirmed; look at its screen",
        ),
        (
            Outcome(outcome=OutcomeKind.SUPERSEDED, decision=Decision.APPROVE, reason="the screen changed"),
            "nothing was sent: the screen changed",
        ),
        (Outcome(outcome=OutcomeKind.EXPIRED), "expired: nothing was sent"),
    ],
)
async def test_an_ending_is_worded_honestly(reply: Outcome, words: str) -> None:
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        desk.engine.replies["approval.decide"] = ApprovalResolvedResult(approval_id="a1", outcome=reply)
        await desk.press("a")
        assert words in desk.text()


async def test_the_second_to_answer_is_told_who_was_first() -> None:
    first = Outcome(outcome=OutcomeKind.APPLIED, decision=Decision.DENY, by="Alice's phone")
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        desk.engine.replies["approval.decide"] = WireError(
            Code.APPROVAL_ALREADY_RESOLVED, "approval already used", outcome=first
        )
        await desk.press("a")
        assert "you were not first: denied by Alice's phone" in desk.text()


async def test_an_answer_from_elsewhere_is_shown_with_who_and_how_and_goes_after_some_seconds() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        outcome = Outcome(outcome=OutcomeKind.APPLIED, decision=Decision.APPROVE, by="desk (command line)")
        desk.engine.resolve("a1", outcome)
        await desk.settle()
        assert "approved by desk (command line): the dialog is gone" in desk.text()
        await desk.pass_ms(9_000)
        assert "Nothing needs you." in desk.text()


TWO = (build_approval(), build_approval("a2", terminal_id="t2", agent_label="tests", created_at_ms=NOW - 5_000))


async def test_the_next_question_comes_at_once_and_what_ended_stands_below_it() -> None:
    async with open_desk(build_busy(approvals=TWO)) as desk:
        await desk.press("a")
        assert "tests · shop rm -rf build" in desk.text()
        assert "■ fixer · shop approved: the dialog is gone" in desk.text()
        await desk.press("d")
        assert desk.decided() == [("a1", "approve"), ("a2", "deny")]


async def test_a_row_of_keys_answers_exactly_one_question() -> None:
    async with open_desk(build_busy(approvals=TWO), settle_seconds=2.0) as desk:
        await desk.pilot.pause(2.1)
        await desk.press("a", "a", "a", "a")
        assert desk.decided() == [("a1", "approve")]


async def test_a_new_question_does_not_take_the_cards_place() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        earlier = build_approval("a0", terminal_id="t2", agent_label="tests", created_at_ms=NOW - 90_000)
        await desk.show(replace(desk.engine.picture, approvals=(earlier, build_approval())))
        await desk.press("a")
        assert desk.decided() == [("a1", "approve")]


async def test_brackets_turn_to_the_other_questions() -> None:
    two = (build_approval(), build_approval("a2", terminal_id="t2", agent_label="tests"))
    async with open_desk(build_busy(approvals=two)) as desk:
        await desk.press("right_square_bracket", "d", "left_square_bracket", "a")
        assert desk.decided() == [("a2", "deny"), ("a1", "approve")]


async def test_nothing_is_answered_while_the_host_is_lost() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),), host=LOST)) as desk:
        await desk.press("a")
        assert desk.decided() == []
        assert "no answers while the host is lost" in desk.text()
        assert "Gone with it: fixer, tests, docs" in desk.text()


async def test_nothing_is_answered_while_the_daemon_is_lost_and_it_works_again_after() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        desk.engine.lose()
        await desk.settle()
        await desk.pass_ms(12_000)
        await desk.press("a")
        assert desk.decided() == []
        assert "What you see is 12s old" in desk.text()
        await desk.show(replace(desk.engine.picture, link=Link.CONNECTED))
        await desk.press("a")
        assert desk.decided() == [("a1", "approve")]


async def test_keys_answer_only_where_the_focus_is() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        await desk.press("tab", "a", "d", "1")
        assert desk.decided() == []
        assert "tab comes here" in desk.text()
        await desk.press("shift+tab", "d")
        assert desk.decided() == [("a1", "deny")]


async def test_an_option_can_be_clicked() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        rows = desk.rows()
        at = next(y for y, row in enumerate(rows) if "4. No" in row)
        await desk.pilot.click(offset=(rows[at].index("4. No") + 3, at))
        await desk.settle()
        assert desk.decided() == [("a1", "deny")]


async def test_a_note_goes_with_the_decision_of_its_button() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        await desk.press("e")
        await desk.press(*"use git clean", "enter", "enter")
        (params,) = desk.engine.asked("approval.decide")
        assert (params.decision, params.note) == (Decision.DENY, "use git clean")  # type: ignore[attr-defined]


async def test_an_empty_note_is_not_sent_and_esc_decides_nothing() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        await desk.press("e", "enter")
        assert isinstance(desk.app.screen, NoteScreen)
        assert "a note is one line" in desk.text()
        await desk.press("escape")
        assert desk.decided() == []


async def test_a_question_that_takes_no_note_says_so() -> None:
    async with open_desk(build_busy(approvals=(build_approval(supports_note=False),))) as desk:
        await desk.press("e")
        assert "this question takes no note" in desk.text()


async def test_a_refusal_leaves_the_question_open_once_it_was_read() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        desk.engine.replies["approval.decide"] = WireError(Code.RATE_LIMITED, "slow down")
        await desk.press("a")
        assert "nothing was sent: slow down" in desk.text()
        await desk.pass_ms(9_000)
        del desk.engine.replies["approval.decide"]
        await desk.press("a")
        assert "approved: the dialog is gone" in desk.text()
