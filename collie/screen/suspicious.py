"""Characters that make a text look like another one: which kinds a text holds, and how to show them.

For a command that somebody is asked to approve: what is found is said beside it, and nothing is taken out.

- invisible: characters that are drawn as nothing, and U+FFFD: an agent puts it where it shows none, and the embedded
  host's terminal where a cell has no room for more
- bidi: marks that turn the direction of the text around them
- lookalike: letters of another script within a word, and signs that pass for a space, a hyphen or a shell's own sign
- escape: control characters, which a terminal would obey
"""

import re
import unicodedata
from collections.abc import Iterator

INVISIBLE = "invisible"
BIDI = "bidi"
LOOKALIKE = "lookalike"
ESCAPE = "escape"
FLAGS = (INVISIBLE, BIDI, LOOKALIKE, ESCAPE)

_PLAIN = re.compile(r"[\t\n\r -~]*")
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]")
_BIDI = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
_UNSEEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0\ufffd\ufe00-\ufe0f\U000e0100-\U000e01ef]")
"""Drawn as nothing, though their category is not Cf: fillers, joiners, variation selectors, a blank Braille cell."""

_SIGNS = re.compile(
    "[\u037e\u2010-\u2015\u2044\u2212\u2215\u2216\u2223\ufe63\uff01-\uff0f\uff1a-\uff20\uff3b-\uff40\uff5b-\uff5e]"
)
"""Signs that pass for `;`, `-`, `/`, `\\\\`, `|` or any other of ASCII."""

_WORD = re.compile(r"[^\W\d_]{2,}")
_SCRIPTS = re.compile("LATIN|CYRILLIC|GREEK|COPTIC|ARMENIAN|CHEROKEE|FULLWIDTH LATIN|MATHEMATICAL")
_ALWAYS_LOOKALIKE = ("FULLWIDTH LATIN", "MATHEMATICAL")
_EMOJI_JOINER = "\u200d"
_EMOJI_SELECTOR = "\ufe0f"
_KEYCAP = "\u20e3"


def flags(text: str) -> tuple[str, ...]:
    """The kinds of such characters that `text` holds, in the order of FLAGS."""
    if _PLAIN.fullmatch(text):
        return ()
    found = {flag for _, flag in _marks(text)}
    return tuple(flag for flag in FLAGS if flag in found)


def reveal(text: str) -> str:
    """`text` with each such character written as its code point, `\\\\u{200b}`; all else stays."""
    if _PLAIN.fullmatch(text):
        return text
    marked = {index for index, _ in _marks(text)}
    return "".join(
        f"\\u{{{ord(character):x}}}" if index in marked else character for index, character in enumerate(text)
    )


def _marks(text: str) -> Iterator[tuple[int, str]]:
    for index, character in enumerate(text):
        flag = _flag(text, index, character)
        if flag:
            yield index, flag
    for word in _WORD.finditer(text):
        yield from ((word.start() + offset, LOOKALIKE) for offset in _foreign_letters(word.group()))


def _flag(text: str, index: int, character: str) -> str | None:
    """The kind of one character, None for a harmless one; letters are judged by their word."""
    if " " <= character <= "~" or character in "\t\n\r":
        return None
    if _CONTROL.match(character):
        return ESCAPE
    if _BIDI.match(character):
        return BIDI
    category = unicodedata.category(character)
    if category in ("Cf", "Zl", "Zp", "Co", "Cn") or _UNSEEN.match(character):
        return None if _is_emoji_part(text, index, character) else INVISIBLE
    if category == "Zs" or _SIGNS.match(character):
        return LOOKALIKE
    return None


def _is_emoji_part(text: str, index: int, character: str) -> bool:
    """A joiner between two pictures, or the selector that asks for a picture."""
    before, after = text[index - 1 : index], text[index + 1 : index + 2]
    if character == _EMOJI_JOINER:
        return bool(before and after) and _is_picture(after) and (_is_picture(before) or before == _EMOJI_SELECTOR)
    return character == _EMOJI_SELECTOR and bool(before) and (_is_picture(before) or after == _KEYCAP)


def _is_picture(character: str) -> bool:
    return unicodedata.category(character) in ("So", "Sk")


def _foreign_letters(word: str) -> Iterator[int]:
    """Offsets of the letters that are not of the word's own script, where two scripts share look-alike letters."""
    scripts = [_script(letter) for letter in word]
    known = {script for script in scripts if script}
    for offset, script in enumerate(scripts):
        if script in _ALWAYS_LOOKALIKE or (script and script != "LATIN" and "LATIN" in known):
            yield offset


def _script(letter: str) -> str:
    if letter.isascii():
        return "LATIN"
    found = _SCRIPTS.match(unicodedata.name(letter, ""))
    return found.group() if found else ""
