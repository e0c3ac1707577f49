"""Text of a screen as one clean line for people: no controls, no format characters, no frames."""

import re
import unicodedata

from collie.protocol.ids import FORMAT_CHARACTERS
from collie.protocol.limits import SNIPPET_CHARS

SNIPPET_ROWS = 12
"""The snippet comes from the last rows of the body: there the question is."""

_BORDER = re.compile(r"[\u2500-\u257f ]+\Z")
_FRAME = "│┃ "


def clean(text: str) -> str:
    """`text` on one line, without what is not seen."""
    kept = "".join(
        " " if character.isspace() else character
        for character in FORMAT_CHARACTERS.sub("", text)
        if character.isspace() or unicodedata.category(character) not in ("Cc", "Cs")
    )
    return " ".join(kept.split()).strip(_FRAME)


def cut(text: str, limit: int) -> str:
    """`text`, cleaned, in at most `limit` characters; an ellipsis says that there was more."""
    line = clean(text)
    return line if len(line) <= limit else line[: limit - 1] + "…"


def snippet(body: str) -> str:
    """The last whole lines of `body` that fit (specs: daemon-behaviour section 12.3)."""
    lines = [line for row in body.splitlines()[-SNIPPET_ROWS:] if not _BORDER.match(row) and (line := clean(row))]
    kept: list[str] = []
    for line in reversed(lines):
        if len("\n".join([line, *kept])) > SNIPPET_CHARS:
            break
        kept.insert(0, line)
    if lines and not kept:
        return "…" + lines[-1][1 - SNIPPET_CHARS :]
    return "\n".join(kept)
