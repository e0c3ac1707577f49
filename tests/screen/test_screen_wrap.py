"""Which rows continue which."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.drawn_permission import wrap

from collie.screen.width import text_width
from collie.screen.wrap import join_command, join_label, join_lines, join_words, separator


@pytest.mark.parametrize(
    ("row", "following", "between"),
    [
        ("one two", "three", " "),
        ("one", "two", "\n"),
        ("one two th", "ree", " "),
        ("abcdefghij", "klmnop", ""),
        ("ab cdefghi", "jkl", " "),
        ("ab cdefghi", "jklm", ""),
        ("ab cdefgh ", "jkl", " "),
        ("one ", "x", "\n"),
        ("", "x", "\n"),
        ("one two", "", "\n"),
        ("one two", " three", "\n"),
        ("日本語日", "本語", ""),
    ],
)
def test_what_stood_between_two_rows_of_ten_columns(row: str, following: str, between: str) -> None:
    width = 10 if row.isascii() else 8
    assert separator(row, following, width) == between


def test_without_a_width_nothing_is_joined() -> None:
    assert separator("one two", "three", 0) == "\n"


def test_lines_of_a_text_stay_apart() -> None:
    rows = ["set -e", "docker run --rm -it", "-v /srv:/app", "", "echo done"]
    assert join_lines(rows, 20) == "set -e\ndocker run --rm -it -v /srv:/app\n\necho done"


def test_a_label_is_one_line_whatever_its_rows() -> None:
    assert join_words(["Yes, and switch to auto mode", "· it handles these"], 80) == (
        "Yes, and switch to auto mode · it handles these"
    )
    assert join_words(["allow /a/very/long/p", "ath/indeed"], 20) == "allow /a/very/long/path/indeed"


@given(
    words=st.lists(st.text(alphabet="abc/-日", min_size=1, max_size=30), min_size=1, max_size=20),
    width=st.integers(min_value=4, max_value=40),
)
def test_a_wrapped_line_is_one_line_again_but_for_where_it_was_broken(words: list[str], width: int) -> None:
    joined = join_words(wrap(" ".join(words), width), width)
    assert joined.replace(" ", "") == "".join(words)
    if all(text_width(word) * 2 <= width for word in words):
        assert joined == " ".join(words)


def test_a_label_may_be_broken_behind_a_slash() -> None:
    assert join_label(["remember /home/alice/", "demo-app"], 40) == "remember /home/alice/demo-app"
    assert join_label(["remember this", "  folder"], 20) == "remember this folder"


def test_a_row_below_a_comment_that_fills_its_row_is_kept_apart() -> None:
    comment = "# " + "a" * 38
    assert join_command((comment, "rm -rf ~"), 40) == f"{comment}\nrm -rf ~"
    assert join_command(("make all; # then", "rm -rf ~"), 18) == "make all; # then\nrm -rf ~"
    assert join_command(("curl example.com/#top", "--head"), 22) == "curl example.com/#top --head"
