"""The loop over a scripted host: what is told when something happens there, with old manners, new ones and our own."""

from pathlib import Path

import pytest
import trio
import trio.testing
from tools.daemon_world import DaemonWorld, daemon_world
from tools.drawn_agent import COLUMNS, Question
from tools.fake_herdr import FakeHerdr, Trouble
from tools.fake_session import Manners
from trio.testing import MockClock

from collie.herdr.wire import Fault
from collie.protocol.errors import Code, WireError
from collie.protocol.events import AgentStatusChanged, ApprovalNeeded, ApprovalResolved, FlockChanged, HostChanged
from collie.protocol.models import AgentStatus, HostState

pytestmark = pytest.mark.trio

EVERY_MANNERS = pytest.mark.parametrize("manners", ["0.8.2", "0.9", "embedded"])


def dialog(command: str) -> str:
    """A permission dialog, as Claude Code draws it."""
    return Question(number=1, command=command, options=("Yes", "No")).drawn()


def one_agent(host: FakeHerdr) -> None:
    host.add_agent("claude", name="pruner").columns = COLUMNS


async def no_news(world: DaemonWorld) -> None:
    """Let the first words pass."""
    await world.ear.silence(3.0)


@EVERY_MANNERS
async def test_what_is_there_at_the_start_is_in_the_snapshot(manners: Manners, autojump_clock: MockClock) -> None:
    async with daemon_world(manners, prepare=one_agent) as world:
        flock = await world.flock()
        assert [(agent.name, agent.kind, agent.status.value) for agent in flock.agents] == [
            ("pruner", "claude", "idle")
        ]
        assert [room.label for room in flock.workspaces] == ["orchard"]
        assert (await world.host_status()).host.state is HostState.UP


@EVERY_MANNERS
async def test_a_status_is_told_within_a_second_and_with_events_at_once(
    manners: Manners, autojump_clock: MockClock
) -> None:
    async with daemon_world(manners, prepare=one_agent) as world:
        await no_news(world)
        began = trio.current_time()
        world.host.set_status("w1:p1", "working")
        event = await world.ear.hear(AgentStatusChanged)
        assert isinstance(event, AgentStatusChanged)
        assert event.agent.status is AgentStatus.WORKING
        assert trio.current_time() - began <= (1.1 if manners == "0.8.2" else 0.0)


@EVERY_MANNERS
async def test_an_agent_that_comes_or_goes_changes_the_flock(manners: Manners, autojump_clock: MockClock) -> None:
    async with daemon_world(manners, prepare=one_agent) as world:
        await no_news(world)
        world.host.add_agent("codex", name="grafter")
        await world.ear.hear(FlockChanged, 2.0)
        assert len((await world.flock()).agents) == 2
        world.host.release("w2:p1")
        await world.ear.hear(FlockChanged, 2.0)
        assert [agent.name for agent in (await world.flock()).agents] == ["pruner"]


@EVERY_MANNERS
async def test_nothing_is_told_when_nothing_happens(manners: Manners, autojump_clock: MockClock) -> None:
    async with daemon_world(manners, prepare=one_agent) as world:
        await no_news(world)
        assert await world.ear.silence(30.0) == []


@EVERY_MANNERS
async def test_a_dialog_becomes_an_approval_and_ends_with_it(manners: Manners, autojump_clock: MockClock) -> None:
    async with daemon_world(manners, prepare=one_agent) as world:
        await no_news(world)
        began = trio.current_time()
        world.host.set_screen("w1:p1", dialog("rm -rf build"))
        world.host.set_status("w1:p1", "blocked", rule="bash_permission_prompt")
        needed = await world.ear.hear(ApprovalNeeded)
        assert isinstance(needed, ApprovalNeeded)
        assert needed.approval.workspace_label == "orchard"
        assert trio.current_time() - began <= (1.1 if manners == "0.8.2" else 0.0)
        assert [each.approval_id for each in (await world.flock()).approvals] == [needed.approval.approval_id]
        world.host.set_status("w1:p1", "working")
        resolved = await world.ear.hear(ApprovalResolved, 2.0)
        assert isinstance(resolved, ApprovalResolved)
        assert resolved.approval_id == needed.approval.approval_id


async def test_a_second_dialog_is_seen_by_its_output_alone(autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", prepare=one_agent) as world:
        world.host.set_screen("w1:p1", dialog("rm -rf build"))
        world.host.set_status("w1:p1", "blocked", rule="bash_permission_prompt")
        first = await world.ear.hear(ApprovalNeeded)
        began = trio.current_time()
        world.host.set_screen("w1:p1", dialog("rm -rf dist"))
        second = await world.ear.hear(ApprovalNeeded)
        assert isinstance(first, ApprovalNeeded)
        assert isinstance(second, ApprovalNeeded)
        assert first.approval.approval_id != second.approval.approval_id
        assert trio.current_time() - began == 0.0


@pytest.mark.parametrize("manners", ["0.8.2", "0.9"])
async def test_a_herdr_that_ends_takes_its_agents_and_is_found_again(
    manners: Manners, autojump_clock: MockClock
) -> None:
    async with daemon_world(manners, prepare=one_agent) as world:
        await no_news(world)
        world.stop_host()
        lost = await world.ear.hear(HostChanged, 2.0)
        assert isinstance(lost, HostChanged)
        assert (lost.host.state, lost.host.lost) == (HostState.LOST, ("pruner",))
        with pytest.raises(WireError) as refused:
            await world.flock()
        assert refused.value.code is Code.HERDR_UNAVAILABLE
        await trio.sleep(120)
        began = trio.current_time()
        await world.start_host()
        up = await world.ear.hear(HostChanged)
        assert isinstance(up, HostChanged)
        assert up.host.state is HostState.UP
        assert trio.current_time() - began < 1.0
        assert [agent.name for agent in (await world.flock()).agents] == ["pruner"]


async def test_an_approval_ends_with_its_host(autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=one_agent) as world:
        world.host.set_screen("w1:p1", dialog("rm -rf build"))
        world.host.set_status("w1:p1", "blocked", rule="bash_permission_prompt")
        await world.ear.hear(ApprovalNeeded)
        world.stop_host()
        assert isinstance(await world.ear.hear(ApprovalResolved, 2.0), ApprovalResolved)


async def test_an_empty_list_right_after_the_start_is_not_believed(autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=one_agent) as world:
        await no_news(world)
        world.stop_host()
        await world.ear.hear(HostChanged)
        panes, world.host.panes = world.host.panes, {}
        await world.start_host()
        assert not any(isinstance(event, HostChanged) for event in await world.ear.silence(3.0))
        world.host.panes = panes
        up = await world.ear.hear(HostChanged)
        assert isinstance(up, HostChanged)
        assert [agent.name for agent in (await world.flock()).agents] == ["pruner"]


async def test_a_list_that_stays_empty_is_believed_in_the_end(autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=one_agent) as world:
        await no_news(world)
        world.stop_host()
        await world.ear.hear(HostChanged)
        world.host.panes = {}
        await world.start_host()
        up = await world.ear.hear(HostChanged, 10.0)
        assert isinstance(up, HostChanged)
        assert (up.host.state, up.host.lost) == (HostState.UP, ("pruner",))
        assert (await world.flock()).agents == ()


async def test_one_bad_answer_loses_nothing(autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=one_agent) as world:
        await no_news(world)
        for trouble in (Trouble.HANG_UP, Trouble.GARBAGE, Trouble.WRONG_ID):
            world.host.fail("agent.list", trouble)
            assert await world.ear.silence(3.0) == []


async def test_a_host_that_only_pongs_is_lost(autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=one_agent) as world:
        await no_news(world)
        world.host.fail("agent.list", Trouble.SILENT, times=6)
        lost = await world.ear.hear(HostChanged, 30.0)
        assert isinstance(lost, HostChanged)
        assert lost.host.state is HostState.LOST
        up = await world.ear.hear(HostChanged, 60.0)
        assert isinstance(up, HostChanged)
        assert up.host.state is HostState.UP


async def test_a_host_that_refuses_is_lost_with_its_reason(autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=one_agent) as world:
        await no_news(world)
        world.host.answer("agent.list", lambda _: Fault("server_unavailable", "shutting down"))
        lost = await world.ear.hear(HostChanged, 2.0)
        assert isinstance(lost, HostChanged)
        assert lost.host.detail == "shutting down"


async def restart(world: DaemonWorld) -> Path:
    world.host.panes.clear()
    await world.start_host()
    return world.host.path


async def test_an_embedded_host_that_was_killed_is_started_again(autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", prepare=one_agent, ensure=restart) as world:
        await no_news(world)
        world.stop_host(leaves_socket=True)
        lost, up = [await world.ear.hear(HostChanged, 2.0) for _ in range(2)]
        assert isinstance(lost, HostChanged)
        assert isinstance(up, HostChanged)
        assert (lost.host.state, lost.host.lost) == (HostState.LOST, ("pruner",))
        assert (up.host.state, up.host.lost) == (HostState.UP, ("pruner",))
        assert up.host.detail == "it had ended, and was started again"
        assert (await world.flock()).agents == ()


async def test_an_embedded_host_that_was_stopped_stays_off(autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", prepare=one_agent) as world:
        await no_news(world)
        world.stop_host()
        gone = await world.ear.hear(HostChanged, 2.0)
        assert isinstance(gone, HostChanged)
        assert gone.host.state is HostState.STARTING
        assert gone.host.detail == "starts with the first agent"
        assert (await world.flock()).agents == ()
        assert await world.ear.silence(30.0) == [FlockChanged()]


async def test_a_host_that_comes_late_is_found(autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=one_agent, starts_host=False) as world:
        assert (await world.flock()).agents == ()
        assert (await world.host_status()).host.detail.startswith("no herdr answers at ")
        await world.start_host()
        up = await world.ear.hear(HostChanged, 2.0)
        assert isinstance(up, HostChanged)
        assert up.host.state is HostState.UP
        assert len((await world.flock()).agents) == 1


async def test_a_hundred_events_make_few_calls(autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", prepare=one_agent) as world:
        await no_news(world)
        before = len(world.host.sent)
        for number in range(200):
            world.host.set_status("w1:p1", "working" if number % 2 else "idle")
        await world.ear.silence(0.5)
        assert len([name for name, _ in world.host.sent[before:] if name == "agent.list"]) <= 40
