"""The transcript and the header, as rows."""

from collections.abc import Sequence

from collie.practice.script import Entry, EntryKind
from collie.practice.style import BLANK, BOLD, GREY, QUEUED, SAID_BY_USER, WHITE, Row, Span
from collie.practice.wrap import visible, wrapped_lines

VERSION = "1"
_CALL_ROWS = 4
_NOTE_ROWS = 5
_ELBOW = "  ⎿  "


def header(place: str) -> list[Row]:
    """The first rows of the transcript: who this is, and where."""
    return [
        BLANK,
        (Span("  ▚▞  ", GREY), Span("Practice agent", BOLD), Span(f" v{VERSION}", GREY)),
        (Span("  ▞▚  ", GREY), Span("Asks like an agent, runs nothing", GREY)),
        (Span("      "), Span(visible(place), GREY)),
        BLANK,
    ]


def tail(entries: Sequence[Entry], place: str, columns: int, rows: int) -> list[Row]:
    """The last rows of the transcript that fit into `rows`; the whole of it with its header when all fit."""
    shown: list[Row] = []
    for entry in reversed(entries):
        shown = [BLANK, *entry_rows(entry, columns), *shown]
        if len(shown) >= rows:
            break
    else:
        shown = [*header(place), *shown]
    return shown[max(len(shown) - rows, 0) :]


def entry_rows(entry: Entry, columns: int) -> list[Row]:
    """One piece of the transcript."""
    match entry.kind:
        case EntryKind.PROMPT:
            return prompt_rows(entry.text, columns)
        case EntryKind.SAID:
            return _beside("● ", WHITE, wrapped_lines(entry.text, columns - 2))
        case EntryKind.CALL:
            return _beside("● ", GREY, _short(entry.text, columns - 2, _CALL_ROWS)) + _notes(entry, columns)
        case EntryKind.NOT_CALLED:
            return _beside("  ", GREY, _short(entry.text, columns - 2, _CALL_ROWS, GREY)) + _notes(entry, columns)
        case EntryKind.NOTE:
            return _notes(entry, columns)
        case EntryKind.WORKED:
            return [(Span("✻ ", GREY), Span(entry.text, GREY))]


def prompt_rows(text: str, columns: int) -> list[Row]:
    """A prompt of the user."""
    return _beside("❯ ", QUEUED, wrapped_lines(text, columns - 2, SAID_BY_USER))


def queued_rows(prompts: Sequence[str], columns: int) -> list[Row]:
    """Prompts that wait for the present turn to end."""
    rows: list[Row] = []
    for prompt in prompts:
        rows += [BLANK, *_beside("❯ ", QUEUED, wrapped_lines(prompt, columns - 2, QUEUED))]
    return [*rows, (Span(f"{_ELBOW}Queued", GREY),)] if rows else []


def asking_rows(text: str, columns: int, blink: bool) -> list[Row]:
    """A call that waits for permission; its mark blinks."""
    rows = _beside("● " if blink else "  ", GREY, [(Span("Asking for permission"),)])
    return rows + _notes(Entry(kind=EntryKind.NOTE, text="", notes=(text,)), columns)


def _notes(entry: Entry, columns: int) -> list[Row]:
    rows: list[Row] = []
    for note in entry.notes:
        rows += _beside(_ELBOW, GREY, _short(note, columns - len(_ELBOW), _NOTE_ROWS, GREY))
    return rows


def _beside(mark: str, style: str, rows: Sequence[Row]) -> list[Row]:
    """The rows indented, `mark` before the first of them."""
    indent = Span(" " * len(mark))
    return [(Span(mark, style), *rows[0]), *((indent, *row) for row in rows[1:])]


def _short(text: str, columns: int, most: int, style: str = "") -> list[Row]:
    """At most so many rows of a text, the last one ending in `…` when more was there."""
    kept = text[: most * columns + 1]
    rows = wrapped_lines(kept, columns - 1, style)
    if len(rows) <= most and kept == text:
        return rows
    return [*rows[: most - 1], (*rows[most - 1], Span("…", style))] if len(rows) >= most else rows
