"""How long a key takes to be seen, with 100 agents in the table and 200 events a second: median and 95th percentile.

A dashboard runs in a pseudo terminal of 120×40; `j` and `k` move the cursor of its agents table, and the time is taken
until the cursor's mark was drawn anew.
"""

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import sys
import termios
import threading
import time
from collections.abc import Callable
from dataclasses import replace

AGENTS = 100
EVENTS_A_SECOND = 200
STILL = 5
"""The first agents do not change: else the cursor's mark would be drawn without a key."""

KEYS = 100
COLUMNS, ROWS = 120, 40
GAP_SECONDS = 0.15
"""Between two keys; not a multiple of the dashboard's own beat."""

PAINT_SECONDS = 5.0
MARK = "▸".encode()


def flood() -> None:
    """The dashboard, over an engine whose agents change all the time."""
    import asyncio

    from collie.client.picture import Link, Picture
    from collie.protocol.methods import Ok, Params, Result
    from collie.protocol.models import Agent, AgentStatus
    from collie.tui.app import CollieApp
    from collie.tui.pace import Pace

    statuses = (AgentStatus.WORKING, AgentStatus.DONE)

    def agent(number: int, turn: int) -> Agent:
        return Agent(
            terminal_id=f"t{number}",
            workspace_id="w1",
            kind="claude",
            name=f"agent-{number}",
            title=f"Step {turn}",
            status=AgentStatus.WORKING,
            status_since_ms=number,
            last_line=f"line {turn} {statuses[turn % 2].value}",
        )

    class Flood:
        hosting = False

        def open(self, show: Callable[[Picture], None]) -> None:
            loop = asyncio.get_running_loop()
            threading.Thread(target=self._run, args=(loop, show), daemon=True).start()

        async def call(self, name: str, params: Params) -> Result:
            return Ok()

        async def watch(self, terminal_id: str | None) -> None:
            return None

        def close(self) -> None:
            return None

        def _run(self, loop: asyncio.AbstractEventLoop, show: Callable[[Picture], None]) -> None:
            pace, turn = Pace(), 0
            picture = Picture(link=Link.CONNECTED, agents=tuple(agent(number, 0) for number in range(AGENTS)))
            while True:
                turn += 1
                agents, number = list(picture.agents), STILL + turn % (AGENTS - STILL)
                agents[number] = agent(number, turn)
                picture = replace(picture, agents=tuple(agents))
                if (due := pace.offer(picture, time.monotonic())) is not None:
                    loop.call_soon_threadsafe(show, due)
                time.sleep(1 / EVENTS_A_SECOND)

    CollieApp(Flood()).run()


class Terminal:
    """A program in a pseudo terminal."""

    def __init__(self, command: tuple[str, ...]) -> None:
        self._child, self._fd = pty.fork()
        if self._child == 0:
            os.execvpe(command[0], command, {**os.environ, "TERM": "xterm-256color"})
        fcntl.ioctl(self._fd, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))

    def press(self, keys: str) -> None:
        os.write(self._fd, keys.encode())

    def until(self, mark: bytes, seconds: float) -> float:
        """Seconds until `mark` was drawn."""
        began, written = time.perf_counter(), b""
        while mark not in written:
            left = began + seconds - time.perf_counter()
            if left <= 0 or not select.select([self._fd], [], [], left)[0]:
                raise SystemExit(f"{mark!r} was not drawn within {seconds} s")
            written = written[-len(mark) :] + os.read(self._fd, 65_536)
        return time.perf_counter() - began

    def drain(self, seconds: float) -> None:
        """Take what is drawn for so long."""
        until = time.perf_counter() + seconds
        while (left := until - time.perf_counter()) > 0:
            if select.select([self._fd], [], [], left)[0]:
                os.read(self._fd, 65_536)

    def end(self) -> None:
        os.kill(self._child, signal.SIGKILL)
        os.waitpid(self._child, 0)
        os.close(self._fd)


def main() -> None:
    """Press keys, and say how long they took."""
    terminal = Terminal((sys.executable, __file__, "flood"))
    try:
        terminal.until(b"agent-1", PAINT_SECONDS * 2)
        terminal.press("\t")
        terminal.drain(1.0)
        taken = []
        for number in range(KEYS):
            terminal.press("jk"[number % 2])
            taken.append(terminal.until(MARK, PAINT_SECONDS))
            terminal.drain(GAP_SECONDS)
    finally:
        terminal.end()
    median, late = statistics.median(taken), statistics.quantiles(taken, n=20)[-1]
    print(
        f"key to paint, {AGENTS} agents, {EVENTS_A_SECOND} events a second, {KEYS} keys: "
        f"median {median * 1e3:.0f} ms, p95 {late * 1e3:.0f} ms (goal p95 50 ms)"
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["flood"]:
        flood()
    else:
        main()
