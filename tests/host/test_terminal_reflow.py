"""Another width, another height."""

import pytest

from collie.host.terminal.reads import read
from collie.host.terminal.screen import Terminal


def build(text: str, columns: int, rows: int) -> Terminal:
    terminal = Terminal(columns, rows, 100)
    terminal.feed(text.encode())
    return terminal


def rows_of(terminal: Terminal) -> list[str]:
    return [row.plain() for row in terminal.window(0, terminal.total_rows)]


@pytest.mark.parametrize(
    ("text", "old", "new", "rows", "cursor"),
    [
        ("abcdefgh", (8, 3), (4, 3), ["abcd", "efgh", ""], (1, 3)),
        ("abcdefgh", (4, 3), (8, 3), ["abcdefgh", "", ""], (0, 7)),
        ("abcdefgh", (4, 3), (3, 3), ["abc", "def", "gh"], (2, 2)),
        ("漢字漢", (6, 3), (5, 3), ["漢字", "漢", ""], (1, 2)),
        ("漢字漢", (5, 3), (6, 3), ["漢字漢", "", ""], (0, 5)),
        ("漢x", (4, 2), (1, 2), ["", "", "x"], (1, 0)),
        ("e\u0301e\u0301e\u0301", (3, 2), (2, 2), ["e\u0301e\u0301", "e\u0301"], (1, 1)),
        ("1\r\n2\r\n3\r\n4", (4, 3), (4, 5), ["1", "2", "3", "4", ""], (3, 1)),
        ("1\r\n2\r\n3\r\n4\x1b[H", (4, 3), (4, 5), ["1", "2", "3", "4", "", ""], (0, 0)),
        ("1\r\n2\r\n3\x1b[H", (4, 3), (4, 2), ["1", "2"], (0, 0)),
        ("1\x1b[3;1H", (4, 3), (4, 2), ["1", "", ""], (1, 0)),
        ("1", (4, 5), (4, 2), ["1", ""], (0, 1)),
    ],
)
def test_text_and_cursor(
    text: str, old: tuple[int, int], new: tuple[int, int], rows: list[str], cursor: tuple[int, int]
) -> None:
    terminal = build(text, *old)
    terminal.resize(*new)
    assert (rows_of(terminal), terminal.cursor) == (rows, cursor)


def test_text_goes_on_where_it_was() -> None:
    """A row that was full, and about to wrap, has room again in a wider one."""
    terminal = build("abcd", 4, 2)
    terminal.resize(8, 2)
    terminal.feed(b"ef")
    assert rows_of(terminal)[0] == "abcdef"
    terminal.resize(6, 2)
    terminal.feed(b"g")
    assert read(terminal, "recent_unwrapped").text == "abcdefg"


def test_styles_and_colours_move_along() -> None:
    terminal = build("ab\x1b[31mcd\x1b[0m", 4, 2)
    terminal.resize(3, 2)
    assert (
        read(terminal, "visible", format="ansi").text == "ab\x1b[0m\x1b[38;5;1mc\x1b[0m\r\n\x1b[0m\x1b[38;5;1md\x1b[0m"
    )


def test_a_coloured_end_of_row_makes_no_row_of_its_own() -> None:
    terminal = build("ab\x1b[41m\x1b[K", 8, 2)
    terminal.resize(4, 2)
    assert terminal.total_rows == 2
    assert read(terminal, "visible", format="ansi").text == "ab\x1b[0m\x1b[48;5;1m  \x1b[0m"


def test_the_alternate_screen_is_cut_and_the_primary_wrapped() -> None:
    terminal = build("abcdef\x1b[?1049h\x1b[Habcdef", 6, 2)
    terminal.resize(3, 2)
    assert rows_of(terminal) == ["abc", ""]
    terminal.feed(b"\x1b[?1049l!")
    assert read(terminal, "recent_unwrapped").text == "abcdef!"


def test_margins_are_released() -> None:
    terminal = build("1\r\n2\r\n3\x1b[1;2r", 4, 3)
    terminal.resize(5, 3)
    terminal.feed(b"\x1b[3;1H\nx")
    assert rows_of(terminal) == ["1", "2", "3", "x"]
