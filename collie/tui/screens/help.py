"""The keys of a place, place by place."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Vertical

from collie.tui.actions import Place, rows_of
from collie.tui.lines import Line, Tone, pad_text, piece, wrap
from collie.tui.screens.dialog import Dialog
from collie.tui.widgets.frame import entitle
from collie.tui.widgets.lines_view import LinesView

KEY_CELLS = 14


def help_lines(places: tuple[Place, ...], width: int, *, without: frozenset[str] = frozenset()) -> tuple[Line, ...]:
    """Every action of these places and of moving about, `without` some: its key and what it does."""
    lines: list[Line] = []
    for place in dict.fromkeys((*places, Place.LIST)):
        if lines:
            lines.append(())
        lines.append((piece(place.value, Tone.ACCENT),))
        for row in (row for row in rows_of(place) if row.name not in without):
            key = (piece(pad_text(f" {row.shown}", KEY_CELLS), Tone.STRONG),)
            lines += wrap((piece(row.tells),), width, first=key, rest=(piece(" " * KEY_CELLS),))
    return tuple(lines)


class HelpLines(LinesView):
    """The scrolled text of the help."""

    def __init__(self, places: tuple[Place, ...], *, without: frozenset[str]) -> None:
        super().__init__()
        self._places, self._without = places, without

    def on_resize(self) -> None:
        self.show(help_lines(self._places, self.line_cells, without=self._without))


class HelpScreen(Dialog[None]):
    """Shows the keys that work where help was asked for."""

    AUTO_FOCUS = "HelpLines"

    BINDINGS: ClassVar[list[BindingType]] = [Binding("question_mark,q,enter", "give_up", "close", show=False)]

    def __init__(self, places: tuple[Place, ...], *, without: frozenset[str]) -> None:
        super().__init__()
        self._places, self._without = places, without

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog tall") as box:
            entitle(box, title="Keys here", subtitle="esc closes · ctrl+p finds any action")
            yield HelpLines(self._places, without=self._without)
