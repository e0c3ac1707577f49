"""What a reader takes off one screen of an agent: values, no judgement about what to do with them.

The JSON form of these (what `collie explain --json` prints) is made in `explain.py`.
"""

from dataclasses import dataclass
from enum import StrEnum


class State(StrEnum):
    """What a person would say of the agent, looking at its screen."""

    BLOCKED = "blocked"
    WORKING = "working"
    IDLE = "idle"
    UNKNOWN = "unknown"


class DialogType(StrEnum):
    """What kind of question a dialog asks; only PERMISSION and TRUST carry decisions."""

    PERMISSION = "permission"
    QUESTION = "question"
    PLAN = "plan"
    TRUST = "trust"
    STARTUP = "startup"
    PICKER = "picker"
    OTHER = "other"


class Decision(StrEnum):
    """A meaning that an option bears, as the wire spells it."""

    APPROVE = "approve"
    APPROVE_ALWAYS = "approve_always"
    DENY = "deny"


@dataclass(frozen=True, slots=True, kw_only=True)
class Rows:
    """Rows of a screen, counted from 0 at its top; both ends belong to it."""

    first: int
    last: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """One row (or wrapped rows) that the cursor can stand on, markers and number taken off.

    `detail` is the description printed under the label, which is not part of it.
    """

    label: str
    rows: Rows
    detail: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class TextField:
    """An open text field: the option that holds it and what is typed there ("" for its placeholder)."""

    option: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialog:
    """A dialog that waits for an answer.

    `region` spans the rows that decide what an answer means: from the dialog's top rule (or its first visible row) to
    its last option. `body` is the whole text a person must have read before answering, from the title to the
    question, without the options. `complete` is False when a part of the dialog is off the screen, `readable` False
    when its shape was not wholly understood (`why` says what was not): in both cases `decisions` is empty. `scrolled`
    means that the body has more rows, which only a key would show (a long plan, a tool's folded description). `note` is
    None where the kind of dialog takes no note at all.
    """

    type: DialogType
    readable: bool
    options: tuple[Option, ...]
    cursor: int | None
    region: Rows
    body: str
    why: str = ""
    complete: bool = True
    scrolled: bool = False
    title: str = ""
    ticked: tuple[int, ...] | None = None
    decisions: tuple[tuple[Decision, int], ...] = ()
    command: str | None = None
    target: str | None = None
    note: bool | None = None
    field: TextField | None = None
    pages: tuple[str, ...] = ()

    def option_for(self, decision: Decision) -> int | None:
        """The index of the one option that bears `decision`, or None when it is not offered."""
        return dict(self.decisions).get(decision)


@dataclass(frozen=True, slots=True, kw_only=True)
class NoticeOption:
    """One choice of a notice above the input box: the digit to press and its label."""

    digit: str
    label: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """All that was read on one screen. `draft` is None when no input box is shown; `draft_rows` are the rows of the
    box over which keys move.

    `rule` names what decided the state, with herdr's rule ids where herdr has one (specs: herdr-api section 10.3).
    """

    kind: str
    state: State
    rule: str = ""
    dialog: Dialog | None = None
    draft: str | None = None
    draft_rows: int = 0
    opaque: bool = False
    banner: str | None = None
    notice: tuple[NoticeOption, ...] = ()
