"""A session's watched terminal: read it when it changes, send what it shows.

Where the host tells of output, the first change after a quiet spell is sent at once, and later ones at most thirty
times a second; herdr is polled (specs: phone-protocol section 6.4). An output event carries all of the text.
"""

import logging
from typing import Final

import trio

from collie.daemon.flock import Flock
from collie.daemon.hosting import Hosting
from collie.daemon.outbox import Outbox
from collie.daemon.outputs import Outputs
from collie.daemon.screens import read_terminal
from collie.daemon.watched import Target, Watched
from collie.herdr.errors import HostRefused, HostUnavailable
from collie.protocol.events import AgentOutput, FlockChanged
from collie.protocol.models import HostState, TerminalRead

log = logging.getLogger(__name__)

FASTEST: Final = 1 / 30
"""Seconds between two reads: a person sees no more than that, and a dashboard draws no more."""

POLL: Final = 0.25
POLL_QUIET: Final = 1.0
QUIET_AFTER: Final = 5.0
"""Seconds: how often a host is polled, how often after so long without a change, and when that is."""

SIZE_EVERY: Final = 1.0
"""Seconds for which a terminal's size is taken as known."""

UNTOLD: Final = 5.0
"""Seconds after which a terminal is read without any event: a resize makes no output."""


class Watch:
    """Reads for all sessions; `run` is one session's task."""

    def __init__(self, *, hosting: Hosting, flock: Flock, outputs: Outputs) -> None:
        self._hosting = hosting
        self._flock = flock
        self._outputs = outputs

    async def run(self, watched: Watched, outbox: Outbox) -> None:
        """Follow whatever `watched` names, until cancelled."""
        while True:
            target, changed = watched.current()
            if target is None:
                await changed.wait()
                continue
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._follow, target, watched, outbox)
                await changed.wait()
                nursery.cancel_scope.cancel()

    async def _follow(self, target: Target, watched: Watched, outbox: Outbox) -> None:
        sent: TerminalRead | None = None
        changed_at = sized_at = trio.current_time()
        size: tuple[int, int] | None = None
        while True:
            bell, told = self._outputs.bell(target.terminal_id), self._outputs.told
            began = trio.current_time()
            if self._is_gone(target):
                watched.follow(None)
                outbox.put_event(FlockChanged())
                return
            if began - sized_at >= SIZE_EVERY:
                size, sized_at = None, began
            read = await self._read(target, size)
            if read is not None:
                size = (read.columns, read.rows)
            if read is not None and read != sent:
                sent, changed_at = read, began
                outbox.put_event(_event(read))
            await trio.sleep_until(began + (POLL_QUIET if target.low_data else FASTEST))
            told = told and read is not None
            with trio.move_on_at(began + _pause(target, told=told, quiet=began - changed_at)):
                await bell.wait()

    def _is_gone(self, target: Target) -> bool:
        """Whether the agent is known to be gone; while the host is lost nothing is known."""
        return self._hosting.state is not HostState.LOST and self._flock.info(target.terminal_id) is None

    async def _read(self, target: Target, size: tuple[int, int] | None) -> TerminalRead | None:
        """What it shows; None when it cannot be read now, of which the reconcile loop finds out the reason."""
        info = self._flock.info(target.terminal_id)
        if info is None:
            return None
        try:
            return await read_terminal(self._hosting.client, info, target.source, target.lines, size)
        except (HostUnavailable, HostRefused) as exc:
            log.debug("terminal %s cannot be read: %s", target.terminal_id, exc)
            return None


def _pause(target: Target, *, told: bool, quiet: float) -> float:
    if told:
        return UNTOLD
    return POLL_QUIET if target.low_data or quiet > QUIET_AFTER else POLL


def _event(read: TerminalRead) -> AgentOutput:
    return AgentOutput(
        terminal_id=read.terminal_id,
        source=read.source,
        ansi=read.ansi,
        truncated=read.truncated,
        columns=read.columns,
        rows=read.rows,
    )
