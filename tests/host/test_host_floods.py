"""Programs that print without end, and others that go on as if they did not: agents, calls, looks."""

import base64
import gc
import os
import time

import pytest
import trio
from tools.hostile_output import STREAMS
from tools.live_host import LiveHost, live_host

FLOOD = "import base64,os\ndata = base64.b64decode('{}')\nwhile True: os.write(1, data)\n"

PANES = 3
HELD = 0.030
"""Seconds of this thread's own time that the loop is held at most."""

SOME = ("repeat a joiner", "repeat half a flag", "clear in colours", "accents in each cell", "titles", "questions")


class Ticks(trio.abc.Instrument):
    """How long the loop was held at most between two looks at the sockets, in this thread's own time."""

    def __init__(self) -> None:
        self.worst = 0.0
        self._since: float | None = None

    def after_io_wait(self, timeout: float) -> None:
        self._since = time.thread_time()

    def before_io_wait(self, timeout: float) -> None:
        if self._since is not None:
            self.worst = max(self.worst, time.thread_time() - self._since)


async def flooded(live: LiveHost, name: str, panes: int) -> None:
    """Panes whose programs print a stream without end, and count as agents, so that their screens are looked at."""
    data = (STREAMS[name] * (4096 // len(STREAMS[name]) + 1)).encode()
    (live.folder / "flood.py").write_text(FLOOD.format(base64.b64encode(data).decode()))
    for _ in range(panes):
        created = await live.call("workspace.create", cwd=str(live.folder))
        pane = live.pane(created["root_pane"]["pane_id"])
        await live.type(pane.pane_id, "HERDR_AGENT=claude exec python3 -S flood.py\r")
        await live.until(lambda pane=pane: pane.counter > 20)  # type: ignore[misc]


async def asked(live: LiveHost, agent: str) -> None:
    """What a daemon asks all the time."""
    await live.call("ping")
    assert agent in [each["pane_id"] for each in (await live.call("agent.list"))["agents"]]
    await live.call("session.snapshot")
    await live.call("pane.read", pane_id="w2:p1", source="recent_unwrapped", lines=1000, format="ansi")
    await live.call("pane.view", pane_id="w2:p1")


@pytest.mark.trio
@pytest.mark.parametrize("name", SOME)
async def test_agents_go_on_while_others_print_without_end(name: str) -> None:
    async with live_host() as live:
        agent = await live.agent()
        await flooded(live, name, PANES)
        with trio.fail_after(5):
            await asked(live, agent)
            await live.type(agent, "b")
            await live.until(lambda: live.pane(agent).agent.machine.state == "blocked")


@pytest.mark.soak
@pytest.mark.skipif(not os.environ.get("COLLIE_SOAK"), reason="long; COLLIE_SOAK=1 runs it")
@pytest.mark.trio
@pytest.mark.timeout(60)
@pytest.mark.parametrize("name", STREAMS)
async def test_no_output_holds_the_loop(name: str) -> None:
    async with live_host() as live:
        agent = await live.agent()
        await flooded(live, name, PANES)
        gc.collect()
        gc.freeze()  # as a host does, which has none of a test's objects
        ticks = Ticks()
        trio.lowlevel.add_instrument(ticks)
        for turn in range(10):
            await asked(live, agent)
            split = await live.call("pane.split", target_pane_id="w2:p1", direction="right")
            await live.type(agent, "bi"[turn % 2])
            await trio.sleep(0.1)
            await live.call("pane.close", pane_id=split["pane"]["pane_id"])
        trio.lowlevel.remove_instrument(ticks)
        gc.unfreeze()
        print(f"{name}: held for {ticks.worst * 1000:.1f} ms at most")
        assert ticks.worst < HELD
