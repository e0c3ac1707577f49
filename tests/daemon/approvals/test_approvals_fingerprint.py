"""What makes a dialog the one that was shown."""

import hashlib
from dataclasses import replace

import pytest

from collie.agents.facts import Dialog, DialogType, Option, Rows
from collie.agents.region import region_text
from collie.daemon.approvals import fingerprint
from collie.daemon.approvals.fingerprint import Subject

SUBJECT = Subject(kind="claude", rule="bash_permission_prompt", terminal_id="term_1", session="5b0e6f0a")


def dialog(cursor: int | None = 0) -> Dialog:
    return Dialog(
        type=DialogType.PERMISSION,
        readable=True,
        title="Bash command",
        body="Bash command\nrm -rf build\nDo you want to proceed?",
        options=tuple(Option(label=label, rows=Rows(first=5, last=5)) for label in ("Yes", "No")),
        cursor=cursor,
        region=Rows(first=1, last=3),
    )


def test_it_is_a_digest_over_each_part_with_its_length() -> None:
    data = b"".join(
        len(part).to_bytes(8, "big") + part
        for part in (b"claude", b"bash_permission_prompt", b"term_1", b"5b0e6f0a", "❯".encode())
    )

    assert fingerprint.fingerprint(SUBJECT, "❯") == hashlib.sha256(data).hexdigest()


@pytest.mark.parametrize(
    "other",
    [
        replace(SUBJECT, kind="codex"),
        replace(SUBJECT, rule=""),
        replace(SUBJECT, terminal_id="term_2"),
        replace(SUBJECT, session=""),
        replace(SUBJECT, kind="claudebash", rule="_permission_prompt"),
    ],
)
def test_no_part_can_be_another_and_no_text_can_move_between_parts(other: Subject) -> None:
    assert fingerprint.of_dialog(other, dialog()) != fingerprint.of_dialog(SUBJECT, dialog())


def test_each_place_of_the_cursor_has_its_own() -> None:
    places = {fingerprint.of_dialog(SUBJECT, dialog(cursor)) for cursor in (0, 1, None)}

    assert len(places) == 3
    assert fingerprint.of_dialog(SUBJECT, dialog(1)) == fingerprint.fingerprint(SUBJECT, region_text(dialog(0), 1))


def test_around_an_option_its_own_text_does_not_count_and_everything_else_does() -> None:
    shown = dialog()
    typed = replace(shown, options=(replace(shown.options[0], label="Yes, look first"), shown.options[1]))
    other = replace(shown, options=(shown.options[0], replace(shown.options[1], label="Perhaps")))

    assert fingerprint.around(SUBJECT, typed, 0) == fingerprint.around(SUBJECT, shown, 0)
    assert fingerprint.around(SUBJECT, other, 0) != fingerprint.around(SUBJECT, shown, 0)
    assert fingerprint.around(SUBJECT, dialog(1), 0) != fingerprint.around(SUBJECT, shown, 0)


ASKED = "Bash command\nTidy up\n╌╌╌\nrm -rf build\n╌╌╌\nDo you want to proceed?"


@pytest.mark.parametrize(
    "body",
    [
        ASKED,
        ASKED.replace(" ", "\n  "),
        ASKED.replace("╌╌╌", "╌╌╌╌╌╌╌╌"),
        ASKED.replace("rm -rf build", "rm -rf bu"),
        ASKED.replace("rm -rf build", ""),
        ASKED.replace("Tidy up\n", ""),
        ASKED + "\nIt removes the folder and everything in it.",
        "",
    ],
)
def test_a_question_may_be_the_same_wrapped_cut_off_half_drawn_or_explained(body: str) -> None:
    shown = replace(dialog(), body=ASKED)

    assert fingerprint.may_be_same(shown, replace(shown, body=body))
    assert fingerprint.may_be_same(replace(shown, body=body), shown)


@pytest.mark.parametrize(
    "body",
    [
        ASKED.replace("rm -rf build", "ls"),
        ASKED.replace("Tidy up", "Tidy up again").replace("rm -rf build", "rm -rf dist"),
    ],
)
def test_a_question_with_rows_of_its_own_is_another(body: str) -> None:
    shown = replace(dialog(), body=ASKED)

    assert not fingerprint.may_be_same(shown, replace(shown, body=body))


def test_the_expectation_covers_the_rows_of_the_dialog_and_no_others() -> None:
    text = "above\nrule  \nquestion\noptions\nfooter\n"
    expect = fingerprint.expectation(text, dialog(), "term_1")

    assert expect.rows == (1, 3)
    assert expect.sha256 == hashlib.sha256(b"rule\nquestion\noptions").hexdigest()
    assert expect.holds(text.replace("above", "blink").replace("footer", ""), terminal_id="term_1")
    assert not expect.holds(text.replace("question", "another"), terminal_id="term_1")
    assert not expect.holds(text, terminal_id="term_2")
