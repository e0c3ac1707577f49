"""Draws lines of toned pieces as strips; the one place where text goes to the terminal, and is guarded."""

from typing import Final

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from collie.tui.lines import Line, Piece, Tone
from collie.tui.reveal import printable
from collie.tui.styles.tones import CURSOR, LOOKS, style_of

STRIPS_KEPT: Final = 2_000


class Tones(Widget):
    """A widget that draws lines.

    Tones are no component classes: Textual would make a node of each in each widget, which doubles the time to the
    first paint.
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._strips: dict[tuple[Line, bool], Strip] = {}
        self._tones: dict[tuple[Tone, bool], Style] = {}

    def strip_of(self, line: Line, width: int, *, under_cursor: bool = False) -> Strip:
        """The line as exactly `width` cells."""
        key = (line, under_cursor)
        strip = self._strips.get(key)
        if strip is None:
            if len(self._strips) > STRIPS_KEPT:
                self._strips.clear()
            strip = self._strips[key] = Strip([self._segment(each, under_cursor) for each in line])
        return strip.adjust_cell_length(width, self._style(Tone.PLAIN, under_cursor))

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()
        self._tones.clear()

    def _segment(self, part: Piece, under_cursor: bool) -> Segment:
        style = self._style(part.tone, under_cursor)
        if part.click:
            style += Style(meta={"@click": part.click})
        return Segment(printable(part.text), style)

    def _style(self, tone: Tone, under_cursor: bool) -> Style:
        style = self._tones.get((tone, under_cursor))
        if style is None:
            variables = self.app.theme_variables
            row = self.rich_style + style_of(CURSOR, variables) if under_cursor else self.rich_style
            style = self._tones[tone, under_cursor] = row + style_of(LOOKS[tone], variables)
        return style
