"""Rules, boxes, the bottom of the screen."""

import pytest

from collie.screen.regions import DASH, RULE, box_ending_at, indent_of, is_line_of, is_titled_rule, last_row


def test_a_rule_has_its_width_and_its_column() -> None:
    assert is_line_of("────", RULE, width=4)
    assert is_line_of("  ────", RULE, width=4, indent=2)
    assert not is_line_of(" ────", RULE, width=4)
    assert not is_line_of("─── ", RULE, width=4)
    assert not is_line_of("╌╌╌╌", RULE, width=4)
    assert is_line_of("╌╌╌╌", DASH, width=4)


@pytest.mark.parametrize("line", ["──── payment-fix ─", "─── a ─", "──── 1. Yes ──"])
def test_a_rule_may_bear_a_name(line: str) -> None:
    assert is_titled_rule(line)


@pytest.mark.parametrize("line", ["", "── a ─", " ──── a ─", "payment ────"])
def test_other_lines_are_no_named_rule(line: str) -> None:
    assert not is_titled_rule(line)


def test_indents_and_the_last_row() -> None:
    assert [indent_of(line) for line in ("", "a", "  a", "\u00a0a")] == [0, 0, 2, 0]
    assert last_row(["a", "", "b", " ", ""]) == 2
    assert last_row(["", " "]) == -1


def test_a_box_gives_what_is_in_it() -> None:
    lines = ["text", " ╭─────╮", " │ one │", " │     │", " ╰─────╯"]
    box = box_ending_at(lines, 4)
    assert box is not None
    assert (box.first, box.last, box.inner) == (1, 4, ("one", ""))


@pytest.mark.parametrize(
    "lines",
    [
        ["╭───╮", "│ a │", "text"],
        ["╭───╮", "│ a  ", "╰───╯"],
        ["╭────╮", "│ a │", "╰───╯"],
        ["│ a │", "╰───╯"],
        ["╰───╯"],
        [],
    ],
)
def test_a_box_that_is_not_closed_is_none(lines: list[str]) -> None:
    assert box_ending_at(lines, len(lines) - 1) is None


def test_a_box_may_reach_beyond_the_screen() -> None:
    lines = ["│ one │", "│ two │", "╰─────╯"]
    box = box_ending_at(lines, 2, may_be_cut=True)
    assert box is not None
    assert (box.first, box.last, box.inner, box.whole) == (-1, 2, ("one", "two"), False)
