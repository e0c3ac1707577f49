"""The lines under a card: the keys that are live, or why none is."""

from dataclasses import replace

from collie.protocol.models import Approval, Decision
from collie.tui.card import DECISION_KEYS, DECISION_WORDS, can_decide
from collie.tui.lines import Line, Tone, joined, piece, wrap
from collie.tui.questions import Question, Stage

LAST_DIGIT = 9
_TONES = {Decision.APPROVE: Tone.GOOD, Decision.APPROVE_ALWAYS: Tone.GOOD, Decision.DENY: Tone.BAD}


def card_keys(question: Question, why: str, width: int, *, focused: bool = True) -> tuple[Line, ...]:
    """What can be pressed now; `why` says why nothing can, "" when something can.

    Without focus the mouse alone works.
    """
    if question.stage is not Stage.OPEN:
        glyph = "◌" if question.stage is Stage.SENDING else "■"
        return wrap((piece(f"{glyph} {question.words}", question.tone),), width, rest=(piece("  "),))
    if not can_decide(question.approval):
        return (
            *wrap((piece(f"▲ {why}", Tone.WARN),), width, rest=(piece("  "),)),
            (
                piece(" enter ", Tone.KEY, "screen.open"),
                piece(" see it in its live screen, and answer there", click="screen.open"),
            ),
        )
    if why:
        return wrap((piece(f"· {why}", Tone.BUSY),), width, rest=(piece("  "),))
    buttons = _buttons(question)
    if not focused:
        buttons = [tuple(replace(part, tone=Tone.DEAD) for part in button) for button in buttons]
        buttons.append((piece("tab comes here", Tone.BUSY),))
    return _fitted(buttons, width)


def number_keys(approval: Approval) -> str:
    """The digits that choose an option, runs of them drawn together: `1-3 5`."""
    numbers = [choice.index + 1 for choice in approval.choices if choice.index < LAST_DIGIT]
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    return " ".join(str(run[0]) if len(run) == 1 else f"{run[0]}-{run[-1]}" for run in runs)


def _buttons(question: Question) -> list[Line]:
    approval = question.approval
    buttons: list[Line] = []
    for decision in approval.options:
        key, words = DECISION_KEYS[decision], DECISION_WORDS[decision]
        click = f"screen.decide('{decision}')"
        buttons.append((piece(f" {key} ", Tone.KEY, click), piece(f" {words} ", _TONES[decision], click)))
    if not approval.options:
        buttons.append((piece(f" {number_keys(approval)} ", Tone.KEY), piece(" choose ")))
    if approval.supports_note:
        buttons.append((piece(" e ", Tone.KEY, "screen.amend"), piece(" with a note ", click="screen.amend")))
    return buttons


def _fitted(buttons: list[Line], width: int) -> tuple[Line, ...]:
    """The buttons in as many rows as they need."""
    rows: list[list[Line]] = [[]]
    for button in buttons:
        if rows[-1] and _cells([*rows[-1], button]) > width:
            rows.append([])
        rows[-1].append(button)
    return tuple(joined(row, (piece("  "),)) for row in rows)


def _cells(row: list[Line]) -> int:
    return sum(len(part.text) for button in row for part in button) + 2 * (len(row) - 1)
