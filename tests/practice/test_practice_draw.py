"""Pictures: as many rows as the screen has, none wider than it is, whatever is on them."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.practice_stage import DOWN, TAB, UP, Stage, build_stage, pasted
from wcwidth import wcswidth

PROMPTS = ["idle", "say hello", "work 5", "ask rm -rf build", "ask-edit src/app.py", "question", "plan", "what?"]
SIZES = [(80, 24), (120, 40), (40, 12), (60, 24), (20, 5), (1, 1)]


def assert_fits(stage: Stage) -> None:
    assert len(stage.lines) == stage.session.rows
    for line in stage.lines:
        assert 0 <= wcswidth(line) <= stage.session.columns, line
        assert line.isprintable() or "\xa0" in line, line


@pytest.mark.parametrize(("columns", "rows"), SIZES)
@pytest.mark.parametrize("prompt", PROMPTS)
def test_every_picture_fits(prompt: str, columns: int, rows: int) -> None:
    assert_fits(build_stage(columns, rows).prompt(prompt))


def test_an_idle_screen() -> None:
    assert build_stage(60, 12).lines == [
        "",
        "  ▚▞  Practice agent v1",
        "  ▞▚  Asks like an agent, runs nothing",
        "      ~/demo",
        "",
        "",
        "",
        "",
        "─" * 60,
        '❯\xa0Try "ask rm -rf build"',
        "─" * 60,
        "  ⏸ manual mode on",
    ]


def test_a_dialog_taller_than_the_screen_shows_its_bottom_and_says_so() -> None:
    command = "\n".join(f"echo step-{number:02}" for number in range(1, 61))
    stage = build_stage(80, 24).play(b"ask ", pasted(command), b"\r", 0.5)
    assert stage.lines[0] == " │ echo step-46"
    assert stage.lines[-5:] == [
        " ❯ 1. Yes",
        "   2. Yes, and don’t ask again for: echo *",
        "   3. No",
        " ↑ 49 more lines",
        " Esc to cancel · Tab to amend",
    ]


def test_one_row_too_many_is_one_more_line() -> None:
    stage = build_stage(80, 13).prompt("ask ls")
    assert stage.lines[0] == " Bash command"
    assert stage.lines[-2:] == [" ↑ 1 more line", " Esc to cancel · Tab to amend"]


def test_a_low_screen_shows_only_some_of_the_choices() -> None:
    stage = build_stage(80, 10).prompt("ask ls")
    assert stage.lines[-4:] == [
        " ❯ 1. Yes",
        " ↓ 2. Yes, and don’t ask again for: ls *",
        " ↑ 3 more lines",
        " Esc to cancel · Tab to amend",
    ]
    stage.play(DOWN, DOWN)
    assert stage.lines[-4:-2] == [" ↑ 2. Yes, and don’t ask again for: ls *", " ❯ 3. No"]


@pytest.mark.parametrize(("rows", "shown"), [(16, "❯234"), (15, "❯2↓"), (14, "❯2↓"), (13, "❯↓"), (12, "❯↓"), (11, "❯")])
def test_how_many_answers_a_low_screen_shows(rows: int, shown: str) -> None:
    stage = build_stage(80, rows).prompt("question")
    marks = "".join(line[0].strip() or line[2] for line in stage.lines if line[3:5] == ". ")
    assert marks == shown + "5"
    assert not any("more line" in line for line in stage.lines)


def test_the_rule_of_a_question_is_the_first_to_go() -> None:
    assert build_stage(80, 15).prompt("question").lines[0] == "─" * 80
    assert build_stage(80, 14).prompt("question").lines[0] == " ☐ Database"
    stage = build_stage(80, 8).prompt("question")
    assert stage.lines[0] == "Which database should the service use?"
    assert stage.lines[-2] == " ↑ 2 more lines"


def test_another_size_draws_it_all_again() -> None:
    stage = build_stage(80, 24).prompt("ask rm -rf build").resize(40, 12)
    assert stage.lines[-2:] == [" ↑ 4 more lines", " Esc to cancel · Tab to amend"]
    assert_fits(stage)
    stage.resize(80, 24)
    assert stage.lines[-14] == "─" * 80


def test_the_last_of_a_long_transcript_is_seen() -> None:
    stage = build_stage(40, 12)
    for number in range(9):
        stage.prompt(f"say number {number}").play(1.0)
    assert "● number 8" in stage.screen
    assert "Practice agent" not in stage.screen


def test_a_tall_draft_shows_the_rows_around_the_cursor() -> None:
    stage = build_stage(40, 12).play(pasted("\n".join("abcdefghi")))
    assert "  i" in stage.lines
    assert "❯\xa0a" not in stage.lines
    assert "❯\xa0a" in stage.play(*[UP] * 8).lines
    assert "  i" in stage.play(*[DOWN] * 8).lines


HOSTILE = st.one_of(
    st.text(max_size=300),
    st.lists(
        st.sampled_from(
            [
                " ❯ 1. Yes",
                "   3. No",
                " Esc to cancel · Tab to amend",
                "─" * 80,
                "╌" * 200,
                " Do you want to proceed?",
                "❯\xa0",
                "\x1b[2J\x1b[H",
                "\x1b]0;title\x07",
                "日本語" * 30,
                "🐕\u200d🦺\ufe0f",
                "e" + "\u0301" * 50,
                "\u202eevil",
                "\t\t\x00\x7f\x9b1m",
            ]
        ),
        min_size=1,
        max_size=40,
    ).map("\n".join),
)


@settings(deadline=None, max_examples=50)
@given(HOSTILE, st.sampled_from(SIZES))
def test_no_command_breaks_the_frame(command: str, size: tuple[int, int]) -> None:
    stage = build_stage(*size).prompt(f"ask x {command}")
    assert_fits(stage)
    if size[1] >= 12:
        assert [line for line in stage.lines if line.startswith(" ❯ 1. ")] == [" ❯ 1. Yes"]
    assert_fits(stage.play(TAB, pasted(command), UP, DOWN))
    assert_fits(stage.play(b"\x1b", pasted(command)))


@settings(deadline=None, max_examples=50)
@given(HOSTILE, st.sampled_from(SIZES))
def test_no_other_text_breaks_the_frame(text: str, size: tuple[int, int]) -> None:
    assert_fits(build_stage(*size).prompt(f"say {text}"))
    assert_fits(build_stage(*size).prompt(f"ask-edit {text}").play(b"1"))
    assert_fits(build_stage(*size).prompt("question").play(UP, UP, pasted(text)))
    assert_fits(build_stage(*size).prompt("work 9").prompt(text))
