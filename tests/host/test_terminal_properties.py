"""What holds for a terminal whatever it is fed: it never raises, its cells stay whole, and cuts change nothing."""

import os
import re
from collections.abc import Iterable

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from collie.host.terminal.pen import LOST, MAX_CLUSTER
from collie.host.terminal.reads import FORMATS, SOURCES, detection_rows, read
from collie.host.terminal.row import HEAD, NEVER, TAIL, Row
from collie.host.terminal.screen import Terminal
from collie.host.terminal.style import DEFAULT
from collie.screen.width import text_width

SCROLLBACK = 12

TEXTS = st.text(
    alphabet="ab c─❯漢字e\u0301\u200d\u200b\u2733\ufe0f\ufe0e\U0001f469\U0001f4bb\U0001f1eb\U0001f3fd\u0915\u094d",
    max_size=12,
)
NUMBERS = st.sampled_from(["", "0", "1", "2", "3", "4", "7", "9", "20", "65535", "99999999"])
SEQUENCES = st.builds(
    lambda prefix, numbers, final: f"\x1b[{prefix}{';'.join(numbers)}{final}",
    st.sampled_from(["", "", "", "?", ">", "<", "=", "!", "$", " ", "\n"]),
    st.lists(NUMBERS, max_size=4),
    st.sampled_from("@ABCDEFGHIJKLMPSTXZ`abcdefghlmnpqrstu"),
)
MODES = st.builds(
    lambda mode, final: f"\x1b[{mode}{final}",
    st.sampled_from(["4", "?6", "?7", "?47", "?1047", "?1049", "?1048", "?2048"]),
    st.sampled_from("hl"),
)
RENDITIONS = st.builds(
    lambda attributes: f"\x1b[{';'.join(attributes)}m",
    st.lists(
        st.sampled_from(["", "1", "4:3", "38;5;9", "48;2;1;2;3", "48:5:7", "58:2::1:2:3", "41", "38", "48;2"]),
        max_size=3,
    ),
)
ESCAPES = st.sampled_from(
    [f"\x1b{each}" for each in ("7", "8", "D", "E", "M", "H", "c", "#8", "(0", "(B", ")0", "=", "\\")]
)
STRINGS = st.builds(
    lambda opening, payload, end: f"\x1b{opening}{payload}{end}",
    st.sampled_from(["]0;", "]7;file://h/", "]9;4;", "]11;", "P", "_G", "^", "X"]),
    st.text(max_size=6),
    st.sampled_from(["\x07", "\x1b\\", "\x18", "\x1b", ""]),
)
CONTROLS = st.sampled_from(["\r", "\n", "\r\n", "\t", "\b", "\v", "\x0e", "\x0f", "\x1b", "\x9b", "\x7f"])
WRITES = st.one_of(TEXTS, TEXTS, SEQUENCES, SEQUENCES, MODES, RENDITIONS, ESCAPES, STRINGS, CONTROLS).map(str.encode)
BYTES = st.one_of(WRITES, st.binary(max_size=8))
SIZES = st.tuples(st.integers(1, 12), st.integers(1, 6))
STEPS = st.lists(st.one_of(BYTES, BYTES, BYTES, SIZES), max_size=40)

SOAK = bool(os.environ.get("COLLIE_SOAK"))
EXAMPLES = 20_000 if SOAK else 150
pytestmark = [pytest.mark.soak] if SOAK else []


def play(terminal: Terminal, steps: Iterable[bytes | tuple[int, int]]) -> None:
    for step in steps:
        if isinstance(step, bytes):
            terminal.feed(step)
        else:
            terminal.resize(*step)


def picture(terminal: Terminal) -> tuple[object, ...]:
    """All that can be seen of a terminal, answers included."""
    rows = terminal.window(0, terminal.total_rows)
    return (
        [
            (row.text, [terminal.opening(key) for key in row.styles.rstrip(DEFAULT)], row.marks or {}, row.wrapped)
            for row in rows
        ],
        [read(terminal, source, format=kind) for source in sorted(SOURCES) for kind in sorted(FORMATS)],
        (terminal.cursor, terminal.alternate, terminal.title, terminal.progress, terminal.cwd),
        (terminal.keyboard_flags, terminal.take_replies()),
    )


def check_row(terminal: Terminal, row: Row) -> None:
    """No row is wider than the screen, and no wide character is half there."""
    text, columns = row.text, terminal.columns
    assert len(row.styles) <= len(text) <= columns
    assert not re.search(f"[{NEVER}{HEAD}{TAIL}]{TAIL}", text)
    assert not text.startswith(TAIL)
    assert HEAD not in text[: columns - 1]
    assert row.wrapped or HEAD not in text
    for column, cell in enumerate(text):
        if cell in {NEVER, TAIL, HEAD}:
            assert not (row.marks or {}).get(column)
        else:
            cluster = row.cluster(column)
            assert len(cluster.removesuffix(LOST)) <= MAX_CLUSTER
            assert LOST in cluster[1:] or (text[column + 1 : column + 2] == TAIL) == (text_width(cluster) == 2)
    assert all(column < len(text) for column in row.marks or {})
    for key in set(row.styles):
        terminal.opening(key)


def check(terminal: Terminal) -> None:
    assert 0 <= terminal.cursor[0] < terminal.rows
    assert 0 <= terminal.cursor[1] < terminal.columns
    assert terminal.scrollback_rows <= SCROLLBACK
    assert terminal.total_rows == terminal.scrollback_rows + terminal.rows
    for row in terminal.window(0, terminal.total_rows):
        check_row(terminal, row)
    for source in SOURCES:
        for kind in FORMATS:
            read(terminal, source, format=kind)
            read(terminal, source, format=kind, lines=2)
    assert all(line == line.rstrip() for line in detection_rows(terminal))


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SIZES, STEPS)
@example((3, 2), ["漢\u200d".encode(), "漢漢".encode(), (1, 2), b"\x1b[4h", "漢".encode()])
def test_nothing_breaks_a_terminal(size: tuple[int, int], steps: list[bytes | tuple[int, int]]) -> None:
    terminal = Terminal(*size, scrollback=SCROLLBACK)
    for step in steps:
        play(terminal, [step])
        check(terminal)


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SIZES, st.lists(BYTES, max_size=30), st.data())
def test_cuts_change_nothing(size: tuple[int, int], writes: list[bytes], data: st.DataObject) -> None:
    """Fed whole and fed in pieces, cut anywhere, a terminal is the same."""
    stream = b"".join(writes)
    cuts = sorted(data.draw(st.lists(st.integers(0, len(stream)), max_size=8)))
    whole, pieces, single = (Terminal(*size, scrollback=SCROLLBACK) for _ in range(3))
    whole.feed(stream)
    play(pieces, [stream[start:end] for start, end in zip([0, *cuts], [*cuts, len(stream)], strict=True)])
    play(single, [stream[index : index + 1] for index in range(len(stream))])
    expected = picture(whole)
    assert picture(pieces) == expected
    assert picture(single) == expected


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(SIZES, st.lists(BYTES, max_size=30), st.integers(1, 20))
def test_drawn_in_turns_a_terminal_is_the_same(size: tuple[int, int], writes: list[bytes], most: int) -> None:
    whole, turns = Terminal(*size, scrollback=SCROLLBACK), Terminal(*size, scrollback=SCROLLBACK)
    for write in writes:
        whole.feed(write)
        turns.receive(write)
        turns.work(most)
    while not turns.work(most):
        check(turns)
    assert picture(turns) == picture(whole)


@settings(max_examples=EXAMPLES, deadline=None)
@given(SIZES, st.lists(st.text(alphabet="abc 漢e\u0301", min_size=1, max_size=20), max_size=6), st.integers(1, 40))
def test_text_survives_another_width_and_back(size: tuple[int, int], texts: list[str], columns: int) -> None:
    """Wrapping is undone by joining: the lines of the scrollback are those that were written, at any width."""
    terminal = Terminal(*size, scrollback=1000)
    terminal.feed("\r\n".join(texts).encode())
    before = read(terminal, "recent_unwrapped", lines=1000)
    if min(columns, size[0]) > 1:
        terminal.resize(columns, size[1])
        assert read(terminal, "recent_unwrapped", lines=1000).text == before.text


@settings(max_examples=EXAMPLES, deadline=None)
@given(st.binary(max_size=4000), SIZES)
def test_random_bytes_break_nothing(data: bytes, size: tuple[int, int]) -> None:
    terminal = Terminal(*size, scrollback=SCROLLBACK)
    terminal.feed(data)
    check(terminal)
