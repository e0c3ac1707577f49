"""Frames are made of cells, and of nothing else that a pane printed."""

from collie.host.paint import BEGIN, END, Frame, Size, describe, difference, frame
from collie.screen import ansi

PANE = Size(columns=20, rows=4)


def drawn(text: str, window: Size, cursor: tuple[int, int] | None = None, pane: Size = PANE) -> Frame:
    return frame(ansi.parse(text, pane.columns), pane, window, cursor=cursor, note="note")


def test_rows_styles_cursor_and_note() -> None:
    made = drawn("\x1b[0m\x1b[1m\x1b[38;5;2mone\x1b[0m two\r\n\r\nthree", Size(columns=30, rows=6), (2, 5))
    assert made.rows[:3] == ("\x1b[1;38;5;2mone\x1b[0m two", "", "three")
    assert made.rows[5] == f"\x1b[7m{'note'.ljust(30)}\x1b[0m"
    assert made.cursor == (2, 5)


def test_a_small_window_shows_the_bottom_and_the_first_columns() -> None:
    made = drawn("one two three\r\ntwo\r\nthree\r\nfour", Size(columns=5, rows=3), (3, 4))
    assert made.rows[:2] == ("three", "four")
    assert made.cursor == (1, 4)
    assert drawn("one two\r\n\r\n\r\nx", Size(columns=5, rows=3), (0, 3)).rows[:2] == ("one t", "")
    assert drawn("one two", Size(columns=5, rows=3), (0, 7)).cursor is None


def test_a_wide_character_is_not_cut_in_two() -> None:
    assert drawn("日本語", Size(columns=3, rows=2), pane=Size(columns=20, rows=1)).rows[0] == "日"


def test_nothing_of_a_pane_is_obeyed() -> None:
    """What a read could hold at worst: controls, and characters that turn a row about."""
    evil = "\x1b]52;c;aGk=\x07\x1b[6n\x1b[2J\x9b31mone\u202etwo\x1bPq\x1b\\\x07"
    row = drawn(evil, Size(columns=30, rows=6)).rows[0]
    assert row.replace("\x1b[0m", "") in ("onetwo", "\x1b[38;5;1monetwo")


def test_only_rows_that_changed_are_sent_again() -> None:
    window = Size(columns=30, rows=6)
    old, new = drawn("one\r\ntwo", window, (0, 0)), drawn("one\r\n2", window, (1, 1))
    assert difference(old, new) == f"{BEGIN}\x1b[2;1H2\x1b[K\x1b[2;2H\x1b[?25h{END}"
    assert difference(new, new) == f"{BEGIN}\x1b[2;2H\x1b[?25h{END}"
    assert difference(None, new).count("\x1b[K") == 6
    assert difference(old, drawn("one", Size(columns=30, rows=3))).count("\x1b[K") == 3


def test_the_note_says_when_not_all_is_seen() -> None:
    assert "shown" not in describe("a", PANE, Size(columns=20, rows=5))
    assert "15×4 shown" in describe("a", PANE, Size(columns=15, rows=5))
    assert "20×3 shown" in describe("a", PANE, Size(columns=20, rows=4))


def test_the_smallest_window_is_no_trouble() -> None:
    assert len(drawn("one", Size(columns=1, rows=1)).rows) == 1
    assert drawn("one", Size(columns=0, rows=0)).rows == ()
