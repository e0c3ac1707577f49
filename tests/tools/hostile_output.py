"""What a program may print to keep a terminal busy: few bytes that ask for much, by name."""

import random
import sys
from collections.abc import Callable
from types import FrameType
from typing import Any

CHUNK = 4095
"""Bytes that a PTY gives at once."""


def repeated(text: str, size: int = CHUNK) -> bytes:
    """`text` over and over, cut anywhere."""
    data = text.encode()
    return (data * (size // len(data) + 1))[:size]


def _colours() -> str:
    shades = random.Random(1)
    return "".join(
        "\x1b[38;2;{};{};{};48;2;{};{};{}mx".format(*(shades.randrange(256) for _ in range(6))) for _ in range(2000)
    )


STREAMS = {
    "repeat": "a\x1b[65535b",
    "repeat wide": "漢\x1b[65535b",
    "repeat a joiner": "a\u200d\x1b[65535b",
    "repeat an accent": "e\u0301\x1b[65535b",
    "repeat an emoji": "👩\x1b[65535b",
    "repeat half a flag": "🇫\x1b[65535b",
    "repeat a syllable": "ᄀ\x1b[65535b",
    "insert lines": "\x1b[H\x1b[65535L",
    "delete lines": "\x1b[H\x1b[65535M",
    "insert cells": "\x1b[G\x1b[65535@",
    "delete cells": "\x1b[G\x1b[65535P",
    "scroll up": "\x1b[65535S",
    "scroll up in colour": "\x1b[41m\x1b[65535S\x1b[m\x1b[65535S",
    "scroll down": "\x1b[65535T",
    "scroll inside margins": "\x1b[2;39r\x1b[65535S\x1b[65535T\x1b[r",
    "clear": "\x1b[2J",
    "clear in colours": "\x1b[41m\x1b[2J\x1b[42m\x1b[2J",
    "clear the scrollback": "\x1b[3J\x1b[99S",
    "fill": "\x1b#8",
    "reset": "\x1bc",
    "switch screens": "\x1b[?1049h\x1b[?1049l",
    "many modes": "\x1b[?" + "1049;1047;" * 40 + "1049h\x1b[?1049l",
    "tabs": "\x1b[65535I\x1b[65535Z",
    "tab stops": "\x1bH\x1b[C" * 120 + "\x1b[65535I\x1b[65535Z" * 50,
    "save and restore": "\x1b7\x1b8",
    "line feeds": "\n",
    "reverse line feeds": "\x1b[H" + "\x1bM" * 2000,
    "line feeds in a sequence": "\x1b[" + "\n" * 500 + "m",
    "accents without end": "a" + "\u0301" * 5000,
    "accents in each cell": "a" + "\u0301" * 31,
    "families": "👩\u200d👩\u200d👧\u200d👦",
    "turning marks": "\u202e",
    "turning marks in each cell": "a" + "\u202e" * 31,
    "selectors": "✳\ufe0f✳\ufe0e",
    "letters without a width of their own": "กำ",
    "titles": "\x1b]0;t\x07\x1b]2;u\x07",
    "long titles": "\x1b]0;" + "t" * 8000 + "\x07",
    "folders": "\x1b]7;file:///tmp/%20%20\x07",
    "colours asked for": "\x1b]10;?;?;?\x07\x1b]10;#fff;#fff;#fff\x07",
    "questions": "\x1b[c\x1b[6n\x1b[>q\x1b[?u\x1b[18t",
    "keyboard flags": "\x1b[>1u",
    "insert mode": "\x1b[4h\x1b[Gx",
    "colours": _colours(),
    "strings without an end": "\x1bPq" + "x" * 9000,
    "sequences without an end": "\x1b[" + "1;" * 4000,
}


def work_of(act: Callable[[], object]) -> int:
    """Lines of Python that `act` runs, each pass of a loop counted: what it costs, whatever the machine is doing."""
    lines = 0

    def count(frame: FrameType, event: str, argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        act()
    finally:
        sys.settrace(before)
    return lines
