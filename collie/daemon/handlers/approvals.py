"""approval.*: what waits, and how it is answered."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

import trio

from collie.daemon.approvals.board import Approvals
from collie.daemon.handler import Handler, Request
from collie.daemon.hosting import Hosting
from collie.daemon.looks import Looks
from collie.daemon.reconcile import Reconciler
from collie.protocol.methods import ApprovalDecideParams, ApprovalResolvedResult, ApprovalsResult, Nothing
from collie.protocol.models import HostState

FRESH_SECONDS: Final = 0.3
"""How long a list may take to take in what the screens show by now: a script that has just started an agent must not
miss the question that it draws. Longer than a look at a busy machine takes, and too short for a person to notice."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalHandlers:
    """Needs the approvals, and what keeps them true."""

    approvals: Approvals
    hosting: Hosting
    reconciler: Reconciler
    looks: Looks

    def table(self) -> Mapping[str, Handler]:
        """Method -> handler."""
        return {"approval.list": self.list, "approval.decide": self.decide}

    async def list(self, _params: Nothing, _request: Request) -> ApprovalsResult:
        """Oldest first, with what is drawn by now."""
        with trio.move_on_after(FRESH_SECONDS):
            await self._catch_up()
        return ApprovalsResult(approvals=self.approvals.pending())

    async def decide(self, params: ApprovalDecideParams, request: Request) -> ApprovalResolvedResult:
        """Writes its own audit lines."""
        return await self.approvals.decide(params, request.caller)

    async def _catch_up(self) -> None:
        await self.reconciler.settled()
        if self.hosting.state is HostState.UP:
            await self.reconciler.refresh()
            await self.looks.refresh()
