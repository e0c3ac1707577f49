"""Every dialog, answered by keys."""

import pytest
from tools.practice_stage import CTRL_C, DOWN, ENTER, ESCAPE, SHIFT_TAB, TAB, UP, Stage, build_stage, pasted


def cursor_line(stage: Stage) -> str:
    (line,) = [line for line in stage.lines if line.lstrip().startswith("❯ ") and ". " in line[:8]]
    return line.strip()


def build_asking(prompt: str = "ask rm -rf build", columns: int = 80, rows: int = 24) -> Stage:
    return build_stage(columns, rows).prompt(prompt)


def test_a_command_is_asked_for_word_for_word() -> None:
    assert build_asking().lines[-14:] == [
        "─" * 80,
        " Bash command",
        " A command to practise on: nothing will be run",
        "╌" * 80,
        " rm -rf build",
        "╌" * 80,
        " This command requires approval",
        "",
        " Do you want to proceed?",
        " ❯ 1. Yes",
        "   2. Yes, and don’t ask again for: rm *",
        "   3. No",
        "",
        " Esc to cancel · Tab to amend",
    ]


@pytest.mark.parametrize("keys", [(b"1",), (ENTER,), (DOWN, UP, ENTER), (UP, UP, UP, ENTER)])
def test_yes(keys: tuple[bytes, ...]) -> None:
    stage = build_asking().play(*keys)
    assert "● Bash(rm -rf build)\n  ⎿  (practice: nothing was run)" in stage.screen
    assert "Working…" in stage.screen
    stage.play(1.1)
    assert "● Done.\n\n✻ Worked for 1s" in stage.screen


def test_confirming_keys_do_nothing_right_after_the_dialog_appeared() -> None:
    stage = build_stage().prompt("say hello").play(1.0)
    stage.prompt("ask ls")
    assert stage.session.dialog is not None
    stage.now = stage.session.dialog.opened + 0.1
    stage.play(ENTER, b"1", b"3")
    assert stage.session.dialog is not None
    stage.play(DOWN, TAB, UP)
    assert cursor_line(stage) == "❯ 1. Yes"
    stage.play(0.1, ENTER)
    assert stage.session.dialog is None


def test_escape_is_never_guarded() -> None:
    stage = build_asking()
    assert stage.session.dialog is not None
    stage.now = stage.session.dialog.opened
    assert stage.play(ESCAPE).session.dialog is None


@pytest.mark.parametrize("keys", [(b"3",), (ESCAPE,), (UP, ENTER)])
def test_no_and_escape_interrupt(keys: tuple[bytes, ...]) -> None:
    stage = build_asking().play(*keys)
    assert "  Did not run 1 call\n  ⎿  $ rm -rf build\n  ⎿  Interrupted · What should I do instead?" in stage.screen
    assert stage.session.turn is None


def test_letters_and_other_digits_do_nothing() -> None:
    stage = build_asking()
    before = stage.screen
    assert stage.play(b"y", b"n", b"0", b"4", b"9", b"\x7f", "é²".encode()).screen == before


def test_the_footer_offers_a_note_only_where_one_can_be_added() -> None:
    stage = build_asking()
    assert stage.lines[-1] == " Esc to cancel · Tab to amend"
    assert stage.play(DOWN).lines[-1] == " Esc to cancel"
    assert stage.play(TAB).lines[-1] == " Esc to cancel"
    assert stage.play(DOWN).lines[-1] == " Esc to cancel · Tab to amend"
    assert stage.play(TAB).lines[-1] == " Esc to cancel"


def test_a_note_on_no_reaches_the_agent_and_the_turn_goes_on() -> None:
    stage = build_asking().play(UP, TAB)
    assert cursor_line(stage) == "❯ 3. No, and tell Claude what to do differently"
    stage.play(b"2 use git clean -n first")
    assert cursor_line(stage) == "❯ 3. No, 2 use git clean -n first"
    stage.play(ENTER, 1.1)
    assert "⎿  Not run · rejected" in stage.screen
    assert "● You said instead: 2 use git clean -n first" in stage.screen
    assert "● Done." in stage.screen


def test_a_note_on_yes() -> None:
    stage = build_asking().play(TAB)
    assert cursor_line(stage) == "❯ 1. Yes, and tell Claude what to do next"
    stage.play(b"then list", ENTER, 1.1)
    assert "● Bash(rm -rf build)" in stage.screen
    assert "● You also said: then list" in stage.screen


def test_a_note_stays_shown_when_the_cursor_leaves_it() -> None:
    stage = build_asking().play(TAB, b"later", DOWN)
    assert "   1. Yes, later" in stage.lines
    assert cursor_line(stage) == "❯ 2. Yes, and don’t ask again for: rm *"


def test_tab_closes_the_note_and_then_it_is_not_sent_but_kept() -> None:
    stage = build_asking().play(TAB, b"later", TAB)
    assert cursor_line(stage) == "❯ 1. Yes"
    assert cursor_line(stage.play(TAB)) == "❯ 1. Yes, later"
    stage.play(TAB)
    assert "You also said" not in stage.play(ENTER, 1.1).screen


def test_escape_in_the_note_cancels_the_whole_dialog() -> None:
    assert "Interrupted" in build_asking().play(TAB, b"later", ESCAPE).screen


def test_a_wrapped_note_is_indented_to_its_text_while_it_has_the_cursor() -> None:
    stage = build_asking(columns=40, rows=30).play(UP, TAB, b"list the files first, then wait for my answer")
    start = stage.lines.index(" ❯ 3. No, list the files first, then")
    assert stage.lines[start + 1].startswith("          wait for my answer")
    stage.play(UP)
    assert "      wait for my answer" in stage.lines


def test_what_is_not_asked_again() -> None:
    stage = build_asking().play(b"2", 1.1)
    stage.prompt("ask rm other").play(1.1)
    assert stage.session.dialog is None
    assert "● This was allowed earlier, so I do not ask." in stage.screen
    assert stage.prompt("ask rmdir x").session.dialog is not None


def test_the_pattern_is_a_field_while_the_cursor_is_on_it() -> None:
    stage = build_asking("ask npm install left-pad").play(DOWN, b"\x7f\x7f", b" install *", ENTER, 1.1)
    assert stage.session.permits.prefixes == ("npm install",)
    assert stage.prompt("ask npm publish").session.dialog is not None


def test_ctrl_c_empties_a_field_and_does_nothing_else() -> None:
    stage = build_asking()
    before = stage.screen
    assert stage.play(CTRL_C, CTRL_C).screen == before
    assert cursor_line(stage.play(DOWN, CTRL_C)).endswith("again for: command prefix (e.g., npm run *)")
    stage.play(ENTER, 1.1)
    assert "● Bash(rm -rf build)" in stage.screen
    assert stage.session.permits.prefixes == ()


def test_up_goes_from_the_first_to_the_last_and_down_stops_there() -> None:
    stage = build_asking().play(UP, DOWN, DOWN)
    assert cursor_line(stage) == "❯ 3. No"
    assert cursor_line(stage.play(UP, UP)) == "❯ 1. Yes"


def test_a_field_that_wraps_stays_beside_its_lead() -> None:
    stage = build_asking("ask npm install", columns=40, rows=30).play(DOWN, CTRL_C, b"npm install *")
    start = stage.lines.index(" ❯ 2. Yes, and don’t ask again for: npm")
    assert stage.lines[start + 1 : start + 4] == [" " * 36 + "inst", " " * 36 + "all", " " * 36 + "*"]


def test_no_pattern_is_offered_for_a_command_without_a_short_first_word() -> None:
    stage = build_asking("ask " + "x" * 60)
    assert stage.lines[-4:] == [" ❯ 1. Yes", "   2. No", "", " Esc to cancel · Tab to amend"]


def test_several_lines_get_a_gutter() -> None:
    stage = build_stage().play(b"ask ", pasted("set -e\nmake build\n"), ENTER, 0.5)
    assert "╌" * 80 + "\n │ set -e\n │ make build\n" + "╌" * 80 in stage.screen


def test_an_edit_is_asked_for_with_its_diff() -> None:
    stage = build_asking("ask-edit src/app.py")
    assert " Edit file\n src/app.py\n" + "╌" * 80 in stage.screen
    assert "\n 14 -    return" in stage.screen
    assert stage.lines[-7:] == [
        " Do you want to make this edit to app.py?",
        " ❯ 1. Yes",
        "   2. Yes, and switch to accept edits (auto-approve file edits and common file",
        "      commands) for this session (shift+tab)",
        "   3. No",
        "",
        " Esc to cancel · Tab to amend",
    ]
    assert "● Update(src/app.py)\n  ⎿  (practice: nothing was written)" in stage.play(b"1", 1.1).screen


@pytest.mark.parametrize("key", [b"2", SHIFT_TAB])
def test_edits_accepted_for_the_session(key: bytes) -> None:
    stage = build_asking("ask-edit src/app.py").play(key, 1.1)
    assert stage.lines[-1] == "  ⏵⏵ accept edits on (shift+tab to cycle)"
    assert stage.prompt("ask-edit other.py").session.dialog is None
    assert stage.play(2.0, SHIFT_TAB).lines[-1] == "  ⏸ manual mode on"
    assert stage.prompt("ask-edit other.py").session.dialog is not None


def test_a_question_shows_its_answers_with_their_descriptions() -> None:
    assert build_asking("question").lines[-16:] == [
        "─" * 80,
        " ☐ Database",
        "",
        "Which database should the service use?",
        "",
        "❯ 1. PostgreSQL",
        "     Relational, strong consistency",
        "  2. SQLite",
        "     A single file, nothing to run",
        "  3. Redis",
        "     In memory, fast, needs care with persistence",
        "  4. Type something.",
        "─" * 80,
        "  5. Chat about this",
        "",
        "Enter to select · ↑/↓ to navigate · Esc to cancel",
    ]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ((b"3",), "→ Redis"),
        ((DOWN, ENTER), "→ SQLite"),
        ((b"4", b"4 MariaDB", ENTER), "→ 4 MariaDB"),
        ((UP, pasted("Maria\nDB"), ENTER), "→ Maria\n     DB"),
        ((b"5",), "You would rather talk about it:"),
        ((*[DOWN] * 9, ENTER), "You would rather talk about it:"),
        ((UP, ENTER), "Declined to answer:"),
        ((ESCAPE,), "Declined to answer:"),
    ],
)
def test_a_question_is_answered(keys: tuple[bytes, ...], expected: str) -> None:
    stage = build_asking("question").play(*keys)
    assert stage.session.dialog is None
    assert expected in stage.screen


def test_a_digit_goes_to_the_answer_in_ones_own_words_and_waits_for_them() -> None:
    stage = build_asking("question").play(b"4")
    assert cursor_line(stage) == "❯ 4. Type something."
    assert stage.lines[-1] == "Enter to select · ↑/↓ to navigate · ctrl+g to edit in Vim · Esc to cancel"
    assert cursor_line(stage.play(b"45")) == "❯ 4. 45"


def test_a_plan_fills_the_screen() -> None:
    stage = build_asking("plan", columns=100, rows=40)
    assert stage.lines[2:7] == ["▔" * 100, "", "  " + "─" * 96, "   Ready to code?", ""]
    assert stage.lines[-9:] == [
        "  " + "─" * 96,
        "   Claude has written up a plan and is ready to execute. Would you like to proceed?",
        "",
        "   ❯ 1. Yes, and use auto mode",
        "     2. Yes, manually approve edits",
        "     3. Tell Claude what to change",
        "        shift+tab to approve with this feedback",
        "",
        "   ctrl+g to edit in Vim · practice-plan.md",
    ]


@pytest.mark.parametrize(
    ("keys", "expected"),
    [
        ((b"1",), "Approved the plan"),
        ((DOWN, ENTER), "Yes, manually approve edits (practice: nothing was run)"),
        ((b"3", b"3 more tests", ENTER), "You said instead: 3 more tests"),
        ((UP, b"3 more tests", SHIFT_TAB), "You also said: 3 more tests"),
        ((ESCAPE,), "Interrupted"),
    ],
)
def test_a_plan_is_answered(keys: tuple[bytes, ...], expected: str) -> None:
    stage = build_asking("plan").play(*keys)
    assert stage.session.dialog is None
    assert expected in stage.screen


def test_an_empty_change_to_a_plan_is_not_sent() -> None:
    assert build_asking("plan").play(b"3", ENTER, SHIFT_TAB).session.dialog is not None
