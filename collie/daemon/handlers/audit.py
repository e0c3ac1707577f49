"""audit.*: who did what."""

from collections.abc import Mapping
from dataclasses import dataclass

from collie.daemon.audit import AuditLog
from collie.daemon.handler import Handler, Request
from collie.protocol.methods import AuditResult, AuditTailParams


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditHandlers:
    """Needs the log alone."""

    log: AuditLog

    def table(self) -> Mapping[str, Handler]:
        """Method -> handler."""
        return {"audit.tail": self.tail}

    async def tail(self, params: AuditTailParams, request: Request) -> AuditResult:
        """The newest lines; from now on each later one as an event, if that is asked for."""
        request.session.follows_audit = params.follow
        return AuditResult(lines=self.log.tail(params.lines))
