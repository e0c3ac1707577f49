"""A real daemon process that is killed in the middle of an answer, over a scripted host."""

import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
from tools.drawn_agent import DrawnAgent
from tools.fake_herdr import FakeHerdr, socket_folder
from tools.fake_panes import FakePane
from tools.fake_session import Typed

COLLIE = (sys.executable, "-m", "collie")
PATIENCE = 20.0


@asynccontextmanager
async def daemon(environ: Mapping[str, str]) -> AsyncIterator[trio.Process]:
    """`collie --serve`, ready."""
    process = await trio.lowlevel.open_process([*COLLIE, "--serve"], env=environ, stdout=subprocess.PIPE)
    assert process.stdout is not None
    try:
        with trio.fail_after(PATIENCE):
            assert b"ready" in await process.stdout.receive_some(1_000)
        yield process
    finally:
        if process.returncode is None:
            process.terminate()
        with trio.CancelScope(shield=True):
            await process.wait()


async def collie(environ: Mapping[str, str], *arguments: str) -> tuple[int, Any]:
    """A command's exit status, and the JSON it printed (None for none)."""
    with trio.fail_after(PATIENCE):
        done = await trio.run_process(
            [*COLLIE, *arguments, "--json"], env=environ, capture_stdout=True, capture_stderr=True, check=False
        )
    return done.returncode, json.loads(done.stdout) if done.stdout else None


def build(folder: Path, host: FakeHerdr) -> Mapping[str, str]:
    """A data directory whose daemon uses `host`; the test's processes stand inside its panes for all it knows."""
    data = folder / "data"
    data.mkdir(mode=0o700)
    (data / "collie.toml").write_text('[host]\nkind = "herdr"\n[control]\nfrom_panes = true\n')
    return {**os.environ, "COLLIE_DATA_DIR": str(data), "HERDR_SOCKET_PATH": str(host.path)}


def decisions(environ: Mapping[str, str]) -> list[str]:
    """What the audit log says of decisions."""
    lines = (Path(environ["COLLIE_DATA_DIR"]) / "audit.log").read_text().splitlines()
    return [each["result"] for each in map(json.loads, lines) if each["method"] == "approval.decide"]


@pytest.mark.trio
async def test_a_daemon_killed_between_arrow_and_enter_sends_nothing_twice_and_asks_anew() -> None:
    with socket_folder() as folder:
        host = FakeHerdr(folder / "herdr.sock", manners="embedded")
        environ, agent = build(folder, host), DrawnAgent(host)
        agent.ask("rm -rf build")
        async with trio.open_nursery() as nursery:
            await nursery.start(host.run)
            async with daemon(environ) as process:

                def kill(pane: FakePane, typed: Typed) -> None:
                    if "down" in typed.keys:
                        process.kill()

                host.on_input(kill)
                _, first = await collie(environ, "approvals")
                status, _ = await collie(environ, "decide", first["approvals"][0]["approval_id"], "deny")
                assert status == 1
                left = decisions(environ)
            async with daemon(environ):
                _, second = await collie(environ, "approvals")
                (fresh,) = second["approvals"]
                before = [each.keys for each in host.typed]
                status, verdict = await collie(environ, "decide", fresh["approval_id"], "deny")
                again, _ = await collie(environ, "decide", fresh["approval_id"], "deny")
            nursery.cancel_scope.cancel()

    assert before == [("down", "down")]
    assert left == [f"deny: sending terminal={agent.pane.terminal_id}"], "the attempt has left a trace"
    assert fresh["approval_id"] != first["approvals"][0]["approval_id"]
    assert (status, verdict["outcome"], verdict["by"]) == (0, "applied", "desk (command line)")
    assert again == 1
    assert agent.answers == [("rm -rf build", "No", "")]
