"""Characters that mislead are named and shown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collie.screen.suspicious import FLAGS, flags, reveal


@pytest.mark.parametrize(
    ("text", "found", "shown"),
    [
        ("rm\u200b -rf build", ("invisible",), r"rm\u{200b} -rf build"),
        ("rm\u00ad -rf", ("invisible",), r"rm\u{ad} -rf"),
        ("echo \u3164", ("invisible",), r"echo \u{3164}"),
        ("echo \U000e0041", ("invisible",), r"echo \u{e0041}"),
        ("echo \ufffd", ("invisible",), r"echo \u{fffd}"),
        ("echo a" + "\u0301" * 31 + "\ufffd", ("invisible",), "echo a" + "\u0301" * 31 + r"\u{fffd}"),
        ("ls \u202egnp.exe", ("bidi",), r"ls \u{202e}gnp.exe"),
        ("ls \u2066x\u2069", ("bidi",), r"ls \u{2066}x\u{2069}"),
        ("\u0441url http://x", ("lookalike",), r"\u{441}url http://x"),
        ("p\u0430ypal", ("lookalike",), r"p\u{430}ypal"),
        ("\uff52\uff4d -rf", ("lookalike",), r"\u{ff52}\u{ff4d} -rf"),
        ("rm \u2212rf", ("lookalike",), r"rm \u{2212}rf"),
        ("rm\u00a0-rf", ("lookalike",), r"rm\u{a0}-rf"),
        ("a\uff1b b", ("lookalike",), r"a\u{ff1b} b"),
        ("printf \x1b[2J", ("escape",), r"printf \u{1b}[2J"),
        ("a\x9bb", ("escape",), r"a\u{9b}b"),
        ("\x1b\u200b\u202e\u0441x", FLAGS, r"\u{1b}\u{200b}\u{202e}\u{441}x"),
    ],
)
def test_what_misleads_is_flagged_and_revealed(text: str, found: tuple[str, ...], shown: str) -> None:
    assert flags(text) == found
    assert reveal(text) == shown


@pytest.mark.parametrize(
    "text",
    [
        "rm -rf build && echo 'done'\n\tls",
        "git commit -m 'naïve café – no'".replace("–", "-"),
        "git commit -m 'Привет, мир'",
        "touch ノート.txt 日本語/émoji",
        "echo 🚀 👨\u200d👩\u200d👧 1\ufe0f\u20e3 ❤\ufe0f",
        "echo “quoted” … don’t",
        "α β γ",
        "",
    ],
)
def test_honest_text_is_left_alone(text: str) -> None:
    assert flags(text) == ()
    assert reveal(text) == text


@given(st.text())
def test_what_was_revealed_shows_nothing_that_misleads(text: str) -> None:
    assert flags(reveal(text)) in ((), ("invisible",), ("lookalike",))
    if not flags(text):
        assert reveal(text) == text
