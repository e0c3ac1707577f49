"""Finding the host, and finding it again: what is tried while none answers, and how often."""

import logging
from typing import Final

import trio

from collie.daemon.hosting import Hosting
from collie.herdr.errors import HostRefused, HostUnavailable
from collie.protocol.errors import WireError
from collie.protocol.models import HostState

log = logging.getLogger(__name__)

RETRY_FIRST: Final = 0.25
RETRY_LAST: Final = 30.0
"""The pauses, in seconds, before a host that does not answer is asked again: doubled from the first to the last."""

SOCKET_LOOK: Final = 0.25
"""Seconds between two looks at whether another process listens at the host's socket, while none answers."""

CHOOSE_EVERY: Final = 5.0
"""Seconds between two looks at which host to take, while the taken one is not there."""

OTHER_EVERY: Final = 30.0
"""Seconds between two looks at whether the other host runs too."""

RESTORING: Final = 5.0
"""Seconds for which a host that has come back is not believed that its agents are gone: herdr answers before its
panes are back (specs: herdr-api section 12)."""

FORSAKEN: Final = 10.0
"""Seconds after which a herdr that nobody runs any more may give way to the embedded host, where the choice is ours."""

STEADY: Final = 5.0
"""Seconds after which a host that came back counts as well again."""


class HostLife:
    """Looks after a host that is not up."""

    def __init__(self, hosting: Hosting) -> None:
        self._hosting = hosting
        self._pause = RETRY_FIRST
        self._chosen_at = self._up_at = 0.0
        self._lost_at: float | None = None
        self._answered_at: float | None = None

    async def choose(self) -> None:
        """Take the host that is there."""
        self._chosen_at = trio.current_time()
        await self._hosting.choose()

    async def attend(self) -> bool:
        """Do what can be done for the host now; whether it has just come up."""
        if self._hosting.is_stopping:
            return False
        match self._hosting.state:
            case HostState.STARTING:
                return await self._find()
            case HostState.LOST:
                return await self._recover()
            case HostState.UP:
                await self._look_around()
        return False

    async def rest(self, wanted: trio.Event) -> None:
        """Wait before the next try for a lost host: until it is wanted, or somebody else listens at its socket."""
        before = self._hosting.socket_identity()
        end = trio.current_time() + self._pause
        self._pause = min(self._pause * 2, RETRY_LAST)
        while trio.current_time() < end and self._hosting.socket_identity() == before:
            with trio.move_on_after(SOCKET_LOOK):
                await wanted.wait()
                return

    async def _find(self) -> bool:
        """A host that has not been there yet: is it there now?"""
        if self._hosting.socket_identity() is not None:
            try:
                await self._hosting.greet()
            except (HostUnavailable, HostRefused) as exc:
                log.debug("no host yet: %s", exc)
            else:
                return self._came_up("")
        if trio.current_time() - self._chosen_at > CHOOSE_EVERY:
            await self.choose()
        return False

    async def _recover(self) -> bool:
        """A host that was lost: start it again if it is ours, and believe it once its agents had time to come back."""
        now = trio.current_time()
        self._lost_at = now if self._lost_at is None else self._lost_at
        if await self._gives_way(now):
            return False
        restarted = False
        try:
            if self._hosting.is_embedded and await self._hosting.is_gone():
                await self._hosting.ensure()
                restarted = True
            await self._hosting.greet()
            agents = await self._hosting.client.agent_list()
        except (HostUnavailable, HostRefused, WireError) as exc:
            log.debug("the host is still lost: %s", exc)
            self._answered_at = None
            return False
        self._answered_at = now if self._answered_at is None else self._answered_at
        may_restore = self._hosting.lost and not self._hosting.is_embedded
        if may_restore and not agents and now - self._answered_at < RESTORING:
            self._pause = RETRY_FIRST
            return False
        return self._came_up("it had ended, and was started again" if restarted else "")

    async def _gives_way(self, now: float) -> bool:
        """Whether another host was taken for a herdr that has been gone for long."""
        if self._hosting.is_embedded or self._lost_at is None or now - self._lost_at < FORSAKEN:
            return False
        if not self._hosting.may_choose or not await self._hosting.is_gone():
            return False
        await self.choose()
        return self._hosting.is_embedded

    async def _look_around(self) -> None:
        now = trio.current_time()
        if now - self._up_at > STEADY:
            self._pause = RETRY_FIRST
        if now - self._chosen_at > OTHER_EVERY:
            self._chosen_at = now
            await self._hosting.note_other()

    def _came_up(self, detail: str) -> bool:
        self._hosting.came_up(detail)
        self._up_at, self._answered_at, self._lost_at = trio.current_time(), None, None
        log.info("%s host %s is up%s", self._hosting.kind.value, self._hosting.version, f": {detail}" if detail else "")
        return True
