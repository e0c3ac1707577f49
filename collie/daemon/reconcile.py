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
from collie.daemon.hub import Hub
from collie.daemon.looks import Looks
from collie.daemon.outputs import Outputs
from collie.daemon.panes import PaneProcesses
from collie.herdr.errors import HostRefused, HostUnavailable
from collie.herdr.events import run_events
from collie.herdr.hints import Changed, Hint, Lost, OutputSeen, Rebuilt, StatusSeen
from collie.herdr.models import AgentInfo, AgentStatus, WorkspaceInfo
from collie.protocol.errors import WireError
from collie.protocol.events import AgentStatusChanged, FlockChanged, HostChanged
from collie.protocol.models import HostState

log = logging.getLogger(__name__)

EVERY: Final = 1.0
"""Seconds between two looks at the lists when nothing happens."""

RETRY_FIRST: Final = 0.25
RETRY_LAST: Final = 30.0
"""The pauses, in seconds, before a host that does not answer is asked again: doubled from the first to the last."""

SOCKET_LOOK: Final = 0.25
"""Seconds between two looks at whether another process listens at the host's socket, while none answers."""

CHOOSE_EVERY: Final = 5.0
"""Seconds between two looks at which host to take, while the taken one is not there."""

RESTORING: Final = 5.0
"""Seconds for which a host that has come back is not believed that its agents are gone: herdr answers before its
panes are back (specs: herdr-api section 12)."""

STOP_SECONDS: Final = 5.0
"""How long a host that was asked to end is waited for."""

STEADY: Final = 5.0
"""Seconds after which a host that came back counts as well again."""

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
        self._flock = flock
        self._looks = looks
        self._panes = panes
        self._hub = hub
        self._outputs = outputs
        self._clock = clock
        self._workspaces: tuple[WorkspaceInfo, ...] = ()
        self._wanted = trio.Event()
        self._wants_workspaces = True
        self._asked = self._served = 0
        self._served_any = False
        self._owes_news = False
        self._round_done = trio.Event()
        self._pause = RETRY_FIRST
        self._up_at = self._answered_at = self._chosen_at = 0.0

    async def run(self) -> None:
        """Until cancelled."""
        send, hints = trio.open_memory_channel[Hint](HINTS_KEPT)
        await self._choose()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(run_events, self._hosting.client, send)
            nursery.start_soon(self._listen, hints)
            while True:
                self._wanted, asked = trio.Event(), self._asked
                await self._safe_round()
                self._served, self._served_any = asked, True
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
        while not self._served_any:
            await self._round_done.wait()

    async def wait_round(self, seconds: float) -> None:
        """Until the host has been asked again: when something happens there, or after so many seconds."""
        done = self._round_done
        with trio.move_on_after(seconds):
            await done.wait()
            return
        await self.refresh()

    def part(self, why: str, lost: bool) -> None:
        """The host is not there any more: end what depends on it and tell everyone."""
        names = self._flock.clear()
        self._panes.forget()
        self._looks.host_lost(why)
        if lost:
            self._hosting.went(why, names)
        else:
            self._hosting.stopped()
        log.info("the host went: %s", why)
        self._tell_host()
        self._outputs.ring_all()

    async def stop_host(self) -> None:
        """End the embedded host on purpose. Raises HostUnavailable, HostRefused."""
        self._hosting.is_stopping = True
        try:
            with suppress(HostUnavailable):
                await self._hosting.client.server_stop()
            with trio.move_on_after(STOP_SECONDS):
                await self._hosting.wait_gone()
            self.part("the host was stopped", lost=False)
        finally:
            self._hosting.is_stopping = False

    async def _listen(self, hints: trio.MemoryReceiveChannel[Hint]) -> None:
        async for hint in hints:
            match hint:
                case OutputSeen(pane_id=pane_id, terminal_id=terminal_id):
                    self._output_seen(pane_id, terminal_id)
                case StatusSeen(pane_id=pane_id):
                    self.want(workspaces=False)
                case Rebuilt(output=output):
                    self._outputs.told = output
                    self._outputs.ring_all()
                    self.want()
                case Lost():
                    self._outputs.told = False
                    self._outputs.ring_all()
                    self.want()
                case Changed():
                    self.want()

    def _output_seen(self, pane_id: str, terminal_id: str | None) -> None:
        info = self._flock.at_pane(pane_id)
        if terminal_id or info:
            self._outputs.ring(terminal_id or (info.terminal_id if info else ""))
        if info and info.agent_status is AgentStatus.BLOCKED:
            self._looks.want(info.terminal_id)

    async def _safe_round(self) -> None:
        try:
            await self._round()
        except Exception as error:  # noqa: BLE001 - the outermost line of a task
            log.error("looking at the host failed: %s", where_of(error))

    async def _round(self) -> None:
        if self._hosting.is_stopping:
            return
        if self._hosting.state is HostState.STARTING:
            await self._find()
        elif self._hosting.state is HostState.LOST:
            await self._recover()
        if self._hosting.state is HostState.UP:
            await self._reconcile()

    async def _rest(self) -> None:
        """Until it is time for another round, or something wants one."""
        if self._hosting.state is not HostState.LOST:
            with trio.move_on_after(EVERY) as rest:
                await self._wanted.wait()
            if rest.cancelled_caught:
                self._wants_workspaces = True
                self._looks.want_all()
            return
        before = self._hosting.socket_identity()
        end = trio.current_time() + self._pause
        self._pause = min(self._pause * 2, RETRY_LAST)
        while trio.current_time() < end and self._hosting.socket_identity() == before:
            with trio.move_on_after(SOCKET_LOOK):
                await self._wanted.wait()
                return

    async def _choose(self) -> None:
        self._chosen_at = trio.current_time()
        await self._hosting.choose()

    async def _find(self) -> None:
        """A host that has not been there yet: is it there now?"""
        if self._hosting.socket_identity() is None:
            if trio.current_time() - self._chosen_at > CHOOSE_EVERY:
                await self._choose()
            return
        try:
            await self._hosting.greet()
        except (HostUnavailable, HostRefused) as exc:
            log.debug("no host yet: %s", exc)
            return
        self._came_up("")

    async def _recover(self) -> None:
        """A host that was lost: start it again if it is ours, and believe it once its agents had time to come back."""
        restarted = False
        try:
            if self._hosting.is_embedded and await self._hosting.is_gone():
                await self._hosting.ensure()
                restarted = True
            await self._hosting.greet()
            agents = await self._hosting.client.agent_list()
        except (HostUnavailable, HostRefused, WireError) as exc:
            log.debug("the host is still lost: %s", exc)
            self._answered_at = 0.0
            return
        self._answered_at = self._answered_at or trio.current_time()
        may_restore = self._hosting.lost and not self._hosting.is_embedded
        if may_restore and not agents and trio.current_time() - self._answered_at < RESTORING:
            self._pause = RETRY_FIRST
            return
        self._came_up("it had ended, and was started again" if restarted else "")

    def _came_up(self, detail: str) -> None:
        self._hosting.came_up(detail)
        self._up_at, self._answered_at, self._wants_workspaces = trio.current_time(), 0.0, True
        self._owes_news = True
        log.info("%s host %s is up%s", self._hosting.kind.value, self._hosting.version, f": {detail}" if detail else "")

    async def _reconcile(self) -> None:
        try:
            infos, workspaces = await self._lists()
            if self._hosting.was_replaced:
                raise HostUnavailable("the host was started anew", sent=False)
        except (HostUnavailable, HostRefused) as exc:
            self._not_answered(exc)
            return
        if trio.current_time() - self._up_at > STEADY:
            self._pause = RETRY_FIRST
        changes = self._flock.observe(infos, workspaces, self._clock.wall_ms())
        self._publish(changes)
        if self._owes_news:
            self._owes_news = False
            self._tell_host()
        await self._panes.update(self._flock.infos)

    def _not_answered(self, error: HostUnavailable | HostRefused) -> None:
        """A host that took its socket along has ended on purpose; a killed one leaves it there."""
        if self._hosting.is_stopping:
            return
        if self._hosting.is_embedded and self._hosting.socket_identity() is None:
            self.part("the host was stopped", lost=False)
        else:
            self.part(str(error), lost=True)

    async def _lists(self) -> tuple[tuple[AgentInfo, ...], tuple[WorkspaceInfo, ...]]:
        """What the host has, asked a second time where it answers at all. Raises HostUnavailable, HostRefused."""
        try:
            return await self._ask_lists()
        except HostUnavailable:
            if await self._hosting.is_gone():
                raise
        return await self._ask_lists()

    async def _ask_lists(self) -> tuple[tuple[AgentInfo, ...], tuple[WorkspaceInfo, ...]]:
        infos = await self._hosting.client.agent_list()
        if self._wants_workspaces:
            self._wants_workspaces = False
            self._workspaces = await self._hosting.client.workspace_list()
        return infos, self._workspaces

    def _publish(self, changes: Changes) -> None:
        for agent in changes.agents:
            self._hub.publish(AgentStatusChanged(agent=agent))
        if changes.is_rearranged:
            self._hub.publish(FlockChanged())
        if self._hosting.lost and self._flock.agents:
            self._hosting.lost = ()
            self._owes_news = True
        self._looks.want(*changes.touched)

    def _tell_host(self) -> None:
        self._hub.publish(HostChanged(host=self._hosting.status))
        self._hub.publish(FlockChanged())
