"""How a cell looks: the attributes that SGR sets, how reads write them down again, and the table that numbers them."""

from collections.abc import Set
from dataclasses import dataclass

from collie.screen.cells import Colour

RESET = "\x1b[0m"
DEFAULT = "\0"
"""The key of the default style in every table."""
MAX_STYLES = 0xD000
"""Styles in use at once in one terminal; keys stay below the surrogates. A program that shows more, a true colour in
every cell of a long scrollback, gets the default style for the rest."""
RETRY_AFTER = 4096
"""Styles refused by a full table before the cells, all of which have to be looked through, are asked again."""

_FLAG_CODES = {
    "bold": 1,
    "faint": 2,
    "italic": 3,
    "blink": 5,
    "inverse": 7,
    "invisible": 8,
    "strike": 9,
    "overline": 53,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Style:
    """The attributes of a cell. A palette index and a true colour stay what they were set as.

    `underline` is the n of SGR 4:n: 0 none, 1 single, 2 double, 3 curly, 4 dotted, 5 dashed.
    """

    bold: bool = False
    faint: bool = False
    italic: bool = False
    blink: bool = False
    inverse: bool = False
    invisible: bool = False
    strike: bool = False
    overline: bool = False
    underline: int = 0
    foreground: Colour = None
    background: Colour = None
    underline_colour: Colour = None

    def opening(self) -> str:
        """The sequences that set exactly this style, one an attribute; "" for the default style.

        Their order is herdr's (specs: embedded-host 6.3).
        """
        codes = [str(code) for name, code in _FLAG_CODES.items() if getattr(self, name)]
        if self.underline:
            codes.append("4" if self.underline == 1 else f"4:{self.underline}")
        for code, colour in ((38, self.foreground), (48, self.background), (58, self.underline_colour)):
            if isinstance(colour, int):
                codes.append(f"{code};5;{colour}")
            elif colour:
                codes.append(f"{code};2;{colour[0]};{colour[1]};{colour[2]}")
        return RESET + "".join(f"\x1b[{code}m" for code in codes) if codes else ""


class StyleTable:
    """Styles by a one-character key, so that the styles of a row of cells are a string as long as the row."""

    def __init__(self, limit: int = MAX_STYLES) -> None:
        self._limit = limit
        self._keys = {Style(): DEFAULT}
        self._styles = {DEFAULT: Style()}
        self._openings = {DEFAULT: ""}
        self._blanks = {DEFAULT: DEFAULT}
        self._released: list[str] = []
        self._next = 1
        self._refused = 0

    def __getitem__(self, key: str) -> Style:
        return self._styles[key]

    def wants_room(self, style: Style) -> bool:
        """Whether a style has no key, none is left, and it is time to say which ones are still in use."""
        full = self._next == self._limit and not self._released
        return full and style not in self._keys and self._refused % RETRY_AFTER == 0

    def key(self, style: Style) -> str:
        """The key of a style; that of the default style when the table is full."""
        key = self._keys.get(style)
        return self._add(style) if key is None else key

    def blank(self, key: str) -> str:
        """The key of the style of a cell that is erased under `key`: its background and nothing else."""
        blank = self._blanks.get(key)
        if blank is None:
            blank = self._blanks[key] = self.key(Style(background=self._styles[key].background))
        return blank

    def opening(self, key: str) -> str:
        """The sequences that begin a run of this style; "" for the default style."""
        opening = self._openings.get(key)
        if opening is None:
            opening = self._openings[key] = self._styles[key].opening()
        return opening

    def keep(self, used: Set[str]) -> None:
        """Forget every style whose key is not in `used`."""
        for key in self._styles.keys() - used - {DEFAULT}:
            del self._keys[self._styles.pop(key)]
            self._openings.pop(key, None)
            self._released.append(key)
        self._blanks = {DEFAULT: DEFAULT}

    def _add(self, style: Style) -> str:
        if self._released:
            key = self._released.pop()
        elif self._next < self._limit:
            key = chr(self._next)
            self._next += 1
        else:
            self._refused += 1
            return DEFAULT
        self._keys[style] = key
        self._styles[key] = style
        return key
