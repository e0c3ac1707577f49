"""What would not be seen is spelt out; nothing that could steer a terminal is left."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collie.tui.lines import Tone, line_text
from collie.tui.reveal import is_hidden, is_lookalike, plain, printable, reveal


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("rm -rf x", "rm -rf x"),
        ("rm\u202e -rf", "rm‹U+202E› -rf"),
        ("a\u200bb", "a‹U+200B›b"),
        ("a\x1b[2Jb", "a‹ESC›[2Jb"),
        ("a\rb", "a‹CR›b"),
        ("a\x9bb", "a‹U+009B›b"),
        ("a\u00a0b", "a‹U+00A0›b"),
        ("a\u3164b", "a‹U+3164›b"),
        ("a\U000e0041b", "a‹U+E0041›b"),
        ("a\ufe0fb", "a‹U+FE0F›b"),
        ("👩\u200db", "👩‹U+200D›b"),
        ("a\u2028b", "a‹U+2028›b"),
        ("a\tb", "a    b"),
        ("1\ufe0f\u20e3 👍🏽 👩\u200d💻 漢字　é", "1\ufe0f\u20e3 👍🏽 👩\u200d💻 漢字　é"),
    ],
)
def test_what_is_not_seen_is_spelt_out(text: str, shown: str) -> None:
    assert line_text(reveal(text)) == shown


def test_what_is_spelt_out_stands_in_the_tone_of_an_alert() -> None:
    assert [part.tone for part in reveal("a\u202eb", Tone.CODE)] == [Tone.CODE, Tone.ALERT, Tone.CODE]


def test_lookalikes_get_their_number_only_when_they_are_looked_for() -> None:
    assert line_text(reveal("ｃurl p\u0430y")) == "ｃurl p\u0430y"
    assert line_text(reveal("ｃurl p\u0430y", lookalikes=True)) == "ｃ‹U+FF43›url p\u0430‹U+0430›y"


@pytest.mark.parametrize("character", "аеο∕‐–ⅼ")
def test_letters_and_signs_that_pass_for_ascii(character: str) -> None:
    assert is_lookalike(character)


@pytest.mark.parametrize("character", "aé漢👍│")
def test_letters_that_do_not(character: str) -> None:
    assert not is_lookalike(character)


@given(st.text())
def test_nothing_hidden_is_left_in_what_is_shown(text: str) -> None:
    shown = line_text(reveal(text))
    neighbours = zip(" " + shown, shown, shown[1:] + " ", strict=False)
    assert not any(is_hidden(character, before, after) for before, character, after in neighbours)


@given(st.text())
def test_a_plain_line_has_no_controls_and_no_runs_of_blanks(text: str) -> None:
    line = plain(text)
    assert line == line.strip()
    assert "  " not in line
    assert not any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in line)


@given(st.text())
def test_the_last_guard_lets_no_control_through(text: str) -> None:
    assert not any(unicodedata.category(character) in ("Cc", "Cs", "Zl", "Zp") for character in printable(text))
    assert "\u202e" not in printable(text)


def test_no_name_is_no_text() -> None:
    assert plain(None) == ""
