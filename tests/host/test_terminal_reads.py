"""Reads beyond the recorded ones: limits, trimming, and what conditional input compares."""

import pytest

from collie.host.terminal.reads import detection_rows, read
from collie.host.terminal.screen import Terminal


def build(text: str, columns: int = 20, rows: int = 4, scrollback: int = 2000) -> Terminal:
    terminal = Terminal(columns, rows, scrollback)
    terminal.feed(text.encode())
    return terminal


def numbers(count: int) -> str:
    return "\r\n".join(map(str, range(count)))


def test_limits() -> None:
    terminal = build(numbers(1500))
    assert read(terminal, "recent").text.split() == [str(number) for number in range(1420, 1500)]
    assert len(read(terminal, "recent", lines=5000).text.split()) == 1000
    for source in ("visible", "detection", "recent", "recent_unwrapped"):
        assert read(terminal, source, lines=0).text == ""
        assert read(terminal, source, lines=-1).text == ""
        assert read(terminal, source, lines=0).truncated


@pytest.mark.parametrize(("source", "format_"), [("screen", "text"), ("visible", "html")])
def test_unknown_reads(source: str, format_: str) -> None:
    with pytest.raises(ValueError, match="there is no read"):
        read(build(""), source, format=format_)


def test_detection_rows_are_the_lines_of_the_detection_text() -> None:
    terminal = build("\r\n a  \r\n❯\u00a0\r\nb\r\n   \x1b[1;1H")
    assert detection_rows(terminal) == ("", " a", "❯", "b")
    assert "\n".join(detection_rows(terminal)) + "\n" == read(terminal, "detection").text
    assert read(terminal, "detection", format="ansi") == read(terminal, "detection")


def test_detection_reaches_into_the_scrollback_while_the_screen_is_not_full() -> None:
    terminal = build(numbers(8) + "\x1b[2J\x1b[Hx")
    assert detection_rows(terminal) == ("1", "2", "3", "x")


def test_on_the_alternate_screen_detection_is_the_screen() -> None:
    terminal = build(numbers(8) + "\x1b[?1049h\x1b[Hx")
    assert detection_rows(terminal) == ("x",)


def test_a_joined_line_may_begin_before_the_window() -> None:
    terminal = build("0123456789" * 3 + "\r\nend", columns=10)
    assert read(terminal, "recent_unwrapped", lines=2).text == "0123456789\nend"


def test_blanks_between_joined_rows_stay() -> None:
    terminal = build("0123456789abc\x1b[1;9H\x1b[2X\x1b[1;9H", columns=10)
    assert read(terminal, "recent_unwrapped").text == "01234567\nabc"
    terminal = build("01234567  abc", columns=10)
    assert read(terminal, "recent_unwrapped").text == "01234567  abc"


def test_one_style_run_over_a_join() -> None:
    terminal = build("\x1b[32m0123456789ab\x1b[0m", columns=10)
    assert read(terminal, "recent_unwrapped", format="ansi").text == "\x1b[0m\x1b[38;5;2m0123456789ab\x1b[0m"


def test_runs_follow_one_another_without_a_second_reset() -> None:
    terminal = build("\x1b[1ma\x1b[0;31mb\x1b[0mc\x1b[4md")
    text = "\x1b[0m\x1b[1ma\x1b[0m\x1b[38;5;1mb\x1b[0mc\x1b[0m\x1b[4md\x1b[0m"
    assert read(terminal, "visible", format="ansi").text == text


def test_combining_characters_stay_with_their_style() -> None:
    terminal = build("\x1b[31me\u0301\x1b[0mx")
    assert read(terminal, "visible", format="ansi").text == "\x1b[0m\x1b[38;5;1me\u0301\x1b[0mx"
