"""A terminal as a value: bytes of a program go in, what its screen shows and the answers to it come out."""

import sys
from collections.abc import Iterator

from collie.host.terminal import controls, modes
from collie.host.terminal.parse import MAX_STRING, Parser, Token
from collie.host.terminal.row import Row
from collie.host.terminal.state import State

_BLOCK = 1 << 16
"""Bytes taken in at a time, which bounds the memory that a huge write takes in passing."""

_NO_LIMIT = sys.maxsize


class Terminal:
    """One terminal. Sizes are in cells, rows and columns counted from 0."""

    def __init__(self, columns: int = 120, rows: int = 40, scrollback: int = 10_000) -> None:
        self._parser = Parser()
        self._state = State(columns, rows, scrollback)
        self._version = 0
        self._tokens: Iterator[Token] = iter(())
        self._is_behind = False

    def feed(self, data: bytes) -> None:
        """Take in what the program wrote, and draw it, however long that takes. It may be cut anywhere."""
        for start in range(0, len(data), _BLOCK):
            self.receive(data[start : start + _BLOCK])
            self.work()

    def receive(self, data: bytes) -> None:
        """Take in what the program wrote; it is drawn by `work`."""
        self._tokens = iter([*self._tokens, *self._parser.feed(data)])
        self._is_behind = True

    def work(self, most: int = _NO_LIMIT) -> int:
        """Draw what was received, until that took some `most` units of work (`Grid.spent`) beyond reading it.

        A few bytes can ask for very much: a screen full of one character, or every row scrolled away.

        Returns:
            How much of `most` is left; 0 when there may be more to draw.
        """
        if not self._is_behind:
            return most
        self._version += 1
        grid = self._state.grid
        end = grid.spent + most
        self._draw(end)
        self._is_behind = grid.spent >= end
        return max(end - grid.spent, 0)

    def _draw(self, end: int) -> None:
        state = self._state
        grid = state.grid
        for text, control, body, final, payload, terminator, escape, _ in self._tokens:
            if text:
                state.pen.write(grid, text)
            elif final:
                controls.csi(state, body, final)
            elif control:
                controls.control(state, control)
            elif escape:
                controls.escape(state, escape)
            elif terminator and len(payload) <= MAX_STRING:
                state.reply(state.announced.receive(payload, terminator))
            if grid.spent >= end:
                return

    def take_replies(self) -> bytes:
        """What the program is to be answered since the last call."""
        replies, self._state.replies = self._state.replies, ""
        return replies.encode()

    def resize(self, columns: int, rows: int) -> None:
        """Take another size; the text of the primary screen is wrapped anew."""
        if (columns, rows) != (self.columns, self.rows):
            self._version += 1
            self._state.resize(columns, rows)

    @property
    def version(self) -> int:
        """Grows with everything that may have changed what a read gives."""
        return self._version

    @property
    def columns(self) -> int:
        """Width of the screen."""
        return self._state.grid.columns

    @property
    def rows(self) -> int:
        """Height of the screen."""
        return self._state.grid.height

    @property
    def scrollback_rows(self) -> int:
        """Rows that scrolled off the top; 0 while the alternate screen shows."""
        return len(self._state.grid.buffer.history)

    @property
    def total_rows(self) -> int:
        """Rows of scrollback and screen together."""
        return self._state.grid.buffer.total

    @property
    def cursor(self) -> tuple[int, int]:
        """(row, column) on the screen."""
        grid = self._state.grid
        return grid.row, min(grid.column, grid.columns - 1)

    @property
    def cursor_visible(self) -> bool:
        """Whether the program shows its cursor."""
        return modes.CURSOR_VISIBLE in self._state.modes

    @property
    def title(self) -> str:
        """The last OSC 0 or 2 title, without controls, at most 256 characters."""
        return self._state.announced.title

    @property
    def progress(self) -> str:
        """The last OSC 9 payload, such as `4;1;50`, without controls, at most 256 characters."""
        return self._state.announced.progress

    @property
    def cwd(self) -> str | None:
        """The path of the last OSC 7, None before there was one."""
        return self._state.announced.cwd

    @property
    def alternate(self) -> bool:
        """Whether the alternate screen shows."""
        return self._state.grid.buffer is self._state.grid.alternate

    @property
    def application_cursor_keys(self) -> bool:
        """Whether cursor keys are sent as `ESC O A` (mode 1)."""
        return modes.CURSOR_KEYS in self._state.modes

    @property
    def bracketed_paste(self) -> bool:
        """Whether pasted text is to be marked (mode 2004)."""
        return modes.BRACKETED_PASTE in self._state.modes

    @property
    def focus_reports(self) -> bool:
        """Whether the program wants to be told of focus (mode 1004)."""
        return modes.FOCUS_REPORTS in self._state.modes

    @property
    def mouse_reports(self) -> bool:
        """Whether the program wants mouse events (modes 9, 1000, 1002, 1003)."""
        return self._state.modes.mouse_reports

    @property
    def synchronized(self) -> bool:
        """Whether the program is in the middle of drawing (mode 2026), so that the screen may be torn."""
        return modes.SYNCHRONIZED in self._state.modes

    @property
    def keyboard_flags(self) -> int:
        """The kitty keyboard flags in force, 0 for none."""
        return self._state.grid.buffer.keyboard[-1]

    def window(self, first: int, end: int) -> list[Row]:
        """The rows from `first` to before `end`, counted from the oldest of the scrollback."""
        return self._state.grid.buffer.window(first, end)

    def backwards(self, end: int) -> Iterator[Row]:
        """The rows before `end`, counted from the oldest; the newest comes first."""
        return self._state.grid.buffer.backwards(end)

    def opening(self, style: str) -> str:
        """The escape sequences that begin a run of cells of this style, "" for the default style."""
        return self._state.styles.opening(style)
