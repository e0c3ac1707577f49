"""The dialogs and what keys do in them: a dialog and a key -> the next dialog, or an answer.

Wording and behaviour are those of Claude Code 2.1.332: confirming keys are ignored for a moment after a dialog
appeared, Tab opens a note on Yes and No, a text field takes digits as text while the cursor is on it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from types import MappingProxyType

from collie.practice.field import EMPTY, Field, edited
from collie.practice.keys import Key, KeyEvent


class Subject(Enum):
    """What a dialog asks about; this decides how it looks."""

    COMMAND = "command"
    EDIT = "edit"
    QUESTION = "question"
    PLAN = "plan"


class Meaning(Enum):
    """What a choice says."""

    YES = "yes"
    ALWAYS = "always"
    NO = "no"
    PICK = "pick"
    OTHER = "other"
    CHAT = "chat"
    CHANGE = "change"
    CANCEL = "cancel"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """One option of a dialog.

    `lead` stands before the text of its field, `hint` is the placeholder there. `field` is None while there is no
    field; Tab opens one where `amendable`. `detail` stands on the row below the label.
    """

    label: str
    meaning: Meaning
    lead: str = ""
    hint: str = ""
    field: Field | None = None
    amendable: bool = False
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialog:
    """A dialog that waits for an answer.

    `body` is the command, the diff's file name or the plan; `heading` the description, the file or the question.
    `opened` is when it was drawn (seconds).
    """

    subject: Subject
    heading: str
    body: str
    choices: tuple[Choice, ...]
    cursor: int = 0
    opened: float = 0.0

    @property
    def current(self) -> Choice:
        """The choice under the cursor."""
        return self.choices[self.cursor]


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """How a dialog was answered; `text` is the note, the pattern or the answer in one's own words."""

    meaning: Meaning
    label: str = ""
    text: str = ""


CANCELLED = Answer(meaning=Meaning.CANCEL)
_STEPS: Mapping[str, int] = MappingProxyType({"up": -1, "down": 1})


def pressed(dialog: Dialog, event: KeyEvent, now: float, guard: float) -> Dialog | Answer:
    """What `event` does; confirming keys do nothing within `guard` seconds after the dialog was drawn."""
    name = event.name if isinstance(event, Key) else ""
    if name == "escape":
        return CANCELLED
    if name in _STEPS:
        return replace(dialog, cursor=(dialog.cursor + _STEPS[name]) % len(dialog.choices))
    if name == "tab" and dialog.current.amendable:
        return _with_choice(dialog, _toggled(dialog.current))
    if name in ("enter", "shift+tab"):
        return dialog if now - dialog.opened < guard else _confirmed(dialog, name)
    if dialog.current.field is not None:
        return _typed(dialog, dialog.current.field, event)
    if not isinstance(event, Key) and event.text.isdecimal():
        return dialog if now - dialog.opened < guard else _numbered(dialog, int(event.text))
    return dialog


def _with_choice(dialog: Dialog, choice: Choice) -> Dialog:
    choices = (*dialog.choices[: dialog.cursor], choice, *dialog.choices[dialog.cursor + 1 :])
    return replace(dialog, choices=choices)


def _toggled(choice: Choice) -> Choice:
    return replace(choice, field=EMPTY if choice.field is None else None)


def _typed(dialog: Dialog, field: Field, event: KeyEvent) -> Dialog:
    after = edited(field, event)
    return dialog if after is None else _with_choice(dialog, replace(dialog.current, field=after))


def _confirmed(dialog: Dialog, name: str) -> Dialog | Answer:
    if name == "enter":
        return _answered(dialog)
    if dialog.subject is Subject.EDIT:
        always = next(choice for choice in dialog.choices if choice.meaning is Meaning.ALWAYS)
        return Answer(meaning=Meaning.ALWAYS, label=always.label)
    if dialog.current.meaning is Meaning.CHANGE and _text(dialog.current):
        return Answer(meaning=Meaning.YES, label=dialog.current.label, text=_text(dialog.current))
    return dialog


def _numbered(dialog: Dialog, number: int) -> Dialog | Answer:
    """A digit answers at once, unless its choice is a text field: then the cursor goes there."""
    if not 1 <= number <= len(dialog.choices):
        return dialog
    return _answered(replace(dialog, cursor=number - 1))


def _answered(dialog: Dialog) -> Dialog | Answer:
    choice = dialog.current
    text = _text(choice)
    if choice.meaning in (Meaning.OTHER, Meaning.CHANGE) and not text:
        return dialog
    return Answer(meaning=choice.meaning, label=choice.label, text=text)


def _text(choice: Choice) -> str:
    return "" if choice.field is None else choice.field.text.strip()
