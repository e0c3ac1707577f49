"""Bytes from the terminal -> key events. No I/O: `Decoder` is fed what was read.

Sequences are those of xterm (ctlseqs, "PC-Style Function Keys" and "Bracketed Paste Mode").
"""

import re
from dataclasses import dataclass

MAX_PASTE_BYTES = 64 * 1024
"""A longer paste is cut here: more fits on no screen, and a paste that never ends must not fill the memory."""

_PASTE_START = b"\x1b[200~"
_PASTE_END = b"\x1b[201~"
_SEQUENCE = re.compile(rb"\x1b(?:\[[0-?]*[ -/]*[@-~]|O[ -~]|[^\x1b\[O])", re.DOTALL)
_LONGEST_SEQUENCE = 64

_NAMED = {
    b"\r": "enter",
    b"\n": "newline",
    b"\x1b\r": "newline",
    b"\t": "tab",
    b"\x1b[Z": "shift+tab",
    b"\x7f": "backspace",
    b"\x08": "backspace",
    b"\x1b[A": "up",
    b"\x1bOA": "up",
    b"\x1b[B": "down",
    b"\x1bOB": "down",
    b"\x1b[C": "right",
    b"\x1bOC": "right",
    b"\x1b[D": "left",
    b"\x1bOD": "left",
    b"\x1b[H": "home",
    b"\x1bOH": "home",
    b"\x1b[1~": "home",
    b"\x1b[F": "end",
    b"\x1bOF": "end",
    b"\x1b[4~": "end",
    b"\x1b[3~": "delete",
    b"\x01": "home",
    b"\x05": "end",
    b"\x02": "left",
    b"\x06": "right",
    b"\x03": "ctrl+c",
    b"\x0b": "ctrl+k",
    b"\x15": "ctrl+u",
    b"\x17": "ctrl+w",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A key that is not text, by name."""

    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """One typed character."""

    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Pasted:
    """Text that came between the marks of a bracketed paste, with `\\n` line ends."""

    text: str


KeyEvent = Key | Typed | Pasted


class Decoder:
    """Turns a stream of bytes, cut anywhere, into key events. Sequences that mean nothing here are dropped."""

    def __init__(self) -> None:
        self._buffer = b""

    @property
    def waiting(self) -> bool:
        """A sequence has begun and is not complete: perhaps it is a lone Escape, which only time can tell."""
        return bool(self._buffer) and not self._buffer.startswith(_PASTE_START)

    def receive(self, data: bytes) -> tuple[KeyEvent, ...]:
        """The events that are complete with `data`."""
        self._buffer += data
        events: list[KeyEvent] = []
        while self._buffer:
            size, event = self._next()
            if size == 0:
                break
            self._buffer = self._buffer[size:]
            if event is not None:
                events.append(event)
        return tuple(events)

    def flush(self) -> tuple[KeyEvent, ...]:
        """Nothing more came for a while: an incomplete sequence is an Escape, and text after it is dropped."""
        if not self.waiting:
            return ()
        escape = self._buffer.startswith(b"\x1b")
        self._buffer = b""
        return (Key(name="escape"),) if escape else ()

    def _next(self) -> tuple[int, KeyEvent | None]:
        """How many bytes the first event takes, and the event; 0 when more bytes are needed."""
        buffer = self._buffer
        if buffer.startswith(_PASTE_START):
            return _paste(buffer)
        if buffer.startswith(b"\x1b\x1b"):
            return 1, Key(name="escape")
        if buffer.startswith(b"\x1b"):
            return _escape_sequence(buffer)
        if buffer[0] < 0x20 or buffer[0] == 0x7F:
            return 1, _named(buffer[:1])
        return _character(buffer)


def _paste(buffer: bytes) -> tuple[int, KeyEvent | None]:
    end = buffer.find(_PASTE_END, len(_PASTE_START))
    if end < 0 and len(buffer) < MAX_PASTE_BYTES:
        return 0, None
    size = len(buffer) if end < 0 else end + len(_PASTE_END)
    body = buffer[len(_PASTE_START) : end if end >= 0 else size]
    text = body.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n")
    return size, Pasted(text=text)


def _escape_sequence(buffer: bytes) -> tuple[int, KeyEvent | None]:
    match = _SEQUENCE.match(buffer)
    if match is not None:
        return match.end(), _named(match.group())
    if len(buffer) > _LONGEST_SEQUENCE:
        return len(buffer), None
    return 0, None


def _named(sequence: bytes) -> KeyEvent | None:
    name = _NAMED.get(sequence)
    return None if name is None else Key(name=name)


def _character(buffer: bytes) -> tuple[int, KeyEvent | None]:
    size = 1 if buffer[0] < 0xC0 else 2 if buffer[0] < 0xE0 else 3 if buffer[0] < 0xF0 else 4
    if len(buffer) < size:
        return 0, None
    try:
        return size, Typed(text=buffer[:size].decode())
    except UnicodeDecodeError:
        return 1, None
