"""Which rows of a screen continue which, and how they are joined again."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from collie.screen.width import text_width

COMMENT: Final = re.compile(r"(?:^|[\s;&|(])#")
"""Where a shell comment may begin; in quotes it does not, which the picture of a row cannot tell."""


def separator(row: str, following: str, width: int) -> str:
    """What stood between two rows of a text that was wrapped at words into `width` cells.

    "" for a word that was broken because it alone is longer than a row, " " where the next word had no room, "\\n"
    where it had room and so the text itself broke the line (specs: daemon-behaviour 13.1).
    """
    if width <= 0 or not row.strip() or not following or following[0].isspace():
        return "\n"
    head = following.split(maxsplit=1)[0]
    used = text_width(row.rstrip())
    if used >= width:
        return "" if _last_word_width(row) + text_width(head) > width else " "
    return " " if used + 1 + text_width(head) > width else "\n"


def join_lines(rows: Sequence[str], width: int) -> str:
    """Rows of a text with lines of its own: only those that `separator` says were wrapped are joined."""
    joined = ""
    for index, row in enumerate(rows):
        joined += row.rstrip()
        if index + 1 < len(rows):
            joined += separator(row, rows[index + 1], width)
    return joined


def join_command(rows: Sequence[str], width: int) -> str:
    """Rows of a shell command: as `join_lines`, but rows that begin alike are taken for a list of commands.

    Where a line fills its row, the picture alone cannot tell a line of its own from one that was wrapped.
    """
    joined = rows[0].rstrip() if rows else ""
    for row, following in pairwise(rows):
        between = separator(row, following, width)
        is_list = between == " " and row.split(maxsplit=1)[0] == following.split(maxsplit=1)[0]
        joined += ("\n" if is_list or _in_comment(joined) else between) + following.rstrip()
    return joined


def _in_comment(text: str) -> bool:
    """Whether the last line may be in a shell comment. Then a row that only seems to go on could be a command of its
    own: joined to the comment it would be taken for harmless, so the break is kept."""
    return COMMENT.search(text.rpartition("\n")[2]) is not None


def join_words(rows: Sequence[str], width: int) -> str:
    """Rows of one logical line, such as a label: a blank between them, none where a long word was broken."""
    joined = ""
    for index, row in enumerate(rows):
        joined += row.strip()
        if index + 1 < len(rows):
            joined += "" if separator(row.strip(), rows[index + 1].strip(), width) == "" else " "
    return joined


def join_label(rows: Sequence[str], width: int) -> str:
    """As `join_words`, of a program that also breaks rows behind a `/`, where no blank was."""
    joined = above = ""
    for row in rows:
        text = row.strip()
        is_broken = above.endswith("/") or separator(above, text, width) == ""
        joined += text if is_broken or not joined else f" {text}"
        above = text
    return joined


def _last_word_width(row: str) -> int:
    return text_width(row.split()[-1])
