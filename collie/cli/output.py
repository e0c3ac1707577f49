"""What a command prints: text for people, or one JSON document and nothing else."""

import sys
import time
from collections.abc import Sequence
from typing import Any

import msgspec

from collie.protocol.ids import FORMAT_CHARACTERS


def print_json(document: Any) -> None:
    """One JSON document on a line of its own."""
    sys.stdout.write(msgspec.json.encode(document, enc_hook=str).decode() + "\n")


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Columns as wide as their widest cell; the last one is not padded."""
    cells = [tuple(headings), *(tuple(printable(cell) for cell in row) for row in rows)]
    widths = [max(len(row[column]) for row in cells) for column in range(len(headings))]
    for row in cells:
        padded = [cell.ljust(width) for cell, width in zip(row[:-1], widths, strict=False)]
        print("  ".join([*padded, row[-1]]).rstrip())


def printable(text: str) -> str:
    """`text` with what a terminal would obey or hide written out, as `\\u{1b}`."""
    if text.isprintable() and not FORMAT_CHARACTERS.search(text):
        return text
    return "".join(_shown(character) for character in text)


def _shown(character: str) -> str:
    if character.isprintable() and not FORMAT_CHARACTERS.match(character):
        return character
    return f"\\u{{{ord(character):x}}}"


def age(since_ms: int) -> str:
    """How long ago a time in milliseconds was, in one short word: `12s`, `3m`, `5h`, `2d`."""
    seconds = max(0, int(time.time() - since_ms / 1000))
    for size, unit in ((86_400, "d"), (3_600, "h"), (60, "m")):
        if seconds >= size:
            return f"{seconds // size}{unit}"
    return f"{seconds}s"
