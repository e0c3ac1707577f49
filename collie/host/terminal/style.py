"""How a cell looks: the attributes that SGR sets, how reads write them down again, and the table that numbers them."""

from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice

from collie.screen.cells import Colour

RESET = "\x1b[0m"
DEFAULT = "\0"
"""The key of the default style in every table."""
MAX_STYLES = 0xD000
"""Styles in use at once in one terminal; keys stay below the surrogates. A program that shows more, a true colour in
every cell of a long scrollback, gets the default style for the rest."""
SWEEP_ROWS = 4
SWEEP_KEYS = 32
"""Rows looked through, and styles forgotten, in one step of a sweep: some 20 µs. All at once would be 0.1 s."""

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
    """Styles by a one-character key, so that the styles of a row of cells are a string as long as the row.

    A key stays taken until a sweep finds that no cell has it any more.
    """

    def __init__(self, limit: int = MAX_STYLES) -> None:
        self._limit = limit
        self._keys = {Style(): DEFAULT}
        self._styles = {DEFAULT: Style()}
        self._openings = {DEFAULT: ""}
        self._blanks = {DEFAULT: DEFAULT}
        self._released: list[str] = []
        self._next = 1
        self._asked = 0
        self._used: set[str] | None = None

    def __getitem__(self, key: str) -> Style:
        return self._styles[key]

    @property
    def wants_sweep(self) -> bool:
        """Whether few keys are left, and enough were asked for since the last sweep to make another one worth it."""
        left = self._limit - self._next + len(self._released)
        return self._used is None and left <= self._limit // 4 and self._asked > self._limit // 16

    def key(self, style: Style) -> str:
        """The key of a style; that of the default style when the table is full."""
        key = self._keys.get(style)
        if key is None:
            key = self._add(style)
        if self._used is not None:
            self._used.add(key)
        return key

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

    def sweep(self, rows: Iterable[str], held: Sequence[str]) -> Generator[None, None, None]:
        """Forget the styles that no cell has, a step at a time; closing it, or its end, ends it.

        A cell gets its style from `key` or `blank`, which take note of what they give meanwhile, or it is `held`.

        Args:
            rows: the styles of all cells there are at its beginning, row by row.
            held: keys that cells may yet get without asking for them: the pen's, and those of saved cursors.
        """
        used = self._used = {DEFAULT}
        self._blanks = {DEFAULT: DEFAULT}
        self._asked = 0
        used.update(held, *map(self.blank, held))
        try:
            rows = iter(rows)
            while some := tuple(islice(rows, SWEEP_ROWS)):
                used.update(*some)
                yield
            keys = iter(tuple(self._styles))
            while some := tuple(islice(keys, SWEEP_KEYS)):
                self._forget(key for key in some if key not in used)
                yield
        finally:
            self._used = None

    def _forget(self, keys: Iterable[str]) -> None:
        for key in keys:
            del self._keys[self._styles.pop(key)]
            self._openings.pop(key, None)
            self._released.append(key)

    def _add(self, style: Style) -> str:
        self._asked += 1
        if self._released:
            key = self._released.pop()
        elif self._next < self._limit:
            key = chr(self._next)
            self._next += 1
        else:
            return DEFAULT
        self._keys[style] = key
        self._styles[key] = style
        return key
