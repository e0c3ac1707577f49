"""approval.*: what waits, and how it is answered."""

from collections.abc import Mapping
from dataclasses import dataclass

from collie.daemon.approvals.board import Approvals
from collie.daemon.handler import Handler, Request
from collie.protocol.methods import ApprovalDecideParams, ApprovalResolvedResult, ApprovalsResult, Nothing


@dataclass(frozen=True, slots=True, kw_only=True)
class ApprovalHandlers:
    """Needs the approvals alone."""

    approvals: Approvals

    def table(self) -> Mapping[str, Handler]:
        """Method -> handler."""
        return {"approval.list": self.list, "approval.decide": self.decide}

    async def list(self, _params: Nothing, _request: Request) -> ApprovalsResult:
        """Oldest first."""
        return ApprovalsResult(approvals=self.approvals.pending())

    async def decide(self, params: ApprovalDecideParams, request: Request) -> ApprovalResolvedResult:
        """Writes its own audit lines."""
        return await self.approvals.decide(params, request.caller)
