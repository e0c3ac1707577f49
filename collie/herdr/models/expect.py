"""The condition under which input may be written: the screen still shows what its sender saw.

An addition of Collie's embedded host to herdr's API, offered when ping has `capabilities.conditional_input`.
"""

import hashlib

from collie.herdr.models.records import Record


class Expect(Record, frozen=True, kw_only=True):
    """Rows of a pane's detection text, by their digest.

    `rows` are the first and the last of them, counted from 0 at the top, both included. `sha256` (hex) covers those
    rows, each without its trailing white space, joined by newlines. The last may lie below the end of the text, as
    blank rows at the bottom of a screen are not part of it; the first may not.
    """

    rows: tuple[int, int]
    sha256: str
    terminal_id: str

    @classmethod
    def of(cls, text: str, *, first: int, last: int, terminal_id: str) -> "Expect":
        """The condition that rows `first` to `last` stay as they are in `text`."""
        return cls(rows=(first, last), sha256=_digest(text, first, last), terminal_id=terminal_id)

    def holds(self, text: str, *, terminal_id: str) -> bool:
        """Whether this terminal, whose detection text is `text` now, still shows those rows."""
        first, last = self.rows
        if not 0 <= first <= last or terminal_id != self.terminal_id:
            return False
        return first < len(_rows(text)) and _digest(text, first, last) == self.sha256.lower()


def _rows(text: str) -> list[str]:
    """The rows of a read; the newline at its end ends the last row, it does not begin another."""
    return text.removesuffix("\n").split("\n")


def _digest(text: str, first: int, last: int) -> str:
    rows = _rows(text)[first : last + 1]
    return hashlib.sha256("\n".join(row.rstrip() for row in rows).encode()).hexdigest()
