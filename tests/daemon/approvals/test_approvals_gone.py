"""An answer that the agent ignores, whatever it draws afterwards, and one that it takes: what is said of each."""

import os
import signal
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
import trio
from msgspec import UNSET
from tools.approval_desk import ApprovalDesk
from tools.captures import case
from tools.drawn_agent import RULE, DrawnAgent
from tools.fake_session import Manners

from collie.protocol.models import Approval, Decision, Outcome, OutcomeKind

WORKING = f"● I'll tidy up.\n\n✻ Tidying… (3s · esc to interrupt)\n\n{RULE}\n❯\u00a0\n{RULE}\n  ⏸ manual mode on"
SHELL = "$ claude\n$"


def build(manners: Manners = "embedded") -> tuple[ApprovalDesk, DrawnAgent]:
    desk = ApprovalDesk(manners)
    return desk, DrawnAgent(desk.session)


def capture(name: str) -> str:
    return case(f"claude-2.1.332/{name}").text("txt").rstrip("\n")


def upper_half(asked: str) -> str:
    return "\n".join(asked.split("\n")[:6])


def lower_half(asked: str) -> str:
    return "\n".join(asked.split("\n")[6:])


def narrower(asked: str) -> str:
    return "\n".join(row[:30] for row in asked.split("\n"))


def explained(asked: str) -> str:
    return asked.replace(" Do you want", " This removes a folder for good.\n Do you want")


PICTURES: dict[str, Callable[[str], str]] = {
    "a blank screen": lambda asked: "",
    "the upper half": upper_half,
    "the lower half": lower_half,
    "a window that is narrower": narrower,
    "the same, explained": explained,
    "the transcript viewer": lambda asked: capture("transcript-view"),
    "scrolled up": lambda asked: capture("scrolled-up-waiting-for-answer"),
    "scrolled up, at its box": lambda asked: capture("scrolled-up-idle"),
    "a settings picker": lambda asked: capture("model-picker"),
    "a form of the start": lambda asked: capture("mcp-json-question"),
    "what the main screen shows": lambda asked: SHELL,
}


def ignore_answers(desk: ApprovalDesk, agent: DrawnAgent, picture: str, status: str) -> None:
    """Have the agent ignore Enter, and draw this instead until it draws its question again."""
    agent.is_guarded = True

    def draw(pane: object, typed: object) -> None:
        desk.session.set_screen(agent.pane.pane_id, picture)
        desk.session.set_status(agent.pane.pane_id, status)

    desk.session.on_input(draw)


async def decided(desk: ApprovalDesk, approval: Approval, until: float, then: Callable[[], None]) -> Outcome:
    """The verdict on an approval, where something else happens so many seconds after the decision."""
    outcomes: list[Outcome] = []

    async def decide() -> None:
        outcomes.append(await desk.decide(approval, Decision.APPROVE))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(decide)
        await trio.sleep(until)
        then()
    return outcomes[0]


@pytest.mark.trio
@pytest.mark.parametrize("status", ["blocked", "unknown", "idle", "working"])
@pytest.mark.parametrize("name", PICTURES)
async def test_what_may_still_be_the_question_is_not_called_applied_whatever_the_host_says(
    name: str, status: str, autojump_clock: trio.testing.MockClock
) -> None:
    desk, agent = build()
    asked = agent.ask("rm -rf build")
    approval = await desk.shown()
    ignore_answers(desk, agent, PICTURES[name](asked.drawn()), status)

    outcome = await desk.decide(approval, Decision.APPROVE)

    assert outcome.outcome is OutcomeKind.UNCONFIRMED
    assert outcome.reason == "the dialog was not seen to go away"
    agent.draw()
    await desk.look()
    assert [each.command for each in desk.approvals.pending()] == ["rm -rf build"]


@pytest.mark.trio
@pytest.mark.parametrize("name", PICTURES)
@pytest.mark.parametrize("seconds", [0.02, 0.3, 1.5])
async def test_a_question_that_comes_back_is_not_called_applied(
    name: str, seconds: float, autojump_clock: trio.testing.MockClock
) -> None:
    desk, agent = build()
    asked = agent.ask("rm -rf build")
    approval = await desk.shown()
    ignore_answers(desk, agent, PICTURES[name](asked.drawn()), "unknown")

    outcome = await decided(desk, approval, seconds, agent.draw)

    assert outcome.outcome is OutcomeKind.UNCONFIRMED
    (fresh,) = desk.approvals.pending()
    assert (fresh.command, fresh.approval_id != approval.approval_id) == ("rm -rf build", True)


@pytest.mark.trio
@pytest.mark.parametrize("name", PICTURES)
async def test_an_answer_that_is_taken_behind_such_a_picture_is_seen_in_the_end(
    name: str, autojump_clock: trio.testing.MockClock
) -> None:
    desk, agent = build()
    asked = agent.ask("rm -rf build")
    approval = await desk.shown()
    ignore_answers(desk, agent, PICTURES[name](asked.drawn()), "unknown")

    outcome = await decided(desk, approval, 1.0, agent.swap)

    assert outcome.outcome is OutcomeKind.APPLIED


@pytest.mark.trio
async def test_a_box_that_is_seen_once_between_two_pictures_of_the_question_proves_nothing(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()
    ignore_answers(desk, agent, WORKING, "working")

    outcome = await decided(desk, approval, 0.04, agent.draw)

    assert outcome.outcome is OutcomeKind.UNCONFIRMED


@pytest.mark.trio
async def test_another_agent_in_its_place_has_not_taken_the_answer(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()
    desk.session.on_input(lambda pane, typed: desk.session.detect(agent.pane.pane_id, "codex"))

    outcome = await desk.decide(approval, Decision.APPROVE)

    assert (outcome.outcome, outcome.reason) == (OutcomeKind.UNCONFIRMED, "another agent took its place")


@pytest.mark.trio
async def test_another_session_in_its_place_has_not_taken_the_answer(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    agent.pane.session = "5b0e6f0a"
    agent.ask("rm -rf build")
    approval = await desk.shown()

    def begin_anew(pane: object, typed: object) -> None:
        agent.pane.session = "6c1f7a1b"

    desk.session.on_input(begin_anew)

    outcome = await desk.decide(approval, Decision.APPROVE)

    assert (outcome.outcome, outcome.reason) == (OutcomeKind.UNCONFIRMED, "another session took its place")


@pytest.mark.trio
@pytest.mark.parametrize("is_left_standing", [False, True])
async def test_an_agent_that_ends_on_an_answer_that_does_not_end_it_has_not_taken_it(
    is_left_standing: bool, autojump_clock: trio.testing.MockClock
) -> None:
    desk, agent = build()
    asked = agent.ask("rm -rf build")
    approval = await desk.shown()
    leave_on_input(desk, agent, f"{asked.drawn()}\n$" if is_left_standing else "$")

    outcome = await desk.decide(approval, Decision.APPROVE)

    assert (outcome.outcome, outcome.reason) == (OutcomeKind.UNCONFIRMED, "the agent has ended")


@pytest.mark.trio
@pytest.mark.parametrize("is_left_standing", [False, True])
async def test_an_agent_that_ends_on_the_answer_that_ends_it_has_taken_it(
    is_left_standing: bool, autojump_clock: trio.testing.MockClock
) -> None:
    desk, agent = build()
    desk.session.set_screen(agent.pane.pane_id, asked := capture("trust-folder-cursor-no"))
    desk.session.set_status(agent.pane.pane_id, "blocked")
    agent.pane.columns = 100
    approval = await desk.shown()
    leave_on_input(desk, agent, f"{asked}\n$" if is_left_standing else "$")

    outcome = await desk.decide(approval, Decision.DENY)

    assert outcome.outcome is OutcomeKind.APPLIED


def leave_on_input(desk: ApprovalDesk, agent: DrawnAgent, leaves: str) -> None:
    """Have the agent leave the foreground with its next input, and this on the screen."""

    def leave(pane: object, typed: object) -> None:
        desk.session.set_screen(agent.pane.pane_id, leaves)
        desk.session.release(agent.pane.pane_id)

    desk.session.on_input(leave)


@contextmanager
def stopped_process() -> Iterator[None]:
    """A process of ours that is stopped."""
    with subprocess.Popen(["sleep", "60"]) as child:
        try:
            os.kill(child.pid, signal.SIGSTOP)
            os.waitid(os.P_PID, child.pid, os.WSTOPPED)
            yield
        finally:
            child.kill()


@pytest.mark.trio
async def test_an_agent_that_is_suspended_has_neither_taken_an_answer_nor_been_given_one(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build()
    agent.pane.shell_pid = os.getpid()
    desk.session.set_screen(agent.pane.pane_id, capture("trust-folder-cursor-no"))
    desk.session.set_status(agent.pane.pane_id, "blocked")
    agent.pane.columns = 100
    approval = await desk.shown()
    leave_on_input(desk, agent, SHELL)

    with stopped_process():
        outcome = await desk.decide(approval, Decision.DENY)

    assert (outcome.outcome, outcome.reason) == (OutcomeKind.UNCONFIRMED, "the agent was suspended, or has ended")


@pytest.mark.trio
@pytest.mark.parametrize(
    ("is_stopped", "reason"), [(True, "the agent was suspended, or has ended"), (False, "the agent has ended")]
)
async def test_an_agent_that_vanishes_is_not_called_answered(
    is_stopped: bool, reason: str, autojump_clock: trio.testing.MockClock
) -> None:
    desk, agent = build()
    agent.pane.shell_pid = os.getpid() if is_stopped else 1 << 30
    agent.ask("rm -rf build")
    approval = await desk.shown()
    with stopped_process():
        desk.session.release(agent.pane.pane_id)
        await desk.look()

    assert desk.resolved == [
        (approval.approval_id, Outcome(outcome=OutcomeKind.SUPERSEDED, reason=reason, by=UNSET)),
    ]


# Plain herdr, which writes keys whatever is on the screen


def draw_later(desk: ApprovalDesk, agent: DrawnAgent) -> None:
    """The agent takes as long as one look to draw what follows from a key."""
    agent.draws_late = True
    looks = 0

    async def draw(method: str) -> None:
        nonlocal looks
        looks += method == "agent.get"
        if agent.received and looks > 2:
            agent.draw()

    desk.before_calls(draw)


@pytest.mark.trio
async def test_a_question_that_is_seen_once_more_after_its_key_got_it(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build("0.9")
    agent.ask("rm -rf build")
    approval = await desk.shown()
    draw_later(desk, agent)

    outcome = await desk.decide(approval, Decision.APPROVE)

    assert outcome.outcome is OutcomeKind.APPLIED
    assert agent.answers == [("rm -rf build", "Yes", "")]


@pytest.mark.trio
@pytest.mark.parametrize("follows", [True, False])
async def test_a_question_that_was_swapped_under_the_key_is_not_called_answered(
    follows: bool, autojump_clock: trio.testing.MockClock
) -> None:
    """The key goes to the second question; then the agent works, or asks a third."""
    desk, agent = build("0.9")
    for command in ("rm -rf build", "git push", "ls")[: 3 if follows else 2]:
        agent.ask(command)
    approval = await desk.shown()

    async def swap_under_the_key(method: str) -> None:
        if method == "pane.send_keys":
            agent.swap()

    desk.before_calls(swap_under_the_key)
    outcome = await desk.decide(approval, Decision.APPROVE)

    assert agent.answers == [("git push", "Yes", "")]
    assert outcome.outcome is OutcomeKind.UNCONFIRMED
    assert outcome.reason == "the dialog went before it was seen that the key had reached it"


@pytest.mark.trio
async def test_a_question_that_was_answered_at_the_desk_under_the_key_is_not_called_answered_here(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build("0.9")
    agent.ask("rm -rf build")
    approval = await desk.shown()

    async def answer_under_the_key(method: str) -> None:
        if method == "pane.send_keys":
            agent.press("enter")

    desk.before_calls(answer_under_the_key)
    outcome = await desk.decide(approval, Decision.APPROVE)

    assert outcome.outcome is OutcomeKind.UNCONFIRMED
