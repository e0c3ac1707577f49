"""The session: what happened and when -> the next session. No clock here: `now` is seconds of any steady clock."""

import re
from dataclasses import dataclass, replace

from collie.practice.dialogs import Answer, Dialog, pressed
from collie.practice.field import EMPTY, Field, edited
from collie.practice.keys import Key, KeyEvent, Pasted
from collie.practice.script import (
    INTERRUPTED,
    NOTHING_PERMITTED,
    Entry,
    EntryKind,
    Pause,
    Permits,
    Step,
    answered,
    interrupted,
    steps_of,
)

GUARD_SECONDS = 0.15
"""Confirming keys are ignored this long after a dialog appeared (Claude Code 2.1.332: 100 to 200 ms)."""
LEAVING_SECONDS = 1.5
"""A second ctrl+c within this time ends the program."""
FRAME_SECONDS = 0.12
"""Time between two pictures of the working line."""
BLINK_SECONDS = 0.6
"""The mark of a call that waits for an answer changes this often."""
KEPT_ENTRIES = 500
"""Older pieces of the transcript are dropped: no screen shows them."""
SHORT_PASTE_LINES = 10
SHORT_PASTE_CHARACTERS = 1000
"""A longer paste is shown as a placeholder in the input box (Claude Code: 3 lines in full, 41 as a placeholder)."""

_PLACEHOLDER = re.compile(r"\[Pasted text #(\d+)(?: \+\d+ lines)?\]")


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """What the agent is at: steps to come, when it began, and until when it works on the present one."""

    steps: tuple[Step, ...]
    started: float
    until: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """Everything the screen is drawn from.

    `place` is the working folder as shown, `guard` the seconds of `GUARD_SECONDS` as configured, `leaving_until` the
    time to which a second ctrl+c ends the program.
    """

    columns: int
    rows: int
    place: str = ""
    guard: float = GUARD_SECONDS
    transcript: tuple[Entry, ...] = ()
    box: Field = EMPTY
    pastes: tuple[str, ...] = ()
    queue: tuple[str, ...] = ()
    turn: Turn | None = None
    dialog: Dialog | None = None
    permits: Permits = NOTHING_PERMITTED
    leaving_until: float = 0.0
    ended: bool = False

    @property
    def working(self) -> bool:
        """The agent is busy and waits for nobody."""
        return self.turn is not None and self.dialog is None


def resized(session: Session, columns: int, rows: int) -> Session:
    """The terminal has another size."""
    return replace(session, columns=columns, rows=rows)


def submitted(session: Session, prompt: str, now: float) -> Session:
    """A prompt was sent: it starts a turn, or waits in the queue for the present one to end."""
    if prompt.strip() in ("/exit", "/quit"):
        return replace(session, ended=True)
    if not prompt.strip():
        return session
    return ticked(replace(session, queue=(*session.queue, prompt)), now)


def ticked(session: Session, now: float) -> Session:
    """Time has passed: steps of the turn that are due are taken, and its end starts what is queued."""
    if now >= session.leaving_until:
        session = replace(session, leaving_until=0.0)
    while session.dialog is None:
        turn = session.turn
        if turn is None and session.queue:
            session = _begun(session, now)
        elif turn is None or now < turn.until:
            break
        else:
            session = _stepped(session, turn, now) if turn.steps else _finished(session, turn, now)
    return session


def keyed(session: Session, event: KeyEvent, now: float) -> Session:
    """A key was pressed, or text came in."""
    if event == Key(name="ctrl+c") and session.dialog is None:
        return _ctrl_c(session, now)
    session = replace(session, leaving_until=0.0)
    if session.dialog is None:
        return _keyed_box(session, event, now)
    outcome = pressed(session.dialog, event, now, session.guard)
    if isinstance(outcome, Dialog):
        return replace(session, dialog=outcome)
    return _answered(session, session.dialog, outcome, now)


def wakes_in(session: Session, now: float) -> float | None:
    """Seconds until time alone changes the screen, or None when it never does."""
    times = [session.leaving_until] if session.leaving_until else []
    if session.dialog is not None:
        times.append(now + BLINK_SECONDS - (now - session.dialog.opened) % BLINK_SECONDS)
    elif session.turn is not None:
        times.append(min(now + FRAME_SECONDS, max(session.turn.until, now)))
    return max(min(times) - now, 0.0) if times else None


def _added(session: Session, *entries: Entry) -> Session:
    return replace(session, transcript=(session.transcript + entries)[-KEPT_ENTRIES:])


def _expanded(prompt: str, pastes: tuple[str, ...]) -> str:
    def paste(match: re.Match[str]) -> str:
        number = int(match.group(1))
        return pastes[number - 1] if 1 <= number <= len(pastes) else match.group()

    return _PLACEHOLDER.sub(paste, prompt)


def _stepped(session: Session, turn: Turn, now: float) -> Session:
    step, rest = turn.steps[0], turn.steps[1:]
    if isinstance(step, Pause):
        return replace(session, turn=replace(turn, steps=rest, until=now + step.seconds))
    session = replace(session, turn=replace(turn, steps=rest))
    if isinstance(step, Dialog):
        return replace(session, dialog=replace(step, opened=now))
    return _added(session, step)


def _begun(session: Session, now: float) -> Session:
    """The first prompt of the queue becomes a turn."""
    prompt = session.queue[0]
    steps = steps_of(_expanded(prompt, session.pastes), session.permits)
    begun = replace(session, queue=session.queue[1:], turn=Turn(steps=steps, started=now, until=now))
    return _added(begun, Entry(kind=EntryKind.PROMPT, text=prompt))


def _finished(session: Session, turn: Turn, now: float) -> Session:
    worked = turn.until > turn.started
    entries = (Entry(kind=EntryKind.WORKED, text=f"Worked for {int(now - turn.started)}s"),) if worked else ()
    return _added(replace(session, turn=None), *entries)


def _answered(session: Session, dialog: Dialog, answer: Answer, now: float) -> Session:
    outcome = answered(dialog, answer, session.permits)
    if outcome is None or session.turn is None:
        ended = _added(replace(session, dialog=None, turn=None), interrupted(dialog))
        return ticked(ended, now)
    turn = replace(session.turn, steps=outcome.steps + session.turn.steps, until=now)
    going_on = replace(session, dialog=None, turn=turn, permits=outcome.permits)
    return ticked(_added(going_on, *outcome.entries), now)


def _interrupt(session: Session, now: float) -> Session:
    """Ends the turn. A prompt that had no effect yet comes back into the box, if nothing else is or comes there."""
    if session.turn is None:
        return session
    last = session.transcript[-1]
    if last.kind is EntryKind.PROMPT and not session.box.text and not session.queue:
        return replace(session, turn=None, transcript=session.transcript[:-1], box=Field.filled(last.text))
    return ticked(_added(replace(session, turn=None), Entry(kind=EntryKind.NOTE, text="", notes=(INTERRUPTED,))), now)


def _ctrl_c(session: Session, now: float) -> Session:
    """Stops what is under way, else empties the box; then a second one soon after ends the program."""
    if now < session.leaving_until:
        return replace(session, ended=True)
    if session.turn is not None:
        return _interrupt(session, now)
    return replace(session, box=EMPTY, leaving_until=now + LEAVING_SECONDS)


def _keyed_box(session: Session, event: KeyEvent, now: float) -> Session:
    name = event.name if isinstance(event, Key) else ""
    if name == "enter":
        return _entered(session, now)
    if name == "escape":
        return _interrupt(session, now)
    if name == "shift+tab":
        return replace(session, permits=replace(session.permits, edits=not session.permits.edits))
    if name == "up" and session.queue and not session.box.text:
        return replace(session, queue=(), box=Field.filled("\n".join(session.queue)))
    if isinstance(event, Pasted) and _is_long(event.text):
        return _pasted(session, event.text)
    after = edited(session.box, event)
    return session if after is None else replace(session, box=after)


def _entered(session: Session, now: float) -> Session:
    """Enter sends the box; after a backslash it begins a new line instead."""
    box = session.box
    if box.cursor == len(box.text) and box.text.endswith("\\"):
        return replace(session, box=box.cut(box.cursor - 1, box.cursor).insert("\n"))
    return submitted(replace(session, box=EMPTY), box.text, now)


def _is_long(text: str) -> bool:
    return text.count("\n") >= SHORT_PASTE_LINES or len(text) > SHORT_PASTE_CHARACTERS


def _pasted(session: Session, text: str) -> Session:
    text = text.rstrip("\n")
    lines = text.count("\n")
    more = f" +{lines} lines" if lines else ""
    placeholder = f"[Pasted text #{len(session.pastes) + 1}{more}]"
    return replace(session, pastes=(*session.pastes, text), box=session.box.insert(placeholder))
