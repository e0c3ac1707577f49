"""A daemon's approvals over a fake host, with all that they told and wrote down: what a test of answering needs."""

import itertools
from collections.abc import Awaitable, Callable

import trio
from tools.direct_host import DirectHost
from tools.fake_session import FakeSession, Manners

from collie.daemon.approvals.board import Approvals
from collie.daemon.caller import DESK, Caller
from collie.herdr.client import HostClient
from collie.protocol.events import AnyEvent, ApprovalNeeded, ApprovalResolved
from collie.protocol.ids import ApprovalId, Nonce, Note
from collie.protocol.methods import ApprovalDecideParams, MethodClass
from collie.protocol.models import Approval, Decision, Outcome

START_MS = 1_796_000_000_000


def desk_caller(by: str = DESK, *, is_authorised: Callable[[], bool] = lambda: True) -> Caller:
    """Somebody who may decide."""
    return Caller(device=by, by=by, classes=frozenset({MethodClass.APPROVAL}), is_authorised=is_authorised)


class ApprovalDesk:
    """`events` and `audited` grow; `look` is the reconcile's call. Ids are made from numbers, the first of which is
    `first_token`; two desks over one `session` are two daemons, one after the other. With a `client` the session is
    reached over its socket, and `before_calls` has no effect."""

    def __init__(
        self,
        manners: Manners = "embedded",
        *,
        session: FakeSession | None = None,
        client: HostClient | None = None,
        first_token: int = 1,
    ) -> None:
        self.session = session or FakeSession(manners)
        self.host = DirectHost(self.session)
        self.client = client or self.host
        self.events: list[AnyEvent] = []
        self.audited: list[tuple[str, str, str | None, str]] = []
        self._tokens = itertools.count(first_token)
        self.approvals = Approvals(
            host=self.client,
            publish=self.events.append,
            audit=lambda *line: self.audited.append(line),
            now=trio.current_time,
            wall_ms=lambda: START_MS + round(trio.current_time() * 1000),
            token=lambda size: f"{next(self._tokens)}".rjust(-(-size * 8 // 6), "t"),
        )

    def before_calls(self, act: Callable[[str], Awaitable[None]]) -> None:
        """Have this awaited before each call to the host takes effect."""
        self.host.before = act

    async def look(self, *, only: tuple[str, ...] | None = None) -> None:
        agents = await self.client.agent_list()
        await self.approvals.look(agents, workspaces=dict(self.session.labels), only=only)

    async def shown(self) -> Approval:
        """The one approval that is pending, after a look and the second that a person takes to read it."""
        await self.look()
        await trio.sleep(1)
        (approval,) = self.approvals.pending()
        return approval

    async def decide(
        self,
        approval: Approval,
        decision: Decision,
        *,
        choice: int | None = None,
        note: str | None = None,
        nonce: str | None = None,
        caller: Caller | None = None,
    ) -> Outcome:
        """Decide it as a client does."""
        params = ApprovalDecideParams(
            approval_id=ApprovalId(approval.approval_id),
            decision=decision,
            choice=choice,
            nonce=Nonce(nonce or approval.nonce),
            note=None if note is None else Note(note),
        )
        return (await self.approvals.decide(params, caller or desk_caller())).outcome

    @property
    def needed(self) -> list[Approval]:
        """The approvals that were announced."""
        return [event.approval for event in self.events if isinstance(event, ApprovalNeeded)]

    @property
    def resolved(self) -> list[tuple[str, Outcome]]:
        """How approvals ended, in order."""
        return [(each.approval_id, each.outcome) for each in self.events if isinstance(each, ApprovalResolved)]

    @property
    def results(self) -> list[str]:
        """The results in the audit log."""
        return [result for _, _, _, result in self.audited]
