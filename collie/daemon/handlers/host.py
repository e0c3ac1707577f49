"""host.*: how the host does, and ending the embedded one."""

from collections.abc import Mapping
from dataclasses import dataclass

from collie.daemon.handler import Handler, Request
from collie.daemon.hosting import Hosting
from collie.daemon.reconcile import Reconciler
from collie.protocol.errors import Code, WireError
from collie.protocol.methods import HostResult, Nothing, Ok


@dataclass(frozen=True, slots=True, kw_only=True)
class HostHandlers:
    """Needs the host, and the loop that watches it."""

    hosting: Hosting
    reconciler: Reconciler

    def table(self) -> Mapping[str, Handler]:
        """Method -> handler."""
        return {"host.status": self.status, "host.stop": self.stop}

    async def status(self, _params: Nothing, _request: Request) -> HostResult:
        """Which host, and how it stands."""
        return HostResult(host=self.hosting.status)

    async def stop(self, _params: Nothing, _request: Request) -> Ok:
        """End the embedded host with everything in its panes; whoever asks has made sure that this is meant."""
        if not self.hosting.is_embedded:
            raise WireError(Code.NOT_IMPLEMENTED, "the host is herdr, which is not Collie's to stop")
        await self.reconciler.stop_host()
        return Ok()
