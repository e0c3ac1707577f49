"""daemon.*: how the daemon does, and ending it."""

import os
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass

from collie import __version__
from collie.daemon.approvals.board import Approvals
from collie.daemon.audit import AuditLog
from collie.daemon.config import Config
from collie.daemon.flock import Flock
from collie.daemon.handler import Handler, Request
from collie.daemon.hosting import Hosting
from collie.daemon.hub import Hub
from collie.protocol.methods import DaemonStatusResult, Nothing, Ok


@dataclass(frozen=True, slots=True, kw_only=True)
class DaemonHandlers:
    """Needs a bit of everything, to count it. `stop` ends the daemon; it takes the reason."""

    config: Config
    started_ms: int
    headless: bool
    hosting: Hosting
    flock: Flock
    approvals: Approvals
    log: AuditLog
    hub: Hub
    stop_daemon: Callable[[str], None]

    def table(self) -> Mapping[str, Handler]:
        """Method -> handler."""
        return {"daemon.status": self.status, "daemon.stop": self.stop}

    async def status(self, _params: Nothing, _request: Request) -> DaemonStatusResult:
        """Counts, and what a person should see to."""
        return DaemonStatusResult(
            version=__version__,
            pid=os.getpid(),
            started_ms=self.started_ms,
            data_dir=str(self.config.data_dir),
            headless=self.headless,
            host=self.hosting.status,
            tailnet="not set up",
            sessions=len(self.hub),
            agents=dict(Counter(agent.status.value for agent in self.flock.agents)),
            approvals=len(self.approvals.pending()),
            troubles=(self.log.trouble,) if self.log.trouble else (),
        )

    async def stop(self, _params: Nothing, request: Request) -> Ok:
        """The reply is sent before the daemon goes."""
        self.stop_daemon(f"stopped by {request.caller.by}")
        return Ok()
