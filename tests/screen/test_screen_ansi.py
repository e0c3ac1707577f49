"""Text with SGR becomes rows and styled runs."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collie.screen.ansi import parse
from collie.screen.cells import PLAIN, Run, Style
from collie.screen.sanitize import sanitize


def style_of(sgr: str) -> Style:
    return parse(f"\x1b[{sgr}mx").rows[0].runs[0].style


def test_rows_end_in_lf_or_cr_lf() -> None:
    assert parse("one\r\ntwo\nthree").lines == ("one", "two", "three")
    assert parse("one\n\ntwo\n").lines == ("one", "", "two")
    assert parse("").rows == ()


def test_a_style_lasts_over_the_end_of_a_row() -> None:
    screen = parse("a\x1b[1mb\nc\x1b[0md")
    bold = Style(bold=True)
    assert screen.rows[0].runs == (Run(text="a"), Run(text="b", style=bold))
    assert screen.rows[1].runs == (Run(text="c", style=bold), Run(text="d"))
    assert screen.styled


def test_plain_text_says_nothing_of_styles() -> None:
    screen = parse("a\x1b[2Jb", columns=80)
    assert (screen.styled, screen.columns, screen.rows[0].runs) == (False, 80, (Run(text="ab"),))


@pytest.mark.parametrize(
    ("sgr", "style"),
    [
        ("1", Style(bold=True)),
        ("1;22", PLAIN),
        (
            "2;3;4;5;7;8;9",
            Style(dim=True, italic=True, underline=True, blink=True, inverse=True, invisible=True, strike=True),
        ),
        ("2;3;4;5;7;8;9;22;23;24;25;27;28;29", PLAIN),
        ("1;0", PLAIN),
        ("1;", PLAIN),
        ("21", Style(underline=True)),
        ("4:3", Style(underline=True)),
        ("4:0", PLAIN),
        ("31;42", Style(foreground=1, background=2)),
        ("97;107", Style(foreground=15, background=15)),
        ("31;39;41;49", PLAIN),
        ("38;5;200", Style(foreground=200)),
        ("48;2;1;2;3", Style(background=(1, 2, 3))),
        ("38;2;1;2;3;1", Style(foreground=(1, 2, 3), bold=True)),
        ("38:2:1:2:3", Style(foreground=(1, 2, 3))),
        ("38:2::1:2:3", Style(foreground=(1, 2, 3))),
        ("38:5:7", Style(foreground=7)),
        ("58;2;1;2;3;1", Style(bold=True)),
        ("58;5;3;1", Style(bold=True)),
        ("38;2;1;2;300", PLAIN),
        ("38;5", PLAIN),
        ("38", PLAIN),
        ("99999", PLAIN),
    ],
)
def test_sgr_parameters(sgr: str, style: Style) -> None:
    assert style_of(sgr) == style


def test_an_inverse_cell_that_was_cut_at_a_rows_end_is_still_known() -> None:
    row = parse("draft\x1b[7m\n\x1b[0mx").rows[0]
    assert row.text == "draft"
    assert row.runs[-1] == Run(text="", style=Style(inverse=True))
    assert parse("\x1b[7mdraft\x1b[0m").rows[0].runs[-1].text == "draft"


def test_tabs_become_blanks_up_to_the_next_stop() -> None:
    assert parse("a\tb\n日本\t\tc").lines == ("a       b", "日本            c")
    assert parse("a\x1b[1mb\tc").lines == ("ab      c",)


def test_lines_are_right_trimmed_and_rows_are_not() -> None:
    screen = parse("a  \n")
    assert (screen.rows[0].text, screen.lines[0]) == ("a  ", "a")


def test_the_style_of_a_character() -> None:
    row = parse("a\x1b[1mbc").rows[0]
    assert [row.style_at(index).bold for index in range(4)] == [False, True, True, False]


@given(st.text(alphabet=st.sampled_from("ab m0;1:7\x1b[\x9b\n\r\t日]\x07"), max_size=60))
def test_runs_are_the_text_and_hold_no_controls(text: str) -> None:
    for row in parse(text).rows:
        assert "".join(run.text for run in row.runs) == row.text
        assert row.text.isprintable()
        assert all(first.style != second.style for first, second in zip(row.runs, row.runs[1:], strict=False))


@given(st.text(max_size=200))
def test_parsing_what_was_sanitised_is_the_same(text: str) -> None:
    assert parse(sanitize(text)).rows == parse(text).rows
