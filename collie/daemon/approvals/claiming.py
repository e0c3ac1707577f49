"""The first rules of an approval: it is claimed, refused, already taken, or withdrawn."""

from dataclasses import replace
from hmac import compare_digest

from msgspec import UNSET, structs

from collie.daemon.approvals.events import Audit, Command, Decide, Greet, Publish, Refuse, Withdraw
from collie.daemon.approvals.progress import Progress, State, Step, refuse
from collie.protocol.errors import Code
from collie.protocol.models import Outcome, OutcomeKind


def claim(progress: Progress, event: Decide, now: float) -> Step:
    """The first decision burns the approval, whatever follows (specs: phone-protocol section 6.6, in its order)."""
    progress = replace(progress, attempt=event, claimed_at=now, stage_since=now)
    offer = progress.offer
    if now >= offer.expires_at:
        return refuse(progress, Code.APPROVAL_EXPIRED, "approval expired", "rejected: expired", OutcomeKind.EXPIRED)
    if not compare_digest(event.nonce.encode(), offer.approval.nonce.encode()):
        return refuse(progress, Code.APPROVAL_NONCE_MISMATCH, "nonce mismatch", "rejected: bad nonce")
    plan = offer.plan(event.decision, event.choice, event.note)
    if isinstance(plan, str):
        return refuse(progress, Code.INVALID_PARAMS, plan, f"rejected: {plan}")
    return replace(progress, planned=plan, state=State.CHECKING), (Greet(),)


def taken(progress: Progress, event: Decide, now: float) -> Step:
    """A later decision is told who was first; it changes nothing."""
    return progress, replayed(event, told_later(progress))


def replayed(event: Decide, outcome: Outcome) -> tuple[Command, ...]:
    """What a decision gets that came after `outcome`."""
    refusal = Refuse(code=Code.APPROVAL_ALREADY_RESOLVED, message="approval already used", outcome=outcome)
    return (refusal, Audit(result=f"{event.words}: rejected: replayed"))


def withdraw(progress: Progress, event: Withdraw, now: float) -> Step:
    """It ends without a decision."""
    return replace(progress, state=State.ENDED, outcome=event.outcome), (Publish(outcome=event.outcome),)


def told_later(progress: Progress) -> Outcome:
    """What those who come later are told: how it ended, or who is answering it just now."""
    first, outcome = progress.attempt, progress.outcome
    if outcome is None:
        decision, by = (UNSET, UNSET) if first is None else (first.decision, first.by)
        return Outcome(outcome=OutcomeKind.OTHER, decision=decision, by=by, reason=_who(first, "being answered"))
    if first is None or outcome.reason is not UNSET:
        return outcome
    return structs.replace(outcome, reason=_who(first, "already answered"))


def _who(first: Decide | None, what: str) -> str:
    return what if first is None else f"{what} by {first.by}: {first.words}"
