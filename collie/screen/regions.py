"""The lines that programs draw to part a screen: rules, dashed rules, top edges, boxes.

All of these take a row's right-trimmed text. What a program prints as its content (a command, an answer) can look the
same, so callers ask for the column and the width at which the program itself draws.
"""

import re
from collections.abc import Sequence

RULE = "─"
DASH = "╌"
EDGE = "▔"

_TITLED = re.compile(r"─{3,}(?: .* ─+| .*)\Z")


def indent_of(line: str) -> int:
    """Leading blanks of a row (NBSP is not one: programs use it to keep a place)."""
    return len(line) - len(line.lstrip(" "))


def is_line_of(line: str, character: str, *, width: int, indent: int = 0) -> bool:
    """Whether a row is nothing but `character`, `width` times, behind exactly `indent` blanks."""
    return len(line) == indent + width and line == " " * indent + character * width


def is_titled_rule(line: str) -> bool:
    """A rule that bears a name, such as `──── payment-fix ─`."""
    return _TITLED.match(line) is not None


def last_row(lines: Sequence[str]) -> int:
    """The last row that is not blank, or -1."""
    for row in range(len(lines) - 1, -1, -1):
        if lines[row].strip():
            return row
    return -1
