"""The text that an answer is bound to: the cursor's own move is foreseen, anything else changes it."""

from dataclasses import replace

import pytest
from tools.captures import Case, cases, claude

from collie.agents.facts import Dialog
from collie.agents.region import region_text

MOVED = [
    ("bash-short-cursor-1", "bash-short-cursor-2"),
    ("bash-short-cursor-1", "bash-short-cursor-3"),
    ("bash-short-cursor-1", "bash-short-cursor-4"),
    ("edit", "edit-cursor-2"),
    ("edit", "edit-cursor-3"),
    ("read-outside", "read-outside-cursor-2"),
    ("mcp-tool", "mcp-tool-cursor-3"),
    ("bash-long", "bash-long-cursor-3"),
    ("bash-long-60", "bash-long-cursor-2-60"),
    ("bash-fake", "bash-fake-cursor-last"),
    ("trust-folder-cursor-no", "trust-folder-cursor-yes"),
    ("mcp-json-question", "mcp-json-question-cursor-1"),
    ("plan", "plan-cursor-2"),
]


def dialog_of(found: Case, form: str = "ansi") -> Dialog:
    dialog = found.read(form).dialog
    assert dialog is not None
    return dialog


@pytest.mark.parametrize("form", ["ansi", "txt"])
@pytest.mark.parametrize(("before", "after"), MOVED)
def test_a_move_of_the_cursor_is_foreseen(before: str, after: str, form: str) -> None:
    old, new = dialog_of(claude(before), form), dialog_of(claude(after), form)
    assert region_text(old, new.cursor) == region_text(new, new.cursor)
    assert region_text(new, old.cursor) == region_text(old, old.cursor)
    assert region_text(old, old.cursor) != region_text(new, new.cursor)


def test_plain_text_and_colours_bind_to_the_same() -> None:
    for found in cases():
        dialog, plain = found.read().dialog, found.read("txt").dialog
        if dialog and plain and dialog.decisions and plain.decisions:
            assert region_text(dialog, dialog.cursor) == region_text(plain, dialog.cursor), found.name


def test_another_command_is_another_text() -> None:
    first, second = dialog_of(claude("bash-two")), dialog_of(claude("bash-two-second"))
    assert region_text(first, 0) != region_text(second, 0)


def test_a_note_that_is_written_changes_it() -> None:
    plain, noted = dialog_of(claude("bash-short-cursor-4")), dialog_of(claude("bash-short-amend-no-empty"))
    assert region_text(plain, 3) != region_text(noted, 3)


def test_it_holds_all_that_must_have_been_seen() -> None:
    for found in cases():
        dialog = found.read().dialog
        if dialog is None or not dialog.readable:
            continue
        text = bare(region_text(dialog, dialog.cursor))
        texts = (dialog.title, dialog.target or "", dialog.command or "", *(option.label for option in dialog.options))
        assert all(bare(line) in text for part in texts for line in part.split("\n")), found.name


def bare(text: str) -> str:
    """Without blanks and gutters, which are the screen's, not the dialog's."""
    return "".join(text.replace("│", "").split())


def test_a_part_is_not_the_whole() -> None:
    dialog = dialog_of(claude("bash-short-cursor-1"))
    assert region_text(dialog, 0) != region_text(replace(dialog, complete=False), 0)


def test_a_tick_and_a_missing_cursor_show() -> None:
    dialog = dialog_of(claude("ask-multi"))
    assert region_text(dialog, 0) != region_text(replace(dialog, ticked=(0,)), 0)
    assert "\n>" not in region_text(dialog, None)
