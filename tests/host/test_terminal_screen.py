"""What sequences do to the screen. Expectations are xterm's and herdr's terminal library's where the two agree."""

import pytest

from collie.host.terminal.reads import read
from collie.host.terminal.screen import Terminal


def build(text: str = "", columns: int = 10, rows: int = 4, scrollback: int = 100) -> Terminal:
    terminal = Terminal(columns, rows, scrollback)
    terminal.feed(text.encode())
    return terminal


def shown(terminal: Terminal) -> list[str]:
    """The rows of the screen; a dot for each blank that was never written, but at the end of a row."""
    rows = terminal.window(terminal.scrollback_rows, terminal.total_rows)
    texts = [row.text.rstrip("\0\x02").replace("\0", ".").replace("\x01", "") for row in rows]
    while texts and not texts[-1]:
        texts.pop()
    return texts


@pytest.mark.parametrize(
    ("text", "rows", "cursor"),
    [
        ("ab\bc", ["ac"], (0, 2)),
        ("ab\rc", ["cb"], (0, 1)),
        ("ab\ncd", ["ab", "..cd"], (1, 4)),
        ("ab\x1b[20hx\ncd", ["abx", "cd"], (1, 2)),
        ("a\tb", ["a.......b"], (0, 9)),
        ("\t\t\tx", [".........x"], (0, 9)),
        ("\x1b[4G\x1bH\r\tx", ["...x"], (0, 4)),
        ("\x1b[3g\r\tx", [".........x"], (0, 9)),
        ("\x1b[9G\x1b[Zx", ["x"], (0, 1)),
        ("\x1b[2;3Hx\x1b[Ay", ["...y", "..x"], (0, 4)),
        ("\x1b[3;5Hx\x1b[2Fy", ["y", "", "....x"], (0, 1)),
        ("\x1b[99;99Hx", ["", "", "", ".........x"], (3, 9)),
        ("\x1b[2d\x1b[3`x\x1b[ay\x1b[ez", ["", "..x.y", ".....z"], (2, 6)),
        ("abc\x1b[2b", ["abccc"], (0, 5)),
        ("漢\x1b[b", ["漢漢"], (0, 4)),
        ("abc\x1b7\x1b[3;3H\x1b8x", ["abcx"], (0, 4)),
        ("abc\x1b[s\x1b[3;3H\x1b[ux", ["abcx"], (0, 4)),
        ("ab\x1bEc\x1bDd\x1bMe", ["ab", "c.e", ".d"], (1, 3)),
        ("a\x0b\x0cb", ["a", "", ".b"], (2, 2)),
        ("\x1b(0lqk\x0e\x1b)0x\x0fm", ["┌─┐│└"], (0, 5)),
        ("\x1b(A#\x1b(B#", ["£#"], (0, 2)),
        ("\x1b#8", ["E" * 10] * 4, (0, 0)),
    ],
)
def test_moving_and_writing(text: str, rows: list[str], cursor: tuple[int, int]) -> None:
    terminal = build(text)
    assert (shown(terminal), terminal.cursor) == (rows, cursor)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("abcdef\x1b[3G\x1b[K", ["ab"]),
        ("abcdef\x1b[3G\x1b[1K", ["...def"]),
        ("abcdef\x1b[3G\x1b[2K", []),
        ("abcdef\x1b[3G\x1b[2X", ["ab..ef"]),
        ("abcdef\x1b[3G\x1b[2P", ["abef"]),
        ("abcdef\x1b[3G\x1b[2@", ["ab..cdef"]),
        ("abcdefghij\x1b[3G\x1b[9@", ["ab"]),
        ("abcdef\x1b[3G\x1b[4hXY", ["abXYcdef"]),
        ("1\r\n2\r\n3\x1b[2;1H\x1b[J", ["1"]),
        ("1\r\n2\r\n3\x1b[2;1H\x1b[1J", ["", "", "3"]),
        ("1\r\n2\r\n3\x1b[2J", []),
        ("1\r\n2\r\n3\x1b[2;1H\x1b[L", ["1", "", "2", "3"]),
        ("1\r\n2\r\n3\x1b[2;1H\x1b[M", ["1", "3"]),
        ("1\r\n2\r\n3\x1b[T", ["", "1", "2", "3"]),
        ("1\r\n2\r\n3\x1b[S", ["2", "3"]),
        ("abcdefghij\x1b[K", ["abcdefghi"]),
    ],
)
def test_erasing_and_shifting(text: str, rows: list[str]) -> None:
    assert shown(build(text)) == rows


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("漢字\x1b[2Gx", [".x字"]),
        ("漢字\x1b[Gx", ["x.字"]),
        ("漢字\x1b[2G\x1b[X", ["..字"]),
        ("漢字\x1b[2G\x1b[P", [".字"]),
        ("漢字\x1b[2G\x1b[@", ["...字"]),
        ("漢字\x1b[4G\x1b[K", ["漢"]),
        ("12345678漢\x1b[G\x1b[@", [".12345678"]),
        ("123456789漢", ["123456789", "漢"]),
        ("\x1b[?7l123456789漢x", ["123456789x"]),
    ],
)
def test_a_wide_character_is_whole_or_gone(text: str, rows: list[str]) -> None:
    assert shown(build(text)) == rows


def test_lines_wrap_only_when_more_is_written() -> None:
    terminal = build("0123456789")
    assert terminal.cursor == (0, 9)
    assert not terminal.window(0, 1)[0].wrapped
    terminal.feed(b"x")
    assert (shown(terminal), terminal.window(0, 1)[0].wrapped) == (["0123456789", "x"], 10)


def test_lines_wrap_also_where_there_is_one_row() -> None:
    terminal = build("0123456789abcdefghij漢字漢字x漢y", rows=1)
    assert read(terminal, "recent_unwrapped").text == "0123456789abcdefghij漢字漢字x漢y"
    assert [row.wrapped for row in terminal.window(0, terminal.total_rows)] == [10, 10, 10, 0]


def test_without_autowrap_the_last_column_is_overwritten() -> None:
    assert shown(build("\x1b[?7l0123456789abc")) == ["012345678c"]
    assert shown(build("\x1b[?7l0123456789abc\x1b[?7hde")) == ["012345678c", "de"]


@pytest.mark.parametrize("erase", ["\x1b[K", "\x1b[2K", "\x1b[P", "\x1b[X", "\x1b[J"])
def test_what_empties_the_end_of_a_row_ends_its_wrap(erase: str) -> None:
    terminal = build(f"0123456789abc\x1b[1;3H{erase}")
    assert not terminal.window(0, 1)[0].wrapped


def test_rows_that_moved_apart_are_not_one_line() -> None:
    assert read(build("0123456789abc\x1b[2;1H\x1b[L"), "recent_unwrapped").text == "0123456789\n\nabc"
    assert read(build("0123456789abc\x1b[2;3r\x1b[S"), "recent_unwrapped").text == "0123456789"


@pytest.mark.parametrize("blank", ["\x1b[2J\x1b[H", "\x1b[H\x1b[M", "\x1b[H\x1b[L", "\x1b[H\x1bM"])
def test_what_comes_into_the_first_row_does_not_continue_the_scrollback(blank: str) -> None:
    terminal = build(f"0123456789abc{blank}new", rows=1)
    assert read(terminal, "recent_unwrapped").text == "0123456789\nnew"


def test_margins_hold_what_scrolls() -> None:
    terminal = build("1\r\n2\r\n3\r\n4\x1b[2;3r\x1b[3;1H\n5")
    assert shown(terminal) == ["1", "3", "5", "4"]
    terminal.feed(b"\x1b[2;1H\x1bM6\x1b[S\x1b[r\x1b[4;1H\n7")
    assert shown(terminal) == ["3", "", "4", "7"]
    assert terminal.scrollback_rows == 1


def test_rows_that_leave_the_top_are_kept_though_a_margin_holds_the_bottom() -> None:
    terminal = build("1\r\n2\r\n3\r\n4\x1b[1;3r\x1b[3;1H\n5")
    assert shown(terminal) == ["2", "3", "5", "4"]
    assert terminal.window(0, 1)[0].plain() == "1"


def test_origin_mode_counts_from_the_margin() -> None:
    terminal = build("\x1b[2;3r\x1b[?6hx\x1b[9;1Hy\x1b[6n")
    assert shown(terminal) == ["", "x", "y"]
    assert terminal.take_replies() == b"\x1b[2;2R"
    terminal.feed(b"\x1b[?6lz")
    assert shown(terminal)[0] == "z"


def test_margins_that_make_no_sense_are_ignored() -> None:
    assert shown(build("1\r\n2\x1b[3;2rx")) == ["1", "2x"]


def test_scrollback_is_limited() -> None:
    terminal = build("\r\n".join(map(str, range(20))), scrollback=5)
    assert terminal.scrollback_rows == 5
    assert [row.plain() for row in terminal.window(0, 2)] == ["11", "12"]


@pytest.mark.parametrize("mode", [47, 1047, 1049])
def test_the_alternate_screen_has_no_scrollback_and_leaves_the_other_alone(mode: int) -> None:
    terminal = build(f"1\r\n2\r\n3\r\n4\r\n5\x1b[?{mode}h")
    assert (terminal.alternate, terminal.scrollback_rows) == (True, 0)
    terminal.feed(b"\x1b[2J\x1b[H" + b"x\r\n" * 20 + f"\x1b[?{mode}l".encode())
    assert (terminal.alternate, terminal.scrollback_rows) == (False, 1)
    assert shown(terminal) == ["2", "3", "4", "5"]


def test_1049_brings_the_cursor_and_its_style_back() -> None:
    terminal = build("ab\x1b[31m\x1b[?1049h\x1b[3;3H\x1b[32mx\x1b[?1049lc")
    assert read(terminal, "visible", format="ansi").text == "ab\x1b[0m\x1b[38;5;1mc\x1b[0m"


def test_1049_enters_an_empty_screen_and_47_the_old_one() -> None:
    terminal = build("\x1b[?47hold\x1b[?47l\x1b[?47h")
    assert shown(terminal) == ["old"]
    terminal.feed(b"\x1b[?47l\x1b[?1049h")
    assert shown(terminal) == []


def test_erased_cells_take_the_background() -> None:
    terminal = build("\x1b[1;44mab\x1b[K\x1b[2;1H\x1b[2X\x1b[3;1H\x1b[L", columns=4, rows=4)
    blue = "\x1b[0m\x1b[48;5;4m"
    assert read(terminal, "visible", format="ansi").text.split("\r\n") == [
        f"\x1b[0m\x1b[1m\x1b[48;5;4mab{blue}  \x1b[0m",
        f"{blue}  \x1b[0m",
        f"{blue}    \x1b[0m",
    ]


def test_rows_that_scroll_in_take_the_background() -> None:
    terminal = build("a\r\nb\x1b[41m\r\n", columns=2, rows=2)
    assert read(terminal, "visible", format="ansi").text == "b\r\n\x1b[0m\x1b[48;5;1m  \x1b[0m"


@pytest.mark.parametrize(
    ("text", "rows", "column"),
    [
        ("e\u0301x", ["e\u0301x"], 2),
        ("\u2733\ufe0fx", ["\u2733\ufe0fx"], 3),
        ("\u231a\ufe0ex", ["\u231a\ufe0ex"], 2),
        ("\U0001f469\u200d\U0001f4bbx", ["\U0001f469\u200d\U0001f4bbx"], 3),
        ("\U0001f1eb\U0001f1f7\U0001f1e9\U0001f1eax", ["\U0001f1eb\U0001f1f7\U0001f1e9\U0001f1eax"], 5),
        ("\u0301x", ["x"], 1),
        ("a\u200bb", ["a\u200bb"], 2),
        ("a\x1b[2Cx\u0301", ["a  x\u0301"], 4),
        ("ab\u0301\x1b[2Gc", ["ac"], 2),
        ("ab\u0301\x1b[G\x1b[@", [" ab\u0301"], 0),
        ("ab\u0301c\x1b[G\x1b[P", ["b\u0301c"], 0),
        ("\x1b[?2027l\U0001f469\u200d\U0001f4bb", ["\U0001f469\u200d\U0001f4bb"], 4),
    ],
)
def test_grapheme_clusters_share_a_cell(text: str, rows: list[str], column: int) -> None:
    terminal = build(text)
    assert read(terminal, "visible").text == "".join(f"{row}\n" for row in rows)
    assert terminal.cursor == (0, column)


def test_a_cluster_that_grows_wide_in_the_last_column_wraps() -> None:
    terminal = build("123456789\u2733\ufe0fx")
    assert read(terminal, "visible").text == "123456789\n\u2733\ufe0fx\n"
    assert read(terminal, "recent_unwrapped").text == "123456789\u2733\ufe0fx"


def test_a_cell_holds_only_so_many_code_points_and_says_so_once() -> None:
    terminal = build("a" + "\u0301" * 5000 + "b")
    assert terminal.window(0, 1)[0].plain() == "a" + "\u0301" * 31 + "\ufffdb"
    assert terminal.cursor == (0, 2)


def test_an_emoji_that_a_full_cell_has_no_room_for_gets_its_own() -> None:
    terminal = build("a" + "\u0301" * 40 + "\u200d\U0001f469")
    assert terminal.window(0, 1)[0].plain() == "a" + "\u0301" * 31 + "\ufffd\U0001f469"


def test_a_selector_that_the_last_column_has_no_room_for_is_not_gone_without_a_trace() -> None:
    assert shown(build("\x1b[?7l123456789\u2733"))[0] == "123456789\u2733"
    terminal = build("\x1b[?7l123456789\u2733\ufe0f\ufe0f")
    assert terminal.window(0, 1)[0].plain() == "123456789\u2733\ufffd"


def test_what_has_no_width_is_kept_also_where_nothing_was_written() -> None:
    terminal = build("\x1b[3C\u202erm")
    assert read(terminal, "visible").text == "   \u202erm\n"
    assert terminal.cursor == (0, 5)


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("ab\x1b[3b", ["abbbb"]),
        ("a\u200d\x1b[2b", ["a\u200daa"]),
        ("e\u0301\x1b[2b", ["e\u0301ee"]),
        ("漢\x1b[2b", ["漢漢漢"]),
        ("\U0001f469\x1b[b", ["\U0001f469\U0001f469"]),
        ("\U0001f1eb\x1b[b", ["\U0001f1eb\U0001f1eb"]),
        ("\x1b[5bx", ["x"]),
    ],
)
def test_the_last_character_with_a_cell_is_repeated(text: str, rows: list[str]) -> None:
    assert read(build(text), "visible").text.splitlines() == rows


def test_a_reset_leaves_nothing() -> None:
    terminal = build("1\r\n2\r\n3\r\n4\r\n5\x1b[31m\x1b[2;3r\x1b[?1h\x1b[?1049h\x1b[>5u\x1bcx")
    assert (shown(terminal), terminal.total_rows, terminal.cursor) == (["x"], 4, (0, 1))
    assert (terminal.alternate, terminal.application_cursor_keys, terminal.keyboard_flags) == (False, False, 0)
    assert read(terminal, "visible", format="ansi").text == "x"


def test_a_soft_reset_keeps_the_text() -> None:
    terminal = build("ab\x1b[31;4m\x1b[2;3r\x1b[?6h\x1b[4h\x1b[?25l\x1b[?1h\x1b[!p\x1b[Hx")
    assert read(terminal, "visible", format="ansi").text == "xb"
    assert (terminal.cursor_visible, terminal.application_cursor_keys) == (True, False)


@pytest.mark.parametrize(
    ("mode", "name"),
    [
        (1, "application_cursor_keys"),
        (25, "cursor_visible"),
        (9, "mouse_reports"),
        (1003, "mouse_reports"),
        (1004, "focus_reports"),
        (2004, "bracketed_paste"),
        (2026, "synchronized"),
    ],
)
def test_modes_show(mode: int, name: str) -> None:
    terminal = build()
    assert getattr(terminal, name) == (mode == 25)
    for final, on in (("h", True), ("l", False)):
        terminal.feed(f"\x1b[?1006;{mode}{final}".encode())
        assert getattr(terminal, name) == on


def test_keyboard_flags_are_a_stack_of_each_screen() -> None:
    terminal = build("\x1b[>1u\x1b[>5u")
    assert terminal.keyboard_flags == 5
    terminal.feed(b"\x1b[?1049h")
    assert terminal.keyboard_flags == 0
    terminal.feed(b"\x1b[=2u\x1b[=8;2u\x1b[=2;3u")
    assert terminal.keyboard_flags == 8
    terminal.feed(b"\x1b[?1049l\x1b[<u")
    assert terminal.keyboard_flags == 1
    terminal.feed(b"\x1b[<9u")
    assert terminal.keyboard_flags == 0


def test_the_keyboard_stack_is_bounded() -> None:
    terminal = build("".join(f"\x1b[>{flags}u" for flags in range(1, 31)))
    for flags in range(30, 14, -1):
        assert terminal.keyboard_flags == flags
        terminal.feed(b"\x1b[<u")
    assert terminal.keyboard_flags == 0


def test_answers_are_bounded_until_they_are_taken() -> None:
    terminal = build("\x1b[c" * 100_000)
    assert len(terminal.take_replies()) <= 1 << 16
    terminal.feed(b"\x1b[5n")
    assert terminal.take_replies() == b"\x1b[0n"


def test_a_program_that_asked_is_told_of_a_new_size() -> None:
    terminal = build("\x1b[?2048h")
    assert terminal.take_replies() == b"\x1b[48;4;10;64;80t"
    terminal.resize(20, 5)
    assert terminal.take_replies() == b"\x1b[48;5;20;80;160t"


def test_version_grows_with_what_is_fed() -> None:
    terminal = build()
    before = terminal.version
    terminal.feed(b"")
    terminal.resize(10, 4)
    assert terminal.version == before
    terminal.feed(b"x")
    terminal.resize(11, 4)
    assert terminal.version == before + 2


def test_sizes_are_clamped() -> None:
    terminal = Terminal(0, 0)
    assert (terminal.columns, terminal.rows) == (1, 1)
    terminal.resize(10**6, 10**6)
    assert (terminal.columns, terminal.rows) == (1000, 1000)
