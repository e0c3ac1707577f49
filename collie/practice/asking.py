"""The dialogs, as rows: where each word stands is Claude Code 2.1.332's."""

from collections.abc import Sequence

from collie.practice.dialogs import Choice, Dialog, Subject
from collie.practice.field import Field
from collie.practice.style import (
    ACCENT,
    ADDED,
    BLANK,
    BOLD,
    CHIP,
    DASHES,
    DIM,
    GREY,
    HEADING,
    INVERSE,
    PLAIN,
    PLAN_RULE,
    PLAN_TITLE,
    QUESTION,
    REMOVED,
    RULE,
    Row,
    Span,
)
from collie.practice.wrap import visible, width, wrapped, wrapped_lines

_DIFF = (
    (" 13  ", PLAIN, "def greet(name):"),
    (" 14 -", REMOVED, '    return "Hello, " + name'),
    (" 14 +", ADDED, "    cleaned = name.strip()"),
    (" 15 +", ADDED, '    return f"Hello, {cleaned}!"'),
    (" 16  ", PLAIN, ""),
)


def dialog_rows(dialog: Dialog, columns: int, rows: int) -> list[Row]:
    """The whole dialog; taller than the screen, its bottom with a row that says how much is above."""
    match dialog.subject:
        case Subject.COMMAND:
            return _clipped(_command(dialog, columns, rows), _permission_footer(dialog, columns), rows)
        case Subject.EDIT:
            return _clipped(_edit(dialog, columns, rows), _permission_footer(dialog, columns), rows)
        case Subject.QUESTION:
            return _question(dialog, columns, rows)
        case Subject.PLAN:
            return _plan(dialog, columns, rows)


def _clipped(content: list[Row], footer: list[Row], rows: int) -> list[Row]:
    if len(content) + 1 + len(footer) <= rows:
        return [*content, BLANK, *footer]
    kept = max(rows - 1 - len(footer), 0)
    above = len(content) - kept
    return [*content[above:], (Span(f" ↑ {above} more line{'s' if above > 1 else ''}", GREY),), *footer]


def _rule(columns: int, style: str = RULE) -> Row:
    return (Span("─" * columns, style),)


def _dashes(columns: int) -> Row:
    return (Span("╌" * columns, DASHES),)


def _indented(by: int, rows: Sequence[Row]) -> list[Row]:
    return [(Span(" " * by), *row) for row in rows]


def _text(text: str, columns: int, style: str = PLAIN) -> list[Row]:
    """A paragraph with a margin of one column."""
    return _indented(1, wrapped((Span(text, style),), columns - 2))


def _command(dialog: Dialog, columns: int, rows: int) -> list[Row]:
    return [
        _rule(columns, ACCENT),
        *_text("Bash command", columns, HEADING),
        *_text(dialog.heading, columns, GREY),
        _dashes(columns),
        *_content(dialog.body, columns),
        _dashes(columns),
        *_text("This command requires approval", columns),
        BLANK,
        *_text("Do you want to proceed?", columns),
        *_choices(dialog, columns, 1, rows),
    ]


def _content(command: str, columns: int) -> list[Row]:
    """A command of one row stands alone; one of several rows gets a gutter."""
    if "\n" not in command and width(command) <= columns - 2:
        return _text(command, columns)
    gutter = (Span(" "), Span("│", DIM), Span(" "))
    return [(*gutter, *row) for row in wrapped_lines(command, columns - 4)]


def _edit(dialog: Dialog, columns: int, rows: int) -> list[Row]:
    question = (Span("Do you want to make this edit to "), Span(dialog.body, BOLD), Span("?"))
    return [
        _rule(columns, ACCENT),
        *_text("Edit file", columns, HEADING),
        *_text(dialog.heading, columns, GREY),
        _dashes(columns),
        *((Span(number, style or DIM), Span(line, style)) for number, style, line in _DIFF),
        _dashes(columns),
        *_indented(1, wrapped(question, columns - 2)),
        *_choices(dialog, columns, 1, rows),
    ]


def _permission_footer(dialog: Dialog, columns: int) -> list[Row]:
    current = dialog.current
    can_amend = current.amendable and not current.field_open
    return _text("Esc to cancel · Tab to amend" if can_amend else "Esc to cancel", columns, GREY)


def _question(dialog: Dialog, columns: int, rows: int) -> list[Row]:
    """The rule above it is the first to go, and is not counted among the rows that are off the screen."""
    last = len(dialog.choices) - 1
    chat = dialog.choices[last]
    style = ACCENT if dialog.cursor == last else PLAIN
    content = [
        (Span(f" ☐ {visible(dialog.body)} ", CHIP),),
        BLANK,
        *wrapped((Span(dialog.heading, QUESTION),), columns),
        BLANK,
        *_choices(dialog, columns, 0, rows, dialog.choices[:last]),
        _rule(columns, GREY),
        (*_pointer("❯" if dialog.cursor == last else " "), Span(f"{last + 1}. {chat.label}", style)),
    ]
    shown = _clipped(content, _question_footer(dialog, columns), rows)
    return [_rule(columns, GREY), *shown] if len(shown) < rows else shown


def _question_footer(dialog: Dialog, columns: int) -> list[Row]:
    editing = (
        " · ctrl+g to edit in Vim" if dialog.current.field_open or any(each.text for each in dialog.choices) else ""
    )
    return wrapped((Span(f"Enter to select · ↑/↓ to navigate{editing} · Esc to cancel", GREY),), columns)


def _plan(dialog: Dialog, columns: int, rows: int) -> list[Row]:
    """The plan fills the screen but for two rows: its text above, cut where it must be, question and choices below."""
    inner = columns - 4
    bottom = _indented(2, _plan_bottom(dialog, inner, rows))
    top = [(Span("▔" * columns, ACCENT),), BLANK, *_indented(2, _plan_text(dialog, inner))]
    room = min(max(rows - 2, len(top) + len(bottom)), rows) - len(bottom)
    if len(top) > room:
        top = top[: max(room, 0)]
        top[-1:] = [_with_arrow(row, columns) for row in top[-1:]]
    return [*top, *[BLANK] * (room - len(top)), *bottom]


def _with_arrow(row: Row, columns: int) -> Row:
    used = sum(width(span.text) for span in row)
    return (*row, Span(" " * max(columns - 2 - used, 0) + "↓", GREY)) if used < columns else row


def _plan_text(dialog: Dialog, columns: int) -> list[Row]:
    title, _, steps = dialog.body.partition("\n")
    return [
        _rule(columns, PLAN_RULE),
        *_text(dialog.heading, columns, HEADING),
        BLANK,
        *_text("Here is Claude's plan:", columns),
        _dashes(columns),
        *_text(title, columns, PLAN_TITLE),
        *_indented(1, wrapped_lines(steps, columns - 2)),
        _dashes(columns),
    ]


def _plan_bottom(dialog: Dialog, columns: int, rows: int) -> list[Row]:
    question = "Claude has written up a plan and is ready to execute. Would you like to proceed?"
    return [
        _rule(columns, PLAN_RULE),
        *_text(question, columns, GREY),
        BLANK,
        *_choices(dialog, columns, 1, rows),
        BLANK,
        *_text("ctrl+g to edit in Vim · practice-plan.md", columns, GREY),
    ]


def _pointer(mark: str) -> Row:
    return (Span(mark, ACCENT if mark == "❯" else GREY), Span(" "))


def _choices(
    dialog: Dialog, columns: int, margin: int, rows: int, choices: Sequence[Choice] | None = None
) -> list[Row]:
    """The choices; of more than the screen has room for, those around the cursor, with an arrow where others are."""
    listed = dialog.choices if choices is None else choices
    count = _room_for_choices(listed, rows)
    first = max(min(dialog.cursor, len(listed) - 1) - count + 1, 0)
    shown: list[Row] = []
    for index in range(first, min(first + count, len(listed))):
        focused = index == dialog.cursor
        above, below = index == first > 0, index == first + count - 1 < len(listed) - 1
        mark = "❯" if focused else "↑" if above else "↓" if below else " "
        lead = (Span(" " * margin), *_pointer(mark), Span(f"{index + 1}. ", GREY))
        shown += _beside(lead, _choice(listed[index], focused, columns - margin - len("❯ 1. ")))
    return shown


def _room_for_choices(choices: Sequence[Choice], rows: int) -> int:
    """How many choices Claude Code 2.1.332 shows on a screen of so many rows, whatever else is on it."""
    return max((rows - 8) // (2 if any(choice.detail for choice in choices) else 1), 1)


def _choice(choice: Choice, focused: bool, columns: int) -> list[Row]:
    style = ACCENT if focused else PLAIN
    room = columns - width(choice.lead)
    if focused and choice.field_open and room > 1:
        label = _beside((Span(choice.lead, style),), wrapped(field_spans(choice.field, choice.hint), room))
    else:
        label = wrapped(_label(choice, style), columns - 1)
    return label + (wrapped((Span(choice.detail, GREY),), columns) if choice.detail else [])


def _label(choice: Choice, style: str) -> list[Span]:
    if not choice.field_open or (choice.amendable and not choice.field.text):
        return [Span(choice.label, style)]
    if choice.field.text:
        return [Span(choice.lead), Span(choice.field.text)]
    return [Span(choice.lead), Span(choice.hint, GREY)]


def _beside(lead: Row, rows: Sequence[Row]) -> list[Row]:
    """The rows indented, `lead` before the first of them."""
    indent = Span(" " * sum(len(span.text) for span in lead))
    return [(*lead, *rows[0]), *((indent, *row) for row in rows[1:])]


def field_spans(field: Field, hint: str) -> list[Span]:
    """A field that has the keys: the cursor is an inverse cell; an empty one shows its placeholder, dimmed."""
    if not field.text:
        return [Span(hint[:1] or " ", INVERSE), Span(hint[1:], DIM)]
    before, after = field.text[: field.cursor], field.text[field.cursor :]
    if not after or after.startswith("\n"):
        return [Span(before), Span(" ", INVERSE), Span(after)]
    return [Span(before), Span(after[:1], INVERSE), Span(after[1:])]
