"""Runs of styled text. A style is the parameters of an SGR sequence; colours as Claude Code 2.1.332 (dark) has them."""

from dataclasses import dataclass

PLAIN = ""
BOLD = "1"
DIM = "2"
INVERSE = "7"
GREY = "38;2;153;153;153"
WHITE = "38;2;255;255;255"
ACCENT = "38;2;177;185;249"
HEADING = "1;38;2;177;185;249"
RULE = "38;2;136;136;136"
DASHES = "38;2;80;80;80"
PLAN_RULE = "38;2;72;150;140"
SPINNER = "38;2;215;119;87"
SAID_BY_USER = "38;2;255;255;255;48;2;55;55;55"
QUEUED = "38;2;153;153;153;48;2;55;55;55"
CHIP = "38;2;0;0;0;48;2;177;185;249"
QUESTION = "1;38;2;255;255;255"
REMOVED = "38;2;220;90;90;48;2;61;1;0"
ADDED = "38;2;80;200;80;48;2;2;40;0"
PLAN_TITLE = "1;3;4"


@dataclass(frozen=True, slots=True)
class Span:
    """Text of one style."""

    text: str
    style: str = PLAIN


Row = tuple[Span, ...]
"""One row of the screen, left to right."""

BLANK: Row = ()


def row_text(row: Row) -> str:
    """What a row says, without its styles."""
    return "".join(span.text for span in row)
