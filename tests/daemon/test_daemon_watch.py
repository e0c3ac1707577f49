"""A watched terminal: when it is read, what is sent, and how it ends."""

import pytest
import trio
from tools.daemon_world import DaemonWorld, daemon_world
from tools.fake_herdr import FakeHerdr, Trouble
from trio.testing import MockClock

from collie.daemon.watch import FASTEST
from collie.protocol.errors import Code, WireError
from collie.protocol.events import AgentOutput, FlockChanged
from collie.protocol.ids import TerminalId
from collie.protocol.methods import AgentReadParams, AgentWatchParams, Ok, TerminalResult
from collie.protocol.models import ReadSource

pytestmark = pytest.mark.trio


def one_agent(host: FakeHerdr) -> None:
    host.add_agent("claude", name="pruner", screen="one")


def terminal(world: DaemonWorld) -> TerminalId:
    return TerminalId(world.host.panes["w1:p1"].terminal_id)


async def watch(world: DaemonWorld, source: ReadSource = ReadSource.VISIBLE, **more: object) -> None:
    """Have the ear's session watch, as its task would."""
    world.nursery.start_soon(world.parts.house.watch, world.ear.watched, world.ear.outbox)
    params = AgentWatchParams(terminal_id=terminal(world), source=source, **more)  # type: ignore[arg-type]
    await world.ask("agent.watch", params, Ok)


async def output(world: DaemonWorld) -> AgentOutput:
    event = await world.ear.hear(AgentOutput, 10.0)
    assert isinstance(event, AgentOutput)
    return event


async def test_the_whole_text_comes_first_with_its_size(autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", prepare=one_agent) as world:
        await watch(world)
        event = await output(world)
        assert (event.source, event.ansi, event.columns, event.rows) == (ReadSource.VISIBLE, "one", 120, 40)


async def test_with_events_a_change_is_sent_at_once(autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", prepare=one_agent) as world:
        await watch(world)
        await output(world)
        await trio.sleep(60)
        began = trio.current_time()
        world.host.set_screen("w1:p1", "two")
        assert (await output(world)).ansi == "two"
        assert trio.current_time() == began


async def test_a_flood_is_read_thirty_times_a_second(autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", prepare=one_agent) as world:
        await watch(world)
        await output(world)
        await trio.sleep(1)
        before = len(reads(world))
        for number in range(200):
            world.host.set_screen("w1:p1", f"line {number}")
            await trio.sleep(0.005)
        assert len(reads(world)) - before <= 1.0 / FASTEST + 1
        assert [event.ansi for event in await world.ear.silence(1.0) if isinstance(event, AgentOutput)][
            -1
        ] == "line 199"


def reads(world: DaemonWorld) -> list[str]:
    return [name for name, _ in world.host.sent if name == "pane.read"]


@pytest.mark.parametrize(("low_data", "quiet", "at_most"), [(False, 0.0, 0.26), (False, 30.0, 1.01), (True, 0.0, 1.01)])
async def test_a_herdr_is_polled(low_data: bool, quiet: float, at_most: float, autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=one_agent) as world:
        await watch(world, low_data=low_data)
        await output(world)
        await trio.sleep(quiet)
        began = trio.current_time()
        world.host.set_screen("w1:p1", "two")
        assert (await output(world)).ansi == "two"
        assert trio.current_time() - began <= at_most


async def test_nothing_is_sent_while_nothing_changes(autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", prepare=one_agent) as world:
        await watch(world)
        await output(world)
        await world.ear.silence(3.0)
        before = len(reads(world))
        assert await world.ear.silence(60.0) == []
        assert len(reads(world)) - before <= 13


async def test_another_size_is_seen_without_any_output(autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", prepare=one_agent) as world:
        await watch(world)
        await output(world)
        world.host.panes["w1:p1"].columns = 90
        assert (await output(world)).columns == 90


async def test_what_a_program_writes_is_sanitised(autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", prepare=one_agent) as world:
        world.host.set_screen("w1:p1", "x", ansi="\x1b]52;c;cGF5bG9hZA==\x07a\x1b[31mb\x1b[2Jc\x1b[0m\x9b5n\r\nd")
        await watch(world)
        assert (await output(world)).ansi == "a\x1b[31mbc\x1b[0m\r\nd"


async def test_a_new_watch_ends_the_old_one_even_when_it_is_refused(autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", prepare=one_agent) as world:
        await watch(world)
        await output(world)
        with pytest.raises(WireError) as refused:
            await world.ask("agent.watch", AgentWatchParams(terminal_id=TerminalId("t9")), Ok)
        assert (refused.value.code, refused.value.message) == (Code.NOT_FOUND, "no such agent")
        world.host.set_screen("w1:p1", "two")
        assert not any(isinstance(event, AgentOutput) for event in await world.ear.silence(10.0))


async def test_an_agent_that_goes_ends_the_watch(autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", prepare=one_agent) as world:
        await watch(world)
        await output(world)
        world.host.release("w1:p1")
        assert FlockChanged() in await world.ear.silence(10.0)
        assert world.ear.watched.current()[0] is None


async def test_a_lost_host_ends_no_watch(autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=one_agent) as world:
        await watch(world)
        await output(world)
        world.stop_host(leaves_socket=True)
        await trio.sleep(20)
        world.host.set_screen("w1:p1", "two")
        await world.start_host()
        assert (await output(world)).ansi == "two"


async def test_a_read_that_fails_is_tried_again(autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", prepare=one_agent) as world:
        world.host.fail("pane.read", Trouble.HANG_UP, times=2)
        await watch(world)
        assert (await output(world)).ansi == "one"


async def test_too_long_an_answer_is_asked_for_again_by_half(autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=one_agent) as world:
        world.host.fail("pane.read", Trouble.TOO_LONG, times=2)
        params = AgentReadParams(terminal_id=terminal(world), source=ReadSource.RECENT, lines=1_000)
        assert (await world.ask("agent.read", params, TerminalResult)).ansi == "one"
        lines = [params["lines"] for name, params in world.host.sent if name == "pane.read"]
        assert lines == [1_000, 500, 250]


async def test_recent_lines_are_asked_for_unwrapped(autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=one_agent) as world:
        await watch(world, ReadSource.RECENT)
        await output(world)
        asked = next(params for name, params in world.host.sent if name == "pane.read")
        assert (asked["source"], asked["lines"], asked["format"]) == ("recent_unwrapped", 200, "ansi")
