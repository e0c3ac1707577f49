"""Lines: wrapped and cut by display width, without losing a character."""

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from collie.tui.lines import Line, Tone, clip, clip_text, line_text, line_width, pad_text, piece, spread, wrap

CLUSTERS = (*"ab c-/.é漢字│", "👍🏽", "👩\u200d💻", "1\ufe0f\u20e3", "e\u0301")
TEXT = st.lists(st.sampled_from(CLUSTERS), max_size=60).map("".join)
LINES = st.lists(st.tuples(TEXT, st.sampled_from(Tone)), max_size=4).map(
    lambda parts: tuple(piece(text, tone) for text, tone in parts)
)


@given(LINES, st.integers(min_value=2, max_value=40))
def test_wrapping_keeps_every_character_in_order(line: Line, width: int) -> None:
    assert "".join(line_text(row) for row in wrap(line, width)) == line_text(line)


@given(LINES, st.integers(min_value=4, max_value=40))
def test_no_row_is_wider_than_the_width(line: Line, width: int) -> None:
    assert all(line_width(row) <= width for row in wrap(line, width))


@given(LINES, st.integers(min_value=6, max_value=40))
def test_leads_stand_before_each_row_and_take_of_its_width(line: Line, width: int) -> None:
    first, *others = wrap(line, width, first=(piece("│ "),), rest=(piece("│   "),))
    assert line_text(first).startswith("│ ")
    assert all(line_text(row).startswith("│   ") for row in others)
    assert all(line_width(row) <= width for row in (first, *others))


def test_a_row_breaks_at_a_blank_that_is_near() -> None:
    rows = wrap((piece("git commit --message"),), 12)
    assert [line_text(row) for row in rows] == ["git commit ", "--message"]


def test_a_word_longer_than_the_row_is_broken_where_the_row_ends() -> None:
    rows = wrap((piece("x" * 50),), 20)
    assert [len(line_text(row)) for row in rows] == [20, 20, 10]


def test_a_wide_character_is_not_halved() -> None:
    assert [line_text(row) for row in wrap((piece("漢字漢"),), 3)] == ["漢", "字", "漢"]


def test_tones_and_clicks_survive_a_break() -> None:
    rows = wrap((piece("ab", Tone.WARN, "go"), piece("cd", Tone.DIM)), 3)
    assert [[(part.text, part.tone, part.click) for part in row] for row in rows] == [
        [("ab", Tone.WARN, "go"), ("c", Tone.DIM, "")],
        [("d", Tone.DIM, "")],
    ]


@given(LINES, st.integers(min_value=0, max_value=40))
def test_a_cut_line_fits_and_says_that_it_was_cut(line: Line, width: int) -> None:
    cut = clip(line, width)
    assert line_width(cut) <= width
    assert cut == line or width == 0 or line_text(cut).endswith("…")


@given(TEXT, st.integers(min_value=1, max_value=30))
def test_padded_text_has_exactly_its_width(text: str, width: int) -> None:
    assert cell_len(pad_text(text, width)) == width


def test_the_left_part_gives_way() -> None:
    row = spread((piece("a long name"),), (piece("12s"),), 10)
    assert line_text(row) == "a lon… 12s"


def test_text_that_fits_is_left_alone() -> None:
    assert clip_text("abc", 3) == "abc"
