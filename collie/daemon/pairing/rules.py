"""What each row of the pairing window's table does: plain functions of values."""

from dataclasses import dataclass, field, replace
from enum import Enum
from hmac import compare_digest
from typing import Final

from collie.daemon.pairing.events import (
    Answer,
    Ask,
    Attempt,
    Audit,
    Cancel,
    Command,
    Confirm,
    EndSessions,
    Finish,
    Left,
    NotStored,
    Open,
    Overdue,
    Refuse,
    Store,
    Stored,
)
from collie.protocol.invite import PairingCode

WINDOW_SECONDS: Final = 120.0
"""How long a code can be tried: a photo of it is worth nothing later."""

CONFIRM_SECONDS: Final = 60.0
"""How long the operator may take to say yes; silence is no."""

CONTROL: Final = "control"
"""`peer` of what the operator does, in the audit log."""

EXPIRED: Final = ("expired", "pairing window expired")
"""In the audit log, and for the operator."""


class State(Enum):
    """Where a window stands."""

    CLOSED = "closed"
    OPEN = "open, its code not tried yet"
    ASKING = "its code was known, waiting for yes or no"
    STORING = "yes was said, the device is being added"


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """All that a rule may know. `window` numbers the windows there were; `deadline` is in monotonic seconds."""

    state: State = State.CLOSED
    window: int = 0
    deadline: float = 0.0
    code: PairingCode | None = field(default=None, repr=False)
    asking: Attempt | None = None

    @property
    def attempt(self) -> Attempt:
        """The one that is being asked about."""
        if self.asking is None:
            raise ValueError("nobody has tried the code")
        return self.asking


Step = tuple[Progress, tuple[Command, ...]]
"""What a rule gives: the progress after it, and what is to be done, in this order."""


# The operator


def open_window(progress: Progress, event: Open, now: float) -> Step:
    """A new window with a code of its own."""
    opened = Progress(state=State.OPEN, window=progress.window + 1, deadline=now + WINDOW_SECONDS, code=event.code)
    return opened, (Audit(peer=CONTROL, method="pair.open", target=None, result="window opened"),)


def open_already(progress: Progress, event: Open, now: float) -> Step:
    """One at a time."""
    return progress, (Refuse(message="a pairing window is already open"),)


def nothing_to_confirm(progress: Progress, event: Confirm, now: float) -> Step:
    """Nobody is being asked about, or no longer."""
    return progress, (Refuse(message="no pairing in progress"),)


def cancel(progress: Progress, event: Cancel, now: float) -> Step:
    """Nobody may try any more."""
    return _shut(progress, "cancelled", "cancelled")


def expire(progress: Progress, event: Overdue, now: float) -> Step:
    """Nobody tried in time."""
    return _shut(progress, *EXPIRED)


def confirm(progress: Progress, event: Confirm, now: float) -> Step:
    """Yes, in time, adds the device."""
    if event.window != progress.window:
        return nothing_to_confirm(progress, event, now)
    if not event.accept or now >= progress.deadline:
        return _unconfirmed(progress)
    return replace(progress, state=State.STORING), (Store(candidate=progress.attempt.candidate),)


def silence(progress: Progress, event: Overdue | Cancel, now: float) -> Step:
    """Silence is no, and so is the operator's going away."""
    return _unconfirmed(progress)


# The device


def attempt(progress: Progress, event: Attempt, now: float) -> Step:
    """The first attempt burns the window, whether it knows the code or not."""
    if now >= progress.deadline:
        shut, commands = _shut(progress, *EXPIRED, keep=event.session)
        return shut, (*commands, *_turned_away(event, "no open window"))
    if event.window not in (None, progress.window):
        return progress, _turned_away(event, "no open window")
    burned = (EndSessions(window=progress.window, keep=event.session),)
    if progress.code is None or not compare_digest(event.code.encode(), progress.code.encode()):
        told = Finish(is_paired=False, detail=f"wrong code from {event.candidate.node_name}")
        return _closed(progress), (*burned, *_turned_away(event, "wrong code"), told)
    asking = replace(progress, state=State.ASKING, deadline=now + CONFIRM_SECONDS, code=None, asking=event)
    return asking, (*burned, Ask(window=progress.window, candidate=event.candidate))


def no_window(progress: Progress, event: Attempt, now: float) -> Step:
    """There is none to try, or another device tried before."""
    return progress, _turned_away(event, "no open window")


def left(progress: Progress, event: Left, now: float) -> Step:
    """It is not there any more to be told yes."""
    return _denied(progress, "refused", "the device hung up before it was confirmed")


# The disk


def stored(progress: Progress, event: Stored, now: float) -> Step:
    """Paired, and told so to both sides."""
    tried = progress.attempt
    detail = f"paired {tried.candidate.label} ({tried.candidate.device.node_id})"
    return _closed(progress), (
        _confirmed(tried, "paired"),
        _completed(tried, "paired"),
        Answer(session=tried.session, is_paired=True),
        Finish(is_paired=True, detail=detail),
    )


def not_stored(progress: Progress, event: NotStored, now: float) -> Step:
    """Yes was said, and yet it is not paired."""
    return _denied(progress, f"failed: {event.why}", event.why)


def _shut(progress: Progress, audited: str, detail: str, keep: int | None = None) -> Step:
    return _closed(progress), (
        EndSessions(window=progress.window, keep=keep),
        Audit(peer=CONTROL, method="pair.close", target=None, result=audited),
        Finish(is_paired=False, detail=detail),
    )


def _unconfirmed(progress: Progress) -> Step:
    return _denied(progress, "refused", "not confirmed on the machine")


def _denied(progress: Progress, audited: str, detail: str) -> Step:
    tried = progress.attempt
    told = Finish(is_paired=False, detail=detail)
    return _closed(progress), (_confirmed(tried, audited), *_turned_away(tried, "refused"), told)


def _turned_away(tried: Attempt, audited: str) -> tuple[Command, ...]:
    return _completed(tried, audited), Answer(session=tried.session, is_paired=False)


def _closed(progress: Progress) -> Progress:
    return Progress(window=progress.window)


def _confirmed(tried: Attempt, result: str) -> Audit:
    candidate = tried.candidate
    return Audit(peer=candidate.device.node_id, method="pair.confirm", target=candidate.label, result=result)


def _completed(tried: Attempt, result: str) -> Audit:
    return Audit(peer=tried.by, method="pair.complete", target=tried.candidate.device.node_id, result=result)
