"""A dialog is replaced at any moment of a decision, thousands of times: no key may reach another than was shown."""

import os
import random
from dataclasses import dataclass

import pytest
import trio
from tools.approval_desk import ApprovalDesk
from tools.drawn_agent import DrawnAgent, Question
from tools.fake_session import Manners

from collie.protocol.errors import WireError
from collie.protocol.models import Approval, Decision, OutcomeKind

RUNS = 2_000
UNTIED_RUNS = 500
SOAK_RUNS = 1_000_000
COMMAND = "rm -rf build"
MOMENTS = 14
"""A decision takes at most so many calls to the host before it settles."""


@dataclass(slots=True)
class Tally:
    """What came of many runs."""

    strayed: int = 0
    applied: int = 0
    superseded: int = 0


async def run_once(seed: int, manners: Manners, tally: Tally) -> None:
    """One decision with one change of the world in it, at a moment and of a kind that `seed` says."""
    dice = random.Random(seed)
    desk = ApprovalDesk(manners)
    agent = DrawnAgent(desk.session)
    shown = agent.ask(COMMAND)
    approval = await desk.shown()
    agent.draws_late = manners != "embedded"
    change_at, calls, looks = dice.randrange(MOMENTS), 0, 0

    async def change_the_world(method: str) -> None:
        nonlocal calls, looks
        if calls == change_at:
            change(agent, dice)
        calls += 1
        looks += method == "agent.get"
        if agent.draws_late and looks % 2 == 0:
            agent.draw()

    desk.before_calls(change_the_world)
    kind = await decide_anything(desk, approval, dice)
    tally.applied += kind is OutcomeKind.APPLIED
    tally.superseded += kind is OutcomeKind.SUPERSEDED
    tally.strayed += sum(not is_as_shown(each.question, shown) for each in agent.received)
    check_verdict(kind, agent)


def change(agent: DrawnAgent, dice: random.Random) -> None:
    """The question is answered elsewhere, or somebody presses a key at the desk."""
    match dice.randrange(6):
        case 0:
            agent.swap()
        case 1:
            agent.ask("rm -rf /home")
            agent.swap()
        case 2:
            agent.ask("rm -rf /home", "Yes", "Yes, and don't ask again for: rm *", "Maybe", "No")
            agent.swap()
        case 3:
            agent.ask(COMMAND)
            agent.swap()
        case 4:
            agent.press(dice.choice(("down", "up", "tab")))
        case _:
            pass


async def decide_anything(desk: ApprovalDesk, approval: Approval, dice: random.Random) -> OutcomeKind:
    decision = dice.choice((Decision.APPROVE, Decision.APPROVE_ALWAYS, Decision.DENY))
    has_note = decision is not Decision.APPROVE_ALWAYS and dice.random() < 0.3
    try:
        return (await desk.decide(approval, decision, note="look first" if has_note else None)).outcome
    except WireError as error:
        raise AssertionError(f"refused: {error}") from error


def is_as_shown(reached: Question | None, shown: Question) -> bool:
    """Whether a key reached the question that was shown, or one that nothing on the screen tells from it."""
    return reached is not None and (reached.command, reached.options) == (shown.command, shown.options)


def check_verdict(kind: OutcomeKind, agent: DrawnAgent) -> None:
    """Applied only where an answer arrived; superseded only where none was sent."""
    answers = [each for each in agent.answers if each[0] == COMMAND]
    if kind is OutcomeKind.APPLIED:
        assert len(answers) == 1
    if kind is OutcomeKind.SUPERSEDED:
        assert answers == []
    assert sum(each.typed in ("enter", "esc") for each in agent.received) <= 1


@pytest.mark.trio
async def test_with_conditional_input_no_key_reaches_another_dialog(autojump_clock: trio.testing.MockClock) -> None:
    tally = Tally()

    for seed in range(RUNS):
        await run_once(seed, "embedded", tally)

    assert tally.strayed == 0
    assert tally.applied > RUNS / 4
    assert tally.superseded > RUNS / 10


@pytest.mark.trio
async def test_without_it_a_key_may_stray_and_is_then_not_called_applied(
    autojump_clock: trio.testing.MockClock,
) -> None:
    """`check_verdict` looks at each run: applied is said only where the answer reached what was shown."""
    tally = Tally()

    for seed in range(UNTIED_RUNS):
        await run_once(seed, "0.9", tally)

    assert tally.strayed > UNTIED_RUNS / 100
    assert tally.applied > UNTIED_RUNS / 10


@pytest.mark.soak
@pytest.mark.skipif(not os.environ.get("COLLIE_SOAK"), reason="long; COLLIE_SOAK=1 runs it")
@pytest.mark.trio
@pytest.mark.timeout(7200)
async def test_with_conditional_input_no_key_reaches_another_dialog_in_a_million_runs(
    autojump_clock: trio.testing.MockClock,
) -> None:
    tally = Tally()

    for seed in range(RUNS, RUNS + SOAK_RUNS):
        await run_once(seed, "embedded", tally)

    assert tally.strayed == 0
