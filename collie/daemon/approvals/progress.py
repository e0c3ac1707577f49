"""How far the life of one approval has come, and the ways in which it can end."""

from dataclasses import dataclass, replace
from enum import Enum

from msgspec import UNSET

from collie.daemon.approvals.events import (
    Audit,
    Command,
    Decide,
    PressKeys,
    Publish,
    ReadScreen,
    Refuse,
    Reply,
    Wait,
)
from collie.daemon.approvals.offer import Offer, Plan
from collie.daemon.approvals.sight import Sight
from collie.protocol.errors import Code
from collie.protocol.models import Decision, Key, Outcome, OutcomeKind

POLL_SECONDS = 0.03
"""Between two looks: an answered dialog is gone after 44 to 141 ms (specs: claude-code section 4)."""


class State(Enum):
    """Where an approval stands. From CHECKING to SETTLING it is claimed."""

    PENDING = "pending"
    CHECKING = "reading the screen before the first key"
    AIMING = "arrows sent, looking for the cursor"
    OPENING = "tab sent, looking for the text field"
    WRITING = "note sent, looking for it in the field"
    SETTLING = "answer sent, looking for the dialog to be gone"
    ENDED = "ended"


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """All that a rule may know.

    `claimed_at` and `stage_since` are monotonic seconds: when the decision came, and when the present state was
    entered. `ties_input` says that the host writes keys only at the picture that they are meant for. `answered` is the
    fingerprint of the picture that got the confirming key, and `lingered` that a look after the key still showed it.
    `absences` counts the looks in a row that proved the question gone. `pressed` is what was sent, as the audit log
    names it.
    """

    offer: Offer
    state: State = State.PENDING
    outcome: Outcome | None = None
    attempt: Decide | None = None
    planned: Plan | None = None
    claimed_at: float = 0.0
    stage_since: float = 0.0
    ties_input: bool = False
    answered: str = ""
    lingered: bool = False
    absences: int = 0
    pressed: tuple[str, ...] = ()

    @property
    def plan(self) -> Plan:
        """What was decided."""
        if self.planned is None:
            raise ValueError("nothing was decided yet")
        return self.planned

    @property
    def place(self) -> str:
        """Where keys go, for the audit log."""
        return f"terminal={self.offer.approval.terminal_id}"

    @property
    def trace(self) -> str:
        """What was sent where, for the audit log."""
        return f"{self.place} keys={','.join(self.pressed)}"


Step = tuple[Progress, tuple[Command, ...]]
"""What a rule gives: the progress after it, and what is to be done, in this order."""


def look_again(progress: Progress, seconds: float = POLL_SECONDS) -> Step:
    """Nothing is known yet."""
    return progress, (Wait(seconds=seconds), ReadScreen())


def press(
    progress: Progress, keys: tuple[Key, ...], sight: Sight, state: State, now: float, *, look_in: float = POLL_SECONDS
) -> Step:
    """Keys, tied to the picture that was just compared, and then another look.

    The first of them are announced in the audit log, so that a daemon that dies here leaves a trace of the attempt.
    """
    announced = () if progress.pressed else (_audit(progress, f"sending {progress.place}"),)
    pressed = (*progress.pressed, *(key.value for key in keys))
    after = replace(progress, state=state, stage_since=now, pressed=pressed)
    sent = PressKeys(keys=keys, expect=sight.expectation())
    return after, (*announced, sent, Wait(seconds=look_in), ReadScreen())


def supersede(progress: Progress, reason: str, audited: str) -> Step:
    """Nothing (more) is sent: what was decided is not what is asked. `reason` is for people."""
    return give_up(progress, Outcome(outcome=OutcomeKind.SUPERSEDED, reason=reason), audited)


def give_up(progress: Progress, outcome: Outcome, audited: str) -> Step:
    """Nothing (more) is sent, as the question has ended in this way."""
    trace = f" {progress.trace}" if progress.pressed else ""
    return _end(progress, outcome, f"superseded: {audited}{trace}")


def refuse(
    progress: Progress, code: Code, message: str, audited: str, kind: OutcomeKind = OutcomeKind.SUPERSEDED
) -> Step:
    """Nothing (more) is sent, and the decider gets an error."""
    outcome = Outcome(outcome=kind, reason=message)
    ended = replace(progress, state=State.ENDED, outcome=outcome)
    return ended, (Publish(outcome=outcome), Refuse(code=code, message=message), _audit(progress, audited))


def confirm(progress: Progress) -> Step:
    """The dialog was seen to be gone after our keys."""
    kinds = (OutcomeKind.APPLIED, OutcomeKind.CHOSEN)
    return _end(progress, _answered(progress, kinds), f"applied {progress.trace}")


def leave_unconfirmed(progress: Progress, reason: str) -> Step:
    """The keys were (or may have been) sent, and nothing shows what they did."""
    kinds = (OutcomeKind.UNCONFIRMED, OutcomeKind.CHOSEN_UNCONFIRMED)
    return _end(progress, _answered(progress, kinds, reason), f"unconfirmed {progress.trace}")


def _answered(progress: Progress, kinds: tuple[OutcomeKind, OutcomeKind], reason: str | None = None) -> Outcome:
    plan, by = progress.plan, progress.attempt.by if progress.attempt else ""
    why = UNSET if reason is None else reason
    if plan.decision is Decision.CHOOSE:
        return Outcome(outcome=kinds[1], choice=plan.target, by=by, reason=why)
    return Outcome(outcome=kinds[0], decision=plan.decision, by=by, reason=why)


def _end(progress: Progress, outcome: Outcome, audited: str) -> Step:
    ended = replace(progress, state=State.ENDED, outcome=outcome)
    return ended, (Publish(outcome=outcome), Reply(outcome=outcome), _audit(progress, audited))


def _audit(progress: Progress, result: str) -> Audit:
    words = progress.attempt.words if progress.attempt else "decide"
    return Audit(result=f"{words}: {result}")
