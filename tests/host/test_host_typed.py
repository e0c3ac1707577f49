"""What was typed, and what the terminal said by itself."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collie.host.typed import Keyboard, Typed

REPORTS = [
    b"\x1b[?62;22c",
    b"\x1b[>1;10;0c",
    b"\x1b[?2026;2$y",
    b"\x1b[24;80R",
    b"\x1b[0n",
    b"\x1b[I",
    b"\x1b[O",
    b"\x1b[<0;12;7M",
    b"\x1b[M !!",
    b"\x1b[8;40;120t",
    b"\x1b]11;rgb:0000/0000/0000\x1b\\",
    b"\x1b]10;rgb:ffff/ffff/ffff\x07",
    b"\x1bP>|term 1.0\x1b\\",
    b"\x1b[?1u",
]
KEYS = [
    b"a",
    "ä日".encode(),
    b"\r",
    b"\x03",
    b"\x1b[A",
    b"\x1bOP",
    b"\x1b[15~",
    b"\x1b[1;5C",
    b"\x1b[1;2R",
    b"\x1b[Z",
    b"\x1bx",
    b"\x1b[97;5u",
]


def played(data: bytes, cut: int) -> Typed:
    keyboard = Keyboard()
    parts = [keyboard.receive(data[:cut]), keyboard.receive(data[cut:]), keyboard.flush()]
    return Typed(text="".join(part.text for part in parts), leave=any(part.leave for part in parts))


@pytest.mark.parametrize("report", REPORTS)
def test_what_the_terminal_answers_is_not_typed_wherever_it_is_cut(report: bytes) -> None:
    for cut in range(len(report) + 2):
        assert played(b"a" + report + b"b", cut).text == "ab"


@pytest.mark.parametrize("key", KEYS)
def test_keys_are_typed_wherever_they_are_cut(key: bytes) -> None:
    for cut in range(len(key)):
        assert played(key, cut) == Typed(text=key.decode())


def test_escape_waits_for_what_may_follow() -> None:
    keyboard = Keyboard()
    assert keyboard.receive(b"\x1b") == Typed(text="")
    assert keyboard.is_waiting
    assert keyboard.flush() == Typed(text="\x1b")
    assert not keyboard.is_waiting


def test_what_begins_like_an_answer_and_never_ends_is_not_held_for_ever() -> None:
    keyboard = Keyboard()
    typed = keyboard.receive(b"\x1b]" + b"x" * 5000)
    assert typed.text
    assert not keyboard.is_waiting


def test_ctrl_backslash_leaves_after_what_was_typed_before() -> None:
    assert Keyboard().receive(b"ab\x1ccd") == Typed(text="ab", leave=True)


@given(st.text(alphabet=st.characters(exclude_characters="\x1b\x1c\x9c", codec="utf-8")), st.integers(0, 40))
def test_plain_text_passes_unchanged(text: str, cut: int) -> None:
    assert played(text.encode(), cut) == Typed(text=text)
