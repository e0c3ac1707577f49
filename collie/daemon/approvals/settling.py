"""The rules after the confirming key: is the question gone? Nothing is sent any more.

Where the host ties input to the picture, the key reached what was offered, as far as that was drawn. A host that does
not may have written it into a question that took the place in between; then what is seen afterwards says nothing of the
offered one. So there the picture that was answered must be seen once more after the key, which then cannot have met
another on the screen: the first look follows the key at once, as agents take some 40 ms to go on. An agent that is
quicker than that look stays unconfirmed.
"""

from dataclasses import replace

from collie.daemon.approvals import proof
from collie.daemon.approvals.events import Abandoned, Changed, Failed, Overdue, Revoked, Saw
from collie.daemon.approvals.progress import (
    POLL_SECONDS,
    Progress,
    Step,
    confirm,
    leave_unconfirmed,
    look_again,
    refuse,
    supersede,
)
from collie.protocol.errors import Code

FAST_POLLS_FOR = 0.6
SLOW_POLL_SECONDS = 0.1

LOOKS_WITHOUT_IT = 2
"""Looks in a row that must prove it gone: agents draw in pieces, and a host may be read in the middle of one."""


def settle(progress: Progress, event: Saw, now: float) -> Step:
    """Applied is what the screen proves, look after look; the host's own view of the agent proves nothing."""
    sight = event.sight
    is_gone = proof.is_gone(progress.offer, sight, ends_agent=progress.plan.ends_agent)
    if not is_gone and (why := proof.why_unprovable(progress.offer, sight)):
        return leave_unconfirmed(progress, why)
    absences = progress.absences + 1 if is_gone else 0
    lingered = progress.lingered or sight.fingerprint == progress.answered
    progress = replace(progress, absences=absences, lingered=lingered)
    if absences >= LOOKS_WITHOUT_IT:
        if progress.ties_input or progress.lingered:
            return confirm(progress)
        return leave_unconfirmed(progress, "the dialog went before it was seen that the key had reached it")
    is_early = now < progress.stage_since + FAST_POLLS_FOR
    return look_again(progress, POLL_SECONDS if is_early else SLOW_POLL_SECONDS)


def unsettled(progress: Progress, event: Overdue, now: float) -> Step:
    """The time is over."""
    return leave_unconfirmed(progress, "the dialog was not seen to go away")


def abandoned(progress: Progress, event: Abandoned, now: float) -> Step:
    """Nobody looks any more."""
    return leave_unconfirmed(progress, "the decision was cut short after its key")


def failed_late(progress: Progress, event: Failed, now: float) -> Step:
    """The confirming key itself may have failed for certain; anything else leaves open what it did."""
    if event.is_write and event.is_certain:
        return failed(progress, event, now)
    return leave_unconfirmed(progress, event.error.message)


# Ends before or instead of the confirming key


def changed(progress: Progress, event: Changed, now: float) -> Step:
    """The host compared last, and wrote nothing."""
    return supersede(progress, "the dialog changed right before the key, which was not sent", "fingerprint mismatch")


def revoked(progress: Progress, event: Revoked, now: float) -> Step:
    """The decider was unpaired meanwhile."""
    message = "peer is no longer authorized"
    return refuse(progress, Code.NOT_PAIRED, message, f"rejected: {message}")


def failed(progress: Progress, event: Failed, now: float) -> Step:
    """The host did not answer, or refused."""
    return refuse(progress, event.error.code, event.error.message, f"failed: {event.error.message}")


def overdue(progress: Progress, event: Overdue, now: float) -> Step:
    """The time is over before an answer could be sent."""
    return supersede(progress, "the host took too long; no answer was sent", "herdr too slow")


def cut_short(progress: Progress, event: Abandoned, now: float) -> Step:
    """Whoever carried the decision out was cancelled before it sent an answer."""
    return supersede(progress, "the decision was cut short; no answer was sent", "cut short")
