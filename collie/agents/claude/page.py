"""One screen of Claude Code as its readers want it: rows, the width it was drawn for, the rules that part it.

Claude Code draws its rules in column 0 and over the whole width, and everything that a model, a command or a file
brings stands further right (specs: claude-code 3). So only rows of exactly that shape count here.
"""

from dataclasses import dataclass
from functools import cached_property

from collie.agents.facts import Rows
from collie.agents.menu import CURSOR, NotUnderstood
from collie.screen.cells import Row, Screen
from collie.screen.regions import DASH, EDGE, RULE, indent_of, is_line_of, is_titled_rule, last_row
from collie.screen.width import text_width

MIN_WIDTH = 20
"""Below this many columns nothing is read: labels then break in ways that were never seen."""

SHORT_RULE = 3
"""Characters of a dashed rule in a body that is shown elsewhere, where the screen's width means nothing."""

_DRAWN = (RULE, DASH, EDGE)


@dataclass(frozen=True, kw_only=True)
class Page:
    """A screen, and what parts it. Rows count from 0 at the top."""

    screen: Screen

    @cached_property
    def lines(self) -> tuple[str, ...]:
        return self.screen.lines

    @cached_property
    def width(self) -> int:
        """The columns that Claude Code drew for: those of its lowest rule, else the screen's, else the widest row's."""
        for line in reversed(self.lines):
            if line[:MIN_WIDTH] in (RULE * MIN_WIDTH, EDGE * MIN_WIDTH, DASH * MIN_WIDTH):
                return text_width(line)
        return self.screen.columns or max(map(text_width, self.lines), default=0)

    @property
    def fits(self) -> bool:
        """Whether the width that it drew for is the screen's; if not, the picture may be cut off on the right."""
        return self.screen.columns is None or self.screen.columns == self.width

    @cached_property
    def floor(self) -> int:
        """The last row of what is at the bottom; the session's name and tasks, which stand below, are not counted."""
        last = last_row(self.lines)
        row = last
        while row >= 0 and (not self.lines[row] or _is_task_row(self.lines[row])):
            row -= 1
        return last_row(self.lines[:row]) if row >= 0 and self.is_name_rule(row) else last

    @property
    def is_named(self) -> bool:
        """Whether the session's name stands on a rule below the dialog."""
        return self.floor != last_row(self.lines)

    @cached_property
    def rules(self) -> tuple[int, ...]:
        """Rows, from the top, that are a rule over the whole width or one that bears the session's name."""
        return tuple(
            row
            for row, line in enumerate(self.lines)
            if line.startswith(RULE) and (self.is_rule(row) or self.is_name_rule(row))
        )

    @cached_property
    def box(self) -> Rows | None:
        """The input box: its two rules and what is between them."""
        if len(self.rules) < 2:
            return None
        top, bottom = self.rules[-2:]
        inner = self.lines[top + 1 : bottom]
        if not inner or not inner[0] or inner[0][0] == " " or not self.is_rule(bottom):
            return None
        if any(line and not line.startswith("  ") for line in inner[1:]):
            return None
        below = self.lines[bottom + 1 :]
        if any(line and not line.startswith(("  ", f"{CURSOR} ")) for line in below):
            return None
        return Rows(first=top, last=bottom)

    def line(self, row: int) -> str:
        """A row's text, "" for one that is off the screen."""
        return self.lines[row] if 0 <= row < len(self.lines) else ""

    def is_rule(self, row: int, *, indent: int = 0) -> bool:
        return is_line_of(self.lines[row], RULE, width=self.width - 2 * indent, indent=indent)

    def is_name_rule(self, row: int) -> bool:
        line = self.lines[row]
        return is_titled_rule(line) and line.strip(RULE) != "" and text_width(line) == self.width

    def is_dashes(self, row: int, *, indent: int = 0) -> bool:
        return is_line_of(self.lines[row], DASH, width=self.width - 2 * indent, indent=indent)

    def is_edge(self, row: int) -> bool:
        """The `▔▔▔` above a panel; a hint may stand in it."""
        line = self.lines[row]
        return line.startswith(EDGE * MIN_WIDTH) and line.endswith(EDGE) and text_width(line) == self.width

    def texts(self, rows: Rows, *, indent: int = 0) -> tuple[str, ...]:
        """The rows' texts from `indent` on, which all of them must leave blank."""
        lines = self.lines[rows.first : rows.last + 1]
        for line in lines:
            if line and indent_of(line) < indent:
                raise NotUnderstood(f"a row stands further left than the dialog: {line.strip()[:40]}")
        return tuple(line[indent:] for line in lines)

    def body(self, rows: Rows, *, indent: int, without: range = range(0)) -> str:
        """The rows as a person reads them: dashed rules short, blank rows at the ends left out, and those `without`."""
        texts = [
            DASH * SHORT_RULE if self.is_dashes(row, indent=indent - 1) else self.lines[row][indent:]
            for row in range(rows.first, rows.last + 1)
            if row not in without
        ]
        return "\n".join(texts).strip("\n")

    def row(self, row: int) -> Row:
        return self.screen.rows[row]

    def has_inverse(self, rows: Rows) -> bool:
        """Whether a cell of these rows is reversed, which is how Claude Code draws the text cursor."""
        return any(run.style.inverse for row in self.screen.rows[rows.first : rows.last + 1] for run in row.runs)

    def reaches_edge(self, rows: Rows) -> bool:
        """Whether a row of text, no rule, takes the last column, which is left free: what follows may be cut off."""
        return any(
            text_width(line) >= self.width and line[0] not in _DRAWN for line in self.lines[rows.first : rows.last + 1]
        )


def _is_task_row(line: str) -> bool:
    """A row of the task panel below a session's name (specs: daemon-behaviour 12.6)."""
    text = line.strip()
    return text[:1] in ("◻", "◼", "✔") or text.startswith("… +") or (" tasks (" in text and text[:1].isdigit())
