"""What people and programs say of panes, as it may stand in a reply. No I/O.

Names, titles, folders, tokens come from whoever runs in a pane, or calls. One that is a million characters long, or no
Unicode, would make each list that it stands in unreadable, for everybody and for good. So what is kept as a name is
cut and cleaned, and a record has a fixed room for all that was said of its pane.
"""

from typing import Final, TypeVar

import msgspec

LABEL_CHARACTERS: Final = 64
"""What is kept of a name that somebody gives to a workspace, a tab, a pane."""

MESSAGE_CHARACTERS: Final = 300
"""What a refusal says at most; it may quote what was asked for."""

PATH_BYTES: Final = 1024
"""The longest folder that is told (macOS has no longer ones); a part of a path would be a lie."""

RECORD_BYTES: Final = 1536
"""The room of one record, in JSON: for a folder, a session, titles and a handful of tokens. With the panes that a host
has at most, all records together stay below what one line of the API holds."""

_CUT: Final = "…"
_REPLACEMENT: Final = "\ufffd"

T = TypeVar("T")


def label(text: str | None) -> str | None:
    """A name on one line, without characters that a terminal would obey or not show; None when nothing is left."""
    if text is None:
        return None
    return _cut("".join(map(_shown, text[: 8 * LABEL_CHARACTERS].strip())).strip(), LABEL_CHARACTERS) or None


def message(text: str) -> str:
    """What a refusal says."""
    return _cut(text, MESSAGE_CHARACTERS)


def path(found: str | None) -> str | None:
    """A path as the system gave it, made Unicode; None when it is too long."""
    if found is None:
        return None
    text = in_unicode(found)
    return text if len(text.encode()) <= PATH_BYTES else None


def in_unicode(text: str) -> str:
    """What the system gave as a text, with U+FFFD for bytes that are none (PEP 383 has them as lone surrogates)."""
    return text.encode("utf-8", "surrogateescape").decode(errors="replace")


class Room:
    """What is left of a record's room. Who comes first is served first, and whole or not at all."""

    def __init__(self, size: int = RECORD_BYTES) -> None:
        self._left = size

    def take(self, value: T | None) -> T | None:
        """The value, or None when there is no room for it."""
        if not value:
            return None
        size = len(msgspec.json.encode(value))
        if size > self._left:
            return None
        self._left -= size
        return value


def _shown(character: str) -> str:
    if character.isprintable():
        return character
    return " " if character.isspace() else _REPLACEMENT


def _cut(text: str, most: int) -> str:
    return text if len(text) <= most else text[: most - 1] + _CUT
