"""The subscription against a fake host: rebuilt when agents come and go, opened again when it breaks."""

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

import pytest
import trio
import trio.testing
from tools.fake_herdr import FakeHerdr, Trouble, socket_folder
from tools.fake_session import Manners

from collie.herdr.client import REPLY_TIMEOUT, HostClient
from collie.herdr.events import CHECK_EVERY, FIRST_PAUSE, LAST_PAUSE, REBUILD_PAUSE, run_events
from collie.herdr.hints import Changed, Hint, Lost, OutputSeen, Rebuilt, StatusSeen
from collie.herdr.models import AgentList, AgentStatus

pytestmark = pytest.mark.trio

BOTH: list[Manners] = ["0.8.2", "0.9"]


@dataclass(slots=True)
class Heard:
    """The hints that came, and when."""

    hints: list[Hint] = field(default_factory=list)
    times: list[float] = field(default_factory=list)

    def of(self, kind: type[Hint]) -> list[Hint]:
        return [hint for hint in self.hints if isinstance(hint, kind)]

    def when(self, kind: type[Hint]) -> list[float]:
        return [time for hint, time in zip(self.hints, self.times, strict=True) if isinstance(hint, kind)]

    async def listen(self, receive: trio.MemoryReceiveChannel[Hint]) -> None:
        async for hint in receive:
            self.hints.append(hint)
            self.times.append(trio.current_time())


@asynccontextmanager
async def listening(host: FakeHerdr, *, room: float = 64) -> AsyncIterator[Heard]:
    """The host, and what `run_events` says of it; yields when the first stream was tried."""
    heard = Heard()
    send, receive = trio.open_memory_channel[Hint](room)
    async with trio.open_nursery() as nursery:
        await nursery.start(host.run)
        nursery.start_soon(heard.listen, receive)
        await nursery.start(partial(run_events, HostClient(host.path), send))
        await trio.testing.wait_all_tasks_blocked()
        yield heard
        assert host.rude == 0
        nursery.cancel_scope.cancel()


@pytest.fixture
def host(request: pytest.FixtureRequest) -> Iterator[FakeHerdr]:
    with socket_folder() as folder:
        yield FakeHerdr(folder / "herdr.sock", manners=getattr(request, "param", "0.9"))


def watched(host: FakeHerdr) -> list[str]:
    """The panes with an entry in the latest subscription."""
    wanted = host.calls("events.subscribe")[-1]["subscriptions"]
    return [entry["pane_id"] for entry in wanted if "pane_id" in entry]


@pytest.mark.parametrize("host", BOTH, indirect=True)
async def test_a_stream_is_open_and_then_statuses_come(host: FakeHerdr, autojump_clock: trio.testing.MockClock) -> None:
    host.add_agent("claude", "w1:p1", status="idle")
    async with listening(host) as heard:
        assert heard.hints[0] == Rebuilt(output=False)
        assert watched(host) == ["w1:p1"]
        host.set_status("w1:p1", "working")
        await trio.sleep(1)
        host.set_status("w1:p1", "blocked")
        await trio.sleep(1)
        assert heard.of(StatusSeen) == [
            StatusSeen(pane_id="w1:p1", status=AgentStatus.WORKING, agent="claude"),
            StatusSeen(pane_id="w1:p1", status=AgentStatus.BLOCKED, agent="claude"),
        ]
        assert heard.of(Rebuilt) == [Rebuilt(output=False)]


async def test_a_status_is_heard_at_once(host: FakeHerdr, autojump_clock: trio.testing.MockClock) -> None:
    host.add_agent("claude", "w1:p1")
    async with listening(host) as heard:
        await trio.sleep(1)
        host.set_status("w1:p1", "blocked")
        await trio.testing.wait_all_tasks_blocked()
        assert heard.when(StatusSeen) == [trio.current_time()]


@pytest.mark.parametrize("host", BOTH, indirect=True)
async def test_a_new_agent_gets_an_entry_and_is_heard(host: FakeHerdr, autojump_clock: trio.testing.MockClock) -> None:
    async with listening(host) as heard:
        await trio.sleep(1)
        host.add_agent("codex", "w2:p1", status="idle")
        await trio.sleep(1.5)
        assert watched(host) == ["w2:p1"]
        assert len(heard.of(Rebuilt)) == 2
        assert heard.of(Lost) == []
        assert host.streams == 1
        host.set_status("w2:p1", "blocked")
        await trio.sleep(0.5)
        assert StatusSeen(pane_id="w2:p1", status=AgentStatus.BLOCKED, agent="codex") in heard.hints


@pytest.mark.parametrize("leaving", ["release", "exit", "close", "move", "close_workspace", "close_tab"])
async def test_an_agent_that_goes_or_moves_makes_a_new_stream(
    host: FakeHerdr, autojump_clock: trio.testing.MockClock, leaving: str
) -> None:
    host.add_agent("claude", "w1:p1")
    host.add_agent("claude", "w2:p1")
    async with listening(host) as heard:
        await trio.sleep(1)
        match leaving:
            case "move":
                host.move("w2:p1", to="w3:p7")
            case "close_workspace":
                host.close_workspace("w2")
            case "close_tab":
                host.close_tab("w2:t1")
            case _:
                getattr(host, leaving)("w2:p1")
        await trio.sleep(REBUILD_PAUSE)
        assert watched(host) == ["w1:p1", "w3:p7"] if leaving == "move" else ["w1:p1"]
        assert len(heard.of(Rebuilt)) == 2
        assert heard.of(Changed)


async def test_a_burst_of_agents_makes_few_streams(host: FakeHerdr, autojump_clock: trio.testing.MockClock) -> None:
    async with listening(host) as heard:
        await trio.sleep(1)
        for _ in range(100):
            host.add_agent("claude")
            await trio.sleep(0.01)
        await trio.sleep(1)
        assert len(watched(host)) == 100
        rebuilt = heard.when(Rebuilt)
        assert 2 <= len(rebuilt) <= 7
        assert all(later - earlier >= REBUILD_PAUSE - 0.001 for earlier, later in pairwise(rebuilt))
        assert len(host.calls("agent.list")) <= 14


async def test_an_agent_that_came_while_the_stream_was_opened_is_not_missed(
    host: FakeHerdr, autojump_clock: trio.testing.MockClock
) -> None:
    """0.9 tells only what happens later; the list from before the stream does not have it either."""
    host.delay("events.subscribe", 0.1)
    heard = Heard()
    send, receive = trio.open_memory_channel[Hint](8)
    async with trio.open_nursery() as nursery:
        await nursery.start(host.run)
        nursery.start_soon(heard.listen, receive)
        nursery.start_soon(run_events, HostClient(host.path), send)
        await trio.sleep(0.05)
        host.add_agent("claude", "w1:p1")
        await trio.sleep(2 * REBUILD_PAUSE)
        assert watched(host) == ["w1:p1"]
        assert len(heard.of(Rebuilt)) == 2
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("host", ["embedded"], indirect=True)
async def test_the_embedded_host_tells_of_output(host: FakeHerdr, autojump_clock: trio.testing.MockClock) -> None:
    agent = host.add_agent("claude", "w1:p1")
    async with listening(host) as heard:
        assert heard.hints == [Rebuilt(output=True)]
        host.set_screen("w1:p1", "one")
        host.set_screen("w1:p1", "two")
        await trio.sleep(0.01)
        assert heard.of(OutputSeen) == [
            OutputSeen(pane_id="w1:p1", terminal_id=agent.terminal_id, counter=1),
            OutputSeen(pane_id="w1:p1", terminal_id=agent.terminal_id, counter=2),
        ]


async def test_lost_events_make_a_new_stream_without_an_alarm(
    host: FakeHerdr, autojump_clock: trio.testing.MockClock
) -> None:
    host.add_agent("claude", "w1:p1")
    async with listening(host) as heard:
        await trio.sleep(1)
        host.lose_events()
        await trio.sleep(REBUILD_PAUSE)
        assert heard.hints == [Rebuilt(output=False), Rebuilt(output=False)]


async def test_a_reader_that_falls_behind_is_told_so_and_starts_anew(
    host: FakeHerdr, autojump_clock: trio.testing.MockClock
) -> None:
    host.add_agent("claude", "w1:p1")
    send, receive = trio.open_memory_channel[Hint](0)
    async with trio.open_nursery() as nursery:
        await nursery.start(host.run)
        await nursery.start(partial(run_events, HostClient(host.path), send))
        assert await receive.receive() == Rebuilt(output=False)
        for _ in range(40):  # more than the socket's buffers and the ring hold
            for _ in range(100):
                host.emit("workspace.renamed", workspace_id="w1", label="x" * 400)
            await trio.testing.wait_all_tasks_blocked()
        heard = 0
        while not isinstance(await receive.receive(), Rebuilt):
            heard += 1
        assert 0 < heard < 4000
        nursery.cancel_scope.cancel()


@pytest.mark.parametrize("host", BOTH, indirect=True)
async def test_a_broken_stream_is_opened_again(host: FakeHerdr, autojump_clock: trio.testing.MockClock) -> None:
    host.add_agent("claude", "w1:p1")
    async with listening(host) as heard:
        await trio.sleep(10)
        host.drop_streams()
        await trio.sleep(1)
        assert [type(hint) for hint in heard.hints if not isinstance(hint, Changed)] == [Rebuilt, Lost, Rebuilt]
        (lost,) = heard.when(Lost)
        assert heard.when(Rebuilt)[1] - lost == pytest.approx(FIRST_PAUSE)


async def test_a_host_that_is_away_is_asked_less_and_less_often(
    host: FakeHerdr, autojump_clock: trio.testing.MockClock
) -> None:
    host.fail("ping", Trouble.HANG_UP, times=6)
    async with listening(host) as heard:
        assert heard.when(Lost) == [0.0]
        await trio.sleep(20)
        assert [type(hint) for hint in heard.hints] == [Lost, Rebuilt]
        assert heard.when(Rebuilt) == [pytest.approx(0.25 + 0.5 + 1 + LAST_PAUSE * 3)]


async def test_a_host_that_hangs_up_again_and_again_is_not_hammered(
    host: FakeHerdr, autojump_clock: trio.testing.MockClock
) -> None:
    async with listening(host):
        for _ in range(40):
            host.drop_streams()
            await trio.sleep(0.25)
        assert len(host.calls("events.subscribe")) <= 8


async def test_a_host_that_starts_late_and_again(host: FakeHerdr, autojump_clock: trio.testing.MockClock) -> None:
    host.add_agent("claude", "w1:p1")
    heard = Heard()
    send, receive = trio.open_memory_channel[Hint](64)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(heard.listen, receive)
        await nursery.start(partial(run_events, HostClient(host.path), send))
        for _ in range(2):
            with trio.move_on_after(5):
                await host.run()
            host.restart()
            await trio.sleep(5)
        assert [type(hint) for hint in heard.hints] == [Lost, Rebuilt, Lost, Rebuilt, Lost]
        nursery.cancel_scope.cancel()


async def test_a_pane_that_vanished_before_it_was_subscribed_to(
    host: FakeHerdr, autojump_clock: trio.testing.MockClock
) -> None:
    gone = host.add_agent("claude", "w1:p1").agent()
    host.add_agent("claude", "w2:p1")
    stale = [AgentList(agents=(gone, *(pane.agent() for pane in host.panes.values() if pane.pane_id != "w1:p1")))]
    host.close("w1:p1")

    host.answer(
        "agent.list",
        lambda _: stale.pop() if stale else AgentList(agents=tuple(pane.agent() for pane in host.panes.values())),
    )
    async with listening(host) as heard:
        assert heard.hints == [Rebuilt(output=False)]
        assert heard.times == [pytest.approx(FIRST_PAUSE)]
        assert watched(host) == ["w2:p1"]


async def test_a_pane_that_keeps_vanishing_is_an_alarm_and_no_busy_loop(
    host: FakeHerdr, autojump_clock: trio.testing.MockClock
) -> None:
    host.refuse("events.subscribe", "pane_not_found", times=1000)
    async with listening(host) as heard:
        await trio.sleep(20)
        assert [type(hint) for hint in heard.hints] == [Lost]
        assert len(host.calls("events.subscribe")) <= 14
        assert len(host.calls("agent.list")) <= 14


@pytest.mark.parametrize("trouble", [Trouble.GARBAGE, Trouble.HANG_UP, Trouble.TOO_LONG, Trouble.SILENT])
async def test_a_subscription_that_is_not_taken(
    host: FakeHerdr, autojump_clock: trio.testing.MockClock, trouble: Trouble
) -> None:
    host.fail("events.subscribe", trouble)
    async with listening(host) as heard:
        await trio.sleep(1)
        assert [type(hint) for hint in heard.hints] == [Lost, Rebuilt]
        assert heard.when(Lost) == [REPLY_TIMEOUT if trouble is Trouble.SILENT else 0.0]


async def test_a_list_that_hangs_is_a_lost_host(host: FakeHerdr, autojump_clock: trio.testing.MockClock) -> None:
    async with listening(host) as heard:
        await trio.sleep(1)
        host.delay("agent.list", 60.0)
        await trio.sleep(CHECK_EVERY + REPLY_TIMEOUT)
        assert [type(hint) for hint in heard.hints][:2] == [Rebuilt, Lost]


@pytest.mark.parametrize("host", ["0.8.2"], indirect=True)
async def test_replayed_events_neither_make_streams_nor_load(
    host: FakeHerdr, autojump_clock: trio.testing.MockClock
) -> None:
    """512 old events take 0.8.2 up to a minute to replay, and each new stream would begin with them again."""
    host.add_agent("claude", "w1:p1")
    for _ in range(60):
        agent = host.add_agent("claude")
        host.set_status(agent.pane_id, "working")
        host.close(agent.pane_id)
    async with listening(host, room=512) as heard:
        await trio.sleep(60)
        assert len(heard.of(Rebuilt)) == 1
        assert len(heard.of(Changed)) > 100
        assert len(host.calls("agent.list")) <= 60 / REBUILD_PAUSE
        host.set_status("w1:p1", "blocked")
        await trio.sleep(0.2)
        assert heard.hints[-1] == StatusSeen(pane_id="w1:p1", status=AgentStatus.BLOCKED, agent="claude")


@pytest.mark.parametrize("host", ["0.8.2"], indirect=True)
async def test_a_new_agent_is_found_behind_a_backlog(host: FakeHerdr, autojump_clock: trio.testing.MockClock) -> None:
    host.add_agent("claude", "w1:p1")
    for _ in range(500):
        host.emit("pane.agent_detected", pane_id="w1:p1", workspace_id="w1", agent="claude")
    async with listening(host, room=1024):
        host.add_agent("codex", "w2:p1")
        await trio.sleep(CHECK_EVERY + REBUILD_PAUSE)
        assert watched(host) == ["w1:p1", "w2:p1"]


async def test_a_quiet_host_costs_little(host: FakeHerdr, autojump_clock: trio.testing.MockClock) -> None:
    host.add_agent("claude", "w1:p1")
    async with listening(host) as heard:
        await trio.sleep(600)
        assert heard.hints == [Rebuilt(output=False)]
        assert len(host.calls("events.subscribe")) == 1
        assert len(host.sent) <= 3 + 600 / CHECK_EVERY


async def test_it_ends_when_nobody_listens(host: FakeHerdr, autojump_clock: trio.testing.MockClock) -> None:
    host.add_agent("claude", "w1:p1")
    send, receive = trio.open_memory_channel[Hint](8)
    async with trio.open_nursery() as nursery:
        await nursery.start(host.run)
        async with trio.open_nursery() as inner:
            await inner.start(partial(run_events, HostClient(host.path), send))
            receive.close()
            host.set_status("w1:p1", "working")
        nursery.cancel_scope.cancel()


async def test_it_can_be_cancelled_at_any_moment(host: FakeHerdr, autojump_clock: trio.testing.MockClock) -> None:
    host.add_agent("claude", "w1:p1")
    async with trio.open_nursery() as nursery:
        await nursery.start(host.run)
        for steps in range(40):
            send, receive = trio.open_memory_channel[Hint](0)
            async with trio.open_nursery() as inner:
                inner.start_soon(run_events, HostClient(host.path), send)
                for _ in range(steps):
                    await trio.lowlevel.checkpoint()
                inner.cancel_scope.cancel()
            receive.close()
            send.close()
        await trio.testing.wait_all_tasks_blocked()
        assert host.streams == 0
        nursery.cancel_scope.cancel()
