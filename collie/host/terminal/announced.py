"""What a program says of itself in OSC sequences: its title, its progress, its directory, the colours it wants."""

import re
from urllib.parse import unquote, urlsplit

MAX_TITLE = 256
"""Characters kept of a title or a progress payload, as herdr does (specs: herdr-api 10.2)."""
MAX_PATH = 4096

_CONTROLS = re.compile(r"[\x00-\x1f\x7f-\x9f]")
_HEX_COLOUR = re.compile(r"#([0-9a-f]{3}|[0-9a-f]{6}|[0-9a-f]{9}|[0-9a-f]{12})", re.IGNORECASE)
_RGB_COLOUR = re.compile(r"rgb:([0-9a-f]{1,4})/([0-9a-f]{1,4})/([0-9a-f]{1,4})", re.IGNORECASE)
_COLOURS = ("10", "11", "12")


class Announced:
    """The last thing said of each kind."""

    def __init__(self) -> None:
        self.title = ""
        self.progress = ""
        self.cwd: str | None = None
        self._colours: dict[str, str] = {}

    def receive(self, payload: str, terminator: str) -> str:
        """Take in an OSC sequence.

        Returns:
            The answer to the program, "" when none is due. No colour is known before the program itself set it.
        """
        code, _, value = payload.partition(";")
        match code:
            case "0" | "2":
                self.title = _CONTROLS.sub("", value)[:MAX_TITLE]
            case "9":
                self.progress = _CONTROLS.sub("", value)[:MAX_TITLE]
            case "7":
                self.cwd = _path(value) or self.cwd
            case "10" | "11" | "12":
                return "".join(self._colour(*pair, terminator) for pair in _numbered(code, value))
            case "110" | "111" | "112":
                self._colours.pop(code[1:], None)
        return ""

    def forget_colours(self) -> None:
        """Back to knowing no colour."""
        self._colours.clear()

    def _colour(self, code: str, value: str, terminator: str) -> str:
        """Set a colour, or answer what it is. The answer ends as the question did."""
        if value == "?":
            known = self._colours.get(code)
            return f"\x1b]{code};{known}{terminator}" if known else ""
        colour = _colour(value)
        if colour:
            self._colours[code] = colour
        return ""


def _numbered(code: str, value: str) -> list[tuple[str, str]]:
    """OSC 10 with several values sets 10, 11 and 12 in turn (xterm, Dynamic Colors)."""
    first = _COLOURS.index(code)
    return list(zip(_COLOURS[first:], value.split(";"), strict=False))


def _colour(text: str) -> str | None:
    """An X colour specification as `rgb:rrrr/gggg/bbbb`, None when it is none (names are not known)."""
    if found := _RGB_COLOUR.fullmatch(text):
        return "rgb:" + "/".join(_scaled(part) for part in found.groups())
    if found := _HEX_COLOUR.fullmatch(text):
        size = len(found[1]) // 3
        return "rgb:" + "/".join(_scaled(found[1][start : start + size]) for start in range(0, 3 * size, size))
    return None


def _scaled(part: str) -> str:
    """One to four hexadecimal digits as four: the same share of the largest value."""
    return f"{int(part, 16) * 0xFFFF // (16 ** len(part) - 1):04x}"


def _path(url: str) -> str | None:
    """The absolute path of a `file:` URL, None when it is none."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return None
    path = unquote(parts.path)
    if parts.scheme not in {"file", "kitty-shell-cwd"} or not path.startswith("/") or len(path) > MAX_PATH:
        return None
    return None if _CONTROLS.search(path) else path
