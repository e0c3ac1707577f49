"""Bytes from a program, cut into text, controls and escape sequences. One regular expression does all the cutting.

What is not complete at the end of the bytes waits for the next ones, so that they may be cut anywhere. Nothing that
waits grows past a limit. Follows the state machine of vt100.net/emu/dec_ansi_parser, but that a control in the middle
of an escape (not of a CSI) sequence aborts it, and that bytes 80 to 9f are not controls: the input is UTF-8.
"""

import codecs
import re

MAX_BODY = 512
"""Characters between `CSI` and its final byte; a longer sequence is ignored."""
MAX_STRING = 8192
"""Characters of an OSC payload; a longer one is ignored. Titles, paths and colours are all that is read of them."""
_TOKEN = re.compile(
    r"([^\x00-\x1f\x7f-\x9f]{1,256}+)"
    r"|(\r\n|[\x00-\x1a\x1c-\x1f])"
    r"|\x1b\[([\x00-\x17\x19\x1c-?\x7f]*+)([@-~])"
    r"|\x1b\]([^\x07\x18\x1a\x1b]*+)(\x07|\x1b\\)"
    r"|\x1b([ -/]*+[0-OQ-WYZ\\`-~])"
    r"|\x1b[PX^_][^\x18\x1a\x1b]*+(?:\x1b\\|[\x18\x1a]|(?=\x1b[^\\]))"  # DCS, SOS, PM, APC: nothing of them is read
    r"|\x1b\][^\x07\x18\x1a\x1b]*+(?:[\x18\x1a]|(?=\x1b[^\\]))"  # an OSC that was aborted
    r"|\x1b\[[\x00-\x17\x19\x1c-?\x7f]*+(?!\Z)"  # a CSI that was aborted
    r"|\x1b(?![\[\]PX^_])[ -/]*+(?!\Z)"  # an escape sequence that was aborted
    r"|(\x1b.*)"
    r"|[\x7f-\x9f]",
    re.DOTALL,
)

Token = tuple[str, str, str, str, str, str, str, str]
"""(text, C0 control or CR LF, CSI body, CSI final, OSC payload, OSC terminator, escape, unused).

Text, control, final, terminator and escape: at most one is not empty, and says what the token is. A long text is cut
into several, so that no token is much work.
"""


class Parser:
    """Cuts a stream of bytes. Invalid UTF-8 becomes U+FFFD."""

    def __init__(self) -> None:
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._waiting = ""

    def feed(self, data: bytes) -> list[Token]:
        """The tokens that are complete with `data`."""
        tokens: list[Token] = _TOKEN.findall(self._waiting + self._decoder.decode(data))
        self._waiting = _shorten(tokens.pop()[-1]) if tokens and tokens[-1][-1] else ""
        return tokens


def _shorten(waiting: str) -> str:
    """An incomplete sequence, or a shorter one that is ignored just as it will be."""
    if waiting[1:2] in {"P", "X", "^", "_"}:
        return waiting[:2] + "\x1b" * waiting.endswith("\x1b", 2)
    if waiting[1:2] == "]" and len(waiting) > MAX_STRING + 3:
        return waiting[: MAX_STRING + 3] + "\x1b" * waiting.endswith("\x1b")
    if waiting[1:2] == "]":
        return waiting
    return waiting[: MAX_BODY + 3]
