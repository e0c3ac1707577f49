"""flock.*: everything at once."""

from collections.abc import Mapping
from dataclasses import dataclass

from collie.daemon.agents import Agents
from collie.daemon.approvals.board import Approvals
from collie.daemon.flock import Flock
from collie.daemon.handler import Handler, Request
from collie.protocol.methods import FlockResult, Nothing
from collie.protocol.models import MachineInfo


@dataclass(frozen=True, slots=True, kw_only=True)
class FlockHandlers:
    """Needs what is known of the agents."""

    machine: MachineInfo
    agents: Agents
    flock: Flock
    approvals: Approvals

    def table(self) -> Mapping[str, Handler]:
        """Method -> handler."""
        return {"flock.snapshot": self.snapshot}

    async def snapshot(self, _params: Nothing, _request: Request) -> FlockResult:
        """The `seq` is put in when the reply is sent: it counts what was sent before."""
        await self.agents.settled()
        return FlockResult(
            seq=0,
            machine=self.machine,
            workspaces=self.flock.workspaces,
            agents=self.flock.agents,
            approvals=self.approvals.pending(),
        )
