"""What is shown of a text, and on which rows."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from wcwidth import wcswidth

from collie.practice.style import INVERSE, Span, row_text
from collie.practice.wrap import fitted, visible, width, wrapped, wrapped_lines


def shown(text: str, columns: int) -> list[str]:
    return [row_text(row) for row in wrapped_lines(text, columns)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("plain é 日本語 🐕", "plain é 日本語 🐕"),
        ("a\x1b[2Jb\r\tc", "a\\x1b[2Jb\\r\\tc"),
        ("rm\u200b \u202egpj.exe", "rm\\u200b \\u202egpj.exe"),
        ("⚠\ufe0f", "⚠\\ufe0f"),
        ("\U000e0041\udc80", "\\U000e0041\\udc80"),
    ],
)
def test_what_shows_nothing_is_escaped(text: str, expected: str) -> None:
    assert visible(text) == expected


def test_rows_break_at_spaces_and_long_words_anywhere() -> None:
    assert shown("npm install express --save", 12) == ["npm install", "express", "--save"]
    assert shown("a" * 10, 4) == ["aaaa", "aaaa", "aa"]
    assert shown("    indented text", 10) == ["    indent", "ed text"]


def test_lines_of_the_text_stay_lines() -> None:
    assert shown("one\n\n  two", 20) == ["one", "", "  two"]


def test_wide_characters_take_two_columns() -> None:
    assert width("日本語") == 6
    assert shown("日本語", 5) == ["日本", "語"]


def test_a_mark_stays_on_its_letter() -> None:
    assert shown("ae\u0301b", 2) == ["ae\u0301", "b"]


def test_the_cursor_is_never_dropped_with_the_space_under_it() -> None:
    rows = wrapped((Span("abcd"), Span(" ", INVERSE), Span("efgh")), 4)
    assert any(span.style == INVERSE for row in rows for span in row)


@settings(deadline=None)
@given(st.text(max_size=200), st.integers(min_value=2, max_value=30))
def test_no_row_is_wider_than_asked_and_nothing_but_spaces_is_lost(text: str, columns: int) -> None:
    rows = [row_text(row) for row in wrapped((Span(text),), columns)]
    assert all(wcswidth(row) <= columns for row in rows)
    assert "".join(rows).replace(" ", "") == "".join(each for each in visible(text).lstrip("\u0300")).replace(" ", "")


@settings(deadline=None)
@given(st.text(max_size=100), st.integers(min_value=0, max_value=30))
def test_a_fitted_row_fits(text: str, columns: int) -> None:
    assert wcswidth(row_text(fitted((Span(visible(text)),), columns))) <= columns
