"""The agent's input box: what a draft in it means for a prompt, and how it is cleared (specs: daemon-behaviour 13)."""

import re
from collections.abc import Iterator

from collie.agents.facts import Facts
from collie.protocol.errors import Code, WireError
from collie.protocol.limits import KEYS_PER_CALL
from collie.protocol.models import Key

NOT_READ = "the agent's input box could not be read; nothing was sent"
NOT_TEXT = "the agent's input box holds a paste, an image or another mode; nothing was sent"
NOT_CLEARED = "could not clear the agent's input box; nothing was sent"
UNSENT = "the agent's input box has unsent text"

PART_CHARS = 16
"""A part of a prompt that is at least so long is its rest in a box that scrolls, and not what somebody types anew."""

_CLEARS_A_ROW = (Key.CTRL_E, Key.CTRL_U, Key.BACKSPACE)
_SPACE = re.compile(r"\s+")


def refusal(facts: Facts, expected_draft: str | None) -> WireError | None:
    """Why nothing may be written into this box; None when it is empty, or holds just what the sender said."""
    if facts.opaque:
        return WireError(Code.DRAFT_NOT_CLEARED, NOT_TEXT)
    if facts.draft is None:
        return WireError(Code.DRAFT_NOT_CLEARED, NOT_READ)
    if not facts.draft or (expected_draft is not None and normal(facts.draft) == normal(expected_draft)):
        return None
    return WireError(Code.DRAFT_CHANGED, UNSENT, draft=facts.draft)


def clearing(rows: int) -> Iterator[tuple[Key, ...]]:
    """The keys that empty a box of so many rows: to its last row, then row by row up; each batch fits a call."""
    keys = (Key.DOWN,) * (rows - 1) + _CLEARS_A_ROW * rows
    for start in range(0, len(keys), KEYS_PER_CALL):
        yield keys[start : start + KEYS_PER_CALL]


def normal(text: str) -> str:
    """A draft as it compares: no white space at the ends of its lines, nor at its end."""
    return "\n".join(line.rstrip() for line in text.split("\n")).rstrip()


def still_holds(facts: Facts, prompt: str) -> bool:
    """Whether the box shows the prompt unsent: as text, a part of it, or the placeholder of a long paste."""
    if facts.opaque:
        return True
    if not facts.draft:
        return False
    shown, sent = _squeezed(facts.draft), _squeezed(prompt)
    return shown == sent or (len(shown) >= PART_CHARS and shown in sent)


def _squeezed(text: str) -> str:
    return _SPACE.sub("", text)
