"""Only printable text, line ends, tabs and SGR come through (specs: phone-protocol 7.3)."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collie.screen.sanitize import MAX_SGR_PARAMS, sanitize

ALLOWED = re.compile(r"(?:[^\x00-\x1f\x7f-\x9f]|[\t\n\r]|\x1b\[[0-9;:]{0,64}m)*")


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("plain ä 日本 🚀\r\n\tx", "plain ä 日本 🚀\r\n\tx"),
        ("\x1b[1;38;2;1;2;3mred\x1b[0m\x1b[m", "\x1b[1;38;2;1;2;3mred\x1b[0m\x1b[m"),
        ("\x1b[38:2::1:2:3mx", "\x1b[38:2::1:2:3mx"),
        ("\x9b1mx", "\x1b[1mx"),
        ("a\x1b[2Jb\x1b[10;20Hc\x1b[?25ld", "abcd"),
        ("a\x1b[>4;1mb\x1b[?4mc\x1b[1 md", "abcd"),
        ("\x1b[" + "1" * (MAX_SGR_PARAMS + 1) + "mx", "x"),
        ("\x1b[" + "1" * MAX_SGR_PARAMS + "mx", "\x1b[" + "1" * MAX_SGR_PARAMS + "mx"),
        ("a\x1b]0;title\x07b\x1b]8;;http://x\x1b\\c\x9d0;t\x9cd", "abcd"),
        ("a\x1bPq payload\x1b\\b\x90x\x9cc", "abc"),
        ("a\x1b_apc\x1b\\b\x1b^pm\x1b\\c\x1bXsos\x1b\\d", "abcd"),
        ("a\x1b]0;never ended \n more \x1b[1m", "a"),
        ("a\x1bPnever ended", "a"),
        ("a\x1bP bell \x07 does not end it \x1b\\b", "ab"),
        ("a\x1b7b\x1b(Bc\x1b#8d\x1bMe", "abcde"),
        ("a\x00\x07\x08\x0b\x0c\x0e\x7f\x85\x84b", "ab"),
        ("a\x1b[1\nb", "a\nb"),
        ("a\x1b[1äb", "aäb"),
        ("a\x1b[1\x1b[2mb", "a\x1b[2mb"),
        ("a\x1bä", "aä"),
        ("a\x1b", "a"),
        ("a\x1b[", "a"),
        ("\x1b[31", ""),
    ],
)
def test_a_sequence_is_kept_or_removed_with_its_payload(text: str, clean: str) -> None:
    assert sanitize(text) == clean


@given(st.text(alphabet=st.sampled_from("a;:m0123[]\\P^_X ?>\x1b\x07\x9b\x9c\x9d\x90\x00\n\r\tä")))
def test_nothing_else_ever_comes_through(text: str) -> None:
    clean = sanitize(text)
    assert ALLOWED.fullmatch(clean)
    assert sanitize(clean) == clean


@given(st.text())
def test_any_text_comes_out_clean(text: str) -> None:
    assert ALLOWED.fullmatch(sanitize(text))
