"""Answering over a real socket, as the daemon does it: the client, a scripted host with captured screens."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
from tools.approval_desk import ApprovalDesk
from tools.captures import case
from tools.fake_herdr import FakeHerdr, Trouble, socket_folder
from tools.fake_session import Manners

from collie.herdr.client import HostClient
from collie.protocol.models import Decision, OutcomeKind

HERE, THERE = "claude-2.1.332/bash-short-cursor-1", "claude-2.1.332/bash-short-cursor-4"
IDLE = "claude-2.1.332/idle-manual-mode"


@asynccontextmanager
async def build(manners: Manners, screen: str = HERE) -> AsyncIterator[tuple[ApprovalDesk, FakeHerdr, str]]:
    """A desk over a host on a socket, with one agent that shows a captured screen."""
    with socket_folder() as folder:
        host = FakeHerdr(folder / "herdr.sock", manners=manners)
        pane = host.add_agent("claude", screen=shown(screen), status="blocked")
        pane.columns = case(screen).meta["columns"]
        async with trio.open_nursery() as nursery:
            await nursery.start(host.run)
            yield ApprovalDesk(session=host, client=HostClient(host.path)), host, pane.pane_id
            nursery.cancel_scope.cancel()


def shown(name: str) -> str:
    return case(name).text("txt").rstrip("\n")


@pytest.mark.trio
@pytest.mark.parametrize("manners", ["0.8.2", "0.9", "embedded"])
async def test_a_denial_goes_down_to_no_and_is_seen_to_work(
    manners: Manners, autojump_clock: trio.testing.MockClock
) -> None:
    async with build(manners) as (desk, host, pane_id):
        host.when(pane_id, "down", screen=shown(THERE), after=0.01)
        host.when(pane_id, "enter", screen=shown(IDLE), status="idle", after=0.05)
        approval = await desk.shown()

        outcome = await desk.decide(approval, Decision.DENY)

        assert outcome.outcome is OutcomeKind.APPLIED
        assert [each.keys for each in host.typed] == [("down",) * 3, ("enter",)]
        assert all("expect" in params for params in host.calls("pane.send_keys"))


@pytest.mark.trio
@pytest.mark.parametrize(
    ("screen", "decision", "keys"),
    [
        ("claude-2.1.332/webfetch", Decision.DENY, ("esc",)),
        ("claude-2.1.332/trust-folder-cursor-no", Decision.DENY, ("esc",)),
        ("claude-2.1.332/auto-mode-bash-prompt", Decision.DENY, ("enter",)),
        (HERE, Decision.APPROVE, ("enter",)),
    ],
)
async def test_one_key_answers_what_the_cursor_or_escape_stands_for(
    screen: str, decision: Decision, keys: tuple[str, ...], autojump_clock: trio.testing.MockClock
) -> None:
    async with build("embedded", screen) as (desk, host, pane_id):
        host.when(pane_id, keys[0], screen=shown(IDLE), status="working", after=0.1)

        outcome = await desk.decide(await desk.shown(), decision)

        assert outcome.outcome is OutcomeKind.APPLIED
        assert [each.keys for each in host.typed] == [keys]


@pytest.mark.trio
async def test_a_choice_of_a_plan_is_pressed_like_a_decision(autojump_clock: trio.testing.MockClock) -> None:
    async with build("embedded", "claude-2.1.332/plan") as (desk, host, pane_id):
        host.when(pane_id, "down", screen=shown("claude-2.1.332/plan-cursor-2"))
        host.when(pane_id, "enter", screen=shown(IDLE), status="working")
        approval = await desk.shown()

        outcome = await desk.decide(approval, Decision.CHOOSE, choice=1)

        assert (outcome.outcome, outcome.choice, outcome.by) == (OutcomeKind.CHOSEN, 1, "desk")
        assert [each.keys for each in host.typed] == [("down",), ("enter",)]
        assert desk.results[-1].startswith("choose 1: applied")


@pytest.mark.trio
async def test_a_note_is_typed_into_the_field_that_opened(autojump_clock: trio.testing.MockClock) -> None:
    note = "use git clean -n first"
    async with build("embedded", "practice-1/command-cursor-no") as (desk, host, pane_id):
        host.detect(pane_id, "practice", "blocked")
        host.when(pane_id, "tab", screen=shown("practice-1/command-note-empty"), after=0.02)
        host.when(pane_id, note, screen=shown("practice-1/command-note-typed"), after=0.02)
        host.when(pane_id, "enter", screen=shown(IDLE), status="working", after=0.02)

        outcome = await desk.decide(await desk.shown(), Decision.DENY, note=note)

        assert outcome.outcome is OutcomeKind.APPLIED
        assert [(each.keys, each.text) for each in host.typed] == [(("tab",), None), ((), note), (("enter",), None)]


@pytest.mark.trio
async def test_a_host_that_takes_the_key_and_hangs_up_leaves_it_unconfirmed(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with build("embedded") as (desk, host, _):
        approval = await desk.shown()
        host.fail("pane.send_keys", Trouble.HANG_UP, done=True)

        outcome = await desk.decide(approval, Decision.APPROVE)

        assert outcome.outcome is OutcomeKind.UNCONFIRMED
        assert len(host.typed) == 1


@pytest.mark.trio
async def test_a_restarted_host_has_other_terminals_and_gets_no_key(autojump_clock: trio.testing.MockClock) -> None:
    async with build("embedded") as (desk, host, _):
        approval = await desk.shown()
        host.restart()

        with pytest.raises(Exception, match="not found"):
            await desk.decide(approval, Decision.APPROVE)

        assert host.typed == []
