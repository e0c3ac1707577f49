"""Makes text safe and honest to look at: what would not be seen, or would change how the rest is read, is spelt out.

A pane's text is untrusted. `plain` is for one line of a title or a name, `reveal` for what a person must judge.
"""

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import Final

from collie.tui.lines import Line, Piece, Tone, piece

_HIDDEN: Final = frozenset({"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"})
_BLANK_LETTERS: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0")
"""Letters and marks that are drawn as nothing."""

_WIDE_BLANK: Final = "\u3000"
"""The blank of Chinese and Japanese text: no shell takes it for a separator, so it may stay."""

_JOINER: Final = "\u200d"
_JOINERS: Final = frozenset("\u200d\ufe0f\ufe0e")
"""They belong to an emoji when they follow one, and hide something when they do not."""

_NAMES: Final = {"\x1b": "ESC", "\r": "CR", "\n": "LF", "\x08": "BS", "\x07": "BEL", "\x7f": "DEL", "\x00": "NUL"}
_FOREIGN: Final = ("CYRILLIC", "GREEK", "ARMENIAN", "CHEROKEE", "LISU", "COPTIC", "LATIN")
_SIGNS: Final = frozenset("\u2010\u2011\u2012\u2013\u2014\u2212\u2215\u2044\u2216\u2018\u2019\u201c\u201d\u2223\u2236")
"""Dashes, slashes, quotes, bars and colons that are not those of the keyboard."""

TAB: Final = "    "
LINES_KEPT: Final = 4_096
"""Names and titles are looked at again with each picture."""


def is_hidden(character: str, before: str = "", after: str = "") -> bool:
    """Whether `character` is not seen, or changes how others are read; `before` and `after` are its neighbours."""
    if " " <= character <= "~":
        return False
    if character in _JOINERS and _is_emoji(before) and (character != _JOINER or _is_emoji(after)):
        return False
    category = unicodedata.category(character)
    if category in _HIDDEN or character in _BLANK_LETTERS:
        return True
    if category == "Zs":
        return character != _WIDE_BLANK
    return "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef"


def is_lookalike(character: str) -> bool:
    """Whether `character` could be taken for an ASCII one."""
    if character <= "~":
        return False
    if character in _SIGNS or unicodedata.normalize("NFKC", character).isascii():
        return True
    accented_ascii = unicodedata.normalize("NFD", character)[0] <= "~"
    return not accented_ascii and unicodedata.name(character, "").startswith(_FOREIGN)


def spelt(character: str) -> str:
    """The name that is shown in place of a character that is not seen."""
    return f"‹{_NAMES.get(character) or f'U+{ord(character):04X}'}›"


def reveal(text: str, tone: Tone = Tone.PLAIN, *, lookalikes: bool = False) -> Line:
    """One line with every hidden character spelt out in the tone of an alert; nothing is dropped.

    With `lookalikes`, characters that could be taken for ASCII ones are followed by their number.
    """
    if text.isascii() and text.isprintable():
        return (piece(text, tone),)
    return tuple(_merged(_pieces(text, tone, lookalikes)))


@lru_cache(maxsize=LINES_KEPT)
def plain(text: str | None) -> str:
    """One line of `text` for a title or a name: hidden characters taken out, blanks collapsed."""
    if not text:
        return ""
    spaced = "".join(" " if character.isspace() else character for character in text)
    kept = (character for character, hidden in _judged(spaced) if not hidden)
    return " ".join("".join(kept).split())


def printable(text: str) -> str:
    """`text` without what could steer a terminal or reorder its text: the last guard before it is drawn."""
    return text if text.isprintable() else "".join(_guarded(character) for character in text)


def _guarded(character: str) -> str:
    match unicodedata.category(character):
        case "Cc" | "Cs" | "Zl" | "Zp":
            return "\ufffd"
        case "Cf" if character not in _JOINERS:
            return ""
    return character


def _is_emoji(character: str) -> bool:
    return bool(character) and (
        unicodedata.category(character) in ("So", "Sk") or character in _JOINERS or character in "0123456789#*"
    )


def _judged(text: str) -> Iterator[tuple[str, bool]]:
    """Each character, and whether it is hidden where it stands."""
    for at, character in enumerate(text):
        yield character, is_hidden(character, text[max(0, at - 1) : at], text[at + 1 : at + 2])


def _pieces(text: str, tone: Tone, lookalikes: bool) -> Iterator[Piece]:
    for character, hidden in _judged(text):
        if character == "\t":
            yield piece(TAB, tone)
        elif hidden:
            yield piece(spelt(character), Tone.ALERT)
        elif lookalikes and is_lookalike(character):
            yield piece(character + spelt(character), Tone.ALERT)
        else:
            yield piece(character, tone)


def _merged(pieces: Iterator[Piece]) -> Iterator[Piece]:
    held: list[str] = []
    tone = Tone.PLAIN
    for each in pieces:
        if held and each.tone is not tone:
            yield piece("".join(held), tone)
            held = []
        held.append(each.text)
        tone = each.tone
    if held:
        yield piece("".join(held), tone)
