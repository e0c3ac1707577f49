"""Which host: herdr where it answers, else the embedded one; and never another under an agent."""

from pathlib import Path

import pytest
import trio
from tools.daemon_world import DaemonWorld, daemon_world
from tools.fake_herdr import FakeHerdr
from trio.testing import MockClock

from collie.daemon.config import HostKind
from collie.protocol.errors import WireError
from collie.protocol.events import HostChanged
from collie.protocol.methods import Nothing, Ok
from collie.protocol.models import HostState, HostStatus

pytestmark = pytest.mark.trio


def one_agent(host: FakeHerdr) -> None:
    host.add_agent("claude", name="pruner")


async def status(world: DaemonWorld) -> HostStatus:
    return (await world.host_status()).host


async def test_a_herdr_that_answers_is_taken(autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=one_agent, kind=HostKind.AUTO) as world:
        host = await status(world)
        assert (host.kind, host.state, host.version) == ("herdr", HostState.UP, "0.9.5")
        assert len((await world.flock()).agents) == 1


async def test_without_one_the_embedded_host_is_taken_but_not_started(autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", kind=HostKind.AUTO, starts_host=False) as world:
        host = await status(world)
        assert (host.kind, host.state, host.detail) == ("embedded", HostState.STARTING, "starts with the first agent")
        assert (await world.flock()).agents == ()


async def test_a_herdr_that_comes_later_is_taken_while_nothing_else_runs(autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=one_agent, kind=HostKind.AUTO, starts_host=False) as world:
        await trio.sleep(30)
        await world.start_host()
        changed = [await world.ear.hear(HostChanged, 10.0) for _ in range(2)][-1]
        assert isinstance(changed, HostChanged)
        assert (changed.host.kind, changed.host.state) == ("herdr", HostState.UP)


async def test_in_a_pane_of_an_embedded_host_that_host_is_no_herdr(autojump_clock: MockClock) -> None:
    """There, the environment names it as herdr's socket."""
    async with daemon_world("0.9", kind=HostKind.AUTO, starts_host=False) as world:
        world.host.manners = "embedded"
        await world.start_host()
        await trio.sleep(30)
        assert (await status(world)).kind == "embedded"
        assert (await status(world)).state is HostState.STARTING


async def test_a_herdr_that_stays_away_gives_way(autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=one_agent, kind=HostKind.AUTO) as world:
        world.stop_host()
        lost = await world.ear.hear(HostChanged, 2.0)
        assert isinstance(lost, HostChanged)
        assert (lost.host.kind, lost.host.state, lost.host.lost) == ("herdr", HostState.LOST, ("pruner",))
        await trio.sleep(60)
        host = await status(world)
        assert (host.kind, host.state) == ("embedded", HostState.STARTING)


async def test_one_that_was_asked_for_by_name_is_waited_for(autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=one_agent, kind=HostKind.HERDR) as world:
        world.stop_host()
        await trio.sleep(600)
        assert (await status(world)).kind == "herdr"


async def test_a_herdr_beside_the_embedded_host_is_named(autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", prepare=one_agent) as world:
        other = FakeHerdr(Path(world.config.environ["HERDR_SOCKET_PATH"]), manners="0.9")
        await world.nursery.start(other.run)
        await trio.sleep(40)
        assert (await status(world)).kind == "embedded"
        assert (await status(world)).other == "herdr 0.9.5 runs too, and is not used"


async def test_the_embedded_host_can_be_stopped_and_stays_off(autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", prepare=one_agent) as world:
        await world.ask("host.stop", Nothing(), Ok)
        changed = await world.ear.hear(HostChanged, 1.0)
        assert isinstance(changed, HostChanged)
        await trio.sleep(60)
        host = await status(world)
        assert (host.state, host.lost) == (HostState.STARTING, ())
        assert (await world.flock()).agents == ()
        assert world.audit_log.tail(1)[0].result == "ok"


async def test_herdr_is_not_ours_to_stop(autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=one_agent) as world:
        with pytest.raises(WireError, match="the host is herdr, which is not Collie's to stop"):
            await world.ask("host.stop", Nothing(), Ok)
        assert world.host.calls("server.stop") == []


async def test_an_embedded_host_that_dies_at_once_is_not_started_in_a_rush(autojump_clock: MockClock) -> None:
    starts = []

    async def dies(world: DaemonWorld) -> Path:
        starts.append(trio.current_time())
        await world.start_host()
        world.stop_host(leaves_socket=True)
        return world.host.path

    async with daemon_world("embedded", prepare=one_agent, ensure=dies) as world:
        world.stop_host(leaves_socket=True)
        await trio.sleep(120)
        assert 3 <= len(starts) <= 12
