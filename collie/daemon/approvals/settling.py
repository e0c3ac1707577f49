"""The rules after the confirming key: is the dialog gone? Nothing is sent any more."""

from dataclasses import replace

from collie.agents.facts import State as AgentState
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
from collie.daemon.approvals.sight import Sight
from collie.protocol.errors import Code

FAST_POLLS_FOR = 0.6
SLOW_POLL_SECONDS = 0.1

LOOKS_WITHOUT_IT = 2
"""Looks in a row that must not show the dialog while the host still says blocked: agents draw in pieces."""


def settle(progress: Progress, event: Saw, now: float) -> Step:
    """Gone is what the screen does not show, where the host agrees or a second look does."""
    moved_on = progress.has_moved_on(event.sight)
    is_away = _is_away(progress, event.sight, moved_on)
    progress = replace(progress, absences=progress.absences + 1 if is_away else 0)
    if is_away and (moved_on or progress.absences >= LOOKS_WITHOUT_IT):
        return confirm(progress)
    is_early = now < progress.stage_since + FAST_POLLS_FOR
    return look_again(progress, POLL_SECONDS if is_early else SLOW_POLL_SECONDS)


def _is_away(progress: Progress, sight: Sight, moved_on: bool) -> bool:
    """Whether the dialog that we answered cannot be on this screen.

    It may be scrolled out of sight, covered or half drawn, so the screen must have been understood, or the host must
    have seen it go. A second question in the same words cannot be told from the first, and proves nothing. An agent
    that has exited may leave its dialog standing, with nobody behind it (Claude Code does, when no trust is given).
    """
    if sight.seq is None:
        return True
    if sight.dialog is not None:
        return sight.is_whole and not progress.offer.is_same_question(sight.dialog)
    if moved_on:
        return sight.facts.banner is None and sight.facts.state is not AgentState.BLOCKED
    return sight.shows_no_question


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
