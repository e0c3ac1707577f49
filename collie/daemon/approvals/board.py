"""The approvals of the daemon: what waits for an answer, and who may give one."""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence

import trio

from collie.daemon.approvals.decide import Decider
from collie.daemon.approvals.host import Panes
from collie.daemon.approvals.ledger import Ledger
from collie.daemon.approvals.observe import Observer
from collie.daemon.approvals.progress import State
from collie.daemon.approvals.reading import Reader
from collie.daemon.caller import Caller
from collie.herdr.errors import HostRefused, HostUnavailable
from collie.herdr.models import AgentInfo, AgentStatus
from collie.protocol.events import AnyEvent
from collie.protocol.methods import ApprovalDecideParams, ApprovalResolvedResult
from collie.protocol.models import Approval, Outcome, OutcomeKind

log = logging.getLogger(__name__)


class Approvals:
    """Everything about approvals that the rest of the daemon may use.

    `now` counts seconds of trio's clock, `wall_ms` milliseconds since 1970; `token` gives that many random bytes as
    base64url; `audit` takes peer, method, target and result.
    """

    def __init__(
        self,
        *,
        host: Panes,
        publish: Callable[[AnyEvent], None],
        audit: Callable[[str, str, str | None, str], None],
        now: Callable[[], float],
        wall_ms: Callable[[], int],
        token: Callable[[int], str],
    ) -> None:
        self._ledger = Ledger()
        self._reader = Reader(host=host, now=now)
        self._observer = Observer(
            ledger=self._ledger, reader=self._reader, publish=publish, now=now, wall_ms=wall_ms, token=token
        )
        self._decider = Decider(
            host=host, ledger=self._ledger, reader=self._reader, publish=publish, audit=audit, now=now
        )
        self._seen: frozenset[str] = frozenset()

    def pending(self) -> tuple[Approval, ...]:
        """What waits, oldest first; those that are being decided are left out."""
        return self._ledger.pending()

    async def look(
        self,
        agents: Sequence[AgentInfo],
        *,
        workspaces: Mapping[str, str],
        only: Collection[str] | None = None,
    ) -> None:
        """Open and end approvals by what `agents`, all there are, show; `only` limits it to these terminals.

        Raises: HostUnavailable when the host did not answer for one of them; the others were looked at all the same.
        """
        self._observer.know(workspaces)
        for agent in agents:
            self._reader.heard(agent)
        blocked = {each.terminal_id for each in agents if each.agent_status is AgentStatus.BLOCKED}
        wanted = blocked | self._ledger.terminals()
        self._forget(frozenset(each.terminal_id for each in agents))
        troubles: list[HostUnavailable] = []
        async with trio.open_nursery() as nursery:
            for terminal_id in wanted if only is None else wanted & set(only):
                nursery.start_soon(self._look_at, terminal_id, troubles)
        if troubles:
            raise troubles[0]

    async def decide(self, params: ApprovalDecideParams, caller: Caller) -> ApprovalResolvedResult:
        """Answer an approval: the whole way to its verdict, in at most 4 s. Raises WireError.

        The audit lines are written here, those of refusals included.
        """
        machine = self._ledger.find(params.approval_id)
        try:
            outcome = await self._decider.decide(params, caller)
        finally:
            if machine is not None and machine.state is State.ENDED:
                await self._look_after(machine.offer.approval.terminal_id)
        return ApprovalResolvedResult(approval_id=str(params.approval_id), outcome=outcome)

    def host_lost(self, reason: str) -> None:
        """The host went, and its questions with it; those being decided find out by themselves."""
        for machine in self._ledger.machines():
            self._observer.withdraw(machine, Outcome(outcome=OutcomeKind.SUPERSEDED, reason=reason))

    async def _look_at(self, terminal_id: str, troubles: list[HostUnavailable]) -> None:
        try:
            await self._observer.look_at(terminal_id)
        except HostUnavailable as lost:
            troubles.append(lost)
        except HostRefused as refused:
            log.warning("the host refused a look at %s: %s", terminal_id, refused.code)

    async def _look_after(self, terminal_id: str) -> None:
        """A decision has ended: what does the agent ask now?"""
        try:
            await self._observer.look_at(terminal_id)
        except (HostUnavailable, HostRefused) as trouble:
            log.info("no look at %s after a decision: %s", terminal_id, type(trouble).__name__)

    def _forget(self, present: frozenset[str]) -> None:
        gone = self._seen - present - self._ledger.terminals()
        self._reader.forget(gone)
        self._observer.forget(gone)
        self._seen = present | (self._seen - gone)
