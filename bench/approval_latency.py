"""How long a drawn dialog takes to be an approval at a client of the control socket, and an answer to be seen taken.

    python bench/approval_latency.py [--dialogs N]

Real processes: `collie --serve`, the embedded host, and in a pane of it an agent that writes down the moment before it
draws each dialog. Beside the times stands what they consist of at the least: a ping of the host, asked in the same run.
"""

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import trio

from collie.client.connection import Connection, connect_control
from collie.herdr.client import HostClient
from collie.protocol.events import ApprovalNeeded
from collie.protocol.ids import ApprovalId, Nonce, OpId, TerminalId
from collie.protocol.methods import AgentSendKeysParams, ApprovalDecideParams, ApprovalResolvedResult, Surface
from collie.protocol.models import Approval, Decision, Key, OutcomeKind
from collie.store import socket_path

ANSWERED = 5
"""Each so many-th dialog is approved, which takes the time a person's answer takes; the others are waved away."""

DIALOG_SECONDS = 10.0

DRAWER = r"""
import os, sys, termios, time, tty

RULE, DASHES = "\u2500" * 120, "\u254c" * 120

def draw(lines):
    os.write(1, ("\x1b[?2026h\x1b[2J\x1b[H" + "\r\n".join(lines) + "\x1b[?2026l").encode())

def idle():
    draw([""] * 33 + [RULE, "\u276f\u00a0", RULE, "  \u23f8 manual mode on"])

def ask(command):
    draw([""] * 24 + [RULE, " Bash command", " A step of the bench", DASHES, " " + command, DASHES, "",
        " Do you want to proceed?", " \u276f 1. Yes", "   2. No", "", " Esc to cancel \u00b7 Tab to amend"])

tty.setraw(0)
os.write(1, b"\x1b[?1049h\x1b[?25l")
with open(sys.argv[1], "a", buffering=1) as log:
    for number in range(int(sys.argv[2])):
        idle()
        os.read(0, 1)
        log.write(f"{number} {time.monotonic_ns()}\n")
        ask(f"echo step-{number}")
        while os.read(0, 1) not in (b"\r", b"\x1b"):
            pass
    idle()
    os.read(0, 1)
"""


@contextmanager
def served(folder: Path) -> Iterator[None]:
    """A daemon and its host over a data directory of their own."""
    environ = os.environ | {"COLLIE_DATA_DIR": str(folder / "data"), "SHELL": "/bin/sh"}
    command = [sys.executable, "-m", "collie"]
    daemon = subprocess.Popen([*command, "--serve"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, env=environ)
    assert daemon.stdout is not None
    try:
        assert b"ready" in daemon.stdout.readline(), "the daemon did not start"
        subprocess.run([*command, "host", "start"], env=environ, check=True, stdout=subprocess.DEVNULL)
        yield
    finally:
        daemon.terminate()
        daemon.wait()
        subprocess.run([*command, "host", "stop", "--yes"], env=environ, check=True, stdout=subprocess.DEVNULL)


class Bench:
    """One run; times in milliseconds."""

    def __init__(self, folder: Path, dialogs: int) -> None:
        self._host = HostClient(socket_path(folder / "data", "herdr/herdr.sock"))
        self._control = socket_path(folder / "data", "control.sock")
        self._folder = folder
        self._dialogs = dialogs
        self._drawn = folder / "drawn"
        self.pings: list[float] = []
        self.shown: list[float] = []
        self.taken: list[float] = []
        self.unconfirmed = 0

    async def run(self) -> None:
        """Draw, wait for the approval, answer; as often as was asked."""
        drawer = self._folder / "collie-practice"
        drawer.write_text(DRAWER)
        pane = (await self._host.workspace_create(str(self._folder))).root_pane
        line = f"exec {sys.executable} {drawer} {self._drawn} {self._dialogs}\n"
        await self._host.pane_send_text(pane.pane_id, line)
        await self._recognised(pane.pane_id)
        async with connect_control(self._control, Surface.COMMAND_LINE) as connection:
            for number in range(self._dialogs):
                await self._one(connection, pane.pane_id, number)

    async def _recognised(self, pane_id: str) -> None:
        with trio.fail_after(DIALOG_SECONDS):
            while not await self._is_agent(pane_id):  # noqa: ASYNC110 - the host is another process
                await trio.sleep(0.05)
        await trio.sleep(1.5)

    async def _is_agent(self, pane_id: str) -> bool:
        return any(agent.pane_id == pane_id and agent.agent for agent in await self._host.agent_list())

    async def _one(self, connection: Connection, pane_id: str, number: int) -> None:
        before = time.monotonic_ns()
        await self._host.ping()
        self.pings.append(_ms(time.monotonic_ns() - before))
        await self._host.pane_send_text(pane_id, "g")
        approval, at = await _needed(connection, f"echo step-{number}")
        drawn = int(self._drawn.read_text().splitlines()[number].split()[1])
        self.shown.append(_ms(at - drawn))
        await (self._approve if number % ANSWERED == 0 else _wave_away)(connection, approval)
        await trio.sleep(0.05)

    async def _approve(self, connection: Connection, approval: Approval) -> None:
        params = ApprovalDecideParams(
            approval_id=ApprovalId(approval.approval_id), decision=Decision.APPROVE, nonce=Nonce(approval.nonce)
        )
        await trio.sleep(0.3)  # a person is not faster; before that the daemon itself would wait out the agent's guard
        before = time.monotonic_ns()
        result = await connection.call("approval.decide", params)
        assert isinstance(result, ApprovalResolvedResult)
        self.taken.append(_ms(time.monotonic_ns() - before))
        self.unconfirmed += result.outcome.outcome is not OutcomeKind.APPLIED
        await trio.sleep(1.0)  # the rate of decisions is one a second


async def _needed(connection: Connection, command: str) -> tuple[Approval, int]:
    with trio.fail_after(DIALOG_SECONDS):
        async for frame in connection.events:
            if isinstance(frame.event, ApprovalNeeded) and frame.event.approval.command == command:
                return frame.event.approval, time.monotonic_ns()
    raise AssertionError("the session ended")


async def _wave_away(connection: Connection, approval: Approval) -> None:
    op_id = OpId(f"bench{time.monotonic_ns():017d}")
    params = AgentSendKeysParams(op_id=op_id, terminal_id=TerminalId(approval.terminal_id), keys=(Key.ESC,))
    await connection.call("agent.send_keys", params)


def _ms(nanoseconds: int) -> float:
    return nanoseconds / 1e6


def _figures(name: str, times: list[float], ping: float) -> str:
    median, p95 = statistics.median(times), statistics.quantiles(times, n=20)[18]
    return f"{name:<34} {len(times):>4}  median {median:7.1f} ms  p95 {p95:7.1f} ms  = {median / ping:6.0f} pings"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dialogs", type=int, default=200)
    dialogs = parser.parse_args().dialogs
    folder = Path(tempfile.mkdtemp(prefix="collie-"))
    bench = Bench(folder, dialogs)
    try:
        with served(folder):
            trio.run(bench.run)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    ping = statistics.median(bench.pings)
    print(_figures("ping of the host", bench.pings, ping))
    print(_figures("dialog drawn -> approval at client", bench.shown, ping))
    print(_figures("decision sent -> dialog gone", bench.taken, ping))
    print(f"answers not confirmed: {bench.unconfirmed} of {len(bench.taken)}")


if __name__ == "__main__":
    main()
