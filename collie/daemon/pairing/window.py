"""The pairing window as sessions see it: the operator's opens, answers and cancels it, a device's tries the code."""

import math
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final, Protocol

import trio

from collie.daemon.clock import Clock
from collie.daemon.device import Device
from collie.daemon.dispatch import Audit as WriteAudit
from collie.daemon.pairing.candidate import Candidate, is_terminal_key
from collie.daemon.pairing.events import (
    Answer,
    Ask,
    Attempt,
    Audit,
    Cancel,
    Command,
    Confirm,
    EndSessions,
    Event,
    Finish,
    Left,
    NotStored,
    Open,
    Overdue,
    Refuse,
    Store,
    Stored,
)
from collie.daemon.pairing.machine import Machine
from collie.daemon.pairing.rules import CONFIRM_SECONDS, WINDOW_SECONDS
from collie.daemon.peers import PeersFile
from collie.errors import CollieError
from collie.protocol import invite
from collie.protocol.errors import Code, WireError
from collie.protocol.ids import Label
from collie.protocol.invite import Invite, PairingCode
from collie.tailnet.node import WhoIs

METHOD: Final = "pair.complete"
CODE_BYTES: Final = 16

ANSWER_SECONDS: Final = 65.0
"""How long a device may wait for its answer: what the operator has, and a little."""


class Desk(Protocol):
    """Whoever opened the window, to be told how it goes."""

    def ask(self, window: int, candidate: Candidate, seconds: float) -> None:
        """A device knew the code: show who it is; `confirm` is waited for that long, and silence is no."""

    def finish(self, is_paired: bool, detail: str) -> None:
        """The window is closed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """A window that is open for so many `seconds`; the `uri` is the invite, to be shown to the new device alone."""

    uri: str = field(repr=False)
    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Applicant:
    """Who sends `pair.complete`.

    `caller` is who the network says it is, `tls_key` the pin of the key that its session has proved. `window` is the
    one by which the gate let the session in, None for a device that is paired already. `by` is what the audit log calls
    it.
    """

    device: Device
    caller: WhoIs
    tls_key: str
    session: int
    window: int | None
    by: str


class _Verdict:
    """What one attempt waits for."""

    def __init__(self) -> None:
        self.told = trio.Event()
        self.is_paired = False


class PairingWindow:
    """One at a time. Nothing in it awaits but `run` and the device that waits for its answer, so that whoever asks the
    gate twice is told of each change."""

    def __init__(
        self,
        *,
        peers: PeersFile,
        configured_owner: int | None,
        invite_for: Callable[[PairingCode], Invite],
        end_sessions: Callable[[int, int | None], None],
        audit: WriteAudit,
        clock: Clock,
    ) -> None:
        """
        Args:
            invite_for: the invite to this machine with that code; raises CollieError when it cannot be reached just now
            end_sessions: drops the pairing-only sessions that the window of that number let in, but the one to keep
        """
        self._peers = peers
        self._configured_owner = configured_owner
        self._invite_for = invite_for
        self._end_sessions = end_sessions
        self._audit = audit
        self._clock = clock
        self._machine = Machine()
        self._desk: Desk | None = None
        self._verdicts: dict[int, _Verdict] = {}
        self._changed = trio.Event()

    def number(self) -> int | None:
        """The window that is open now, for the gate; None when none is."""
        return self._machine.window(self._clock.now())

    def open(self, desk: Desk) -> Opened:
        """Open it for one device.

        Raises: WireError when it is open already, CollieError when there is nothing to invite to.
        """
        code = PairingCode(self._clock.token(CODE_BYTES))
        uri = invite.make(self._invite_for(code))
        self._handle(Open(code=code))
        self._desk = desk
        return Opened(uri=uri, seconds=WINDOW_SECONDS)

    def confirm(self, desk: Desk, window: int, accept: bool) -> None:
        """The answer to `Desk.ask` about that window's candidate, from the desk that was asked.

        Raises: WireError when it is not being asked that, or no longer.
        """
        if self._desk is not desk:
            raise _refusal("no pairing in progress")
        self._handle(Confirm(window=window, accept=accept))

    def cancel(self, desk: Desk) -> None:
        """Close it, if this desk opened it: also to be called when the desk has gone."""
        if self._desk is desk:
            self._handle(Cancel())

    async def complete(
        self, applicant: Applicant, code: PairingCode, label: Label, terminal_key: str | None = None
    ) -> None:
        """Try a code, and wait until the device is paired.

        Raises: WireError when it is not; it does not say why.
        """
        self._check(applicant, terminal_key)
        candidate = self._candidate(applicant, label, terminal_key)
        verdict = self._verdicts[applicant.session] = _Verdict()
        try:
            tried = applicant.window
            self._handle(
                Attempt(candidate=candidate, code=code, session=applicant.session, window=tried, by=applicant.by)
            )
            with trio.move_on_after(ANSWER_SECONDS):
                await verdict.told.wait()
        finally:
            del self._verdicts[applicant.session]
            if not verdict.told.is_set():
                self._handle(Left())
        if not verdict.is_paired:
            raise _refusal("pairing failed")

    async def run(self) -> None:
        """Keep the time, until cancelled."""
        while True:
            changed, deadline = self._changed, self._machine.deadline
            with trio.move_on_after(math.inf if deadline is None else max(0.0, deadline - self._clock.now())):
                await changed.wait()
            deadline = self._machine.deadline
            if deadline is not None and self._clock.now() >= deadline:
                self._handle(Overdue())

    def _check(self, applicant: Applicant, terminal_key: str | None) -> None:
        """What is refused before the code is tried, and so without burning it."""
        why = message = ""
        if applicant.window is None and self.number() is None:
            why = message = "already paired"
        elif terminal_key is not None and not is_terminal_key(terminal_key, applicant.tls_key):
            why, message = "invalid terminal key", "pairing failed"
        if why:
            self._audit(applicant.by, METHOD, applicant.device.node_id, why)
            raise _refusal(message)

    def _candidate(self, applicant: Applicant, label: Label, terminal_key: str | None) -> Candidate:
        return Candidate(
            device=applicant.device,
            label=str(label),
            node_name=applicant.caller.name,
            user_id=applicant.caller.user_id,
            login=applicant.caller.login,
            tls_key=applicant.tls_key,
            terminal_key=terminal_key,
            previous=self._peers.peers.find(applicant.device),
        )

    def _handle(self, event: Event) -> None:
        """Do all that follows from `event`. Raises WireError where the operator's request is refused."""
        waiting = deque(self._machine.handle(event, self._clock.now()))
        changed, self._changed = self._changed, trio.Event()
        changed.set()
        while waiting:
            follows = self._perform(waiting.popleft())
            if follows is not None:
                waiting.extend(self._machine.handle(follows, self._clock.now()))

    def _perform(self, command: Command) -> Event | None:
        match command:
            case Ask():
                if self._desk is not None:
                    self._desk.ask(command.window, command.candidate, CONFIRM_SECONDS)
            case Store():
                return self._store(command.candidate)
            case EndSessions():
                self._end_sessions(command.window, command.keep)
            case Answer():
                self._answer(command)
            case Finish():
                desk, self._desk = self._desk, None
                if desk is not None:
                    desk.finish(command.is_paired, command.detail)
            case Refuse():
                raise _refusal(command.message)
            case Audit():
                self._audit(command.peer, command.method, command.target, command.result)
        return None

    def _store(self, candidate: Candidate) -> Event:
        try:
            record = candidate.paired(self._clock.wall_ms())
            self._peers.save(self._peers.peers.adding(record, self._configured_owner))
        except (CollieError, ValueError) as error:
            return NotStored(why=str(error))
        return Stored()

    def _answer(self, command: Answer) -> None:
        verdict = self._verdicts.get(command.session)
        if verdict is not None:
            verdict.is_paired = command.is_paired
            verdict.told.set()


def _refusal(message: str) -> WireError:
    return WireError(Code.PAIRING_FAILED, message)
