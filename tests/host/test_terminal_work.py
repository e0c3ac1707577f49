"""How much a terminal does for what it is given: bounded in each turn, however much the bytes ask for."""

from functools import cache

import pytest
from tools.hostile_output import CHUNK, STREAMS, repeated, work_of

from collie.agents.kind import Seen
from collie.agents.registry import ALL_KINDS
from collie.host.pane import TURN_WORK
from collie.host.terminal.reads import (
    FORMATS,
    MAX_BYTES,
    MAX_CHARACTERS,
    SOURCES,
    Read,
    bare_rows,
    detection_rows,
    read,
)
from collie.host.terminal.screen import Terminal

TURN_LINES = 100_000
"""Lines of Python that a turn may run: some 5 ms."""

READ_LINES = 300_000
RESIZE_LINES = 300_000
"""More than a turn's, but most of them in loops of one line: some 15 ms at the worst."""

TURNS = 2
ACCENTS = "x" + "\u0301" * 31
STYLES = "\x1b[1;2;3;4;5;7;8;9;38;2;101;102;103;48;2;104;105;106mx\x1b[38;2;1;2;3my"


def build(columns: int, filling: str = "", rows: int = 45) -> Terminal:
    """A terminal of the host's size in which each cell of some rows holds `filling`."""
    terminal = Terminal(columns, 40, 10_000)
    terminal.feed((filling * columns * rows).encode())
    return terminal


@cache
def full_of(filling: str) -> Terminal:
    """One that is only looked at."""
    return build(120, filling, rows=60)


@pytest.mark.parametrize(("columns", "filling"), [(120, ""), (1, ""), (120, "x\u0301")])
@pytest.mark.parametrize("name", STREAMS)
def test_a_turn_is_short_whatever_was_printed(name: str, filling: str, columns: int) -> None:
    terminal = build(columns, filling)
    terminal.receive(repeated(STREAMS[name]))
    for _ in range(TURNS):
        assert work_of(lambda: terminal.work(TURN_WORK)) < TURN_LINES
        terminal.take_replies()


@pytest.mark.parametrize("name", STREAMS)
def test_whatever_was_printed_is_drawn_in_the_end(name: str) -> None:
    terminal = build(120)
    terminal.receive(repeated(STREAMS[name], CHUNK // 8))
    for _ in range(200):
        if terminal.work(TURN_WORK):
            break
    assert terminal.work(1) == 1


def test_styles_that_come_and_go_without_end_are_forgotten_bit_by_bit() -> None:
    terminal = build(120, "x", rows=10_040)
    terminal.feed(shades(0, 39_000))
    for number in range(39_000, 45_000, 170):
        terminal.receive(shades(number, number + 170))
        assert drawn_in_turns(terminal)
    terminal.feed(shades(45_000, 56_000))
    terminal.feed(b"\x1b[38;2;1;2;3mz")
    assert "38;2;1;2;3mz" in read(terminal, "visible", format="ansi").text, "there is room for a new one"


def shades(first: int, end: int) -> bytes:
    """Characters over one another, each in a colour of its own."""
    return b"".join(b"\x1b[38;2;%d;%d;200mx\r" % divmod(number, 256) for number in range(first, end))


def drawn_in_turns(terminal: Terminal) -> bool:
    """Whether all is drawn, and each turn of it short."""
    left: list[int] = []
    while not any(left):
        if work_of(lambda: left.append(terminal.work(TURN_WORK))) >= TURN_LINES:
            return False
    return True


@pytest.mark.parametrize("columns", [60, 1, 240])
@pytest.mark.parametrize("filling", ["x", "漢", "x\u0301"])
def test_another_size_takes_no_longer_than_a_turn_or_two(filling: str, columns: int) -> None:
    terminal = build(120, filling, rows=400)
    assert work_of(lambda: terminal.resize(columns, 40)) < RESIZE_LINES
    assert work_of(lambda: terminal.resize(120, 40)) < RESIZE_LINES


def test_rows_above_those_that_were_wrapped_anew_are_still_the_same_lines() -> None:
    terminal = Terminal(10, 4, 10_000)
    text = "".join(f"{number:08}" for number in range(9000))
    terminal.feed(text.encode())
    for columns in (7, 13, 4, 11):
        terminal.resize(columns, 4)
        assert text.endswith(read(terminal, "recent_unwrapped", lines=1000).text)
    rows = terminal.window(0, terminal.total_rows)
    assert len({len(row.text) for row in rows}) > 2, "rows of more than one width"
    assert "".join(row.plain() for row in rows) == text[-sum(len(row.text) for row in rows) :]


def test_a_screen_that_grows_into_rows_of_another_width_cuts_them() -> None:
    terminal = Terminal(20, 2, 10_000)
    terminal.feed(b"\r\n".join(b"%020d" % number for number in range(9000)))
    terminal.resize(8, 2)
    for _ in range(40):
        terminal.resize(8, 1000)
        terminal.feed(b"\x1b[H\x1b[999M")
        terminal.resize(8, 2)
        terminal.feed(b"\x1b[2;1H")
    assert all(len(row.text) <= 8 for row in terminal.window(terminal.scrollback_rows, terminal.total_rows))


@pytest.mark.parametrize("source", sorted(SOURCES))
@pytest.mark.parametrize("format", sorted(FORMATS))
@pytest.mark.parametrize("filling", [STYLES, ACCENTS])
def test_a_read_fits_into_a_line_of_the_api(source: str, format: str, filling: str) -> None:
    terminal, styled = full_of(filling), filling is STYLES
    found: list[Read] = []
    assert work_of(lambda: found.append(read(terminal, source, lines=1000, format=format))) < READ_LINES
    (got,) = found
    assert len(got.text) <= MAX_CHARACTERS or styled
    assert len(got.text.encode()) + 5 * got.text.count("\x1b") <= MAX_BYTES
    assert got.text.count("x") + got.text.count("y") >= 4680, "a screenful at least"
    if source.startswith("recent") and not styled:
        assert got.truncated


def test_a_look_at_a_screen_full_of_accents_is_short() -> None:
    terminal = full_of(ACCENTS)
    assert work_of(lambda: detection_rows(terminal)) < TURN_LINES
    assert bare_rows(terminal) == ("x" * 120,) * 40
    text = "\n".join(bare_rows(terminal))
    for kind in ALL_KINDS:
        assert work_of(lambda kind=kind: kind.detect(Seen(text=text, title="", progress=""))) < TURN_LINES  # type: ignore[misc]
