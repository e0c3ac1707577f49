"""Which agents' dialogs are to be looked at, and the loop that has it done, one look after the other."""

import logging
from collections.abc import Collection, Mapping, Sequence
from typing import Final, Protocol

import trio

from collie.daemon.dispatch import where_of
from collie.daemon.flock import Flock
from collie.herdr.errors import HostRefused, HostUnavailable
from collie.herdr.models import AgentInfo

log = logging.getLogger(__name__)

PAUSE_AFTER_FAILURE: Final = 1.0


class Looker(Protocol):
    """What opens and ends approvals."""

    async def look(
        self, agents: Sequence[AgentInfo], *, workspaces: Mapping[str, str], only: Collection[str] | None = None
    ) -> None:
        """Look at the dialogs of all agents, or of some terminals."""

    def host_lost(self, reason: str) -> None:
        """End them all: nobody can answer them now."""


class Looks:
    """Collects what is to be looked at while a look is going on; the same wish twice is one look."""

    def __init__(self, flock: Flock, looker: Looker) -> None:
        self._flock = flock
        self._looker = looker
        self._some: set[str] = set()
        self._all = False
        self._wanted = trio.Event()
        self._asked = self._served = 0
        self._look_done = trio.Event()

    def want(self, *terminals: str) -> None:
        """These, as soon as can be."""
        if terminals:
            self._some.update(terminals)
            self._wanted.set()

    def want_all(self) -> None:
        """All of them."""
        self._all = True
        self._wanted.set()

    async def refresh(self) -> None:
        """Look at all of them from now on, and wait until that is done, or has failed."""
        self._asked += 1
        ticket = self._asked
        self.want_all()
        while self._served < ticket:
            await self._look_done.wait()

    def host_lost(self, why: str) -> None:
        """There is nothing to look at any more, and nothing to answer."""
        self._looker.host_lost(why)

    async def run(self) -> None:
        """Look whenever it is wanted, until cancelled."""
        while True:
            await self._wanted.wait()
            only, asked = None if self._all else frozenset(self._some), self._asked
            self._wanted, self._all, self._some = trio.Event(), False, set()
            await self._look(only)
            self._served = asked
            done, self._look_done = self._look_done, trio.Event()
            done.set()

    async def _look(self, only: frozenset[str] | None) -> None:
        try:
            await self._looker.look(self._flock.infos, workspaces=self._flock.labels(), only=only)
        except (HostUnavailable, HostRefused) as exc:
            log.info("a look at the dialogs failed: %s", exc)
        except Exception as error:  # noqa: BLE001 - the outermost line of a task
            log.error("a look at the dialogs failed: %s", where_of(error))
            await trio.sleep(PAUSE_AFTER_FAILURE)
