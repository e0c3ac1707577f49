"""Where an agent is: the newest list, asked again before it is said that there is none."""

from collie.daemon.flock import Flock
from collie.daemon.hosting import Hosting
from collie.daemon.reconcile import Reconciler
from collie.herdr.models import AgentInfo
from collie.protocol.errors import Code, WireError
from collie.protocol.models import HostState


class Agents:
    """Finds agents by their terminals."""

    def __init__(self, *, hosting: Hosting, flock: Flock, reconciler: Reconciler) -> None:
        self._hosting = hosting
        self._flock = flock
        self._reconciler = reconciler

    async def find(self, terminal_id: str) -> AgentInfo:
        """The agent in this terminal. Raises WireError: there is none, or no host."""
        info = self._flock.info(terminal_id)
        if info is None:
            await self._reconciler.refresh()
            info = self._flock.info(terminal_id)
        if info is not None:
            return info
        self.need_host()
        raise WireError(Code.NOT_FOUND, "no such agent")

    async def settled(self) -> None:
        """Until it is known whether there is a host, and which agents it has. Raises WireError while it is lost."""
        await self._reconciler.settled()
        self.need_host()

    def need_host(self) -> None:
        """Raises WireError while the host is lost; one that was not started yet has no agents, and that is known."""
        if self._hosting.state is HostState.LOST:
            raise WireError(Code.HERDR_UNAVAILABLE, self._hosting.unavailable())
