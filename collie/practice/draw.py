"""A session -> what its terminal shows: exactly as many rows as there are, none wider than it is."""

from collections.abc import Sequence
from dataclasses import dataclass

from collie.practice.asking import dialog_rows, field_spans
from collie.practice.dialogs import Dialog, Subject
from collie.practice.field import Field
from collie.practice.model import BLINK_SECONDS, FRAME_SECONDS, Session
from collie.practice.script import asked_for
from collie.practice.style import BLANK, GREY, INVERSE, RULE, SPINNER, Row, Span
from collie.practice.transcript import asking_rows, queued_rows, tail
from collie.practice.wrap import fitted, wrapped

NAME = "Practice"
PLACEHOLDER = 'Try "ask rm -rf build"'
QUEUE_PLACEHOLDER = "Press up to edit queued messages"

_GLYPHS = "·✢✶✻✽✻✶✢"
_TITLE_GLYPHS = "◐◑"
_TOKENS_PER_SECOND = 4
_PROMPT_MARK = "❯\xa0"


@dataclass(frozen=True, slots=True, kw_only=True)
class Frame:
    """The title of the window and the rows of the screen, `columns` wide."""

    title: str
    columns: int
    rows: tuple[Row, ...]


def frame(session: Session, now: float) -> Frame:
    """The picture of the session at the time `now`."""
    bottom = _bottom(session, now)
    room = max(session.rows - len(bottom), 0)
    above = _transcript(session, room, now)
    rows = [*above, *[BLANK] * (room - len(above)), *bottom]
    fitting = tuple(fitted(row, session.columns) for row in rows[-session.rows :])
    return Frame(title=_title(session, now), columns=session.columns, rows=fitting)


def _title(session: Session, now: float) -> str:
    return f"{_TITLE_GLYPHS[int(now) % 2] if session.working else '✳'} {NAME}"


def _transcript(session: Session, room: int, now: float) -> Sequence[Row]:
    below = _asked(session.dialog, session.columns, now) if session.dialog else []
    below += queued_rows(session.queue, session.columns) if session.dialog is None else []
    shown = [*tail(session.transcript, session.place, session.columns, room), *below]
    return shown[max(len(shown) - room, 0) :]


def _asked(dialog: Dialog, columns: int, now: float) -> list[Row]:
    match dialog.subject:
        case Subject.QUESTION:
            return []
        case Subject.PLAN:
            return [BLANK, (Span("  ⎿  /plan to preview", GREY),)]
        case _:
            blink = int((now - dialog.opened) / BLINK_SECONDS) % 2 == 0
            return [BLANK, *asking_rows(asked_for(dialog), columns, blink), BLANK]


def _bottom(session: Session, now: float) -> list[Row]:
    if session.dialog is not None:
        return dialog_rows(session.dialog, session.columns, session.rows)
    return [
        *_working_line(session, now),
        BLANK,
        (Span("─" * session.columns, RULE),),
        *_box(session),
        (Span("─" * session.columns, RULE),),
        *_footer(session, now),
    ]


def _working_line(session: Session, now: float) -> list[Row]:
    if session.turn is None:
        return []
    seconds = int(now - session.turn.started)
    glyph = _GLYPHS[int(now / FRAME_SECONDS) % len(_GLYPHS)]
    spent = f" ({seconds}s · ↓ {seconds * _TOKENS_PER_SECOND} tokens)" if seconds else ""
    return [BLANK, (Span(f"{glyph} Working…", SPINNER), Span(spent, GREY))]


def _box(session: Session) -> list[Row]:
    """The input box; of a tall draft the rows around the cursor."""
    hint = QUEUE_PLACEHOLDER if session.queue else "" if session.transcript else PLACEHOLDER
    rows = _draft_rows(session.box, hint, session.columns, session.turn is not None)
    most = max(session.rows // 2, 1)
    cursor = next((at for at, row in enumerate(rows) if any(span.style == INVERSE for span in row)), 0)
    first = min(max(cursor - most + 1, 0), max(len(rows) - most, 0))
    return rows[first : first + most]


def _draft_rows(box: Field, hint: str, columns: int, busy: bool) -> list[Row]:
    rows: list[Row] = []
    for line in _lines(field_spans(box, hint)):
        for row in wrapped(line, columns - 3):
            mark = Span("  ") if rows else Span(_PROMPT_MARK, GREY if busy else "")
            rows.append((mark, *row))
    return rows


def _lines(spans: Sequence[Span]) -> list[list[Span]]:
    lines: list[list[Span]] = [[]]
    for span in spans:
        first, *more = span.text.split("\n")
        lines[-1].append(Span(first, span.style))
        lines += [[Span(text, span.style)] for text in more]
    return lines


def _footer(session: Session, now: float) -> list[Row]:
    if session.leaving_until > now:
        return [(Span("  Press Ctrl-C again to exit", GREY),)]
    mode = "⏵⏵ accept edits on (shift+tab to cycle)" if session.permits.edits else "⏸ manual mode on"
    interrupt = " · esc to interrupt" if session.turn is not None and not session.box.text else ""
    return [(Span("  "), *row) for row in wrapped((Span(mode + interrupt, GREY),), session.columns - 3)]
