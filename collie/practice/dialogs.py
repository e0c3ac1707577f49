"""The dialogs and what keys do in them: a dialog and a key -> the next dialog, or an answer.

Behaviour is that of Claude Code 2.1.332: confirming keys are ignored for a moment after a dialog appeared; Up goes
from the first choice to the last and Down stops there; Tab opens and closes a note on Yes and No, whose text is kept; a
text field takes digits as text while the cursor is on it; ctrl+c empties a field and does nothing else.
"""

from dataclasses import dataclass, replace
from enum import Enum

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

    `lead` stands before the text of its field, `hint` is the placeholder there. A field that is not open is not shown
    and its text does not count; Tab opens and closes it where `amendable`. `detail` stands on the row below the label.
    """

    label: str
    meaning: Meaning
    lead: str = ""
    hint: str = ""
    field: Field = EMPTY
    field_open: bool = False
    amendable: bool = False
    detail: str = ""

    @property
    def text(self) -> str:
        """What is typed in its open field."""
        return self.field.text.strip() if self.field_open else ""


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


def pressed(dialog: Dialog, event: KeyEvent, now: float, guard: float) -> Dialog | Answer:
    """What `event` does; confirming keys do nothing within `guard` seconds after the dialog was drawn."""
    name = event.name if isinstance(event, Key) else ""
    if name == "escape":
        return CANCELLED
    if name in ("up", "down"):
        return replace(dialog, cursor=_moved(dialog, name))
    if name == "tab" and dialog.current.amendable:
        return _with_choice(dialog, replace(dialog.current, field_open=not dialog.current.field_open))
    if name in ("enter", "shift+tab"):
        return dialog if now - dialog.opened < guard else _confirmed(dialog, name)
    if dialog.current.field_open:
        return _typed(dialog, event)
    if not isinstance(event, Key) and event.text.isdecimal():
        return dialog if now - dialog.opened < guard else _numbered(dialog, int(event.text))
    return dialog


def _moved(dialog: Dialog, name: str) -> int:
    last = len(dialog.choices) - 1
    if name == "down":
        return min(dialog.cursor + 1, last)
    above_chat = last - 1 if dialog.choices[last].meaning is Meaning.CHAT else last
    return dialog.cursor - 1 if dialog.cursor else above_chat


def _with_choice(dialog: Dialog, choice: Choice) -> Dialog:
    choices = (*dialog.choices[: dialog.cursor], choice, *dialog.choices[dialog.cursor + 1 :])
    return replace(dialog, choices=choices)


def _typed(dialog: Dialog, event: KeyEvent) -> Dialog:
    after = EMPTY if event == Key(name="ctrl+c") else edited(dialog.current.field, event)
    return dialog if after is None else _with_choice(dialog, replace(dialog.current, field=after))


def _confirmed(dialog: Dialog, name: str) -> Dialog | Answer:
    if name == "enter":
        return _answered(dialog)
    if dialog.subject is Subject.EDIT:
        always = next(choice for choice in dialog.choices if choice.meaning is Meaning.ALWAYS)
        return Answer(meaning=Meaning.ALWAYS, label=always.label)
    if dialog.current.meaning is Meaning.CHANGE and dialog.current.text:
        return Answer(meaning=Meaning.YES, label=dialog.current.label, text=dialog.current.text)
    return dialog


def _numbered(dialog: Dialog, number: int) -> Dialog | Answer:
    """A digit answers at once; where that needs words first, the cursor goes there."""
    if not 1 <= number <= len(dialog.choices):
        return dialog
    there = replace(dialog, cursor=number - 1)
    return there if there.current.meaning in (Meaning.OTHER, Meaning.CHANGE) else _answered(there)


def _answered(dialog: Dialog) -> Dialog | Answer:
    """The choice under the cursor; an answer in one's own words that has none declines, a change without any waits."""
    choice = dialog.current
    if choice.meaning is Meaning.OTHER and not choice.text:
        return CANCELLED
    if choice.meaning is Meaning.CHANGE and not choice.text:
        return dialog
    return Answer(meaning=choice.meaning, label=choice.label, text=choice.text)
