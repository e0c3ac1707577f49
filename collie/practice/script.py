"""A prompt -> the steps of a turn; an answer to a dialog -> how the turn goes on. Nothing is executed anywhere here."""

import re
from dataclasses import dataclass
from enum import Enum

from collie.practice.asks import PLAN_DIALOG, QUESTION_DIALOG, command_dialog, edit_dialog
from collie.practice.dialogs import Answer, Dialog, Meaning, Subject

PROMPTS = """\
ask COMMAND      ask permission to run COMMAND (paste it for several lines); it is never run
ask-edit FILE    ask permission to edit FILE; it is never opened
question         ask a question with three answers
plan             show a plan and ask for approval
work SECONDS     look busy
say TEXT         say TEXT
idle             do nothing
/exit            leave (or ctrl+c twice)"""

THINKING_SECONDS = 0.1
"""Working time before the first answer, so that a watcher sees the agent work."""
AFTERWARDS_SECONDS = 1.0
"""Working time after an answer to a dialog."""
LONGEST_WORK_SECONDS = 24 * 3600.0

NOT_RUN = "(practice: nothing was run)"
NOT_WRITTEN = "(practice: nothing was written)"
REJECTED = "Not run · rejected"
INTERRUPTED = "Interrupted · What should I do instead?"


class EntryKind(Enum):
    """What a piece of the transcript is."""

    PROMPT = "prompt"
    SAID = "said"
    CALL = "call"
    NOT_CALLED = "not called"
    NOTE = "note"
    WORKED = "worked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Entry:
    """One piece of the transcript; `notes` stand below its text."""

    kind: EntryKind
    text: str
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Pause:
    """Work for so many seconds."""

    seconds: float


Step = Entry | Pause | Dialog


@dataclass(frozen=True, slots=True, kw_only=True)
class Permits:
    """What need not be asked again in this session: commands that begin with a prefix, and edits."""

    prefixes: tuple[str, ...] = ()
    edits: bool = False

    def allow(self, command: str) -> bool:
        """Whether `command` was allowed earlier."""
        return any(command == prefix or command.startswith(prefix + " ") for prefix in self.prefixes)


NOTHING_PERMITTED = Permits()


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """What an answer leads to: entries at once, the steps that follow, what is permitted from now on."""

    entries: tuple[Entry, ...]
    steps: tuple[Step, ...]
    permits: Permits


def steps_of(prompt: str, permits: Permits) -> tuple[Step, ...]:
    """The turn that a prompt starts; one that is not understood is answered with the list of prompts."""
    word, rest = _split(prompt)
    thinking = Pause(seconds=THINKING_SECONDS)
    match word:
        case "ask" if rest:
            return (thinking, *_asking(rest, permits))
        case "ask-edit" if rest:
            return (thinking, *_asking_edit(rest, permits))
        case "question":
            return (thinking, said("One question."), QUESTION_DIALOG)
        case "plan":
            return (thinking, said("Here is what I would do."), PLAN_DIALOG)
        case "work" if _seconds(rest) is not None:
            return (Pause(seconds=_seconds(rest) or 0.0), said("Done."))
        case "say" if rest:
            return (thinking, said(rest))
        case "idle":
            return ()
        case _:
            return (thinking, said("I understand these prompts:\n" + PROMPTS))


def said(text: str) -> Entry:
    """Words of the agent."""
    return Entry(kind=EntryKind.SAID, text=text)


def _split(prompt: str) -> tuple[str, str]:
    words = prompt.strip().split(maxsplit=1)
    return (words[0], words[1]) if len(words) == 2 else (prompt.strip(), "")


def _seconds(text: str) -> float | None:
    if not re.fullmatch(r"\d{1,9}(\.\d{1,3})?", text):
        return None
    return min(float(text), LONGEST_WORK_SECONDS)


def _done(*entries: Entry) -> tuple[Step, ...]:
    return (Pause(seconds=AFTERWARDS_SECONDS), *entries, said("Done."))


def _asking(command: str, permits: Permits) -> tuple[Step, ...]:
    if permits.allow(command):
        return (said("This was allowed earlier, so I do not ask."), _called(f"Bash({command})", NOT_RUN), *_done())
    return (said("I would like to run a command."), command_dialog(command))


def _asking_edit(file: str, permits: Permits) -> tuple[Step, ...]:
    if permits.edits:
        return (said("Edits were allowed earlier, so I do not ask."), _called(f"Update({file})", NOT_WRITTEN), *_done())
    return (said("I would like to edit a file."), edit_dialog(file))


def _called(text: str, *notes: str) -> Entry:
    return Entry(kind=EntryKind.CALL, text=text, notes=notes)


def answered(dialog: Dialog, answer: Answer, permits: Permits) -> Outcome | None:
    """How the turn goes on after `answer`, or None when the answer ends it (Escape, and a plain No)."""
    if answer.meaning is Meaning.CANCEL or (answer.meaning is Meaning.NO and not answer.text):
        return None
    match dialog.subject:
        case Subject.QUESTION:
            return Outcome(entries=(_question_answered(dialog, answer),), steps=_done(), permits=permits)
        case Subject.PLAN:
            return Outcome(entries=_plan_answered(answer), steps=_done(), permits=permits)
        case _:
            return _permission_answered(dialog, answer, permits)


def interrupted(dialog: Dialog) -> Entry:
    """What the transcript says of a dialog that was cancelled."""
    if dialog.subject is Subject.QUESTION:
        labels = " / ".join(choice.label for choice in dialog.choices if choice.meaning is Meaning.PICK)
        return _called("Declined to answer:", f"· {dialog.heading} ({labels})")
    if dialog.subject is Subject.PLAN:
        return _called("Updated plan", "Rejected the plan.", INTERRUPTED)
    return Entry(kind=EntryKind.NOT_CALLED, text="Did not run 1 call", notes=(asked_for(dialog), INTERRUPTED))


def asked_for(dialog: Dialog) -> str:
    """The call that a permission dialog is about, in one text."""
    return f"$ {dialog.body}" if dialog.subject is Subject.COMMAND else f"Update({dialog.heading})"


def _permission_answered(dialog: Dialog, answer: Answer, permits: Permits) -> Outcome:
    if answer.meaning is Meaning.NO:
        not_run = Entry(kind=EntryKind.NOT_CALLED, text="Did not run 1 call", notes=(asked_for(dialog), REJECTED))
        return Outcome(entries=(not_run,), steps=_done(said(f"You said instead: {answer.text}")), permits=permits)
    command = dialog.subject is Subject.COMMAND
    call = _called(f"Bash({dialog.body})", NOT_RUN) if command else _called(f"Update({dialog.heading})", NOT_WRITTEN)
    if answer.meaning is Meaning.ALWAYS:
        return Outcome(entries=(call,), steps=_done(), permits=_permitted(permits, command, answer.text))
    note = (said(f"You also said: {answer.text}"),) if answer.text else ()
    return Outcome(entries=(call,), steps=_done(*note), permits=permits)


def _permitted(permits: Permits, command: bool, pattern: str) -> Permits:
    if not command:
        return Permits(prefixes=permits.prefixes, edits=True)
    prefix = pattern.removesuffix("*").strip()
    return Permits(prefixes=(*permits.prefixes, prefix), edits=permits.edits) if prefix else permits


def _question_answered(dialog: Dialog, answer: Answer) -> Entry:
    if answer.meaning is Meaning.CHAT:
        return _called("You would rather talk about it:", f"· {dialog.heading}")
    return _called("You answered:", f"· {dialog.heading} → {answer.text or answer.label}")


def _plan_answered(answer: Answer) -> tuple[Entry, ...]:
    if answer.meaning is Meaning.CHANGE:
        return (_called("Updated plan", "Rejected the plan."), said(f"You said instead: {answer.text}"))
    entries = (_called("Approved the plan", f"{answer.label} {NOT_RUN}".strip()),)
    return (*entries, said(f"You also said: {answer.text}")) if answer.text else entries
