"""The rows between a question and "Chat about this": options, their descriptions, ticks, previews and notes."""

import re
from dataclasses import dataclass

from collie.agents import menu
from collie.agents.claude.field import shows_placeholder
from collie.agents.claude.page import Page
from collie.agents.facts import Option, Rows
from collie.agents.menu import RIGHT_MARGIN, Entry, NotUnderstood
from collie.screen.regions import last_row
from collie.screen.width import clip, text_width
from collie.screen.wrap import join_words, separator

NOTES_CLOSED = "press n to add notes"
NOTES_PLACEHOLDER = "Add notes on this design…"

_TICK = re.compile(r"\[(?P<tick>[ ✔])\] (?P<label>\S.*)")
_TICK_WIDTH = 4
_SUBMIT = re.compile(r"(?P<mark>❯ |  )   (?P<label>Submit|Next)")
_NOTES = re.compile(r" +Notes: (?P<text>\S.*)")
_PREVIEW_TOP = re.compile(r"(?P<left>(?:❯ |  )[1-9]\. .*\S +)┌─+┐")
_CHOSEN = " ✔"


@dataclass(frozen=True, slots=True, kw_only=True)
class Choices:
    """`numbered` counts the options with a number; `notes` is the text of the notes field where it is open."""

    options: tuple[Option, ...]
    marks: tuple[bool, ...]
    numbered: int
    ticked: tuple[int, ...] | None
    notes: str | None


def read_choices(page: Page, rows: Rows) -> Choices:
    """Reads the options in `rows`, which end right above the rule of "Chat about this".

    Raises:
        NotUnderstood: A row is neither an option nor a part of one.
    """
    lines, preview = _without_preview(page, rows)
    last = last_row(lines[: rows.last + 1])
    submit = _SUBMIT.fullmatch(lines[last]) if last >= rows.first else None
    entries = menu.numbered(lines, last - 1 if submit else last, indent=0, blanks=True)
    ticks = [_TICK.fullmatch(entry.label) for entry in entries]
    multiple = all(ticks)
    if multiple != (submit is not None):
        raise NotUnderstood("ticks and the row that ends them do not go together")
    options = [
        _option(page, lines, entry, free_text=index == len(entries) - 1 and not preview, indent=_TICK_WIDTH * multiple)
        for index, entry in enumerate(entries)
    ]
    marks = [entry.marked for entry in entries]
    if submit:
        options.append(Option(label=submit["label"], rows=Rows(first=last, last=last)))
        marks.append(submit["mark"] != "  ")
    return Choices(
        options=tuple(options),
        marks=tuple(marks),
        numbered=len(entries),
        ticked=tuple(at for at, tick in enumerate(ticks) if tick and tick["tick"] != " ") if multiple else None,
        notes=_notes(page, rows) if preview else None,
    )


def _option(page: Page, lines: list[str], entry: Entry, *, free_text: bool, indent: int) -> Option:
    """A label and the description below it; both stand in one column, so the label's end must be found."""
    label_at = entry.label_at + indent
    width = page.width - label_at - RIGHT_MARGIN
    texts = [entry.label[indent:], *(line[label_at:] for line in entry.continuation(lines))]
    if any(line[:label_at].strip() for line in entry.continuation(lines)):
        raise NotUnderstood("a description does not stand below its option")
    end = len(texts) if free_text else 1
    while end < len(texts) and _goes_on(page, entry, texts, end, label_at, width):
        end += 1
    label = join_words(texts[:end], width)
    return Option(
        label=label.removesuffix(_CHOSEN) if label != _CHOSEN.strip() else label,
        rows=entry.rows,
        detail=join_words([text for text in texts[end:] if text], width),
    )


def _goes_on(page: Page, entry: Entry, texts: list[str], at: int, label_at: int, width: int) -> bool:
    """Whether row `at` of an option still is its label: the row above was full, and the colour is the label's."""
    if separator(texts[at - 1], texts[at], width) == "\n":
        return False
    if not page.screen.styled:
        return True
    row = page.screen.rows[entry.rows.first + at]
    first = page.screen.rows[entry.rows.first]
    return row.style_at(label_at).foreground == first.style_at(label_at).foreground


def _without_preview(page: Page, rows: Rows) -> tuple[list[str], bool]:
    """The screen's lines with what stands right of the options taken off, and whether there was a preview."""
    lines = list(page.lines)
    for row in range(rows.first, rows.last + 1):
        found = _PREVIEW_TOP.fullmatch(lines[row])
        if found:
            width = text_width(found["left"])
            lines[row : rows.last + 1] = [clip(line, width).rstrip() for line in lines[row : rows.last + 1]]
            return lines, True
    return lines, False


def _notes(page: Page, rows: Rows) -> str | None:
    """What is typed in the notes field below a preview, None while it is closed."""
    first = next((row for row in range(rows.first, rows.last + 1) if _NOTES.fullmatch(page.lines[row])), None)
    if first is None:
        return None
    last = first
    while last < rows.last and page.lines[last + 1]:
        last += 1
    lines = page.lines[first : last + 1]
    label_at = lines[0].index("Notes: ") + len("Notes: ")
    text = join_words([line[label_at:] for line in lines], page.width - label_at - RIGHT_MARGIN)
    field = Rows(first=first, last=last)
    if text == NOTES_CLOSED or (page.screen.styled and not page.has_inverse(field)):
        return None
    return "" if text == NOTES_PLACEHOLDER or shows_placeholder(page, field) else text
