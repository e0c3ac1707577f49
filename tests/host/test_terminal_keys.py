"""Names of keys to bytes, with and without the kitty keyboard protocol."""

import pytest

from collie.errors import CollieError
from collie.host.terminal.keys import ALL_KEYS, ALTERNATES, DISAMBIGUATE, TEXT, InvalidKey, encode_key


@pytest.mark.parametrize(
    ("name", "encoded"),
    [
        ("enter", "0d"),
        ("return", "0d"),
        ("tab", "09"),
        ("shift+tab", "1b5b5a"),
        ("esc", "1b"),
        ("Escape", "1b"),
        ("backspace", "7f"),
        ("bs", "7f"),
        ("space", "20"),
        ("ctrl+c", "03"),
        ("C-c", "03"),
        ("c-c", "03"),
        ("CTRL+C", "03"),
        ("control+shift+a", "01"),
        ("ctrl+space", "00"),
        ("ctrl+[", "1b"),
        ("alt+x", "1b78"),
        ("meta+X", "1b58"),
        ("alt+enter", "1b0d"),
        ("ctrl+alt+b", "1b02"),
        ("up", "1b5b41"),
        ("left", "1b5b44"),
        ("ctrl+right", "1b5b313b3543"),
        ("alt+shift+up", "1b5b313b3441"),
        ("f1", "1b4f50"),
        ("shift+f1", "1b5b313b3250"),
        ("f5", "1b5b31357e"),
        ("shift+f12", "1b5b32343b327e"),
        ("A", "41"),
        ("shift+a", "41"),
        ("7", "37"),
        ("plus", "2b"),
        ("+", "2b"),
        ("double-quote", "22"),
        ("é", "c3a9"),
        (" enter ", "0d"),
    ],
)
def test_keys_of_a_program_without_the_kitty_protocol(name: str, encoded: str) -> None:
    assert encode_key(name, False, 0).hex() == encoded


def test_application_cursor_keys() -> None:
    assert encode_key("up", True, 0) == b"\x1bOA"
    assert encode_key("shift+up", True, 0) == b"\x1b[1;2A"


@pytest.mark.parametrize(
    "name",
    ["", " ", "home", "end", "pageup", "delete", "insert", "ctrl+", "ctrl++", "turbo+a", "f0", "f13", "ab", "\x1b"],
)
@pytest.mark.parametrize("flags", [0, DISAMBIGUATE])
def test_unknown_keys_are_refused(name: str, flags: int) -> None:
    with pytest.raises(InvalidKey) as caught:
        encode_key(name, False, flags)
    assert str(caught.value) == f"unsupported key {name}"
    assert isinstance(caught.value, CollieError)


@pytest.mark.parametrize("name", ["cmd+c", "super+enter", "hyper+x", "ctrl+é"])
def test_keys_without_bytes_of_their_own_are_refused(name: str) -> None:
    """Sending the plain key instead would type a letter that nobody asked for."""
    with pytest.raises(InvalidKey):
        encode_key(name, False, 0)


@pytest.mark.parametrize(
    ("name", "encoded"),
    [
        ("enter", "\r"),
        ("tab", "\t"),
        ("backspace", "\x7f"),
        ("esc", "\x1b[27u"),
        ("a", "a"),
        ("A", "A"),
        ("space", " "),
        ("ctrl+c", "\x1b[99;5u"),
        ("ctrl+shift+c", "\x1b[99;6u"),
        ("alt+x", "\x1b[120;3u"),
        ("cmd+c", "\x1b[99;9u"),
        ("shift+enter", "\x1b[13;2u"),
        ("shift+tab", "\x1b[9;2u"),
        ("up", "\x1b[A"),
        ("ctrl+up", "\x1b[1;5A"),
        ("f1", "\x1b[P"),
        ("f3", "\x1b[13~"),
        ("shift+f3", "\x1b[13;2~"),
        ("f5", "\x1b[15~"),
    ],
)
def test_keys_of_a_program_that_asked_to_tell_them_apart(name: str, encoded: str) -> None:
    assert encode_key(name, True, DISAMBIGUATE) == encoded.encode()


def test_keys_of_a_program_that_asked_for_everything() -> None:
    assert encode_key("a", False, ALL_KEYS) == b"\x1b[97u"
    assert encode_key("enter", False, ALL_KEYS) == b"\x1b[13u"
    assert encode_key("A", False, ALL_KEYS | ALTERNATES) == b"\x1b[97:65;2u"
    assert encode_key("A", False, ALL_KEYS | TEXT) == b"\x1b[97;2;65u"
    assert encode_key("a", False, ALL_KEYS | TEXT) == b"\x1b[97;;97u"
    assert encode_key("ctrl+a", False, ALL_KEYS | TEXT) == b"\x1b[97;5u"
