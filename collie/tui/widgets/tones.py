"""Draws lines of toned pieces as strips; the one place where text goes to the terminal, and is guarded."""

from typing import ClassVar, Final

from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip
from textual.widget import Widget

from collie.tui.lines import Line, Piece, Tone
from collie.tui.reveal import printable

CURSOR_CLASS: Final = "lines--cursor"
STRIPS_KEPT: Final = 2_000


class Tones(Widget):
    """A widget that draws lines. Its tones are component classes, so the stylesheet says what they look like."""

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"tone--{tone.value}" for tone in Tone} | {CURSOR_CLASS}

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._strips: dict[tuple[Line, bool], Strip] = {}

    def strip_of(self, line: Line, width: int, *, under_cursor: bool = False) -> Strip:
        """The line as exactly `width` cells."""
        key = (line, under_cursor)
        strip = self._strips.get(key)
        if strip is None:
            if len(self._strips) > STRIPS_KEPT:
                self._strips.clear()
            strip = self._strips[key] = Strip([self._segment(each, under_cursor) for each in line])
        return strip.adjust_cell_length(width, self._base(under_cursor))

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()

    def _segment(self, part: Piece, under_cursor: bool) -> Segment:
        tone = self.get_component_rich_style(f"tone--{part.tone.value}", partial=True)
        style = self._base(under_cursor) + tone
        if part.click:
            style += Style(meta={"@click": part.click})
        return Segment(printable(part.text), style)

    def _base(self, under_cursor: bool) -> Style:
        if not under_cursor:
            return self.rich_style
        return self.rich_style + self.get_component_rich_style(CURSOR_CLASS, partial=True)
