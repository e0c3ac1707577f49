"""The cursors of the two lists: they follow what happens, and only a person's moves are answered to."""

import pytest
from tools.desk import open_desk
from tools.pictures import NOW, build_approval, build_busy

from collie.client.picture import Picture
from collie.protocol.models import Approval, Outcome, OutcomeKind
from collie.tui.screens.dashboard import DashboardScreen

pytestmark = pytest.mark.asyncio

ELSEWHERE = Outcome(outcome=OutcomeKind.SUPERSEDED, by="terminal")
ASKING = ("t1", "fixer"), ("t2", "tests"), ("t3", "docs")


def build_asked() -> tuple[Approval, ...]:
    """A question of each agent, the first one waiting longest."""
    return tuple(
        build_approval(f"a{at}", terminal_id=terminal, agent_label=label, created_at_ms=NOW - 60_000 + at)
        for at, (terminal, label) in enumerate(ASKING, start=1)
    )


def build_three(*approvals: Approval) -> Picture:
    return build_busy(approvals=approvals or build_asked())


async def test_the_last_question_answered_elsewhere_leaves_the_others_answerable() -> None:
    async with open_desk(build_three()) as desk:
        await desk.press("right_square_bracket", "right_square_bracket")
        desk.engine.resolve("a3", ELSEWHERE)
        await desk.settle()
        await desk.pass_ms(9_000)
        await desk.press("space", "a")
        assert desk.decided() == [("a1", "approve")]


async def test_the_cursors_of_both_lists_stand_on_the_same_agent() -> None:
    async with open_desk(build_three()) as desk:
        await desk.press("right_square_bracket")
        screen = desk.app.screen
        assert isinstance(screen, DashboardScreen)
        assert screen.agents.rows.selected == "t2"
        await desk.press("tab", "j")
        question = screen.questions.question
        assert question is not None
        assert question.approval.approval_id == "a3"


async def test_a_question_that_ends_moves_no_cursor_that_is_in_use() -> None:
    async with open_desk(build_three()) as desk:
        screen = desk.app.screen
        assert isinstance(screen, DashboardScreen)
        await desk.press("tab", "j")
        desk.engine.resolve("a2", ELSEWHERE)
        await desk.settle()
        assert screen.agents.rows.selected == "t2"


async def test_the_list_says_what_each_asks_and_takes_the_room_there_is() -> None:
    many = tuple(
        build_approval(f"a{at}", agent_label=f"agent-{at}", command=f"make step-{at}", body=f"make step-{at}")
        for at in range(9)
    )
    async with open_desk(build_three(*many), size=(120, 40)) as desk:
        assert all(f"make step-{at}" in desk.text() for at in range(9))


async def test_questions_that_are_listed_anew_in_another_order_can_be_answered() -> None:
    async with open_desk(build_three(*build_asked()[:2])) as desk:
        await desk.press("right_square_bracket")
        await desk.show(build_three(build_approval("b2", terminal_id="t2"), build_approval("b1")))
        await desk.press("space", "d")
        assert len(desk.decided()) == 1


async def test_a_question_answered_in_its_live_screen_leaves_the_dashboards_cursor_at_rest() -> None:
    async with open_desk(build_three()) as desk:
        await desk.press("right_square_bracket", "right_square_bracket", "enter")
        desk.engine.resolve("a3", ELSEWHERE)
        await desk.press("escape")
        await desk.pass_ms(9_000)
        await desk.press("space", "a")
        assert desk.decided() == [("a1", "approve")]
