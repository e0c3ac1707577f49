"""The supervisor dials again, keeps the picture true, and repeats no call."""

from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest
import trio
import trio.testing
from tools.scripted_daemon import MACHINE, ScriptedDaemon

from collie.client.backoff import Backoff
from collie.client.connection import Connection, ConnectionLost, NotRunning
from collie.client.picture import Link
from collie.client.supervisor import RETRY_LONGEST, Supervisor
from collie.errors import CollieError
from collie.protocol.errors import Code, WireError
from collie.protocol.events import DaemonStopping, FlockChanged
from collie.protocol.methods import FlockResult, Nothing, Ok
from collie.protocol.models import Agent, AgentStatus


def build_flock(name: str) -> FlockResult:
    agent = Agent(terminal_id="t1", workspace_id="w1", name=name, status=AgentStatus.IDLE, status_since_ms=1)
    return FlockResult(seq=0, machine=MACHINE, agents=(agent,))


async def settle() -> None:
    await trio.testing.wait_all_tasks_blocked()


@pytest.mark.trio
async def test_a_session_fills_the_picture_and_a_change_refreshes_it(nursery: trio.Nursery) -> None:
    daemon = ScriptedDaemon()
    daemon.answers["flock.snapshot"] = lambda _: build_flock("before")
    supervisor = Supervisor(daemon.dial)
    nursery.start_soon(supervisor.run)
    await settle()
    assert supervisor.picture.link is Link.CONNECTED
    assert supervisor.picture.agents[0].name == "before"
    assert supervisor.picture.host is not None
    daemon.answers["flock.snapshot"] = lambda _: build_flock("after")
    await daemon.tell(FlockChanged())
    await settle()
    assert supervisor.picture.agents[0].name == "after"


@pytest.mark.trio
async def test_it_dials_again_when_the_daemon_hangs_up(nursery: trio.Nursery, autojump_clock: object) -> None:
    daemon = ScriptedDaemon()
    supervisor = Supervisor(daemon.dial)
    nursery.start_soon(supervisor.run)
    await settle()
    await daemon.tell(DaemonStopping(reason="stopped by the operator"))
    await daemon.hang_up()
    await settle()
    assert (supervisor.picture.link, supervisor.picture.link_detail) == (Link.LOST, "stopped by the operator")
    await trio.sleep(RETRY_LONGEST)
    assert (daemon.dials, supervisor.picture.link) == (2, Link.CONNECTED)


@pytest.mark.trio
async def test_it_brings_a_daemon_up_when_there_is_none(nursery: trio.Nursery) -> None:
    daemon, up = ScriptedDaemon(), trio.Event()

    @asynccontextmanager
    async def dial() -> AsyncIterator[Connection]:
        if not up.is_set():
            raise NotRunning("nobody")
        async with daemon.dial() as connection:
            yield connection

    def bring_up() -> None:
        trio.from_thread.run_sync(up.set)

    supervisor = Supervisor(dial, when_absent=bring_up)
    nursery.start_soon(supervisor.run)
    async for picture in supervisor.changes():
        if picture.link is Link.CONNECTED:
            break
    assert daemon.dials == 1


@pytest.mark.trio
async def test_why_it_could_not_bring_one_up_is_shown(nursery: trio.Nursery) -> None:
    def dial() -> AbstractAsyncContextManager[Connection]:
        raise NotRunning("nobody")

    def fail() -> None:
        raise CollieError("the data directory is read-only")

    supervisor = Supervisor(dial, when_absent=fail)
    nursery.start_soon(supervisor.run)
    async for picture in supervisor.changes():
        if picture.link_detail == "the data directory is read-only":
            break


@pytest.mark.trio
async def test_a_call_without_a_session_is_lost_and_never_sent_later(nursery: trio.Nursery) -> None:
    daemon = ScriptedDaemon()
    supervisor = Supervisor(daemon.dial)
    with pytest.raises(ConnectionLost):
        await supervisor.call("host.stop", Nothing())
    nursery.start_soon(supervisor.run)
    await settle()
    assert "host.stop" not in [name for name, _ in daemon.asked]


@pytest.mark.trio
async def test_a_watch_goes_on_in_the_next_session(nursery: trio.Nursery, autojump_clock: object) -> None:
    daemon = ScriptedDaemon()
    daemon.answers["agent.watch"] = lambda _: Ok()
    supervisor = Supervisor(daemon.dial)
    nursery.start_soon(supervisor.run)
    await settle()
    await supervisor.watch("t1")
    await daemon.hang_up()
    await trio.sleep(RETRY_LONGEST)
    assert [name for name, _ in daemon.asked].count("agent.watch") == 2


@pytest.mark.trio
async def test_a_lost_host_leaves_the_session_up(nursery: trio.Nursery) -> None:
    daemon = ScriptedDaemon()
    daemon.answers["flock.snapshot"] = lambda _: WireError(Code.HERDR_UNAVAILABLE, "herdr unavailable")
    supervisor = Supervisor(daemon.dial)
    nursery.start_soon(supervisor.run)
    await settle()
    assert (supervisor.picture.link, daemon.dials) == (Link.CONNECTED, 1)


@pytest.mark.trio
async def test_a_final_refusal_is_shown_and_not_dialled_against(nursery: trio.Nursery, autojump_clock: object) -> None:
    daemon = ScriptedDaemon()
    daemon.answers["host.status"] = lambda _: WireError(Code.FROM_PANE, "this is inside a pane")
    supervisor = Supervisor(daemon.dial)
    nursery.start_soon(supervisor.run)
    await trio.sleep(10 * RETRY_LONGEST)
    assert (supervisor.picture.link, supervisor.picture.link_detail) == (Link.LOST, "this is inside a pane")
    assert daemon.dials == 1


def test_waits_double_up_to_the_longest_and_start_over() -> None:
    backoff = Backoff(first=0.1, longest=0.5)
    assert [backoff.next_wait() for _ in range(5)] == [0.1, 0.2, 0.4, 0.5, 0.5]
    backoff.succeeded()
    assert backoff.next_wait() == 0.1
