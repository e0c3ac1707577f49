"""What the operator typed, out of what the operator's terminal sends. No I/O.

A terminal also answers questions and reports focus and mouse through the same line. None of that is typed, and none of
it may reach a pane: a program could have a terminal say what nobody typed.
"""

import codecs
import re
from dataclasses import dataclass
from typing import Final

LEAVE: Final = "\x1c"
"""ctrl+backslash."""

FLUSH_AFTER: Final = 0.05
"""Seconds after which an unfinished sequence is taken as typed: a person pressed escape, or alt and a bracket."""

HELD: Final = 4096
"""Characters of an unfinished sequence that are held back, at most."""

_REPORT: Final = re.compile(
    r"\x1b\[[<=>?][0-9;:]*[ -/]*[@-~]"  # device attributes, modes, keyboard flags, mouse
    r"|\x1b\[M...|\x1b\[[IO]|\x1b\[[03]n"  # old mouse, focus, status
    r"|\x1b\[(?!1;)[0-9]+;[0-9]+R"  # cursor position; row 1 is also a modified F3
    r"|\x1b\[[0-9]+(?:;[0-9]+)+t"  # sizes
    r"|\x1b[\]P^_X].*?(?:\x07|\x1b\\|\x9c)",  # colours, versions, capabilities
    re.DOTALL,
)
_UNFINISHED: Final = re.compile(r"\x1b(?:\[[0-?]*[ -/]*|\[M.{0,2}|[\]P^_X][^\x07\x1b\x9c]*\x1b?)?\Z", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """Some of what was typed; `leave`: and then the operator wanted to go."""

    text: str
    leave: bool = False


class Keyboard:
    """The line from the operator's terminal."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("ignore")
        self._held = ""

    @property
    def is_waiting(self) -> bool:
        """Whether a sequence has begun and not ended; `flush` it when nothing follows."""
        return bool(self._held)

    def receive(self, data: bytes) -> Typed:
        """Take in bytes from the terminal; what they, with those held back before, say was typed."""
        text = _REPORT.sub("", self._held + self._decoder.decode(data))
        unfinished = _UNFINISHED.search(text)
        cut = len(text) if unfinished is None or len(text) - unfinished.start() > HELD else unfinished.start()
        self._held = text[cut:]
        return _typed(text[:cut])

    def flush(self) -> Typed:
        """Take what is held back as typed."""
        held, self._held = self._held, ""
        return _typed(held)


def _typed(text: str) -> Typed:
    before, mark, _ = text.partition(LEAVE)
    return Typed(text=before, leave=bool(mark))
