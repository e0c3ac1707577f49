"""The loop that keeps the flock true: each second, and at once when the host says that something happened.

A host's events are hints (specs: herdr-api section 7.5): they say when to ask, the lists say what is so.
"""

import logging
from contextlib import suppress
from typing import Final

import trio

from collie.daemon.clock import Clock
from collie.daemon.dispatch import where_of
from collie.daemon.flock import Changes, Flock
from collie.daemon.hosting import Hosting
from collie.daemon.hostlife import HostLife
from collie.daemon.hub import Hub
from collie.daemon.looks import Looks
from collie.daemon.outputs import Outputs
from collie.daemon.panes import PaneProcesses
from collie.herdr.errors import HostRefused, HostUnavailable
from collie.herdr.events import run_events
from collie.herdr.hints import Changed, Hint, Lost, OutputSeen, Rebuilt, StatusSeen
from collie.herdr.models import AgentInfo, AgentStatus, WorkspaceInfo
from collie.protocol.events import AgentStatusChanged, FlockChanged, HostChanged
from collie.protocol.models import HostState

log = logging.getLogger(__name__)

EVERY: Final = 1.0
"""Seconds between two looks at the lists when nothing happens."""

STOP_SECONDS: Final = 5.0
"""How long a host that was asked to end is waited for."""

HINTS_KEPT: Final = 64


class Reconciler:
    """Asks the host, tells the sessions, has dialogs looked at."""

    def __init__(
        self,
        *,
        hosting: Hosting,
        flock: Flock,
        looks: Looks,
        panes: PaneProcesses,
        hub: Hub,
        outputs: Outputs,
        clock: Clock,
    ) -> None:
        self._hosting = hosting
        self._life = HostLife(hosting)
        self._flock = flock
        self._looks = looks
        self._panes = panes
        self._hub = hub
        self._outputs = outputs
        self._clock = clock
        self._workspaces: tuple[WorkspaceInfo, ...] = ()
        self._wants_workspaces = True
        self._owes_news = False
        self._wanted = trio.Event()
        self._asked = self._served = 0
        self._round_done = trio.Event()

    async def run(self) -> None:
        """Until cancelled."""
        send, hints = trio.open_memory_channel[Hint](HINTS_KEPT)
        await self._life.choose()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run_events, self._hosting.client, send)
            nursery.start_soon(self._listen, hints)
            self._asked += 1
            while True:
                self._wanted, asked = trio.Event(), self._asked
                await self._round()
                self._served = asked
                done, self._round_done = self._round_done, trio.Event()
                done.set()
                await self._rest()

    def want(self, *, workspaces: bool = True) -> None:
        """Ask the host at once."""
        self._wants_workspaces |= workspaces
        self._wanted.set()

    async def refresh(self) -> None:
        """Ask the host now, and wait until what it says has been taken in, or it has not answered."""
        self._asked += 1
        ticket = self._asked
        self.want()
        while self._served < ticket:
            await self._round_done.wait()

    async def settled(self) -> None:
        """Until the host has been asked once, or has not answered."""
        while not self._served:
            await self._round_done.wait()

    async def wait_round(self, seconds: float) -> None:
        """Until the host has been asked again: when something happens there, or after so many seconds."""
        done = self._round_done
        with trio.move_on_after(seconds):
            await done.wait()
            return
        await self.refresh()

    async def stop_host(self) -> None:
        """End the embedded host on purpose. Raises HostRefused."""
        self._hosting.is_stopping = True
        try:
            with suppress(HostUnavailable):
                await self._hosting.client.server_stop()
            with trio.move_on_after(STOP_SECONDS):
                await self._hosting.wait_gone()
            self._part("the host was stopped", was_lost=False)
        finally:
            self._hosting.is_stopping = False

    async def _listen(self, hints: trio.MemoryReceiveChannel[Hint]) -> None:
        async for hint in hints:
            match hint:
                case OutputSeen():
                    self._output_seen(hint)
                case StatusSeen():
                    self.want(workspaces=False)
                case Rebuilt(output=output):
                    self._stream_changed(tells_output=output)
                case Lost():
                    self._stream_changed(tells_output=False)
                case Changed():
                    self.want()

    def _output_seen(self, hint: OutputSeen) -> None:
        info = self._flock.at_pane(hint.pane_id)
        if info is None:
            return
        self._outputs.ring(info.terminal_id)
        if info.agent_status is AgentStatus.BLOCKED:
            self._looks.want(info.terminal_id)

    def _stream_changed(self, *, tells_output: bool) -> None:
        self._outputs.told = tells_output
        self._outputs.ring_all()
        self.want()

    async def _round(self) -> None:
        try:
            before = self._hosting.status
            if await self._life.attend():
                self._wants_workspaces = self._owes_news = True
            elif self._hosting.status != before:
                self._hub.publish(HostChanged(host=self._hosting.status))
            if self._hosting.state is HostState.UP and not self._hosting.is_stopping:
                await self._reconcile()
        except Exception as error:  # noqa: BLE001 - the outermost line of a task
            log.error("looking at the host failed: %s", where_of(error))

    async def _rest(self) -> None:
        """Until it is time for another round, or something wants one."""
        if self._hosting.state is HostState.LOST:
            await self._life.rest(self._wanted)
            return
        with trio.move_on_after(EVERY):
            await self._wanted.wait()
            return
        self._wants_workspaces = True
        self._looks.want_all()

    async def _reconcile(self) -> None:
        try:
            infos = await self._ask()
            if self._hosting.was_replaced:
                raise HostUnavailable("the host was started anew", sent=False)
        except (HostUnavailable, HostRefused) as exc:
            self._not_answered(exc)
            return
        self._publish(self._flock.observe(infos, self._workspaces, self._clock.wall_ms()))
        await self._panes.update(self._flock.infos)

    async def _ask(self) -> tuple[AgentInfo, ...]:
        """What the host has, asked a second time where it answers at all. Raises HostUnavailable, HostRefused."""
        try:
            return await self._ask_once()
        except HostUnavailable:
            if await self._hosting.is_gone():
                raise
        return await self._ask_once()

    async def _ask_once(self) -> tuple[AgentInfo, ...]:
        infos = await self._hosting.client.agent_list()
        if self._wants_workspaces:
            self._workspaces = await self._hosting.client.workspace_list()
            self._wants_workspaces = False
        return infos

    def _publish(self, changes: Changes) -> None:
        for agent in changes.agents:
            self._hub.publish(AgentStatusChanged(agent=agent))
        if self._flock.agents and self._hosting.is_past_a_loss:
            self._hosting.forget_loss()
            self._owes_news = True
        if self._owes_news:
            self._hub.publish(HostChanged(host=self._hosting.status))
        if changes.is_rearranged or self._owes_news:
            self._hub.publish(FlockChanged())
        self._owes_news = False
        self._looks.want(*changes.touched)

    def _not_answered(self, error: HostUnavailable | HostRefused) -> None:
        """A host that took its socket along has ended on purpose; a killed one leaves it there."""
        if self._hosting.is_stopping:
            return
        was_stopped = self._hosting.is_embedded and self._hosting.socket_identity() is None
        self._part("the host was stopped" if was_stopped else str(error), was_lost=not was_stopped)

    def _part(self, why: str, *, was_lost: bool) -> None:
        """The host is not there any more: end what depends on it, and tell everyone."""
        names = self._flock.clear()
        self._panes.forget()
        self._looks.host_lost("the host was lost" if was_lost else why)
        if was_lost:
            self._hosting.went(why, names)
        else:
            self._hosting.stopped()
        log.info("the host went: %s", why)
        self._hub.publish(HostChanged(host=self._hosting.status))
        self._hub.publish(FlockChanged())
        self._outputs.ring_all()
