"""Stands over everything while the terminal is too small to show it; keys reach nothing below."""

from typing import ClassVar

from textual.app import ComposeResult
from textual.binding import BindingType
from textual.screen import ModalScreen

from collie.tui.actions import Place, bindings_of
from collie.tui.lines import Line, Tone, piece, wrap
from collie.tui.widgets.bar import Bar


class TooSmallScreen(ModalScreen[None]):
    """Says which size is needed."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Place.EVERYWHERE)]

    def __init__(self, columns: int, rows: int) -> None:
        super().__init__(id="too-small")
        self._need = f"Collie needs {columns}×{rows}"

    def compose(self) -> ComposeResult:
        yield Bar(self._lines)

    def _lines(self, width: int) -> tuple[Line, ...]:
        size = self.app.size
        return wrap(
            (piece(f"{self._need}; this terminal is {size.width}×{size.height}. q quits", Tone.WARN),), max(1, width)
        )
