"""Work that is finished even when whoever asked for it has gone: whatever writes to a pane, and its audit line."""

from collections.abc import Awaitable, Callable
from typing import Final

import trio

ERRANDS: Final = 64
"""How many may run or wait at once."""


class Errands:
    """Takes work while `run` runs."""

    def __init__(self) -> None:
        self._send, self._receive = trio.open_memory_channel[Callable[[], Awaitable[None]]](ERRANDS)
        self._running = 0
        self._idle = trio.Event()
        self._idle.set()

    def start(self, errand: Callable[[], Awaitable[None]]) -> bool:
        """Have it done, whatever becomes of the caller; False when too much is being done already.

        An errand handles its own errors.
        """
        if self._running >= ERRANDS:
            return False
        if not self._running:
            self._idle = trio.Event()
        self._running += 1
        self._send.send_nowait(errand)
        return True

    async def wait_idle(self) -> None:
        """Until none is left."""
        await self._idle.wait()

    async def run(self) -> None:
        """Do the errands, side by side, until cancelled."""
        async with trio.open_nursery() as nursery:
            async for errand in self._receive:
                nursery.start_soon(self._do, errand)

    async def _do(self, errand: Callable[[], Awaitable[None]]) -> None:
        try:
            await errand()
        finally:
            self._running -= 1
            if not self._running:
                self._idle.set()
