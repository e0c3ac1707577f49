"""Carries a decision out: performs what the machine says, in its order, and reports back what happened."""

from collections import deque
from collections.abc import Callable
from typing import Final

import trio

from collie.daemon.approvals.claiming import replayed
from collie.daemon.approvals.events import (
    Abandoned,
    Audit,
    Changed,
    Command,
    Decide,
    Event,
    Failed,
    Greet,
    Greeted,
    Overdue,
    PressKeys,
    Publish,
    ReadScreen,
    Refuse,
    Reply,
    Revoked,
    Saw,
    TypeText,
    Wait,
)
from collie.daemon.approvals.host import Panes
from collie.daemon.approvals.ledger import Ledger
from collie.daemon.approvals.machine import Machine
from collie.daemon.approvals.reading import Reader
from collie.daemon.bucket import Buckets
from collie.daemon.caller import Caller
from collie.daemon.drive.refusals import wire_error
from collie.herdr.errors import HostRefused, HostUnavailable, ScreenChanged
from collie.protocol.errors import Code, WireError
from collie.protocol.events import AnyEvent, ApprovalResolved
from collie.protocol.methods import ApprovalDecideParams
from collie.protocol.models import Outcome

METHOD: Final = "approval.decide"
DECISIONS_A_SECOND: Final = 1.0
DECISIONS_AT_ONCE: Final = 5
PARTLY_WRITTEN: Final = "pane_send_failed"
"""The host code after which some of the keys may have been written."""


class _Run:
    """One attempt, and what it is answered."""

    def __init__(self, *, approval_id: str, caller: Caller) -> None:
        self.approval_id = approval_id
        self.caller = caller
        self.answer: Outcome | WireError | None = None

    @property
    def is_over(self) -> bool:
        """Whether it has its answer."""
        return self.answer is not None

    def verdict(self) -> Outcome:
        """The answer. Raises it when it is a refusal."""
        if isinstance(self.answer, WireError):
            raise self.answer
        if self.answer is None:
            raise ValueError("the attempt has no answer yet")
        return self.answer


class Decider:
    """Takes decisions; each is carried out once, and nothing of it a second time."""

    def __init__(
        self,
        *,
        host: Panes,
        ledger: Ledger,
        reader: Reader,
        publish: Callable[[AnyEvent], None],
        audit: Callable[[str, str, str | None, str], None],
        now: Callable[[], float],
    ) -> None:
        self._host = host
        self._ledger = ledger
        self._reader = reader
        self._publish = publish
        self._audit = audit
        self._now = now
        self._rates = Buckets(rate=DECISIONS_A_SECOND, burst=DECISIONS_AT_ONCE)

    async def decide(self, params: ApprovalDecideParams, caller: Caller) -> Outcome:
        """Carry out one decision, to its verdict. Raises WireError where it is refused."""
        note = None if params.note is None else str(params.note)
        attempt = Decide(decision=params.decision, nonce=params.nonce, by=caller.by, choice=params.choice, note=note)
        run = _Run(approval_id=str(params.approval_id), caller=caller)
        self._take_token(attempt, run)
        machine = self._ledger.find(run.approval_id)
        if machine is not None:
            return await self._carry_out(machine, attempt, run)
        ended = self._ledger.ended(run.approval_id)
        if ended is None:
            self._line(run, f"{attempt.words}: rejected: unknown approval")
            raise WireError(Code.APPROVAL_NOT_FOUND, "no such approval")
        for command in replayed(attempt, ended):
            self._tell(command, run)
        return run.verdict()

    def _take_token(self, attempt: Decide, run: _Run) -> None:
        take = self._rates.take(run.caller.device, self._now())
        if take.allowed:
            return
        if take.is_first_refusal:
            self._line(run, f"{attempt.words}: rejected: rate limited")
        raise WireError(Code.RATE_LIMITED, "slow down")

    async def _carry_out(self, machine: Machine, attempt: Decide, run: _Run) -> Outcome:
        commands = machine.handle(attempt, self._now())
        try:
            with trio.move_on_after(machine.verdict_at - self._now()):
                await self._perform_all(machine, commands, run)
            if not run.is_over:
                self._end(machine, Overdue(), run)
        except BaseException:
            if not run.is_over:
                self._end(machine, Abandoned(), run)
            raise
        finally:
            self._ledger.settle(machine)
        return run.verdict()

    async def _perform_all(self, machine: Machine, commands: tuple[Command, ...], run: _Run) -> None:
        waiting = deque(commands)
        while waiting:
            event = await self._perform(waiting.popleft(), machine, run)
            if event is not None:
                waiting = deque(machine.handle(event, self._now()))

    def _end(self, machine: Machine, event: Overdue | Abandoned, run: _Run) -> None:
        """Nothing awaits from here on, so that an end is always told."""
        for command in machine.handle(event, self._now()):
            self._tell(command, run)

    async def _perform(self, command: Command, machine: Machine, run: _Run) -> Event | None:
        match command:
            case Wait():
                await trio.sleep(command.seconds)
                return None
            case Greet():
                return await self._greet()
            case ReadScreen():
                return await self._read(machine.offer.approval.terminal_id)
            case PressKeys() | TypeText():
                return await self._write(command, machine.offer.approval.terminal_id, run)
            case _:
                self._tell(command, run)
                return None

    async def _greet(self) -> Event:
        try:
            return Greeted(ties_input=(await self._host.ping()).conditional_input)
        except (HostRefused, HostUnavailable) as trouble:
            return Failed(error=wire_error(trouble), is_write=False, is_certain=False)

    async def _read(self, terminal_id: str) -> Event:
        try:
            return Saw(sight=await self._reader.read(terminal_id))
        except (HostRefused, HostUnavailable) as trouble:
            return Failed(error=wire_error(trouble), is_write=False, is_certain=False)

    async def _write(self, command: PressKeys | TypeText, terminal_id: str, run: _Run) -> Event | None:
        """The only place from which an answer reaches a terminal."""
        if not run.caller.is_authorised():
            return Revoked()
        place = self._reader.place(terminal_id)
        try:
            if isinstance(command, PressKeys):
                await self._host.pane_send_keys(place, command.keys, expect=command.expect)
            else:
                await self._host.pane_send_text(place, command.text, expect=command.expect)
        except ScreenChanged:
            return Changed()
        except HostRefused as refused:
            return Failed(error=wire_error(refused), is_write=True, is_certain=refused.code != PARTLY_WRITTEN)
        except HostUnavailable as lost:
            return Failed(error=wire_error(lost), is_write=True, is_certain=not lost.sent)
        return None

    def _tell(self, command: Command, run: _Run) -> None:
        match command:
            case Publish():
                self._publish(ApprovalResolved(approval_id=run.approval_id, outcome=command.outcome))
            case Audit():
                self._line(run, command.result)
            case Reply():
                run.answer = command.outcome
            case Refuse():
                run.answer = WireError(command.code, command.message, outcome=command.outcome)

    def _line(self, run: _Run, result: str) -> None:
        self._audit(run.caller.by, METHOD, run.approval_id, result)
