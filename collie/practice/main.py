"""`collie-practice [PROMPT...]`: the program around the session. It reads keys and draws; it runs nothing."""

import os
import select
import signal
import sys
import time
from collections.abc import Sequence

from collie.practice.draw import Frame, frame
from collie.practice.keys import Decoder
from collie.practice.model import GUARD_SECONDS, Session, keyed, resized, submitted, ticked, wakes_in
from collie.practice.script import PROMPTS
from collie.practice.terminal import changes, full_screen, write
from collie.practice.transcript import VERSION

GUARD_VARIABLE = "COLLIE_PRACTICE_GUARD_MS"
ESCAPE_SECONDS = 0.03
"""An Escape with nothing after it for so long is a key of its own, not the start of a sequence."""
_ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP, signal.SIGINT)
_READ_SIZE = 65536

HELP = f"""\
usage: collie-practice [PROMPT...]

A practice agent: it asks for permission as Claude Code does, and never runs anything.
PROMPT is submitted at the start. Prompts:

{PROMPTS}

  --help, --version

{GUARD_VARIABLE} sets for how many milliseconds keys that confirm are ignored after a dialog appears."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the practice agent; the exit status is 0, or 1 without a terminal, or 2 for a wrong setting."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    if given in (["--help"], ["-h"]):
        print(HELP)
        return 0
    if given == ["--version"]:
        print(f"collie-practice {VERSION}")
        return 0
    guard = _guard(os.environ.get(GUARD_VARIABLE))
    if guard is None:
        print(f"collie-practice: {GUARD_VARIABLE} must be a number of milliseconds", file=sys.stderr)
        return 2
    if not (os.isatty(0) and os.isatty(1)):
        print("collie-practice: it needs a terminal; start it in one, or in a pane of Collie", file=sys.stderr)
        return 1
    return _run(" ".join(given), guard)


def _guard(setting: str | None) -> float | None:
    if setting is None:
        return GUARD_SECONDS
    return int(setting) / 1000 if setting.isdecimal() else None


def _run(prompt: str, guard: float) -> int:
    signals, signals_end = os.pipe()
    os.set_blocking(signals_end, False)
    for number in (*_ENDING_SIGNALS, signal.SIGWINCH):
        signal.signal(number, lambda _number, _frame: None)
    signal.set_wakeup_fd(signals_end)
    with full_screen(0):
        columns, rows = _size()
        session = Session(columns=columns, rows=rows, place=_place(), guard=guard)
        return _loop(submitted(session, prompt, time.monotonic()), signals)


def _size() -> tuple[int, int]:
    """Columns and rows of the terminal; one that does not know its size (0 by 0) is taken for 80 by 24."""
    columns, rows = os.get_terminal_size(1)
    return columns or 80, rows or 24


def _place() -> str:
    """The working folder, the home folder shortened to `~`."""
    home, here = os.path.expanduser("~"), os.getcwd()
    return "~" + here.removeprefix(home) if here == home or here.startswith(home + "/") else here


def _loop(session: Session, signals: int) -> int:
    decoder = Decoder()
    shown: Frame | None = None
    while not session.ended:
        now = time.monotonic()
        picture = frame(session, now)
        if picture != shown:
            write(1, changes(shown, picture))
            shown = picture
        wait = ESCAPE_SECONDS if decoder.waiting else wakes_in(session, now)
        ready, _, _ = select.select([0, signals], [], [], wait)
        if signals in ready:
            caught = os.read(signals, _READ_SIZE)
            if any(number in caught for number in _ENDING_SIGNALS):
                return 128 + next(number for number in _ENDING_SIGNALS if number in caught)
            columns, rows = _size()
            session, shown = resized(session, columns, rows), None
        data = _read() if 0 in ready else b""
        if data is None:
            break
        session = _fed(session, decoder, data, ready == [])
    return 0


def _read() -> bytes | None:
    """What was typed, or None when the terminal is gone."""
    try:
        return os.read(0, _READ_SIZE) or None
    except OSError:
        return None


def _fed(session: Session, decoder: Decoder, data: bytes, quiet: bool) -> Session:
    """The session after what was typed, and after the time that passed."""
    now = time.monotonic()
    session = ticked(session, now)
    for event in (*decoder.receive(data), *(decoder.flush() if quiet else ())):
        session = keyed(session, event, now)
    return session


if __name__ == "__main__":
    sys.exit(main())
