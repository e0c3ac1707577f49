"""What the tones look like: for each the theme's colours by name, and its weight. Colour alone says nothing: where two
tones must be told apart, a glyph or a word differs too."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from rich.style import Style
from textual.color import Color

from collie.tui.lines import Tone


@dataclass(frozen=True, slots=True, kw_only=True)
class Look:
    """Names of theme variables; "" leaves what is there."""

    colour: str = ""
    background: str = ""
    bold: bool = False


LOOKS: Final = {
    Tone.PLAIN: Look(),
    Tone.DIM: Look(colour="quiet"),
    Tone.STRONG: Look(bold=True),
    Tone.ACCENT: Look(colour="primary", bold=True),
    Tone.CODE: Look(colour="accent", bold=True),
    Tone.KEY: Look(colour="foreground", background="key-back", bold=True),
    Tone.DEAD: Look(colour="quiet"),
    Tone.ADDED: Look(colour="success"),
    Tone.REMOVED: Look(colour="error"),
    Tone.GOOD: Look(colour="success"),
    Tone.BUSY: Look(colour="primary"),
    Tone.WARN: Look(colour="warning", bold=True),
    Tone.BAD: Look(colour="error", bold=True),
    Tone.ALERT: Look(colour="background", background="warning", bold=True),
}
CURSOR: Final = Look(background="cursor-row")


def style_of(look: Look, variables: Mapping[str, str]) -> Style:
    """The look in the colours of a theme."""
    return Style(
        color=_colour(look.colour, variables), bgcolor=_colour(look.background, variables), bold=look.bold or None
    )


def _colour(name: str, variables: Mapping[str, str]) -> str | None:
    return Color.parse(variables[name]).hex6 if name else None
