"""The real program on a real pseudoterminal."""

import os
import pty
import select
import signal
import subprocess
import sys
import termios
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pyte
import pytest

from collie.practice.main import main
from collie.practice.terminal import BEGIN, END

WATCHED = """\
import sys
FORBIDDEN = ("subprocess.", "os.system", "os.exec", "os.fork", "os.posix_spawn", "os.spawn", "socket.", "pty.")
def hook(event, arguments):
    if event.startswith(FORBIDDEN) or (event == "open" and arguments[1] not in ("r", "rb", None)):
        raise RuntimeError(f"the practice agent tried {event}")
sys.addaudithook(hook)
from collie.practice.main import main
sys.exit(main())
"""
LONGEST_WAIT = 10.0


@dataclass
class Program:
    """A running practice agent, its terminal and what it wrote so far."""

    process: subprocess.Popen[bytes]
    keyboard: int
    slave: int
    written: bytes = b""
    stream: pyte.ByteStream = field(init=False)
    screen: pyte.Screen = field(init=False)

    def __post_init__(self) -> None:
        self.screen = pyte.Screen(80, 24)
        self.stream = pyte.ByteStream(self.screen)

    def wait_for(self, text: str) -> None:
        deadline = time.monotonic() + LONGEST_WAIT
        while text not in "\n".join(self.screen.display):
            assert time.monotonic() < deadline, "\n".join(self.screen.display)
            self.read(0.05)

    def read(self, seconds: float) -> None:
        if select.select([self.keyboard], [], [], seconds)[0]:
            data = os.read(self.keyboard, 65536)
            self.written += data
            self.stream.feed(data)

    def press(self, keys: bytes) -> None:
        os.write(self.keyboard, keys)

    def ended(self) -> int:
        deadline = time.monotonic() + LONGEST_WAIT
        while self.process.poll() is None:
            assert time.monotonic() < deadline
            self.read(0.01)
        while END.encode() not in self.written and time.monotonic() < deadline:
            self.read(0.05)
        return self.process.returncode


@contextmanager
def practising(*prompt: str, guard: str = "0") -> Iterator[Program]:
    keyboard, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 80))
    environment = os.environ | {"COLLIE_PRACTICE_GUARD_MS": guard, "PYTHONDONTWRITEBYTECODE": "1"}
    command = [sys.executable, "-c", WATCHED, *prompt]
    process = subprocess.Popen(
        command, stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True
    )
    try:
        yield Program(process, keyboard, slave)
    finally:
        process.kill()
        process.wait()
        os.close(keyboard)
        os.close(slave)


def test_it_asks_is_answered_and_leaves_the_terminal_as_it_was(tmp_path: Path) -> None:
    target = tmp_path / "build"
    target.mkdir()
    with practising("ask", "rm", "-rf", str(target)) as program:
        before = termios.tcgetattr(program.slave)
        program.wait_for("Do you want to proceed?")
        assert termios.tcgetattr(program.slave) != before
        assert program.screen.title == "✳ Practice"
        program.press(b"1")
        program.wait_for("(practice: nothing was run)")
        program.press(b"say bye\r")
        program.wait_for("● bye")
        program.press(b"/exit\r")
        assert program.ended() == 0
        assert termios.tcgetattr(program.slave) == before
        assert BEGIN.encode() in program.written
        assert program.written.endswith(END.encode())
    assert target.is_dir()


def test_the_guard_holds_in_the_real_program() -> None:
    with practising("ask", "ls", guard="100000") as program:
        program.wait_for("Do you want to proceed?")
        program.press(b"1\r")
        program.press(b"\x1b[B")
        program.wait_for("❯ 2. Yes, and")
        program.press(b"\x1b")
        program.wait_for("Interrupted")


def test_another_size_redraws() -> None:
    with practising() as program:
        program.wait_for("manual mode on")
        termios.tcsetwinsize(program.slave, (12, 40))
        program.screen.resize(12, 40)
        program.process.send_signal(signal.SIGWINCH)
        program.wait_for("\n" + "─" * 40 + "\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP, signal.SIGINT])
def test_a_signal_ends_it_and_the_terminal_is_restored(number: signal.Signals) -> None:
    with practising("work", "60") as program:
        before = termios.tcgetattr(program.slave)
        program.wait_for("Working…")
        program.process.send_signal(number)
        assert program.ended() == 128 + number
        assert termios.tcgetattr(program.slave) == before
        assert program.written.endswith(END.encode())


def test_a_terminal_that_goes_away_ends_it() -> None:
    with practising() as program:
        program.wait_for("manual mode on")
        os.close(program.keyboard)
        program.keyboard = os.open(os.devnull, os.O_RDONLY)
        assert program.process.wait(LONGEST_WAIT) in (0, 129)


def test_help_names_every_prompt(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--help"]) == 0
    assert "ask-edit FILE" in capsys.readouterr().out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == "collie-practice 1\n"


def test_without_a_terminal_it_says_so_in_one_line() -> None:
    command = [sys.executable, "-m", "collie.practice.main"]
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1
    assert "needs a terminal" in done.stderr


def test_a_wrong_guard_is_refused(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLLIE_PRACTICE_GUARD_MS", "soon")
    assert main([]) == 2
    assert "number of milliseconds" in capsys.readouterr().err
