"""The tokeniser: what is text, what is a sequence, what waits for more."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collie.host.terminal.parse import MAX_BODY, MAX_STRING, Parser


def kinds(*pieces: bytes) -> list[str]:
    """The tokens of some bytes, each as one word."""
    parser = Parser()
    words = []
    for piece in pieces:
        for text, control, body, final, payload, terminator, escape, _ in parser.feed(piece):
            if text:
                words.append(f"text {text}")
            elif control:
                words.append(f"control {control!r}")
            elif final:
                words.append(f"csi {body!r} {final}")
            elif terminator:
                words.append(f"osc {payload!r}")
            elif escape:
                words.append(f"escape {escape}")
    return words


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"ab\r\nc", ["text ab", "control '\\r\\n'", "text c"]),
        (b"\x1b[1;31mx", ["csi '1;31' m", "text x"]),
        (b"\x1b[?25h\x1b[!p", ["csi '?25' h", "csi '!' p"]),
        (b"\x1b[3\n1mx", ["csi '3\\n1' m", "text x"]),
        (b"\x1b]0;t\x07\x1b]2;u\x1b\\", ["osc '0;t'", "osc '2;u'"]),
        (b"\x1b(0\x1b#8\x1b7", ["escape (0", "escape #8", "escape 7"]),
        (b"\x1bPq\nx\x1b\\a", ["text a"]),
        (b"\x7f\xc2\x9b1ma", ["text 1ma"]),
        ("漢字".encode(), ["text 漢字"]),
        (b"a\xffb", ["text a\ufffdb"]),
    ],
)
def test_tokens(data: bytes, words: list[str]) -> None:
    assert kinds(data) == words


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"\x1b[3\x18x", ["control '\\x18'", "text x"]),
        (b"\x1b[3\x1b[4mx", ["csi '4' m", "text x"]),
        ("\x1b[3é".encode(), ["text é"]),
        (b"\x1b\x1b[4m", ["csi '4' m"]),
        (b"\x1b(\n", ["control '\\n'"]),
        (b"\x1b]0;t\x1b[4mx", ["csi '4' m", "text x"]),
        (b"\x1b]0;t\x18x", ["text x"]),
        (b"\x1bPq\x1b[4mx", ["csi '4' m", "text x"]),
        (b"\x1b_G\x1ax", ["text x"]),
    ],
)
def test_what_aborts_a_sequence_is_taken_on_its_own(data: bytes, words: list[str]) -> None:
    assert kinds(data) == words


@pytest.mark.parametrize(
    "data", [b"\x1b", b"\x1b[", b"\x1b[1;", b"\x1b]0;t", b"\x1b]0;t\x1b", b"\x1bP", b"\x1b(", "漢".encode()[:2]]
)
def test_what_is_incomplete_waits(data: bytes) -> None:
    assert kinds(data) == []


@pytest.mark.parametrize("opening", [b"\x1b]0;", b"\x1bP", b"\x1b_", b"\x1b[", b"\x1b("])
def test_what_waits_stays_small(opening: bytes) -> None:
    parser = Parser()
    parser.feed(opening)
    for _ in range(100):
        parser.feed(b" " * 1000)
    assert len(parser._waiting) <= MAX_STRING + 4


def test_sequences_of_any_length_end_where_they_end() -> None:
    long = b"9" * (MAX_BODY + 50)
    assert kinds(b"\x1b[", long, long, b"mx")[-1] == "text x"
    assert kinds(b"\x1b]0;", b"y" * MAX_STRING, b"y" * 99, b"\x1b", b"\\x")[-1] == "text x"


@given(st.binary(max_size=60))
def test_no_byte_is_lost_or_made_up_as_text(data: bytes) -> None:
    """Text tokens are, in order, parts of what the bytes decode to."""
    decoded = data.decode("utf-8", "replace")
    place = 0
    for text, *_ in Parser().feed(data):
        if text:
            place = decoded.index(text, place) + len(text)
