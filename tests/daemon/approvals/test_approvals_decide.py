"""Decisions carried out: who is refused, what is told, how long it takes."""

from dataclasses import replace

import pytest
import trio
from tools.approval_desk import ApprovalDesk, desk_caller
from tools.drawn_agent import DrawnAgent

from collie.herdr.errors import HostUnavailable
from collie.protocol.errors import Code, WireError
from collie.protocol.models import Approval, Decision, Outcome, OutcomeKind


def build() -> tuple[ApprovalDesk, DrawnAgent]:
    desk = ApprovalDesk()
    return desk, DrawnAgent(desk.session)


async def refused(desk: ApprovalDesk, approval: Approval, decision: Decision = Decision.APPROVE) -> WireError:
    with pytest.raises(WireError) as caught:
        await desk.decide(approval, decision)
    return caught.value


@pytest.mark.trio
@pytest.mark.parametrize(
    ("decision", "note", "answer"),
    [
        (Decision.APPROVE, None, ("Yes", "")),
        (Decision.APPROVE_ALWAYS, None, ("Yes, and don't ask again for: rm *", "")),
        (Decision.DENY, None, ("No", "")),
        (Decision.APPROVE, "look first", ("Yes", "look first")),
        (Decision.DENY, "use git clean -n first " * 8, ("No", ("use git clean -n first " * 8))),
    ],
)
async def test_a_decision_reaches_the_agent_and_is_proven(
    decision: Decision, note: str | None, answer: tuple[str, str], autojump_clock: trio.testing.MockClock
) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()

    outcome = await desk.decide(approval, decision, note=note)

    assert outcome == Outcome(outcome=OutcomeKind.APPLIED, decision=decision, by="desk")
    assert agent.answers == [("rm -rf build", *answer)]
    assert desk.resolved == [(approval.approval_id, outcome)]
    assert {line[:3] for line in desk.audited} == {("desk", "approval.decide", approval.approval_id)}
    words = f"{decision.value}{' with note' if note else ''}"
    sending, applied = desk.results
    assert sending == f"{words}: sending terminal={agent.pane.terminal_id}"
    assert applied.startswith(f"{words}: applied terminal=")
    assert note is None or note.strip() not in applied


@pytest.mark.trio
async def test_a_decision_takes_a_few_looks_and_no_pause_beyond_them(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()
    began = trio.current_time()

    await desk.decide(approval, Decision.DENY)

    assert trio.current_time() - began < 0.1


@pytest.mark.trio
async def test_a_question_that_was_just_drawn_gets_its_key_after_the_guard(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    await desk.look()
    began = trio.current_time()
    pressed: list[float] = []
    desk.session.on_input(lambda pane, typed: pressed.append(trio.current_time() - began))

    await desk.decide(desk.approvals.pending()[0], Decision.APPROVE)

    assert pressed == [pytest.approx(0.3)]


@pytest.mark.trio
async def test_of_two_deciders_one_acts_and_the_other_is_told_who(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()

    async with trio.open_nursery() as nursery:
        nursery.start_soon(desk.decide, approval, Decision.APPROVE)
        await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(WireError) as caught:
            await desk.decide(approval, Decision.DENY, caller=desk_caller("phone"))

    assert agent.answers == [("rm -rf build", "Yes", "")]
    assert (caught.value.code, caught.value.message) == (Code.APPROVAL_ALREADY_RESOLVED, "approval already used")
    assert caught.value.outcome is not None
    assert (caught.value.outcome.by, caught.value.outcome.decision) == ("desk", Decision.APPROVE)
    assert [(peer, result.split(" terminal")[0]) for peer, _, _, result in desk.audited] == [
        ("desk", "approve: sending"),
        ("phone", "deny: rejected: replayed"),
        ("desk", "approve: applied"),
    ]


@pytest.mark.trio
async def test_who_comes_later_is_told_how_it_ended(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()
    await desk.decide(approval, Decision.APPROVE)

    error = await refused(desk, approval, Decision.DENY)

    assert (error.code, error.message) == (Code.APPROVAL_ALREADY_RESOLVED, "approval already used")
    assert error.outcome == Outcome(
        outcome=OutcomeKind.APPLIED,
        decision=Decision.APPROVE,
        by="desk",
        reason="already answered by desk: approve",
    )
    assert desk.results[-1] == "deny: rejected: replayed"


@pytest.mark.trio
async def test_who_decides_what_was_answered_in_the_agent_is_told_so(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()
    agent.press("enter")
    await desk.look()

    error = await refused(desk, approval)

    assert error.outcome is not None
    assert error.outcome.by == "terminal"


@pytest.mark.trio
async def test_an_unknown_approval_is_not_found(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()
    unknown = Approval(**{name: getattr(approval, name) for name in approval.__struct_fields__} | {"approval_id": "x"})

    error = await refused(desk, unknown)

    assert (error.code, error.message) == (Code.APPROVAL_NOT_FOUND, "no such approval")
    assert desk.results == ["approve: rejected: unknown approval"]


@pytest.mark.trio
async def test_a_device_decides_five_times_at_once_and_then_once_a_second(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()
    for _ in range(5):
        await refused(desk, approval) if desk.audited else await desk.decide(approval, Decision.DENY)

    limited = [await refused(desk, approval) for _ in range(2)]
    other = desk_caller("phone")
    with pytest.raises(WireError) as from_another:
        await desk.decide(approval, Decision.DENY, caller=other)
    await trio.sleep(1)
    later = await refused(desk, approval)

    assert [(each.code, each.message) for each in limited] == [(Code.RATE_LIMITED, "slow down")] * 2
    assert desk.results.count("approve: rejected: rate limited") == 1
    assert from_another.value.code is later.code is Code.APPROVAL_ALREADY_RESOLVED


@pytest.mark.trio
async def test_while_it_is_decided_it_is_not_offered(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()
    offered: list[int] = []

    async def note_offers(method: str) -> None:
        offered.append(len(desk.approvals.pending()))

    desk.before_calls(note_offers)
    await desk.decide(approval, Decision.APPROVE)

    assert set(offered) == {0}


@pytest.mark.trio
async def test_a_look_during_a_decision_leaves_it_alone(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()
    agent.is_guarded = True

    async with trio.open_nursery() as nursery:
        nursery.start_soon(desk.decide, approval, Decision.APPROVE)
        for _ in range(20):
            await trio.sleep(0.1)
            await desk.look()

    assert [kind.outcome for _, kind in desk.resolved] == [OutcomeKind.UNCONFIRMED]
    assert len(desk.needed) == 2


@pytest.mark.trio
async def test_whoever_was_unpaired_between_two_keys_sends_no_second_one(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()
    caller = desk_caller("phone", is_authorised=lambda: not agent.received)

    with pytest.raises(WireError) as caught:
        await desk.decide(approval, Decision.DENY, caller=caller)

    assert (caught.value.code, caught.value.message) == (Code.NOT_PAIRED, "peer is no longer authorized")
    assert {each.typed for each in agent.received} == {"down"}
    assert desk.results[1:] == ["deny: rejected: peer is no longer authorized"]


@pytest.mark.trio
@pytest.mark.parametrize("method", ["agent.get", "pane.read", "pane.send_keys"])
async def test_the_verdict_comes_within_four_seconds_of_a_host_that_hangs(
    method: str, autojump_clock: trio.testing.MockClock
) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()

    async def hang(called: str) -> None:
        if called == method:
            await trio.sleep(60)

    desk.before_calls(hang)
    outcomes: list[Outcome] = []
    async with trio.open_nursery() as nursery:

        async def decide() -> None:
            outcomes.append(await desk.decide(approval, Decision.APPROVE))

        nursery.start_soon(decide)
        await trio.sleep(4)
        verdicts = [outcome.outcome for _, outcome in desk.resolved]
        nursery.cancel_scope.cancel()

    assert verdicts == [OutcomeKind.UNCONFIRMED if method == "pane.send_keys" else OutcomeKind.SUPERSEDED]


@pytest.mark.trio
async def test_a_host_that_breaks_before_a_key_is_an_error_and_after_it_is_unconfirmed(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()

    async def refuse(called: str) -> None:
        raise HostUnavailable("no answer", sent=False)

    desk.before_calls(refuse)
    error = await refused(desk, approval)
    assert (error.code, error.message) == (Code.HERDR_UNAVAILABLE, "herdr unavailable")

    async def break_after_the_key(called: str) -> None:
        if agent.received:
            raise HostUnavailable("no answer", sent=True)

    desk.before_calls(break_after_the_key)
    approval = await desk.shown()
    outcome = await desk.decide(approval, Decision.APPROVE)

    assert outcome.outcome is OutcomeKind.UNCONFIRMED
    assert outcome.reason == "herdr unavailable"


@pytest.mark.trio
async def test_a_pane_that_is_closed_during_the_answer_is_not_called_applied(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()
    desk.session.on_input(lambda pane, typed: desk.session.close(pane.pane_id))

    outcome = await desk.decide(approval, Decision.APPROVE)

    assert outcome.outcome is OutcomeKind.UNCONFIRMED


@pytest.mark.trio
@pytest.mark.parametrize(
    ("presses", "kind"), [(0, OutcomeKind.SUPERSEDED), (2, OutcomeKind.SUPERSEDED), (3, OutcomeKind.UNCONFIRMED)]
)
async def test_a_decision_that_is_cut_short_ends_and_presses_nothing_more(
    presses: int, kind: OutcomeKind, autojump_clock: trio.testing.MockClock
) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    agent.is_guarded = True
    approval = await desk.shown()

    with trio.CancelScope() as scope:

        async def cut(method: str) -> None:
            if len(agent.received) == presses and (presses or method == "pane.send_keys"):
                scope.cancel()
                await trio.lowlevel.checkpoint()

        desk.before_calls(cut)
        await desk.decide(approval, Decision.DENY)

    assert scope.cancelled_caught
    assert [outcome.outcome for _, outcome in desk.resolved] == [kind]
    assert len(agent.received) == presses
    assert len(desk.audited) == 2


@pytest.mark.trio
async def test_a_daemon_that_dies_between_arrow_and_enter_leaves_a_question_for_the_next(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()

    with trio.CancelScope() as scope:

        async def die(method: str) -> None:
            if agent.received:
                scope.cancel()
                await trio.lowlevel.checkpoint()

        desk.before_calls(die)
        await desk.decide(approval, Decision.DENY)
    after = ApprovalDesk(session=desk.session, first_token=100)
    fresh = await after.shown()
    error = await refused(after, approval)

    assert error.code is Code.APPROVAL_NOT_FOUND
    assert [each.typed for each in agent.received] == ["down", "down"]
    assert [each.index for each in fresh.choices if each.current] == [2]
    assert (await after.decide(fresh, Decision.APPROVE)).outcome is OutcomeKind.APPLIED


@pytest.mark.trio
async def test_the_next_question_is_offered_before_the_answer_returns(
    autojump_clock: trio.testing.MockClock,
) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()
    agent.ask("rm -rf /")

    outcome = await desk.decide(approval, Decision.APPROVE)

    assert outcome.outcome is OutcomeKind.APPLIED
    assert [each.command for each in desk.approvals.pending()] == ["rm -rf /"]


@pytest.mark.trio
async def test_a_field_that_does_not_open_gets_no_note(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()
    agent.draws_late = True

    outcome = await desk.decide(approval, Decision.APPROVE, note="look first")

    assert outcome.outcome is OutcomeKind.SUPERSEDED
    assert [each.typed for each in agent.received] == ["tab"]
    assert desk.results[1:] == [
        f"approve with note: superseded: amend field not shown terminal={agent.pane.terminal_id} keys=tab"
    ]


@pytest.mark.trio
async def test_a_note_that_is_garbled_on_its_way_is_not_sent(autojump_clock: trio.testing.MockClock) -> None:
    desk, agent = build()
    agent.ask("rm -rf build")
    approval = await desk.shown()

    def lose_a_letter(pane: object, typed: object) -> None:
        if agent.question is not None and agent.question.note:
            agent.question = replace(agent.question, notes=((0, "lok first"),))
            agent.draw()

    desk.session.on_input(lose_a_letter)

    outcome = await desk.decide(approval, Decision.APPROVE, note="look first")

    assert outcome.outcome is OutcomeKind.SUPERSEDED
    assert agent.answers == []
    assert "note not shown" in desk.results[1]
