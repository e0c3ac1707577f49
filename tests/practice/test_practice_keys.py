"""Bytes -> key events, whole and in pieces."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from collie.practice.keys import MAX_PASTE_BYTES, Decoder, Key, KeyEvent, Pasted, Typed

STREAM = "é1\r\x1b[A\x1bOB\t\x1b[Z\x7f日\x1b[200~one\r\ntwo\x1b[A\rthree\x1b[201~\x1b[<0;3;4M🐕\x15\x03".encode()
EVENTS: tuple[KeyEvent, ...] = (
    Typed(text="é"),
    Typed(text="1"),
    Key(name="enter"),
    Key(name="up"),
    Key(name="down"),
    Key(name="tab"),
    Key(name="shift+tab"),
    Key(name="backspace"),
    Typed(text="日"),
    Pasted(text="one\ntwo\x1b[A\nthree"),
    Typed(text="🐕"),
    Key(name="ctrl+u"),
    Key(name="ctrl+c"),
)


def test_a_stream_given_whole() -> None:
    assert Decoder().receive(STREAM) == EVENTS


@pytest.mark.parametrize("cut", range(1, len(STREAM)))
def test_a_stream_cut_anywhere_says_the_same(cut: int) -> None:
    decoder = Decoder()
    assert decoder.receive(STREAM[:cut]) + decoder.receive(STREAM[cut:]) == EVENTS


def test_a_stream_byte_by_byte_says_the_same() -> None:
    decoder = Decoder()
    assert tuple(event for byte in STREAM for event in decoder.receive(bytes([byte]))) == EVENTS


def test_an_escape_is_one_when_nothing_follows() -> None:
    decoder = Decoder()
    assert decoder.receive(b"\x1b") == ()
    assert decoder.waiting
    assert decoder.flush() == (Key(name="escape"),)
    assert decoder.flush() == ()


def test_two_escapes_are_two() -> None:
    decoder = Decoder()
    assert decoder.receive(b"\x1b\x1b") + decoder.flush() == (Key(name="escape"), Key(name="escape"))


def test_enter_after_escape_is_a_new_line() -> None:
    assert Decoder().receive(b"\x1b\r\n") == (Key(name="newline"), Key(name="newline"))


def test_a_paste_without_an_end_is_cut_at_the_limit() -> None:
    decoder = Decoder()
    assert decoder.receive(b"\x1b[200~" + b"a" * 100) == ()
    assert not decoder.waiting
    (event,) = decoder.receive(b"a" * MAX_PASTE_BYTES)
    assert isinstance(event, Pasted)


@settings(deadline=None)
@given(st.lists(st.binary(max_size=20), max_size=20))
def test_any_bytes_are_survived(pieces: list[bytes]) -> None:
    decoder = Decoder()
    for piece in pieces:
        decoder.receive(piece)
    decoder.flush()
    assert not decoder.waiting
