"""The lines that programs draw to part a screen: rules, dashed rules, top edges, boxes.

All of these take a row's right-trimmed text. What a program prints as its content (a command, an answer) can look the
same, so callers ask for the column and the width at which the program itself draws.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass

RULE = "─"
DASH = "╌"
EDGE = "▔"

_LOWER_EDGE = re.compile(r"( *)╰(─+)╯")
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Box:
    """A box of rounded lines: `first` and `last` are the rows of its edges, `inner` what stands in the rows between.

    The texts of `inner` are without the sides and the blank beside each, right-trimmed. A box that is not `whole` has
    no upper edge: `first` is the row above the first of its rows that is seen.
    """

    first: int
    last: int
    inner: tuple[str, ...]
    whole: bool = True


def box_ending_at(lines: Sequence[str], last: int, *, may_be_cut: bool = False) -> Box | None:
    """The box whose lower edge is row `last`, or None when there is none.

    When a row of it is not closed, or its upper edge is off the screen, there is none either, unless it `may_be_cut`.
    """
    edge = _LOWER_EDGE.fullmatch(lines[last]) if 0 <= last < len(lines) else None
    if edge is None:
        return None
    indent, width = len(edge[1]), len(edge[2]) + 2
    upper = f"{edge[1]}╭{'─' * (width - 2)}╮"
    first = last - 1
    while first >= 0 and lines[first].startswith(f"{edge[1]}│ ") and lines[first].endswith(" │"):
        first -= 1
    whole = first >= 0 and lines[first] == upper
    if not (whole or may_be_cut):
        return None
    inner = tuple(line[indent + 2 : -2].rstrip() for line in lines[first + 1 : last])
    return Box(first=first, last=last, inner=inner, whole=whole)
