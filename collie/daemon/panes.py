"""The processes whose descendants stand inside a pane, for the tripwire."""

import logging
from collections.abc import Iterable

from collie.herdr.client import HostClient
from collie.herdr.errors import HostRefused, HostUnavailable
from collie.herdr.models import AgentInfo

log = logging.getLogger(__name__)


class PaneProcesses:
    """The shells of the agents' panes. A pane keeps its shell for life, so each is asked for once."""

    def __init__(self, client: HostClient) -> None:
        self._client = client
        self._shells: dict[str, int] = {}

    @property
    def pids(self) -> frozenset[int]:
        """What is known by now."""
        return frozenset(self._shells.values())

    def forget(self) -> None:
        """The host has gone, and its panes with it."""
        self._shells.clear()

    async def update(self, agents: Iterable[AgentInfo]) -> None:
        """Ask for those that are new. What the host does not say is asked again next time."""
        panes = {agent.terminal_id: agent.pane_id for agent in agents}
        for terminal_id in self._shells.keys() - panes.keys():
            del self._shells[terminal_id]
        for terminal_id, pane_id in panes.items():
            if terminal_id not in self._shells:
                await self._ask(terminal_id, pane_id)

    async def _ask(self, terminal_id: str, pane_id: str) -> None:
        try:
            shell = (await self._client.pane_process_info(pane_id)).shell_pid
        except (HostUnavailable, HostRefused) as exc:
            log.debug("the shell of %s is not known: %s", pane_id, exc)
            return
        if shell:
            self._shells[terminal_id] = shell
