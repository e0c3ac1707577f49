"""The engine without thread, socket or daemon: pictures are shown by the test, calls answered from a table."""

import asyncio
from collections.abc import Callable
from dataclasses import replace

from collie.client.picture import Link, Picture, Resolved
from collie.protocol.methods import (
    AgentStartedResult,
    AgentStartParams,
    ApprovalDecideParams,
    ApprovalResolvedResult,
    Ok,
    Params,
    Result,
)
from collie.protocol.models import Decision, Outcome, OutcomeKind

Reply = Result | Exception | Callable[[Params], Result]


class MemoryEngine:
    """Answers at once, as a daemon over a willing host would; `replies` changes that by method, `hold` delays it."""

    def __init__(self, picture: Picture | None = None, *, hosting: bool = False, now_ms: int = 0) -> None:
        self.picture = picture or Picture()
        self.hosting = hosting
        self.calls: list[tuple[str, Params]] = []
        self.watched: list[str | None] = []
        self.replies: dict[str, Reply] = {}
        self.closed = False
        self._now_ms = now_ms
        self._held: dict[str, asyncio.Event] = {}
        self._show: Callable[[Picture], None] | None = None

    def open(self, show: Callable[[Picture], None]) -> None:
        self._show = show
        show(self.picture)

    async def call(self, name: str, params: Params) -> Result:
        self.calls.append((name, params))
        if (held := self._held.get(name)) is not None:
            await held.wait()
        reply = self.replies.get(name)
        if isinstance(reply, Exception):
            raise reply
        if callable(reply):
            return reply(params)
        return reply if reply is not None else self._willing(params)

    async def watch(self, terminal_id: str | None) -> None:
        self.watched.append(terminal_id)

    def close(self) -> None:
        self.closed = True

    def hold(self, name: str) -> asyncio.Event:
        """Calls of this method wait until the event that is returned is set."""
        return self._held.setdefault(name, asyncio.Event())

    def show(self, picture: Picture) -> None:
        """What the daemon would tell now."""
        self.picture = picture
        if self._show is not None:
            self._show(picture)

    def resolve(self, approval_id: str, outcome: Outcome) -> None:
        """An approval ends, as the daemon would tell it."""
        ended = [each for each in self.picture.approvals if each.approval_id == approval_id]
        resolved = tuple(Resolved(approval=each, outcome=outcome, at_ms=self._now_ms) for each in ended)
        self.show(
            replace(
                self.picture,
                approvals=tuple(each for each in self.picture.approvals if each.approval_id != approval_id),
                resolved=(*self.picture.resolved, *resolved),
            )
        )

    def lose(self, detail: str = "the daemon closed the connection") -> None:
        """The session with the daemon ends."""
        self.show(replace(self.picture, link=Link.LOST, link_detail=detail))

    def asked(self, name: str) -> list[Params]:
        """The params of each call of this method."""
        return [params for called, params in self.calls if called == name]

    def _willing(self, params: Params) -> Result:
        if isinstance(params, ApprovalDecideParams):
            outcome = _applied(params)
            self.resolve(str(params.approval_id), outcome)
            return ApprovalResolvedResult(approval_id=str(params.approval_id), outcome=outcome)
        if isinstance(params, AgentStartParams):
            name = str(params.name or params.kind)
            return AgentStartedResult(
                terminal_id="t9",
                kind=str(params.kind),
                name=name,
                cwd=str(params.cwd),
                prompted=params.prompt is not None,
            )
        return Ok()


def _applied(params: ApprovalDecideParams) -> Outcome:
    if params.decision is Decision.CHOOSE:
        return Outcome(outcome=OutcomeKind.CHOSEN, choice=params.choice or 0, by="desk")
    return Outcome(outcome=OutcomeKind.APPLIED, decision=params.decision, by="desk")
