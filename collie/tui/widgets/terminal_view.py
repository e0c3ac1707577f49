"""A terminal's text, drawn from cells: nothing of the pane reaches the operator's terminal raw."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rich.cells import cell_len
from rich.color import Color
from rich.segment import Segment
from rich.style import Style as RichStyle
from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from collie.protocol.models import Key, TerminalRead
from collie.screen import ansi
from collie.screen.cells import Colour, Row, Style
from collie.tui.keys import key_words, sendable
from collie.tui.reveal import printable
from collie.tui.widgets.lines_view import LinesView

STYLES_KEPT: Final = 4_096
SIDEWAYS_COLUMNS: Final = 20
KEYS_BACK: Final = "ctrl+right_square_bracket"
"""The key that is never sent: it ends the sending."""


class TerminalView(LinesView):
    """Shows the newest read; follows its end unless a person scrolled away from it.

    While it is `sending`, keys are no longer its own: each is posted as a message. The first one that cannot be sent
    stops it: until the keys are taken back it swallows what is typed, so that no later key is sent without it, nor
    taken for one of the window's.
    """

    @dataclass
    class Pressed(Message):
        """A key was pressed while keys are sent."""

        key: Key

    @dataclass
    class Stopped(Message):
        """A key was pressed that cannot be sent; `words` is what a person calls it."""

        words: str

    class TakenBack(Message):
        """The keys are wanted back."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self.following = True
        self.sending = False
        self.stopped = False
        self._rows: tuple[Row, ...] = ()
        self._read: TerminalRead | None = None

    def show_read(self, read: TerminalRead | None) -> None:
        """Draw this read from now on; only the rows that differ are repainted."""
        if read is self._read:
            return
        self._read = read
        old, self._rows = self._rows, _without_blank_end(ansi.parse(read.ansi).rows) if read else ()
        size = Size(max((cell_len(row.text) for row in self._rows), default=0), len(self._rows))
        if size != self.virtual_size:
            self.virtual_size = size
            self.refresh()
        else:
            for at, (before, after) in enumerate(zip(old, self._rows, strict=True)):
                if before != after:
                    self.refresh_line(at)
        self._follow()

    @property
    def has_read(self) -> bool:
        """Whether there is any text yet."""
        return self._read is not None

    @property
    def lines_below(self) -> int:
        return max(0, len(self._rows) - self.scroll_offset.y - self.rows_shown)

    @property
    def columns_beside(self) -> int:
        """How many columns of its text have no room."""
        return max(0, self.virtual_size.width - self.scrollable_content_region.width)

    def action_scroll_left(self) -> None:
        self.scroll_to(x=self.scroll_offset.x - SIDEWAYS_COLUMNS, animate=False, force=True)

    def action_scroll_right(self) -> None:
        self.scroll_to(x=self.scroll_offset.x + SIDEWAYS_COLUMNS, animate=False, force=True)

    def render_line(self, y: int) -> Strip:
        at = y + self.scroll_offset.y
        width, left = self.scrollable_content_region.width, self.scroll_offset.x
        if at >= len(self._rows):
            return Strip.blank(width, self.rich_style)
        strip = Strip(
            [Segment(printable(run.text), self.rich_style + rich_style(run.style)) for run in self._rows[at].runs]
        )
        return strip.crop_extend(left, left + width, self.rich_style)

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self.following = self.lines_below == 0

    @property
    def holds_keys(self) -> bool:
        """Whether keys are not the window's now."""
        return self.sending or self.stopped

    def send_keys(self, sending: bool) -> None:
        """Post the keys that are pressed from now on, or have them do here what they do."""
        self.sending, self.stopped = sending, False

    def stop_sending(self) -> None:
        """Post no more keys, and swallow them until they are taken back."""
        self.sending, self.stopped = False, True

    def on_key(self, event: events.Key) -> None:
        if not self.holds_keys or event.key == KEYS_BACK:
            return
        event.stop()
        event.prevent_default()
        if self.stopped:
            if event.key == "escape":
                self.post_message(self.TakenBack())
        elif (key := sendable(event.key)) is not None:
            self.post_message(self.Pressed(key))
        else:
            self.stop_sending()
            self.post_message(self.Stopped(key_words(event.key, event.character)))

    def on_resize(self, event: events.Resize) -> None:
        self._follow()

    def _follow(self) -> None:
        if self.following:
            self.action_to_end()

    def action_to_end(self) -> None:
        self.to_line(len(self._rows))


def _without_blank_end(rows: tuple[Row, ...]) -> tuple[Row, ...]:
    """The rows up to the last one with something on it: the empty end of a tall pane would hide it in a low window."""
    end = len(rows)
    while end and not rows[end - 1].text.strip():
        end -= 1
    return rows[:end]


@lru_cache(maxsize=STYLES_KEPT)
def rich_style(style: Style) -> RichStyle:
    """A cell's style as Textual draws it. Concealed text is shown, and nothing blinks: what is there is to be seen."""
    return RichStyle(
        color=_colour(style.foreground),
        bgcolor=_colour(style.background),
        bold=style.bold or None,
        dim=style.dim or None,
        italic=style.italic or None,
        underline=style.underline or None,
        reverse=style.inverse or None,
        strike=style.strike or None,
    )


def _colour(colour: Colour) -> Color | None:
    if colour is None:
        return None
    return Color.from_ansi(colour) if isinstance(colour, int) else Color.from_rgb(*colour)
