"""Renew docs/dashboard.svg: the real dashboard over a throwaway data directory, with practice agents in it.

python docs/dashboard.py
"""

import asyncio
import os
import shutil
import tempfile
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from collie.cli.hosting import host_daemon
from collie.daemon.config import Config, HostKind
from collie.protocol.ids import AgentKindName, AgentName, Cwd, OpId, PromptText
from collie.protocol.methods import AgentStartParams
from collie.protocol.models import MachineInfo
from collie.store import socket_path
from collie.tui.app import CollieApp
from collie.tui.engine import TrioEngine

SIZE = (120, 32)
AGENTS = (
    ("pruner", "ask rm -rf build && make release", "orchard"),
    ("shepherd", "work 600", "meadow"),
    ("ranger", "say All 42 tests pass.", "forest"),
)
PICTURE = Path(__file__).parent / "dashboard.svg"
WAIT_SECONDS = 20.0


async def draw(folder: Path, lifeline: int) -> None:
    """Start the agents, wait until one asks and the others are at work, and keep the picture."""
    config = Config(
        data_dir=folder / "data",
        host_kind=HostKind.EMBEDDED,
        from_panes=True,
        lifeline=lifeline,
        environ=dict(os.environ),
    )
    engine = TrioEngine(socket_path(config.data_dir, "control.sock"), lambda: host_daemon(config))
    app = CollieApp(engine)
    async with app.run_test(size=SIZE) as pilot:
        await until(lambda: app.state.picture.machine is not None)
        await asyncio.gather(*(start(engine, folder, *agent) for agent in AGENTS))
        await until(lambda: bool(app.state.picture.approvals))
        await asyncio.sleep(2.0)
        named = replace(app.state.picture, machine=MachineInfo(name="farm", node_id="local"))
        app.state = replace(app.state, picture=named)
        await pilot.pause()
        PICTURE.write_text(app.export_screenshot(title="collie"))
    await asyncio.to_thread(engine.close)


async def start(engine: TrioEngine, folder: Path, name: str, prompt: str, place: str) -> None:
    """One practice agent in a folder of its own."""
    (folder / place).mkdir()
    params = AgentStartParams(
        op_id=OpId(f"{time.monotonic_ns():022d}"),
        kind=AgentKindName("practice"),
        cwd=Cwd(str(folder / place)),
        name=AgentName(name),
        prompt=PromptText(prompt),
    )
    await engine.call("agent.start", params)


async def until(is_so: Callable[[], bool]) -> None:
    """Wait for something to be so."""
    async with asyncio.timeout(WAIT_SECONDS):
        while not is_so():  # noqa: ASYNC110 - what it waits for happens in other processes
            await asyncio.sleep(0.05)


def main() -> None:
    folder = Path(tempfile.mkdtemp(prefix="demo-", dir="/tmp"))
    host_end, our_end = os.pipe()
    os.environ["SHELL"] = "/bin/sh"
    try:
        asyncio.run(draw(folder, host_end))
    finally:
        os.close(our_end)
        os.close(host_end)
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
