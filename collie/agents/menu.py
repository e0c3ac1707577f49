"""The rows of a dialog that the cursor can stand on: numbered ones, and those without numbers.

Options are read from their last row upwards, at the exact columns where the agent draws them (specs: claude-code 3, 6).
A shape that is not understood to its last row raises NotUnderstood: a half-read menu would press a wrong key.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

from collie.agents.facts import Option, Rows
from collie.errors import CollieError
from collie.screen.regions import indent_of
from collie.screen.width import text_width
from collie.screen.wrap import join_words

CURSOR = "❯"

MARK_WIDTH = 2
"""`❯ ` before the option under the cursor, two blanks before the others."""

NUMBER_WIDTH = 3
"""`1. `; a menu of more than nine options was never seen and is not read."""

RIGHT_MARGIN = 1
"""Columns that agents leave free on the right of a dialog."""

MAX_OPTION_ROWS = 40
"""A note of 200 characters takes four rows in 60 columns; a question's description may be longer than that."""


class NotUnderstood(CollieError):
    """The dialog's shape is not known whole; the message says to a person what was not understood."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """The rows of one option; `label` is what its first row says after mark and number."""

    rows: Rows
    label: str
    label_at: int
    marked: bool

    def continuation(self, lines: Sequence[str]) -> tuple[str, ...]:
        """The option's further rows, as they stand on the screen."""
        return tuple(lines[self.rows.first + 1 : self.rows.last + 1])

    def over(self, rows: Rows) -> "Entry":
        """The same option, taken to have other rows."""
        return replace(self, rows=rows)


def numbered(
    lines: Sequence[str], last: int, *, indent: int, mark: str = CURSOR, blanks: bool = False
) -> tuple[Entry, ...]:
    """The options 1 to n whose last row is `last`, every row between them included.

    `indent` is the column of `mark`, which stands before the option under the cursor; `blanks` allows empty rows.

    Raises:
        NotUnderstood: A row stands where none may, or a number is missing.
    """
    label_at = indent + MARK_WIDTH + NUMBER_WIDTH
    entries: list[Entry] = []
    end = row = last
    number = None
    while number != 1:
        if row < 0 or end - row >= MAX_OPTION_ROWS:
            raise NotUnderstood("the options do not begin with number 1")
        line = lines[row]
        found = _numbered_row(indent, mark).fullmatch(line)
        if found is None:
            if (line and indent_of(line) < label_at) or not (line or blanks):
                raise NotUnderstood(f"a row among the options is none of them: {line.strip()[:40] or 'an empty one'}")
            row -= 1
            continue
        if number is not None and int(found["number"]) != number - 1:
            raise NotUnderstood(f"the options are not counted through: {number} follows {found['number']}")
        number = int(found["number"])
        entries.append(_entry(found, Rows(first=row, last=end), label_at))
        end = row = row - 1
    return tuple(reversed(entries))


def unnumbered(lines: Sequence[str], last: int, *, indent: int, width: int) -> tuple[Entry, ...]:
    """The options that end at `last`, up to a blank row or one that stands further left.

    A row that stands further right goes on with the label above it; so does one in the labels' column that does not
    begin with a capital, when its first word had no room above. Callers that decide by labels must know each label.

    Raises:
        NotUnderstood: A row belongs to no option.
    """
    label_at = indent + MARK_WIDTH
    entries: list[Entry] = []
    end = row = last
    while row >= 0 and lines[row]:
        found = _unnumbered_row(indent).fullmatch(lines[row])
        if found is not None:
            entries.append(_entry(found, Rows(first=row, last=end), label_at))
            end = row - 1
        elif indent_of(lines[row]) < label_at:
            break
        row -= 1
    if row != end:
        raise NotUnderstood("a row above the options belongs to none of them")
    entries.reverse()
    return tuple(_with_continuations(entries, lines, width - label_at - RIGHT_MARGIN))


def is_numbered(lines: Sequence[str], last: int, *, indent: int) -> bool:
    """Whether one of the rows above `last`, up to the first blank one, is a numbered option."""
    row = last
    while row >= 0 and lines[row]:
        if _numbered_row(indent, CURSOR).fullmatch(lines[row]):
            return True
        row -= 1
    return False


def cursor_of(entries: Sequence[Entry]) -> int:
    """The index of the one option that is marked.

    Raises:
        NotUnderstood: None or several are.
    """
    marked = [index for index, entry in enumerate(entries) if entry.marked]
    if len(marked) != 1:
        raise NotUnderstood(f"{len(marked)} options are marked, where one must be")
    return marked[0]


def whole_option(lines: Sequence[str], entry: Entry, *, width: int) -> Option:
    """An option all of whose rows are its label.

    Raises:
        NotUnderstood: Its rows do not stand below each other.
    """
    more = entry.continuation(lines)
    if len({indent_of(line) for line in more}) > 1:
        raise NotUnderstood("the rows of a label do not stand below each other")
    texts = [entry.label, *(line.strip() for line in more)]
    return Option(label=join_words(texts, width - entry.label_at - RIGHT_MARGIN), rows=entry.rows)


def _with_continuations(entries: Sequence[Entry], lines: Sequence[str], room: int) -> list[Entry]:
    whole: list[Entry] = []
    for entry in entries:
        above = lines[entry.rows.first - 1].strip() if whole else ""
        has_room = text_width(above) + 1 + text_width(entry.label.split()[0]) <= room
        if whole and not entry.marked and not has_room and not entry.label[0].isupper():
            whole[-1] = whole[-1].over(Rows(first=whole[-1].rows.first, last=entry.rows.last))
        else:
            whole.append(entry)
    return whole


def _entry(found: re.Match[str], rows: Rows, label_at: int) -> Entry:
    return Entry(rows=rows, label=found["label"], label_at=label_at, marked=found["mark"] != "  ")


@cache
def _numbered_row(indent: int, mark: str) -> re.Pattern[str]:
    return re.compile(rf" {{{indent}}}(?P<mark>{re.escape(mark)} |  )(?P<number>[1-9])\. (?P<label>\S.*)")


@cache
def _unnumbered_row(indent: int) -> re.Pattern[str]:
    return re.compile(rf" {{{indent}}}(?P<mark>{CURSOR} |  )(?P<label>\S.*)")
