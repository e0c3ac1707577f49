"""The rules up to the confirming key: read, compare, aim, look, press.

Each rule answers a sight. It sends nothing unless that very picture is the one that was offered (but for the cursor and
the note that our own keys brought about), and everything it sends is tied to that picture.
"""

from dataclasses import replace

from collie.daemon.approvals import fingerprint, proof
from collie.daemon.approvals.events import Greeted, ReadScreen, Saw, TypeText, Wait
from collie.daemon.approvals.progress import (
    POLL_SECONDS,
    Progress,
    State,
    Step,
    give_up,
    look_again,
    press,
    supersede,
)
from collie.daemon.approvals.sight import Sight
from collie.protocol.models import Key

GUARD_SECONDS = 0.3
"""Claude Code silently ignores Enter for 100 to 200 ms after it drew a dialog (specs: claude-code section 4)."""

PRESS_SECONDS = 2.3
"""No confirming key later than this after the claim, so that there is time left to see what it did."""

STAGE_SECONDS = 1.0
"""How long a picture may take to follow our keys: the cursor, the text field, the text in it."""

REDRAW_SECONDS = 0.15
"""How long a picture that cannot be read may be one that is just being drawn."""


def greeted(progress: Progress, event: Greeted, now: float) -> Step:
    """What the host can do is known; then the screen counts."""
    return replace(progress, ties_input=event.ties_input), (ReadScreen(),)


def check(progress: Progress, event: Saw, now: float) -> Step:
    """The screen before the first key must be the one that was offered, the cursor included."""
    sight, plan = event.sight, progress.plan
    if (end := _stray(progress, sight)) is not None:
        return end
    if sight.dialog is None or sight.fingerprint != progress.offer.sight.fingerprint:
        if not sight.is_whole and now < progress.stage_since + REDRAW_SECONDS:
            return look_again(progress)
        return supersede(progress, "the dialog changed; nothing was sent", "fingerprint mismatch")
    if plan.is_by_escape:
        return _confirm(progress, Key.ESC, sight, now)
    steps = plan.target - (sight.dialog.cursor or 0)
    if steps == 0:
        return _on_target(progress, sight, now)
    arrow = Key.DOWN if steps > 0 else Key.UP
    return press(progress, (arrow,) * abs(steps), sight, State.AIMING, now)


def aim(progress: Progress, event: Saw, now: float) -> Step:
    """The cursor must be seen on the option, and everything else as it was."""
    if (end := _stray(progress, event.sight)) is not None:
        return end
    if event.sight.fingerprint == progress.offer.with_cursor_on(progress.plan.target):
        return _on_target(progress, event.sight, now)
    return _patience(progress, now, "the cursor did not reach the option", "cursor not on target")


def open_field(progress: Progress, event: Saw, now: float) -> Step:
    """The option must have become an empty text field; then the note is typed, and nothing else."""
    sight, plan = event.sight, progress.plan
    if (end := _stray(progress, sight)) is not None:
        return end
    field = sight.dialog.field if sight.dialog else None
    if field is None or field.option != plan.target or field.text or not _is_around(progress, sight):
        return _patience(progress, now, "the field for the note did not open", "amend field not shown")
    after = replace(progress, state=State.WRITING, stage_since=now, pressed=(*progress.pressed, "note"))
    note = TypeText(text=plan.note or "", expect=sight.expectation())
    return after, (note, Wait(seconds=POLL_SECONDS), ReadScreen())


def read_note(progress: Progress, event: Saw, now: float) -> Step:
    """The note must stand in the option as it was typed, wrapped or not."""
    sight, plan = event.sight, progress.plan
    if (end := _stray(progress, sight)) is not None:
        return end
    label = f"{progress.offer.label(plan.target)}, {plan.note}"
    shown = sight.dialog.options[plan.target].label if sight.dialog and _is_around(progress, sight) else ""
    if fingerprint.squeezed(shown) != fingerprint.squeezed(label):
        return _patience(progress, now, "the note did not appear as it was typed", "note not shown")
    return _confirm(progress, Key.ENTER, sight, now)


def _on_target(progress: Progress, sight: Sight, now: float) -> Step:
    if progress.plan.note is None:
        return _confirm(progress, Key.ENTER, sight, now)
    if sight.dialog is None or not sight.dialog.note:
        return supersede(progress, "the agent takes no note here", "amend field not shown")
    return press(progress, (Key.TAB,), sight, State.OPENING, now)


def _confirm(progress: Progress, key: Key, sight: Sight, now: float) -> Step:
    ready = progress.offer.first_seen + GUARD_SECONDS
    if key is Key.ENTER and now < ready:
        return look_again(progress, ready - now)
    if now > progress.claimed_at + PRESS_SECONDS:
        return supersede(progress, "no time was left to see what a key would do; none was sent", "herdr too slow")
    progress = replace(progress, answered=sight.fingerprint)
    look_in = POLL_SECONDS if progress.ties_input else 0.0
    return press(progress, (key,), sight, State.SETTLING, now, look_in=look_in)


def _stray(progress: Progress, sight: Sight) -> Step | None:
    """The end, where the agent has gone on or asks something else by now."""
    if (ended := proof.ended_elsewhere(progress.offer, sight)) is not None:
        return give_up(progress, ended, "fingerprint mismatch")
    if sight.dialog is not None and sight.is_whole and not progress.offer.may_show(sight.dialog):
        return supersede(progress, "another question took its place", "fingerprint mismatch")
    return None


def _patience(progress: Progress, now: float, reason: str, audited: str) -> Step:
    if now < progress.stage_since + STAGE_SECONDS:
        return look_again(progress)
    return supersede(progress, f"{reason}; no answer was sent", audited)


def _is_around(progress: Progress, sight: Sight) -> bool:
    """Whether all but the text of the option is as it was offered, and the cursor is on that option."""
    target = progress.plan.target
    if sight.dialog is None or not sight.is_whole or sight.dialog.cursor != target:
        return False
    return fingerprint.around(sight.subject, sight.dialog, target) == progress.offer.around(target)
