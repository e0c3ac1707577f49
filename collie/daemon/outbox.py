"""What waits to be sent to one client: replies in order, events up to a bound.

A client that takes nothing loses events, never replies: when too many wait they are dropped for one `flock.changed`,
which makes it ask for a new snapshot (specs: phone-protocol section 1.3). Of a watched terminal's text only the newest
is kept.
"""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import trio

from collie.protocol import frames, limits
from collie.protocol.errors import Code, WireError
from collie.protocol.events import AgentOutput, AnyEvent, FlockChanged

REPLIES_KEPT: Final = 64
"""Replies that may wait before no further request is read."""


@dataclass(frozen=True, slots=True)
class Reply:
    """The answer to request `id`. `encode` gets the number of events that were sent before it on this connection,
    which a snapshot has to carry."""

    id: int | None
    encode: Callable[[int], bytes]


class Outbox:
    """One task sends what it holds; anybody adds."""

    def __init__(self) -> None:
        self._waiting: deque[Reply | AnyEvent] = deque()
        self._replies = 0
        self._events = 0
        self._sent_events = 0
        self._finished = False
        self._changed = trio.Event()

    def put_reply(self, reply: Reply) -> None:
        """Add a reply."""
        if self._finished:
            return
        self._replies += 1
        self._waiting.append(reply)
        self._wake()

    def put_event(self, event: AnyEvent) -> None:
        """Add an event, or what stands for those that are dropped."""
        if self._finished:
            return
        if isinstance(event, AgentOutput):
            self._forget(lambda item: isinstance(item, AgentOutput))
        elif self._events >= limits.EVENT_QUEUE:
            self._forget(lambda item: not isinstance(item, Reply))
            event = FlockChanged()
        self._events += 1
        self._waiting.append(event)
        self._wake()

    def finish(self) -> None:
        """Nothing more will be added; `take` ends after what waits."""
        self._finished = True
        self._wake()

    async def take(self) -> bytes | None:
        """The next frame to send, or None when all has been sent and `finish` was called."""
        while not self._waiting:
            if self._finished:
                return None
            await self._changed.wait()
        item = self._waiting.popleft()
        data = self._encoded(item)
        self._wake()
        return data

    async def wait_for_room(self) -> None:
        """Until few enough replies wait that another request may be read."""
        while self._replies >= REPLIES_KEPT:
            await self._changed.wait()

    def _encoded(self, item: Reply | AnyEvent) -> bytes:
        if not isinstance(item, Reply):
            self._events -= 1
            self._sent_events += 1
            return frames.encode_event(self._sent_events, item)
        self._replies -= 1
        data = item.encode(self._sent_events)
        if len(data) <= limits.SERVER_FRAME_BYTES:
            return data
        return frames.encode_error(item.id, WireError(Code.TOO_LARGE, "the answer is larger than a frame may be"))

    def _forget(self, unwanted: Callable[[Reply | AnyEvent], bool]) -> None:
        kept = [item for item in self._waiting if not unwanted(item)]
        self._events -= len(self._waiting) - len(kept)
        self._waiting = deque(kept)

    def _wake(self) -> None:
        changed, self._changed = self._changed, trio.Event()
        changed.set()
