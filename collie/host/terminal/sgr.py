"""SGR: the parameters of `CSI … m` applied to a style (ECMA-48 8.3.117, ISO 8613-6 for colours, kitty for 4:n)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from collie.host.terminal.style import Style
from collie.screen.cells import Colour

_MALFORMED = 1 << 16
_PLAIN: dict[str, object] = {name: getattr(Style(), name) for name in Style.__dataclass_fields__}
_COLOURS = {38: "foreground", 48: "background", 58: "underline_colour"}
_CHANGES: dict[int, dict[str, object]] = {
    0: _PLAIN,
    1: {"bold": True},
    2: {"faint": True},
    3: {"italic": True},
    4: {"underline": 1},
    5: {"blink": True},
    6: {"blink": True},
    7: {"inverse": True},
    8: {"invisible": True},
    9: {"strike": True},
    21: {"underline": 2},
    22: {"bold": False, "faint": False},
    23: {"italic": False},
    24: {"underline": 0},
    25: {"blink": False},
    27: {"inverse": False},
    28: {"invisible": False},
    29: {"strike": False},
    **{30 + index: {"foreground": index} for index in range(8)},
    39: {"foreground": None},
    **{40 + index: {"background": index} for index in range(8)},
    49: {"background": None},
    53: {"overline": True},
    55: {"overline": False},
    59: {"underline_colour": None},
    **{90 + index: {"foreground": 8 + index} for index in range(8)},
    **{100 + index: {"background": 8 + index} for index in range(8)},
}


def apply_sgr(style: Style, parameters: str) -> Style:
    """`style` after `CSI parameters m`. Unknown and malformed attributes change nothing.

    Args:
        parameters: digits, `;` and `:` only.
    """
    changes: dict[str, object] = {}
    rest = iter(parameters.split(";"))
    for parameter in rest:
        first, *sub = parameter.split(":")
        code = _number(first)
        if code in _COLOURS:
            colour = _spread_colour(sub) if sub else _listed_colour(rest)
            if colour is not None:
                changes[_COLOURS[code]] = colour
        elif code == 4 and sub:
            if sub[0] and _number(sub[0]) <= 5:
                changes["underline"] = _number(sub[0])
        elif not sub:
            changes.update(_CHANGES.get(code, {}))
    return replace(style, **changes)  # type: ignore[arg-type]


def _listed_colour(rest: Iterator[str]) -> Colour:
    """The colour of `38;5;n` or `38;2;r;g;b`, of which the first number is read; takes the numbers it needs."""
    kind = _number(next(rest, ""))
    count = {5: 1, 2: 3}.get(kind, 0)
    return _colour(kind, [_number(next(rest, "")) for _ in range(count)])


def _spread_colour(sub: Sequence[str]) -> Colour:
    """The colour of `38:5:n`, `38:2:r:g:b` or `38:2:space:r:g:b`, of which the first number is read."""
    kind, *numbers = map(_number, sub)
    if kind == 2 and len(numbers) > 3:
        numbers = numbers[1:]
    return _colour(kind, numbers)


def _colour(kind: int, numbers: Sequence[int]) -> Colour:
    """The colour, or None when kind and numbers are none."""
    if any(number > 255 for number in numbers):
        return None
    if kind == 5 and numbers:
        return numbers[0]
    if kind == 2 and len(numbers) >= 3:
        return numbers[0], numbers[1], numbers[2]
    return None


def _number(text: str) -> int:
    """The value of a parameter, 0 for one left out; sub-parameters where none belong are a value that none can have."""
    if ":" in text:
        return _MALFORMED
    return int(text or 0)
