"""Facts as JSON (what `collie explain --json` prints), and as text for people."""

from collections.abc import Iterator
from typing import Any

from collie.agents.facts import Dialog, DialogType, Facts
from collie.screen.cells import Screen
from collie.screen.suspicious import flags, reveal

IN_REGION = "▌"
"""Stands before the rows that an answer is bound to."""

_DECIDING = (DialogType.PERMISSION, DialogType.TRUST)


def to_json(facts: Facts) -> dict[str, Any]:
    """The facts object of a screen; keys that do not apply are absent."""
    found: dict[str, Any] = {"kind": facts.kind, "state": str(facts.state)}
    if facts.dialog is not None:
        found["dialog"] = _dialog_json(facts.dialog)
    if facts.draft is not None:
        found["draft"] = facts.draft
    if facts.opaque:
        found["opaque"] = True
    if facts.banner is not None:
        found["banner"] = facts.banner
    if facts.notice:
        found["notice"] = [[option.digit, option.label] for option in facts.notice]
    return found


def to_text(screen: Screen, facts: Facts) -> str:
    """What was read, for people: the screen with the dialog's rows marked, then each fact, and why no more."""
    return "\n".join([*_marked_rows(screen, facts.dialog), "", *_facts_lines(facts)])


def _dialog_json(dialog: Dialog) -> dict[str, Any]:
    optional = {
        "complete": None if dialog.complete else False,
        "why": dialog.why or None,
        "title": dialog.title or None,
        "ticked": None if dialog.ticked is None else list(dialog.ticked),
        "decisions": {str(decision): option for decision, option in dialog.decisions} or None,
        "command": dialog.command,
        "target": dialog.target,
        "note": dialog.note,
        "field": dialog.field and {"option": dialog.field.option, "text": dialog.field.text},
        "pages": list(dialog.pages) or None,
    }
    return {
        "type": str(dialog.type),
        "readable": dialog.readable,
        "options": [option.label for option in dialog.options],
        "cursor": dialog.cursor,
        **{key: value for key, value in optional.items() if value is not None},
    }


def _marked_rows(screen: Screen, dialog: Dialog | None) -> Iterator[str]:
    for row, line in enumerate(screen.lines):
        inside = dialog is not None and dialog.region.first <= row <= dialog.region.last
        yield f"{IN_REGION if inside else ' '}{row:3} {line}".rstrip()


def _facts_lines(facts: Facts) -> Iterator[str]:
    yield _line("kind", facts.kind)
    yield _line("state", f"{facts.state} (rule {facts.rule})" if facts.rule else f"{facts.state} (no rule matched)")
    if facts.dialog is not None:
        yield from _dialog_lines(facts.dialog)
    if facts.draft is not None:
        yield _line("draft", f"{facts.draft!r}{', which is not what the box holds' if facts.opaque else ''}")
    if facts.banner is not None:
        yield _line("banner", f"{facts.banner}: the transcript is scrolled up")
    if facts.notice:
        yield _line("notice", ", ".join(f"{option.digit}: {option.label}" for option in facts.notice))


def _dialog_lines(dialog: Dialog) -> Iterator[str]:
    yield _line("dialog", f"{dialog.type}, rows {dialog.region.first} to {dialog.region.last}")
    if dialog.title:
        yield _line("title", dialog.title)
    if dialog.command is not None:
        yield _line("command", reveal(dialog.command).replace("\n", "\n" + " " * _COLUMN))
        if flags(dialog.command):
            yield _line("", f"it holds characters that mislead: {', '.join(flags(dialog.command))}")
    if dialog.target is not None:
        yield _line("target", reveal(dialog.target))
    if dialog.pages:
        yield _line("pages", ", ".join(dialog.pages))
    for index, option in enumerate(dialog.options):
        yield _line("options" if index == 0 else "", _option_line(dialog, index, option.label))
    if dialog.field is not None:
        yield _line("field", f"open on {dialog.field.option + 1}, holds {dialog.field.text!r}")
    if dialog.note:
        yield _line("note", "can be added to the answer under the cursor")
    if _why_no_more(dialog):
        yield _line("why not", _why_no_more(dialog))


def _option_line(dialog: Dialog, index: int, label: str) -> str:
    mark = "❯" if index == dialog.cursor else " "
    tick = "" if dialog.ticked is None else "[✔] " if index in dialog.ticked else "[ ] "
    bears = [str(decision) for decision, option in dialog.decisions if option == index]
    if dialog.type not in _DECIDING or not dialog.decisions:
        return f"{mark} {index + 1}. {tick}{label}"
    return f"{mark} {index + 1}. {tick}{label}  -> {bears[0] if bears else 'no decision'}"


def _why_no_more(dialog: Dialog) -> str:
    """Why no decision is offered, "" where they are or where none belongs."""
    if not dialog.readable:
        return f"no options are offered: {dialog.why}"
    if not dialog.complete:
        return "no decisions are offered: a part of the dialog is off the screen"
    if dialog.type not in _DECIDING:
        return f"a {dialog.type} is answered by choosing, not by a decision"
    if not dialog.decisions:
        return "no decisions are offered: no label plainly says yes to this"
    return ""


_COLUMN = 10


def _line(name: str, value: str) -> str:
    return f"{name:{_COLUMN}}{value}"
