"""What each control, escape sequence and CSI sequence does, in three tables."""

import re
from collections.abc import Callable
from functools import lru_cache

from collie.host.terminal import modes
from collie.host.terminal.parse import MAX_BODY
from collie.host.terminal.state import CELL_HEIGHT, CELL_WIDTH, State

NAME = "collie"
"""What XTVERSION answers."""
MAX_NUMBER = 0xFFFF
MAX_NUMBERS = 32
"""Parameters of a sequence that are looked at (xterm: 30), SGR's aside."""

_BODY = re.compile(r"([<-?]?)([0-9;]*)([ -/]*)")
_EMBEDDED = re.compile(r"[\x00-\x1f\x7f]")

Numbers = tuple[int, ...]


def control(state: State, character: str) -> None:
    """Act on a C0 control, or on CR LF."""
    action = _CONTROLS.get(character)
    if action:
        action(state)


def escape(state: State, sequence: str) -> None:
    """Act on an escape sequence, given without its ESC."""
    if sequence[:1] in {"(", ")"} and len(sequence) == 2:
        _designate(state, sequence)
    elif sequence in _ESCAPES:
        _ESCAPES[sequence](state)


def csi(state: State, body: str, final: str) -> None:
    """Act on a control sequence. A control inside of it comes first."""
    if len(body) > MAX_BODY:
        return
    if not body.isprintable():
        for character in _EMBEDDED.findall(body):
            control(state, character)
        body = _EMBEDDED.sub("", body)
    if final == "m" and state.set_rendition(body):
        return
    selector, numbers = _split(body)
    action = _SEQUENCES.get(selector + final)
    if action:
        action(state, numbers)


@lru_cache(maxsize=4096)
def _split(body: str) -> tuple[str, Numbers]:
    """What selects the function, and its numbers; 0 for one left out."""
    found = _BODY.fullmatch(body)
    if not found:
        return "unknown", ()
    prefix, parameters, intermediates = found.groups()
    listed = parameters.split(";")[:MAX_NUMBERS] if parameters else ()
    return prefix + intermediates, tuple(min(int(number or 0), MAX_NUMBER) for number in listed)


def _number(numbers: Numbers, index: int = 0, default: int = 1) -> int:
    """A parameter; the default for one that is 0 or left out."""
    return (numbers[index] if index < len(numbers) else 0) or default


def _option(numbers: Numbers) -> int:
    return _number(numbers, default=0)


# C0 and escape sequences


def _carriage_return(state: State) -> None:
    state.grid.column = 0


def _line_feed(state: State) -> None:
    state.grid.line_feed()
    if state.modes.is_on(modes.NEW_LINE, private=False):
        state.grid.column = 0


def _next_line(state: State) -> None:
    state.grid.line_feed()
    state.grid.column = 0


def _set_tab(state: State) -> None:
    state.grid.settle()
    state.grid.tabs[state.grid.column] = 1


def _designate(state: State, sequence: str) -> None:
    first, second = state.pen.charsets
    charsets = (sequence[1], second) if sequence[0] == "(" else (first, sequence[1])
    state.pen.use_charsets(charsets, shifted=state.pen.shifted)


def _fill(state: State) -> None:
    """DECALN: the screen full of E, to adjust a tube by."""
    grid = state.grid
    grid.release_margins()
    grid.erase_display(2)
    for row in grid.rows:
        row.write(0, "E" * grid.columns, grid.blank)
    grid.row = grid.column = 0


_CONTROLS: dict[str, Callable[[State], None]] = {
    "\r\n": _next_line,
    "\n": _line_feed,
    "\v": _line_feed,
    "\f": _line_feed,
    "\r": _carriage_return,
    "\b": lambda state: state.grid.move_columns(-1),
    "\t": lambda state: state.grid.tab(1),
    "\x0e": lambda state: state.pen.use_charsets(state.pen.charsets, shifted=True),
    "\x0f": lambda state: state.pen.use_charsets(state.pen.charsets, shifted=False),
}

_ESCAPES: dict[str, Callable[[State], None]] = {
    "7": State.save_cursor,
    "8": State.restore_cursor,
    "#8": _fill,
    "D": lambda state: state.grid.line_feed(),
    "E": _next_line,
    "H": _set_tab,
    "M": lambda state: state.grid.reverse_line_feed(),
    "Z": lambda state: state.reply("\x1b[?62;22c"),
    "c": State.reset,
    "=": lambda state: state.set_mode(66, private=True, on=True),
    ">": lambda state: state.set_mode(66, private=True, on=False),
}


# Control sequences


def _move_rows(direction: int, *, to_start: bool = False) -> Callable[[State, Numbers], None]:
    def move(state: State, numbers: Numbers) -> None:
        state.grid.move_rows(direction * _number(numbers))
        if to_start:
            state.grid.column = 0

    return move


def _to_column(state: State, numbers: Numbers) -> None:
    grid = state.grid
    grid.column = min(_number(numbers), grid.columns) - 1


def _to_row(state: State, numbers: Numbers) -> None:
    grid = state.grid
    grid.move_to(_number(numbers) - 1, min(grid.column, grid.columns - 1))


def _clear_tabs(state: State, numbers: Numbers) -> None:
    grid = state.grid
    match _option(numbers):
        case 0:
            grid.settle()
            grid.tabs[grid.column] = 0
        case 3:
            grid.tabs[:] = bytes(len(grid.tabs))


def _set_margins(state: State, numbers: Numbers) -> None:
    grid = state.grid
    top, bottom = _number(numbers) - 1, min(_number(numbers, 1, grid.height), grid.height) - 1
    if top < bottom:
        grid.top, grid.bottom = top, bottom
        grid.move_to(0, 0)


def _repeat(state: State, numbers: Numbers) -> None:
    """REP; never more than fills the screen."""
    grid = state.grid
    state.pen.repeat(grid, min(_number(numbers), grid.columns * grid.height))


def _scroll_down(state: State, numbers: Numbers) -> None:
    if len(numbers) < 2:  # with more it is xterm's mouse highlighting
        state.grid.scroll_down(_number(numbers))


def _erase_line(state: State, numbers: Numbers) -> None:
    if _option(numbers) <= 2:
        state.grid.erase_line(_option(numbers))


def _erase_display(state: State, numbers: Numbers) -> None:
    if _option(numbers) <= 3:
        state.grid.erase_display(_option(numbers))


def _set_modes(*, private: bool, on: bool) -> Callable[[State, Numbers], None]:
    def change(state: State, numbers: Numbers) -> None:
        for mode in numbers:
            state.set_mode(mode, private=private, on=on)

    return change


def _report_mode(*, private: bool) -> Callable[[State, Numbers], None]:
    def report(state: State, numbers: Numbers) -> None:
        mode = _option(numbers)
        state.reply(f"\x1b[{'?' * private}{mode};{state.modes.report(mode, private=private)}$y")

    return report


def _report_status(state: State, numbers: Numbers) -> None:
    grid = state.grid
    match _option(numbers):
        case 5:
            state.reply("\x1b[0n")
        case 6:
            row = grid.row - (grid.top if grid.origin else 0)
            state.reply(f"\x1b[{row + 1};{min(grid.column + 1, grid.columns)}R")


def _report_window(state: State, numbers: Numbers) -> None:
    grid = state.grid
    match _option(numbers):
        case 14:
            state.reply(f"\x1b[4;{grid.height * CELL_HEIGHT};{grid.columns * CELL_WIDTH}t")
        case 16:
            state.reply(f"\x1b[6;{CELL_HEIGHT};{CELL_WIDTH}t")
        case 18:
            state.reply(f"\x1b[8;{grid.height};{grid.columns}t")


def _answer(text: str) -> Callable[[State, Numbers], None]:
    """A report that is only asked for without a number, or with 0."""

    def report(state: State, numbers: Numbers) -> None:
        if not _option(numbers):
            state.reply(text)

    return report


_SEQUENCES: dict[str, Callable[[State, Numbers], None]] = {
    "@": lambda state, numbers: state.grid.insert_cells(_number(numbers)),
    "A": _move_rows(-1),
    "B": _move_rows(1),
    "C": lambda state, numbers: state.grid.move_columns(_number(numbers)),
    "D": lambda state, numbers: state.grid.move_columns(-_number(numbers)),
    "E": _move_rows(1, to_start=True),
    "F": _move_rows(-1, to_start=True),
    "G": _to_column,
    "H": lambda state, numbers: state.grid.move_to(_number(numbers) - 1, _number(numbers, 1) - 1),
    "I": lambda state, numbers: state.grid.tab(_number(numbers)),
    "J": _erase_display,
    "?J": _erase_display,
    "K": _erase_line,
    "?K": _erase_line,
    "L": lambda state, numbers: state.grid.insert_lines(_number(numbers)),
    "M": lambda state, numbers: state.grid.delete_lines(_number(numbers)),
    "P": lambda state, numbers: state.grid.delete_cells(_number(numbers)),
    "S": lambda state, numbers: state.grid.scroll_up(_number(numbers)),
    "T": _scroll_down,
    "X": lambda state, numbers: state.grid.erase_cells(_number(numbers)),
    "Z": lambda state, numbers: state.grid.tab_back(_number(numbers)),
    "`": _to_column,
    "a": lambda state, numbers: state.grid.move_columns(_number(numbers)),
    "b": _repeat,
    "d": _to_row,
    "e": _move_rows(1),
    "f": lambda state, numbers: state.grid.move_to(_number(numbers) - 1, _number(numbers, 1) - 1),
    "g": _clear_tabs,
    "r": _set_margins,
    "s": lambda state, numbers: state.save_cursor(),
    "u": lambda state, numbers: state.restore_cursor(),
    "h": _set_modes(private=False, on=True),
    "l": _set_modes(private=False, on=False),
    "?h": _set_modes(private=True, on=True),
    "?l": _set_modes(private=True, on=False),
    "$p": _report_mode(private=False),
    "?$p": _report_mode(private=True),
    "!p": lambda state, numbers: state.soft_reset(),
    "c": _answer("\x1b[?62;22c"),
    ">c": _answer("\x1b[>1;0;0c"),
    "=c": _answer("\x1bP!|00000000\x1b\\"),
    ">q": _answer(f"\x1bP>|{NAME}\x1b\\"),
    "n": _report_status,
    "t": _report_window,
    "?u": lambda state, numbers: state.reply(f"\x1b[?{state.grid.buffer.keyboard[-1]}u"),
    ">u": lambda state, numbers: state.push_keyboard(_option(numbers)),
    "<u": lambda state, numbers: state.pop_keyboard(_number(numbers)),
    "=u": lambda state, numbers: state.set_keyboard(_option(numbers), _number(numbers, 1)),
}
