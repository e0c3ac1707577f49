"""OSC sequences: title, progress, directory, colours."""

import pytest

from collie.host.terminal.announced import MAX_PATH, MAX_TITLE
from collie.host.terminal.parse import MAX_STRING
from collie.host.terminal.screen import Terminal


def fed(*strings: str) -> Terminal:
    terminal = Terminal(20, 3)
    for string in strings:
        terminal.feed(f"\x1b]{string}\x07".encode())
    return terminal


def test_titles() -> None:
    assert fed("0;one").title == "one"
    assert fed("0;one", "2;two; three").title == "two; three"
    assert fed("0;one", "1;icon").title == "one"
    assert fed("0;one", "0;").title == ""


def test_titles_hold_no_controls_and_are_cut() -> None:
    assert fed("0;a\x01\nb\x7f\x9bc").title == "abc"
    assert len(fed(f"0;{'x' * 400}").title) == MAX_TITLE
    assert fed("0;kept", f"0;{'x' * MAX_STRING}").title == "kept"


def test_progress_is_the_payload() -> None:
    assert fed("9;4;1;50").progress == "4;1;50"
    assert fed("9;4;1;50", "9;4;0;").progress == "4;0;"


@pytest.mark.parametrize(
    ("url", "path"),
    [
        ("file://host/srv/orchard", "/srv/orchard"),
        ("file:///srv/north%20field", "/srv/north field"),
        ("kitty-shell-cwd://host/srv", "/srv"),
        ("http://host/srv", None),
        ("file://host", None),
        ("/srv", None),
        ("file://[broken/srv", None),
        ("file:///srv/%0arm", None),
        (f"file:///{'x' * MAX_PATH}", None),
    ],
)
def test_directories_are_paths_of_file_urls(url: str, path: str | None) -> None:
    assert fed(f"7;{url}").cwd == path


def test_a_bad_directory_leaves_the_last_one() -> None:
    assert fed("7;file:///srv", "7;nonsense").cwd == "/srv"


def test_colours_are_answered_once_the_program_set_them() -> None:
    terminal = fed("10;?", "11;#123", "12;rgb:f/80/1234", "11;?", "12;?", "10;?")
    assert terminal.take_replies() == b"\x1b]11;rgb:1111/2222/3333\x07\x1b]12;rgb:ffff/8080/1234\x07"


def test_one_sequence_may_set_several_colours() -> None:
    terminal = fed("10;#ffffff;#000000", "10;?;?")
    assert terminal.take_replies() == b"\x1b]10;rgb:ffff/ffff/ffff\x07\x1b]11;rgb:0000/0000/0000\x07"


@pytest.mark.parametrize("forget", ["\x1b]111\x07", "\x1bc"])
def test_colours_are_forgotten(forget: str) -> None:
    terminal = fed("11;#123456")
    terminal.feed(f"{forget}\x1b]11;?\x07".encode())
    assert terminal.take_replies() == b""


def test_strings_that_are_not_read() -> None:
    terminal = Terminal(20, 3)
    terminal.feed(b"\x1b]52;c;aGk=\x07\x1b]8;;http://e.org\x1b\\a\x1bPq#0\x1b\\\x1b_Gx\x1b\\\x1b^p\x1b\\\x1bXs\x1b\\b")
    assert terminal.window(0, 1)[0].plain() == "ab"
    assert terminal.take_replies() == b""
