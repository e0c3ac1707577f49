"""How fast Collie starts, as ratios within one run: `--version` beside an empty Python, the dashboard's first paint
beside a minimal Textual app with header, table and footer.

First paint is the time from the start of the process until both the first and the last row of the window were written
to the terminal (a pseudo terminal of 120×40).
"""

import fcntl
import os
import pty
import select
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

RUNS = 15
COLUMNS, ROWS = 120, 40
PAINT_SECONDS = 20.0
"""A program that has not painted by then never will."""

MINIMAL_APP = """
from textual.app import App
from textual.widgets import DataTable, Footer, Header

class Minimal(App):
    TITLE = "first row"
    BINDINGS = [("q", "quit", "last row")]

    def compose(self):
        yield Header()
        yield DataTable()
        yield Footer()

    def on_mount(self):
        self.query_one(DataTable).add_columns("status", "agent", "title")

Minimal().run()
"""


def run_seconds(command: Sequence[str], environment: Mapping[str, str]) -> float:
    """How long the command takes to its end."""
    began = time.perf_counter()
    subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL)
    return time.perf_counter() - began


def paint_seconds(command: tuple[str, ...], marks: Sequence[bytes], environment: Mapping[str, str]) -> float:
    """How long the command takes until its terminal was sent all of `marks`; it is ended then."""
    began = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        os.execvpe(command[0], command, environment)
    try:
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        return _seconds_until_painted(terminal, marks, began)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        os.close(terminal)


def _seconds_until_painted(terminal: int, marks: Sequence[bytes], began: float) -> float:
    written = b""
    while not all(mark in written for mark in marks):
        left = began + PAINT_SECONDS - time.perf_counter()
        if left <= 0 or not select.select([terminal], [], [], left)[0]:
            raise SystemExit(f"no first paint within {PAINT_SECONDS:.0f} s; the terminal got: {written[-500:]!r}")
        written += os.read(terminal, 65_536)
    return time.perf_counter() - began


def report(what: str, ours: list[float], theirs: list[float], beside: str, goal: float) -> None:
    """One line: the medians, their ratio, and the goal."""
    mine, other = statistics.median(ours), statistics.median(theirs)
    print(f"{what}: {mine * 1e3:.0f} ms, {beside}: {other * 1e3:.0f} ms, ratio {mine / other:.2f} (goal {goal})")


def main() -> None:
    """Run each pair in turns, so that a busy machine slows both."""
    with tempfile.TemporaryDirectory(prefix="collie-") as folder:
        environment = {**os.environ, "COLLIE_DATA_DIR": str(Path(folder) / "data"), "TERM": "xterm-256color"}
        environment.pop("NO_COLOR", None)
        python = sys.executable
        versions, empties, paints, minimals = [], [], [], []
        for _ in range(RUNS):
            versions.append(run_seconds((python, "-m", "collie", "--version"), environment))
            empties.append(run_seconds((python, "-c", "pass"), environment))
            paints.append(paint_seconds((python, "-m", "collie"), (b"Collie", b"quit"), environment))
            minimals.append(paint_seconds((python, "-c", MINIMAL_APP), (b"first row", b"last row"), environment))
        subprocess.run(
            (python, "-m", "collie", "host", "stop", "--yes"), env=environment, capture_output=True, check=False
        )
    report("collie --version", versions, empties, "python -c pass", 3)
    report("dashboard, first paint", paints, minimals, "a minimal Textual app", 1.2)


if __name__ == "__main__":
    main()
