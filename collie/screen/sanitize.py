"""Takes out of a pane's text everything but printable text, line ends, tabs and SGR (specs: phone-protocol 7.3).

A string sequence (OSC, DCS, SOS, PM, APC) goes with its payload, up to the end of the text when nothing ends it. A
control or non-ASCII character inside a CSI aborts the CSI and is then taken on its own.
"""

import re
from collections.abc import Iterator

MAX_SGR_PARAMS = 64
"""An SGR with more parameter characters is dropped whole: no terminal program writes one, an attacker might."""

_TOKEN = re.compile(
    r"(?:\x1b\[|\x9b)([ -?]*)([@-~])?"  # CSI: parameters and intermediates, then its final byte unless aborted
    r"|(?:\x1b\]|\x9d).*?(?:\x07|\x1b\\|\x9c|\Z)"  # OSC
    r"|(?:\x1b[PX^_]|[\x90\x98\x9e\x9f]).*?(?:\x1b\\|\x9c|\Z)"  # DCS, SOS, PM, APC
    r"|\x1b[ -/]*[0-~]?"  # any other escape
    r"|[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]",  # C0 but TAB, LF, CR; DEL; C1
    re.DOTALL,
)
_SGR = re.compile(rf"[0-9;:]{{0,{MAX_SGR_PARAMS}}}\Z")


def tokens(text: str) -> Iterator[tuple[str, str | None]]:
    """Pairs of (printable text, the SGR parameters that follow it); the last pair's parameters are None."""
    done, printable = 0, ""
    for found in _TOKEN.finditer(text):
        printable += text[done : found.start()]
        done = found.end()
        params, final = found.group(1), found.group(2)
        if final == "m" and _SGR.match(params):
            yield printable, params
            printable = ""
    yield printable + text[done:], None


def sanitize(text: str) -> str:
    """`text` with printable characters, CR, LF, TAB and SGR sequences (as ESC [ params m), and nothing else."""
    return "".join(part if params is None else f"{part}\x1b[{params}m" for part, params in tokens(text))
