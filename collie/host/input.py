"""What is typed into a pane: whole items, in order, none inside another, never more than may be left unread."""

from typing import Final

import trio

from collie.errors import CollieError
from collie.herdr.wire import LINE_LIMIT
from collie.host.pty import CANONICAL_LINE, Pty, PtyClosed

QUEUE_LIMIT: Final = 2 * LINE_LIMIT
"""Bytes that may wait for a program that does not read; a request of any length fits while none waits."""


class InputRefused(CollieError):
    """The bytes were not queued, not even in part."""


class InputQueue:
    """The one way into a terminal.

    `turn` is held by a request that has more than one item to send (a prompt, then Enter): while it is held, other
    requests wait. Answers to the program's own questions need no turn.
    """

    def __init__(self, pty: Pty) -> None:
        self.turn = trio.Lock()
        self._pty = pty
        self._pending = bytearray()
        self._more = trio.Event()

    @property
    def is_busy(self) -> bool:
        """Whether a byte that was sent now would come after others that are not even written."""
        return bool(self._pending)

    def send(self, data: bytes) -> None:
        """Queue an item, and write what the terminal takes at once.

        Raises: InputRefused.
        """
        if self._pty.edits_lines() and max(map(len, data.splitlines()), default=0) >= CANONICAL_LINE:
            raise InputRefused(f"a line of {CANONICAL_LINE} bytes or more does not fit the tty's canonical mode")
        if len(self._pending) + len(data) > QUEUE_LIMIT:
            raise InputRefused("the program in the pane does not read its input")
        self._pending += data
        self._flush()

    def answer(self, data: bytes) -> None:
        """Queue what the terminal answers to the program; dropped when the program asks but does not read."""
        if len(self._pending) + len(data) <= QUEUE_LIMIT:
            self._pending += data
            self._flush()

    async def run(self) -> None:
        """Write what is queued, as the terminal takes it, until the terminal is closed.

        Raises: PtyClosed.
        """
        while True:
            await self._more.wait()
            await self._pty.wait_writable()
            self._flush()

    def _flush(self) -> None:
        try:
            while self._pending and (written := self._pty.write(self._pending)):
                del self._pending[:written]
        except PtyClosed:
            self._pending.clear()
        if self._pending and not self._more.is_set():
            self._more.set()
        elif not self._pending and self._more.is_set():
            self._more = trio.Event()
