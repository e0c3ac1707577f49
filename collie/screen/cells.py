"""A screen as values: rows of text, and the styled runs in them.

Rows come from `ansi.parse`. A row's text has no controls, is not padded, and keeps written trailing spaces.
"""

from dataclasses import dataclass

Colour = int | tuple[int, int, int] | None
"""A palette index (0 to 255), a true colour (r, g, b), or None for the terminal's own."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The SGR attributes of a run."""

    bold: bool = False
    dim: bool = False
    italic: bool = False
    underline: bool = False
    blink: bool = False
    inverse: bool = False
    invisible: bool = False
    strike: bool = False
    foreground: Colour = None
    background: Colour = None


PLAIN = Style()


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """Adjacent characters of one style."""

    text: str
    style: Style = PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One row of a screen; the texts of `runs` joined are `text`."""

    text: str
    runs: tuple[Run, ...]

    def style_at(self, index: int) -> Style:
        """The style of the character at `index` of `text`; PLAIN beyond its end."""
        for run in self.runs:
            if index < len(run.text):
                return run.style
            index -= len(run.text)
        return PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class Screen:
    """What a terminal shows. `columns` is its width in cells, None when unknown; `styled` is False for plain text,
    where no run says anything about style."""

    rows: tuple[Row, ...]
    columns: int | None = None
    styled: bool = False

    @property
    def lines(self) -> tuple[str, ...]:
        """The rows' texts, right-trimmed."""
        return tuple(row.text.rstrip() for row in self.rows)
