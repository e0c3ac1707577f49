"""Runs an operation once, however often it is asked for."""

from collections.abc import Awaitable, Callable
from typing import Generic, TypeVar

import trio

from collie.daemon.drive.outcomes import Entry, Outcomes
from collie.protocol.errors import Code, WireError

T = TypeVar("T")


class Operations(Generic[T]):
    """Whoever repeats an op_id gets the first call's result, or waits for it. `now` counts monotonic seconds."""

    def __init__(self, *, now: Callable[[], float]) -> None:
        self._now = now
        self._outcomes: Outcomes[T | WireError] = Outcomes()
        self._running: dict[Entry[T | WireError], trio.Event] = {}

    async def once(
        self, device: str, op_id: str, request: bytes, run: Callable[[], Awaitable[T]]
    ) -> tuple[T | WireError, bool]:
        """The outcome, an error too, and whether it is a replay. Call it where nobody's leaving cancels it.

        Raises: WireError when the op_id cannot be used; whatever `run` raises but WireError.
        """
        entry, is_new = self._outcomes.begin(device, op_id, request, self._now())
        if is_new:
            await self._run(entry, run)
        elif (running := self._running.get(entry)) is not None:
            await running.wait()
        if entry.outcome is None:
            raise WireError(Code.INTERNAL, "operation outcome unknown")
        return entry.outcome, not is_new

    async def _run(self, entry: Entry[T | WireError], run: Callable[[], Awaitable[T]]) -> None:
        done = self._running[entry] = trio.Event()
        try:
            self._outcomes.finish(entry, await run())
        except WireError as error:
            self._outcomes.finish(entry, error)
        finally:
            self._outcomes.finish(entry, WireError(Code.INTERNAL, "operation outcome unknown"))
            del self._running[entry]
            done.set()
