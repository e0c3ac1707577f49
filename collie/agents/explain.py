"""Facts as JSON (what `collie explain --json` prints), and as text for people."""

from typing import Any

from collie.agents.facts import Dialog, Facts


def to_json(facts: Facts) -> dict[str, Any]:
    """The facts object of a screen; keys that do not apply are absent."""
    found: dict[str, Any] = {"kind": facts.kind, "state": str(facts.state)}
    if facts.dialog is not None:
        found["dialog"] = _dialog(facts.dialog)
    if facts.draft is not None:
        found["draft"] = facts.draft
    if facts.opaque:
        found["opaque"] = True
    if facts.banner is not None:
        found["banner"] = facts.banner
    if facts.notice:
        found["notice"] = [[option.digit, option.label] for option in facts.notice]
    return found


def _dialog(dialog: Dialog) -> dict[str, Any]:
    found: dict[str, Any] = {
        "type": str(dialog.type),
        "readable": dialog.readable,
        "options": [option.label for option in dialog.options],
        "cursor": dialog.cursor,
    }
    if not dialog.complete:
        found["complete"] = False
    if dialog.why:
        found["why"] = dialog.why
    if dialog.title:
        found["title"] = dialog.title
    if dialog.ticked is not None:
        found["ticked"] = list(dialog.ticked)
    if dialog.decisions:
        found["decisions"] = {str(decision): option for decision, option in dialog.decisions}
    if dialog.command is not None:
        found["command"] = dialog.command
    if dialog.target is not None:
        found["target"] = dialog.target
    if dialog.note is not None:
        found["note"] = dialog.note
    if dialog.field is not None:
        found["field"] = {"option": dialog.field.option, "text": dialog.field.text}
    if dialog.pages:
        found["pages"] = list(dialog.pages)
    return found
