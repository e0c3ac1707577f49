"""The bridge: pictures come over from trio's thread, calls go there and back, a daemon is hosted when there is none."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
import trio
from tools.scripted_daemon import MACHINE, Answer, ScriptedDaemon

from collie.client.connection import Connection, NotRunning
from collie.client.picture import Link, Picture
from collie.errors import CollieError
from collie.protocol.errors import Code, WireError
from collie.protocol.events import AgentStatusChanged
from collie.protocol.ids import TerminalId
from collie.protocol.methods import AgentWatchParams, FlockResult, Nothing, OfTerminal, Ok, Params
from collie.protocol.models import Agent, AgentStatus
from collie.tui.engine import NotConnected, StartDaemon, TrioEngine

pytestmark = pytest.mark.asyncio

NOWHERE = Path("nobody-listens.sock")
SECONDS = 10.0


@dataclass
class Viewer:
    """Collects what an engine shows, as the app would."""

    shown: list[Picture] = field(default_factory=list)
    came: asyncio.Event = field(default_factory=asyncio.Event)

    def show(self, picture: Picture) -> None:
        self.shown.append(picture)
        self.came.set()

    async def until(self, link: Link) -> Picture:
        """The first picture with that link from now on, or the present one."""
        async with asyncio.timeout(SECONDS):
            while not self.shown or self.shown[-1].link is not link:
                self.came.clear()
                await self.came.wait()
        return self.shown[-1]


@dataclass
class Handle:
    """A daemon that this process hosts."""

    up: bool = True
    stops: int = 0
    fault: Exception | None = None

    def alive(self) -> bool:
        return self.up

    def stop(self) -> None:
        self.stops += 1
        self.up = False
        if self.fault is not None:
            raise self.fault


@asynccontextmanager
async def running(engine: TrioEngine) -> AsyncIterator[Viewer]:
    viewer = Viewer()
    engine.open(viewer.show)
    try:
        yield viewer
    finally:
        await asyncio.to_thread(engine.close)


def build_engine(daemon: ScriptedDaemon, start: StartDaemon | None = None) -> TrioEngine:
    return TrioEngine(NOWHERE, start, dial=daemon.dial)


async def in_its_loop(engine: TrioEngine, act: Callable[[], Awaitable[None]]) -> None:
    """The daemon does something, on the loop that it lives on."""
    token = engine._token
    await asyncio.to_thread(lambda: trio.from_thread.run(act, trio_token=token))


def ears(daemon: ScriptedDaemon, method: str, answer: Answer) -> "asyncio.Queue[Params]":
    """What the daemon is asked under this method, as it is asked."""
    heard: asyncio.Queue[Params] = asyncio.Queue()
    loop = asyncio.get_running_loop()

    def hear(params: Params) -> Answer:
        loop.call_soon_threadsafe(heard.put_nowait, params)
        return answer

    daemon.answers[method] = hear
    return heard


async def test_pictures_come_over_and_a_change_follows() -> None:
    daemon = ScriptedDaemon()
    engine = build_engine(daemon)
    async with running(engine) as viewer:
        assert (await viewer.until(Link.CONNECTED)).machine == MACHINE
        agent = Agent(terminal_id="t1", workspace_id="w1", status=AgentStatus.WORKING, status_since_ms=1)
        await in_its_loop(engine, partial(daemon.tell, AgentStatusChanged(agent=agent)))
        async with asyncio.timeout(SECONDS):
            while not viewer.shown[-1].agents:
                viewer.came.clear()
                await viewer.came.wait()
        assert viewer.shown[-1].agents == (agent,)


async def test_a_flood_is_thinned_and_its_last_word_arrives() -> None:
    daemon = ScriptedDaemon()
    engine = build_engine(daemon)
    async with running(engine) as viewer:
        await viewer.until(Link.CONNECTED)
        before = len(viewer.shown)
        for count in range(200):
            agent = Agent(terminal_id="t1", workspace_id="w1", status=AgentStatus.WORKING, status_since_ms=count)
            await in_its_loop(engine, partial(daemon.tell, AgentStatusChanged(agent=agent)))
        async with asyncio.timeout(SECONDS):
            while not viewer.shown[-1].agents or viewer.shown[-1].agents[0].status_since_ms != 199:
                viewer.came.clear()
                await viewer.came.wait()
        assert len(viewer.shown) - before < 100


async def test_results_refusals_and_lost_sessions_reach_the_caller() -> None:
    daemon = ScriptedDaemon()
    daemon.answers["agent.focus"] = lambda _: Ok()
    daemon.answers["host.stop"] = lambda _: WireError(Code.CONFIRM_REQUIRED, "agents run")
    engine = build_engine(daemon)
    async with running(engine) as viewer:
        await viewer.until(Link.CONNECTED)
        assert await engine.call("agent.focus", OfTerminal(terminal_id=TerminalId("t1"))) == Ok()
        with pytest.raises(WireError, match="agents run"):
            await engine.call("host.stop", Nothing())
        heard = ears(daemon, "daemon.status", None)
        waiting = asyncio.create_task(engine.call("daemon.status", Nothing()))
        await asyncio.wait_for(heard.get(), SECONDS)
        await in_its_loop(engine, daemon.hang_up)
        with pytest.raises(CollieError):
            await waiting


async def test_a_watch_is_asked_for_again_in_a_later_session() -> None:
    daemon = ScriptedDaemon()
    heard = ears(daemon, "agent.watch", Ok())
    engine = build_engine(daemon)
    async with running(engine) as viewer:
        await viewer.until(Link.CONNECTED)
        await engine.watch("t1")
        await heard.get()
        await in_its_loop(engine, daemon.hang_up)
        again = await asyncio.wait_for(heard.get(), SECONDS)
        assert isinstance(again, AgentWatchParams)
        assert again.terminal_id == "t1"


async def test_before_it_runs_a_call_says_so() -> None:
    engine = build_engine(ScriptedDaemon())
    engine._loop = asyncio.get_running_loop()
    with pytest.raises(NotConnected):
        await engine.call("daemon.status", Nothing())


async def test_it_hosts_a_daemon_when_nobody_listens_and_stops_it_at_the_end() -> None:
    daemon, handle = ScriptedDaemon(), Handle(up=False)

    @asynccontextmanager
    async def dial() -> AsyncIterator[Connection]:
        if not handle.up:
            raise NotRunning("nobody listens")
        async with daemon.dial() as connection:
            yield connection

    def start() -> Handle:
        handle.up = True
        return handle

    engine = TrioEngine(NOWHERE, start, dial=dial)
    async with running(engine) as viewer:
        await viewer.until(Link.CONNECTED)
        assert engine.hosting
    assert (handle.stops, engine.hosting) == (1, False)


async def test_a_hosted_daemon_that_failed_is_followed_by_another() -> None:
    daemon, handles = ScriptedDaemon(), [Handle(fault=RuntimeError("boom")), Handle()]
    started: list[Handle] = []

    @asynccontextmanager
    async def dial() -> AsyncIterator[Connection]:
        if not started or not started[-1].up:
            raise NotRunning("nobody listens")
        async with daemon.dial() as connection:
            yield connection

    def start() -> Handle:
        started.append(handles[len(started)])
        return started[-1]

    engine = TrioEngine(NOWHERE, start, dial=dial)
    async with running(engine) as viewer:
        await viewer.until(Link.CONNECTED)
        started[0].up = False
        await in_its_loop(engine, daemon.hang_up)
        await viewer.until(Link.LOST)
        await viewer.until(Link.CONNECTED)
        assert (len(started), started[0].stops, engine.hosting) == (2, 1, True)


async def test_a_daemon_that_another_process_runs_is_not_hosted() -> None:
    daemon, other_is_up = ScriptedDaemon(), False

    @asynccontextmanager
    async def dial() -> AsyncIterator[Connection]:
        if not other_is_up:
            raise NotRunning("nobody listens")
        async with daemon.dial() as connection:
            yield connection

    def start() -> None:
        nonlocal other_is_up
        other_is_up = True

    engine = TrioEngine(NOWHERE, start, dial=dial)
    async with running(engine) as viewer:
        await viewer.until(Link.CONNECTED)
        assert not engine.hosting


async def test_a_daemon_that_cannot_be_started_says_why() -> None:
    def start() -> Handle:
        raise CollieError("the data directory is read-only")

    engine = TrioEngine(NOWHERE, start)
    async with running(engine) as viewer:
        async with asyncio.timeout(SECONDS):
            while not viewer.shown or viewer.shown[-1].link_detail != "the data directory is read-only":
                viewer.came.clear()
                await viewer.came.wait()
        assert viewer.shown[-1].link is Link.LOST


async def test_a_fault_inside_is_shown_and_raised_at_the_end() -> None:
    daemon = ScriptedDaemon()
    daemon.answers["flock.snapshot"] = lambda _: FlockResult(seq=0, machine=MACHINE, agents=1 / 0)  # type: ignore[arg-type]
    engine, viewer = build_engine(daemon), Viewer()
    engine.open(viewer.show)
    picture = await viewer.until(Link.LOST)
    assert "the dashboard failed inside" in picture.link_detail
    with pytest.raises(ZeroDivisionError):
        await asyncio.to_thread(engine.close)
