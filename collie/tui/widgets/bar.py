"""A few lines that do not scroll: header, key bar, banner, the line of a card's keys."""

from collections.abc import Callable

from textual import events
from textual.geometry import Size
from textual.strip import Strip

from collie.tui.lines import Line, Tone, piece, wrap
from collie.tui.widgets.tones import Tones

Make = Callable[[int], tuple[Line, ...]]
"""Lines for a width in cells."""


class Bar(Tones):
    """As high as its lines are many; it is not there when it has none."""

    def __init__(self, make: Make = lambda width: (), *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._make = make
        self.lines: tuple[Line, ...] = ()

    def show(self, make: Make) -> None:
        """Draw what `make` gives for the bar's width, now and after each change of size."""
        self._make = make
        self._remake(self.content_size.width or self.app.size.width)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._make(width))

    def on_resize(self, event: events.Resize) -> None:
        self._remake(self.content_size.width)

    def render_line(self, y: int) -> Strip:
        return self.strip_of(self.lines[y] if y < len(self.lines) else (), self.content_size.width)

    def _remake(self, width: int) -> None:
        lines = self._make(width)
        if lines == self.lines:
            return
        higher = len(lines) != len(self.lines)
        self.lines = lines
        self.display = bool(lines)
        self.refresh(layout=higher)


def text_bar(*texts: str, tone: Tone = Tone.PLAIN, id: str | None = None) -> Bar:
    """Paragraphs, wrapped to the width there is."""
    return Bar(lambda width: paragraphs(texts, width, tone), id=id)


def paragraphs(texts: tuple[str, ...], width: int, tone: Tone = Tone.PLAIN) -> tuple[Line, ...]:
    """A line for each text, wrapped to `width`."""
    return tuple(line for text in texts for line in wrap((piece(text, tone),), max(1, width)))
