"""Keeps a session with the daemon alive and the picture true.

It dials, greets, takes a snapshot, follows events, and starts over when the session ends. It never repeats a call by
itself: what was asked when a session broke is told to the asker as lost.
"""

import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, suppress
from dataclasses import replace
from typing import Final

import trio

from collie.client.backoff import Backoff
from collie.client.connection import Connection, ConnectionLost, NotRunning
from collie.client.picture import (
    Link,
    Picture,
    with_audit,
    with_event,
    with_flock,
    with_hello,
    with_host,
    with_lost,
)
from collie.errors import CollieError, sole_error
from collie.protocol.errors import Code, WireError
from collie.protocol.events import FlockChanged
from collie.protocol.frames import EventFrame
from collie.protocol.ids import TerminalId
from collie.protocol.methods import (
    AgentWatchParams,
    AuditResult,
    AuditTailParams,
    FlockResult,
    HostResult,
    Nothing,
    Params,
    Result,
)
from collie.protocol.models import ReadSource

RETRY_FIRST: Final = 0.1
RETRY_LONGEST: Final = 2.0
"""Seconds between dials of a socket on this machine: a refused dial costs nothing."""

FINAL: Final = (Code.FROM_PANE, Code.UNSUPPORTED_PROTOCOL)
"""Refusals that no further dial can change: a person has to act first."""

Dial = Callable[[], AbstractAsyncContextManager[Connection]]


class Supervisor:
    """One machine's session. `dial` opens a greeted connection; `when_absent` is called (in a thread) each time nobody
    listens, and may bring a daemon up."""

    def __init__(
        self,
        dial: Dial,
        *,
        when_absent: Callable[[], None] | None = None,
        wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
    ) -> None:
        self._dial = dial
        self._when_absent = when_absent
        self._wall_ms = wall_ms
        self._connection: Connection | None = None
        self._watched: AgentWatchParams | None = None
        self._changed = trio.Event()
        self.picture = Picture()

    async def run(self) -> None:
        """Never returns; cancel it."""
        backoff = Backoff(first=RETRY_FIRST, longest=RETRY_LONGEST)
        while True:
            at_once = await self._one_session(backoff)
            await trio.sleep(0 if at_once else backoff.next_wait())

    async def changes(self) -> AsyncIterator[Picture]:
        """The picture, each time it is another one than the last that was given; in between it may change unseen."""
        given: Picture | None = None
        while True:
            changed = self._changed
            if self.picture is not given:
                given = self.picture
                yield given
            else:
                await changed.wait()

    async def call(self, name: str, params: Params) -> Result:
        """Ask the daemon once. Raises WireError, ConnectionLost (also when there is no session now)."""
        if self._connection is None:
            raise ConnectionLost(f"{name}: not connected to the daemon")
        return await self._connection.call(name, params)

    async def watch(self, terminal_id: str | None) -> None:
        """Follow one terminal's text, or none; also over later sessions. Raises WireError, ConnectionLost."""
        self._watched = (
            AgentWatchParams(terminal_id=TerminalId(terminal_id), source=ReadSource.VISIBLE) if terminal_id else None
        )
        if terminal_id is None or (self.picture.output and self.picture.output.terminal_id != terminal_id):
            self._show(replace(self.picture, output=None))
        await self.call("agent.watch", self._watched or AgentWatchParams())

    async def _one_session(self, backoff: Backoff) -> bool:
        """Dial and follow until the session ends; whether the next dial should follow at once."""
        brought_up = False
        try:
            async with self._dial() as connection:
                self._connection = connection
                backoff.succeeded()
                await self._follow(connection)
        except NotRunning as error:
            if self._when_absent is None or self.picture.link is not Link.CONNECTING:
                self._lost(str(error))
            brought_up = await self._bring_up()
        except WireError as error:
            self._lost(error.message)
            if error.code in FINAL:
                self._connection = None
                await trio.sleep_forever()
        except CollieError as error:
            self._lost(str(error))
        finally:
            self._connection = None
        if self.picture.link is Link.CONNECTED:
            self._lost(self.picture.stopping or "the connection to the daemon ended")
        return brought_up

    async def _bring_up(self) -> bool:
        if self._when_absent is None:
            return False
        try:
            await trio.to_thread.run_sync(self._when_absent, abandon_on_cancel=True)
        except CollieError as error:
            self._lost(str(error))
            return False
        return True

    async def _follow(self, connection: Connection) -> None:
        self._show(with_hello(self.picture, connection.hello))
        stale, refresh = trio.open_memory_channel[None](1)
        with sole_error():
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._keep_fresh, connection, refresh)
                async for frame in connection.events:
                    self._take(frame)
                    if isinstance(frame.event, FlockChanged):
                        _mark(stale)
                nursery.cancel_scope.cancel()

    def _take(self, frame: EventFrame) -> None:
        self._show(with_event(self.picture, frame.seq, frame.event, self._wall_ms()))

    async def _keep_fresh(self, connection: Connection, stale: trio.MemoryReceiveChannel[None]) -> None:
        """The first snapshot, and one more whenever something changed that only a snapshot shows."""
        await self._refresh(connection)
        audit = await connection.call("audit.tail", AuditTailParams(follow=True))
        assert isinstance(audit, AuditResult)
        self._show(with_audit(self.picture, audit))
        if self._watched is not None:
            await _unless_refused(connection, "agent.watch", self._watched)
        async for _ in stale:
            await self._refresh(connection)

    async def _refresh(self, connection: Connection) -> None:
        host = await _unless_refused(connection, "host.status", Nothing())
        if isinstance(host, HostResult):
            self._show(with_host(self.picture, host))
        flock = await _unless_refused(connection, "flock.snapshot", Nothing())
        if isinstance(flock, FlockResult):
            self._show(with_flock(self.picture, flock))

    def _lost(self, detail: str) -> None:
        self._show(with_lost(self.picture, detail))

    def _show(self, picture: Picture) -> None:
        if picture == self.picture:
            return
        self.picture = picture
        changed, self._changed = self._changed, trio.Event()
        changed.set()


def _mark(stale: trio.MemorySendChannel[None]) -> None:
    """A refresh is wanted; one that is wanted already covers it."""
    with suppress(trio.WouldBlock):
        stale.send_nowait(None)


async def _unless_refused(connection: Connection, name: str, params: Params) -> Result | None:
    """The result, or None when the daemon cannot tell now (its host is lost, the terminal is gone)."""
    try:
        return await connection.call(name, params)
    except WireError as error:
        if error.code in (Code.HERDR_UNAVAILABLE, Code.NOT_FOUND):
            return None
        raise
