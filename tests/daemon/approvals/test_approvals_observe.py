"""When approvals come and go."""

import pytest
import trio
from msgspec import UNSET
from tools.approval_desk import START_MS, ApprovalDesk
from tools.captures import case
from tools.drawn_agent import DrawnAgent

from collie.herdr.errors import HostUnavailable
from collie.protocol.models import Decision, OutcomeKind


def build() -> tuple[ApprovalDesk, DrawnAgent]:
    desk = ApprovalDesk()
    return desk, DrawnAgent(desk.session)


@pytest.mark.trio
async def test_a_blocked_agent_gets_an_approval_with_all_of_its_dialog(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")

    await desk.look()

    (approval,) = desk.needed
    assert approval == desk.approvals.pending()[0]
    assert (approval.terminal_id, approval.kind, approval.agent_label) == (agent.pane.terminal_id, "claude", "tidy")
    assert (approval.workspace_label, approval.title, approval.command) == ("orchard", "Bash command", "rm -rf build")
    assert approval.body.splitlines()[0] == "Bash command"
    assert approval.body.splitlines()[-1] == "Do you want to proceed?"
    assert approval.body_complete
    assert approval.options == (Decision.APPROVE, Decision.APPROVE_ALWAYS, Decision.DENY)
    assert [(each.index, each.label, each.current) for each in approval.choices] == [
        (0, "Yes", True),
        (1, "Yes, and don't ask again for: rm *", False),
        (2, "No", False),
    ]
    assert approval.supports_note
    assert approval.expires_at_ms == approval.created_at_ms + 600_000 == START_MS + 600_000
    assert approval.approval_id.startswith("ap_"), "an id that began with a dash would be an option of `collie decide`"
    assert len(approval.nonce) == 43
    assert approval.snippet.endswith("rm -rf build\nDo you want to proceed?")


@pytest.mark.trio
async def test_looking_again_at_the_same_dialog_tells_nothing(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    await desk.look()

    for blink in ("○ I'll tidy up.", "● I'll tidy up."):
        agent.above = blink
        agent.draw()
        await desk.look()
        await desk.look(only=(agent.pane.terminal_id,))

    assert len(desk.events) == 1


@pytest.mark.trio
async def test_a_dialog_that_changed_ends_its_approval_and_gets_a_new_one_at_once(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    first = await desk.shown()
    agent.ask("rm -rf /")
    agent.swap()

    await desk.look()

    ((approval_id, outcome),) = desk.resolved
    second = desk.approvals.pending()[0]
    assert (approval_id, outcome.outcome) == (first.approval_id, OutcomeKind.SUPERSEDED)
    assert outcome.reason == "the dialog changed"
    assert second.command == "rm -rf /"
    assert (second.approval_id, second.nonce) != (first.approval_id, first.nonce)


@pytest.mark.trio
async def test_an_answer_in_the_agent_ends_the_approval_by_terminal(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    await desk.look()
    agent.press("enter")

    await desk.look()

    ((_, outcome),) = desk.resolved
    assert (outcome.outcome, outcome.by) == (OutcomeKind.SUPERSEDED, "terminal")
    assert desk.approvals.pending() == ()


@pytest.mark.trio
async def test_the_same_question_asked_again_is_another_approval(autojump_clock: trio.testing.MockClock) -> None:
    """The host saw the agent leave its question in between: its counter moved."""
    desk, agent = build()
    agent.ask("rm -rf build")
    first = await desk.shown()
    agent.press("enter")
    agent.ask("rm -rf build")

    second = await desk.shown()

    assert second.approval_id != first.approval_id
    assert desk.resolved[0][1].by is UNSET, "that it was answered was not seen"
    assert desk.resolved[0][1].reason == "the question went away, and the agent asks again"


@pytest.mark.trio
async def test_an_approval_expires_and_is_issued_anew_while_the_agent_stays_blocked(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    first = await desk.shown()
    await trio.sleep(600)

    await desk.look()

    assert desk.resolved[0][1].outcome is OutcomeKind.EXPIRED
    assert desk.approvals.pending()[0].approval_id != first.approval_id


@pytest.mark.trio
async def test_a_dialog_that_is_drawn_in_pieces_is_published_when_it_is_whole(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build()
    asked = agent.ask("rm -rf build")
    rows = asked.drawn().split("\n")
    desk.session.set_screen(agent.pane.pane_id, "\n".join(rows[:8]))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(desk.look)
        await trio.sleep(0.05)
        agent.draw()

    (approval,) = desk.needed
    assert approval.options


@pytest.mark.trio
async def test_a_card_that_offers_nothing_is_not_renewed_with_every_blink(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build()
    desk.session.detect(agent.pane.pane_id, "opencode", "blocked")
    for moment in range(10):
        desk.session.set_screen(agent.pane.pane_id, f"△ Permission required {'.' * moment}")
        await desk.look()
        await trio.sleep(1.5)

    assert len(desk.needed) == 2
    assert desk.needed[0].unreadable == "the questions of this agent are not read yet"
    assert not desk.needed[0].body_complete
    assert desk.needed[-1].body.startswith("△ Permission required ...")


@pytest.mark.trio
async def test_a_blocked_agent_without_a_question_gets_no_card(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    desk.session.set_status(agent.pane.pane_id, "blocked")

    await desk.look()

    assert desk.events == []


@pytest.mark.trio
async def test_a_question_scrolled_out_of_sight_gets_a_card_without_decisions(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    await desk.look()
    desk.session.set_screen(
        agent.pane.pane_id, "\n".join(["● Much text."] * 20 + [" Waiting for your answer (ctrl+End) ↓ ".center(80)])
    )

    await desk.look()

    (approval,) = desk.approvals.pending()
    assert (approval.options, approval.choices) == ((), ())
    assert "scrolled up" in approval.unreadable


@pytest.mark.trio
async def test_a_viewer_over_the_question_is_not_called_an_answer(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    await desk.look()
    desk.session.set_screen(agent.pane.pane_id, case("claude-2.1.332/transcript-view").text("txt"))

    await desk.look()
    agent.draw()
    await desk.look()

    ((_, outcome),) = desk.resolved
    assert outcome.by is UNSET
    assert outcome.reason == "its question is not on the screen any more"
    assert desk.approvals.pending()[0].options


@pytest.mark.trio
async def test_an_agent_that_is_gone_takes_its_approval_along(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    await desk.look()
    desk.session.close(agent.pane.pane_id)

    await desk.look()

    ((_, outcome),) = desk.resolved
    assert (outcome.outcome, outcome.reason) == (OutcomeKind.SUPERSEDED, "the agent has gone")


@pytest.mark.trio
async def test_a_pane_that_moves_keeps_its_approval(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()
    desk.session.move(agent.pane.pane_id, "w7:p1")
    agent.pane = desk.session.panes["w7:p1"]

    outcome = await desk.decide(approval, Decision.APPROVE)

    assert outcome.outcome is OutcomeKind.APPLIED


@pytest.mark.trio
async def test_a_lost_host_ends_what_is_pending_with_the_reason(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    await desk.look()

    desk.approvals.host_lost("the host has stopped")

    assert desk.resolved[0][1].reason == "the host has stopped"
    assert desk.approvals.pending() == ()


@pytest.mark.trio
async def test_one_agent_whose_look_fails_does_not_hide_another(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    other = DrawnAgent(desk.session)
    for each in (agent, other):
        each.ask("rm -rf build")
    calls = 0

    async def break_once(method: str) -> None:
        nonlocal calls
        calls += method == "pane.read"
        if method == "pane.read" and calls == 1:
            raise HostUnavailable("no answer", sent=True)

    desk.before_calls(break_once)
    with pytest.raises(HostUnavailable):
        await desk.look()

    assert len(desk.needed) == 1


@pytest.mark.trio
async def test_only_the_named_terminals_are_looked_at(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    other = DrawnAgent(desk.session)
    for each in (agent, other):
        each.ask("rm -rf build")

    await desk.look(only=(other.pane.terminal_id,))

    assert [each.terminal_id for each in desk.needed] == [other.pane.terminal_id]
