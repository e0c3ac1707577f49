"""The bottom of a window: something to be told for a moment or a hint, and under it the keys that work here."""

from dataclasses import dataclass
from typing import Final

from textual.app import ComposeResult
from textual.containers import Vertical

from collie.tui.lines import Line, Tone, line_width, piece, wrap
from collie.tui.widgets.bar import Bar

ROOMY_ROWS: Final = 20
"""From this many rows on the keys may take two of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyHint:
    """One key that works here: how it is printed, what it does, the action of a click, and why it is dead ("" when
    it is live)."""

    shown: str
    words: str
    action: str
    why_dead: str = ""


class Foot(Vertical):
    """Drawn from what the screen gives it."""

    def compose(self) -> ComposeResult:
        yield Bar(id="notice")
        yield Bar(id="keys")

    def show_keys(self, hints: tuple[KeyHint, ...]) -> None:
        """Print these keys."""
        most = 2 if self.app.size.height >= ROOMY_ROWS else 1
        self.query_one("#keys", Bar).show(lambda width: _rows(hints, width, most))

    def show_notice(self, text: str) -> None:
        """Print a line above the keys, "" for none."""
        line: Line = (piece(f" {text}", Tone.BUSY),)
        self.query_one("#notice", Bar).show(lambda width: wrap(line, max(1, width)) if text else ())


def _rows(hints: tuple[KeyHint, ...], width: int, most: int) -> tuple[Line, ...]:
    """The keys in at most so many rows; when not all have room, the last one that is kept is the key of help."""
    for padded in (True, False):
        if len(rows := _filled(hints, width, padded=padded)) == 1:
            return rows
    if len(rows := _filled(hints, width)) <= most:
        return rows
    helps = tuple(hint for hint in hints if hint.action == "app.help")
    others = [hint for hint in hints if hint not in helps]
    while others and len(_filled((*others, *helps), width)) > most:
        others.pop()
    return _filled((*others, *helps), width)


def _filled(hints: tuple[KeyHint, ...], width: int, *, padded: bool = True) -> tuple[Line, ...]:
    rows: list[Line] = [()]
    for hint in hints:
        item = _item(hint, " " if padded else "")
        if rows[-1] and line_width(rows[-1]) + line_width(item) > width:
            rows.append(())
        rows[-1] = (*rows[-1], *item)
    return tuple(rows)


def _item(hint: KeyHint, pad: str) -> Line:
    dead = bool(hint.why_dead)
    return (
        piece(f"{pad}{hint.shown}{pad}", Tone.DEAD if dead else Tone.KEY, hint.action),
        piece(f" {hint.words} ", Tone.DEAD if dead else Tone.PLAIN, hint.action),
    )
