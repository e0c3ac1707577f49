"""The terminal: frames -> escape sequences, and full-screen mode from beginning to end.

Sequences: xterm ctlseqs (alternate screen 1049, bracketed paste 2004, autowrap 7), and synchronized output (2026).
"""

import os
import termios
from collections.abc import Iterator
from contextlib import contextmanager

from collie.practice.draw import Frame
from collie.practice.style import Row, row_text
from collie.practice.wrap import width

BEGIN = "\x1b[?1049h\x1b[?2004h\x1b[?25l\x1b[?7l"
END = "\x1b[?7h\x1b[?25h\x1b[?2004l\x1b[?1049l\x1b]0;\x07"
TerminalMode = list[int | list[bytes | int]]
_SYNC_BEGIN = "\x1b[?2026h"
_SYNC_END = "\x1b[?2026l"
_LOCAL_FLAGS = termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN
_INPUT_FLAGS = termios.BRKINT | termios.ICRNL | termios.INPCK | termios.ISTRIP | termios.IXON


def changes(old: Frame | None, new: Frame) -> str:
    """What to write so that a terminal that shows `old` (None: anything at all) shows `new`."""
    before = old.rows if old is not None and len(old.rows) == len(new.rows) else None
    rows = [
        f"\x1b[{number};1H{_painted(row, new.columns)}"
        for number, row in enumerate(new.rows, 1)
        if before is None or before[number - 1] != row
    ]
    title = f"\x1b]0;{new.title}\x07" if old is None or old.title != new.title else ""
    return title + (_SYNC_BEGIN + "".join(rows) + _SYNC_END if rows else "")


@contextmanager
def full_screen(fd: int) -> Iterator[None]:
    """Raw mode and the alternate screen; everything is as it was before when the block ends, however it ends."""
    before = termios.tcgetattr(fd)
    try:
        _set_raw(fd)
        write(fd, BEGIN)
        yield
    finally:
        _restore(fd, before)


def write(fd: int, text: str) -> None:
    """All of `text`, waiting until the terminal took it."""
    data = text.encode()
    while data:
        data = data[os.write(fd, data) :]


def _painted(row: Row, columns: int) -> str:
    """The row and an end of it; a full row gets none, where erasing would take its last cell."""
    spans = "".join(f"\x1b[0;{span.style}m{span.text}" if span.style else f"\x1b[0m{span.text}" for span in row)
    return f"{spans}\x1b[0m" if width(row_text(row)) >= columns else f"{spans}\x1b[0m\x1b[K"


def _set_raw(fd: int) -> None:
    mode = termios.tcgetattr(fd)
    mode[0] &= ~_INPUT_FLAGS
    mode[1] &= ~termios.OPOST
    mode[3] &= ~_LOCAL_FLAGS
    termios.tcsetattr(fd, termios.TCSAFLUSH, mode)


def _restore(fd: int, before: TerminalMode) -> None:
    """Keys that were typed and not read are dropped: they were meant for the agent, not for the shell behind it."""
    try:
        write(fd, END)
        termios.tcsetattr(fd, termios.TCSAFLUSH, before)
    except (OSError, termios.error):
        return  # the terminal is gone, and with it what there was to restore
