"""All that a terminal is between two bytes, and the operations that need more than the grid for it."""

import re
from collections.abc import Generator, Iterator
from itertools import chain

from collie.host.terminal import modes
from collie.host.terminal.announced import Announced
from collie.host.terminal.buffer import SavedCursor
from collie.host.terminal.grid import Grid
from collie.host.terminal.modes import Modes
from collie.host.terminal.pen import Pen
from collie.host.terminal.sgr import apply_sgr
from collie.host.terminal.style import DEFAULT, StyleTable

MAX_REPLIES = 1 << 16
"""Characters of answers kept for a program; more are dropped until they were taken."""
MAX_KEYBOARD_STACK = 16
CELL_WIDTH = 8
CELL_HEIGHT = 16
"""Pixels of a cell that nobody sees, for programs that ask: herdr's."""
_KEYBOARD_FLAGS = 0b11111
_MAX_SGR_CACHE = 4096
_SWEEP_STEP = 32
_SWEPT = object()
_SGR = re.compile(r"[0-9;:]*")


class State:
    """The parts of a terminal."""

    def __init__(self, columns: int, height: int, scrollback: int) -> None:
        self.grid = Grid(columns, height, scrollback)
        self.styles = StyleTable()
        self.pen = Pen()
        self.modes = Modes()
        self.announced = Announced()
        self.replies = ""
        self._sgr_cache: dict[tuple[str, str], tuple[str, str]] = {}
        self._sweep: Generator[None, None, None] | None = None

    def reply(self, text: str) -> None:
        """Answer the program."""
        if len(self.replies) + len(text) <= MAX_REPLIES:
            self.replies += text

    # Styles

    def set_rendition(self, parameters: str) -> bool:
        """SGR. False when the parameters are none of SGR's."""
        change = (self.pen.style, parameters)
        result = self._sgr_cache.get(change)
        if result is None:
            if not _SGR.fullmatch(parameters):
                return False
            result = self._new_style(*change)
        self.pen.style, self.grid.blank = result
        return True

    def set_style(self, key: str) -> None:
        """Write in a style that is already numbered."""
        self.pen.style = key
        self.grid.blank = self.styles.blank(key)

    def _new_style(self, key: str, parameters: str) -> tuple[str, str]:
        self._sweep_styles()
        if len(self._sgr_cache) >= _MAX_SGR_CACHE:
            self._sgr_cache.clear()
        new = self.styles.key(apply_sgr(self.styles[key], parameters))
        self._sgr_cache[key, parameters] = result = (new, self.styles.blank(new))
        return result

    def _sweep_styles(self) -> None:
        """A step of looking for the styles that no cell has any more. New styles are what makes it necessary."""
        if self._sweep is None and self.styles.wants_sweep:
            self._sgr_cache.clear()
            self._sweep = self.styles.sweep(self._styles_of_rows(), self._held_styles())
        if self._sweep is not None:
            self.grid.spent += _SWEEP_STEP
            if next(self._sweep, _SWEPT) is _SWEPT:
                self._sgr_cache.clear()
                self._sweep = None

    def _styles_of_rows(self) -> Iterator[str]:
        """The styles of the rows as they are now: a cell has one of these, or one that is asked for later."""
        grid = self.grid
        kept, rows = tuple(grid.primary.history), (*grid.primary.rows, *grid.alternate.rows)
        return chain([row.styles for row in rows], (styles for _, styles, _, _ in kept))

    def _held_styles(self) -> tuple[str, ...]:
        saved = (buffer.saved.style for buffer in (self.grid.primary, self.grid.alternate))
        return (self.pen.style, self.grid.blank, *saved)

    # The cursor, kept and brought back

    def save_cursor(self) -> None:
        """DECSC."""
        grid, pen = self.grid, self.pen
        grid.spent += 1
        grid.buffer.saved = SavedCursor(
            row=grid.row,
            column=grid.column,
            style=pen.style,
            charsets=pen.charsets,
            shifted=pen.shifted,
            origin=grid.origin,
        )

    def restore_cursor(self) -> None:
        """DECRC."""
        saved = self.grid.buffer.saved
        self.grid.row = min(saved.row, self.grid.height - 1)
        self.grid.column = min(saved.column, self.grid.columns)
        self.grid.origin = saved.origin
        self.pen.use_charsets(saved.charsets, shifted=saved.shifted)
        self.set_style(saved.style)

    # Modes

    def set_mode(self, mode: int, *, private: bool, on: bool) -> None:
        """SM, RM, DECSET, DECRST."""
        self.modes.set(mode, private=private, on=on)
        if not private:
            self.pen.insert = self.modes.is_on(modes.INSERT, private=False)
            return
        match mode:
            case modes.ORIGIN:
                self.grid.origin = on
                self.grid.move_to(0, 0)
            case modes.AUTOWRAP:
                self.pen.autowrap = on
            case modes.CLUSTERS:
                self.pen.join_clusters = on
            case modes.SAVE_CURSOR:
                (self.save_cursor if on else self.restore_cursor)()
            case modes.ALTERNATE | modes.ALTERNATE_CLEARED | modes.ALTERNATE_SAVED:
                self._switch(mode, alternate=on)
            case modes.SIZE_REPORTS if on:
                self.report_size()

    def _switch(self, mode: int, *, alternate: bool) -> None:
        """Show the other screen (xterm, private modes 47, 1047, 1049)."""
        grid = self.grid
        if mode == modes.ALTERNATE_CLEARED and not alternate and grid.buffer is grid.alternate:
            grid.erase_display(2)
        if mode == modes.ALTERNATE_SAVED and alternate:
            self.save_cursor()
        grid.show(grid.alternate if alternate else grid.primary)
        if mode == modes.ALTERNATE_SAVED:
            if alternate:
                grid.erase_display(2)
            else:
                self.restore_cursor()

    # The keyboard protocol (sw.kovidgoyal.net/kitty/keyboard-protocol, Progressive enhancement)

    def push_keyboard(self, flags: int) -> None:
        """Keep the flags in force and use others; the oldest are forgotten when there are too many."""
        stack = self.grid.buffer.keyboard
        stack.append(flags & _KEYBOARD_FLAGS)
        del stack[:-MAX_KEYBOARD_STACK]

    def pop_keyboard(self, count: int) -> None:
        """Go back to the flags of `count` pushes ago."""
        stack = self.grid.buffer.keyboard
        del stack[max(len(stack) - count, 0) :]
        if not stack:
            stack.append(0)

    def set_keyboard(self, flags: int, how: int) -> None:
        """Change the flags in force: 1 replaces them, 2 adds to them, 3 takes from them."""
        stack = self.grid.buffer.keyboard
        flags &= _KEYBOARD_FLAGS
        stack[-1] = {1: flags, 2: stack[-1] | flags, 3: stack[-1] & ~flags}.get(how, stack[-1])

    # As a whole

    def resize(self, columns: int, rows: int) -> None:
        """Take another size. Cells get into other rows by it, where a sweep that goes on might miss their styles."""
        if self._sweep is not None:
            self._sweep.close()
            self._sweep = None
        self.grid.resize(columns, rows)
        self.report_size()

    def report_size(self) -> None:
        """Tell a program that asked for it (mode 2048) how large the terminal is."""
        if modes.SIZE_REPORTS in self.modes:
            grid = self.grid
            height, width = grid.height * CELL_HEIGHT, grid.columns * CELL_WIDTH
            self.reply(f"\x1b[48;{grid.height};{grid.columns};{height};{width}t")

    def reset(self) -> None:
        """RIS: everything but what the program announced, and the colours are forgotten as well."""
        self.grid.reset()
        self.pen = Pen()
        self.modes = Modes()
        self.announced.forget_colours()

    def soft_reset(self) -> None:
        """DECSTR."""
        for mode, on in ((modes.CURSOR_KEYS, False), (modes.AUTOWRAP, True), (modes.CURSOR_VISIBLE, True)):
            self.set_mode(mode, private=True, on=on)
        self.set_mode(modes.INSERT, private=False, on=False)
        self.grid.origin = False
        self.grid.release_margins()
        self.grid.buffer.saved = SavedCursor()
        self.pen.use_charsets(("B", "B"), shifted=False)
        self.set_style(DEFAULT)
