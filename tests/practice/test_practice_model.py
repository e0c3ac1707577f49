"""The session: prompts, the queue, interruptions and the end."""

import pytest
from tools.practice_stage import CTRL_C, ENTER, ESCAPE, UP, Stage, build_stage, pasted

from collie.practice.keys import Key
from collie.practice.model import KEPT_ENTRIES, keyed, wakes_in


def build_working() -> Stage:
    return build_stage().play(b"work 5", ENTER, 1.0)


def test_a_prompt_is_typed_and_said() -> None:
    stage = build_stage().play("say grüße".encode(), ENTER, 0.5)
    assert "❯ say grüße\n\n● grüße\n\n✻ Worked for 0s" in stage.screen


def test_work_takes_its_time() -> None:
    stage = build_working()
    assert "Working… (1s · ↓ 4 tokens)" in stage.screen
    assert stage.lines[-1] == "  ⏸ manual mode on · esc to interrupt"
    assert stage.play(4.2).session.turn is None
    assert "● Done.\n\n✻ Worked for 5s" in stage.screen


def test_the_title_says_whether_the_agent_works() -> None:
    stage = build_stage()
    assert stage.title == "✳ Practice"
    assert stage.play(b"work 5", ENTER).title in ("◐ Practice", "◑ Practice")
    assert build_stage().prompt("ask ls").title == "✳ Practice"


@pytest.mark.parametrize("key", [ESCAPE, CTRL_C])
def test_a_prompt_that_is_interrupted_at_once_comes_back_into_the_box(key: bytes) -> None:
    stage = build_working().play(key)
    assert stage.session.turn is None
    assert stage.session.transcript == ()
    assert stage.session.box.text == "work 5"


def test_a_prompt_does_not_come_back_over_a_draft() -> None:
    stage = build_working().play(b"hm", ESCAPE)
    assert "❯ work 5\n\n  ⎿  Interrupted · What should I do instead?" in stage.screen
    assert stage.session.box.text == "hm"


def test_an_interruption_after_the_first_answer() -> None:
    stage = build_stage().prompt("ask ls").play(b"1", 0.25, ESCAPE)
    assert "⎿  (practice: nothing was run)\n\n  ⎿  Interrupted" in stage.screen


@pytest.mark.parametrize("prompt", ["hello", "ask", "work", "work never", "work -1", "say", "ask-edit"])
def test_other_prompts_are_answered_with_the_list(prompt: str) -> None:
    stage = build_stage().prompt(prompt)
    assert "ask COMMAND" in stage.screen
    assert stage.session.turn is None


def test_idle_does_nothing() -> None:
    stage = build_stage().prompt("idle")
    assert stage.session.turn is None
    assert "●" not in stage.screen


def test_prompts_wait_while_the_agent_works() -> None:
    stage = build_working().play(b"say one", ENTER, b"say two", ENTER)
    assert "❯ say one\n\n❯ say two\n  ⎿  Queued" in stage.screen
    assert "❯\xa0Press up to edit queued messages" in stage.screen
    stage.play(6.0)
    assert "● one" in stage.screen
    assert "● two" in stage.screen
    assert stage.session.queue == ()


def test_up_takes_the_queue_back_into_the_box() -> None:
    stage = build_working().play(b"say one", ENTER, b"say two", ENTER, UP)
    assert stage.session.queue == ()
    assert stage.session.box.text == "say one\nsay two"


def test_escape_with_a_queue_starts_its_first_prompt() -> None:
    stage = build_working().play(b"say next", ENTER, ESCAPE, 0.5)
    assert "● next" in stage.screen


def test_a_draft_hides_the_hint_to_interrupt() -> None:
    assert build_working().play(b"x").lines[-1] == "  ⏸ manual mode on"


def test_many_queued_prompts_of_no_length_are_no_trouble() -> None:
    stage = build_working()
    for _ in range(600):
        stage.play(b"idle", ENTER)
    assert stage.play(5.0).session.queue == ()
    assert len(stage.session.transcript) == KEPT_ENTRIES


def test_ctrl_c_twice_ends() -> None:
    stage = build_stage().play(b"draft", CTRL_C)
    assert stage.session.box.text == ""
    assert stage.lines[-1] == "  Press Ctrl-C again to exit"
    assert not stage.session.ended
    assert stage.play(CTRL_C).session.ended


def test_ctrl_c_once_in_a_while_does_not_end() -> None:
    stage = build_stage().play(CTRL_C, 2.0, CTRL_C)
    assert not stage.session.ended
    assert stage.play(b"x", CTRL_C).session.ended is False


def test_ctrl_c_while_the_agent_works_only_interrupts() -> None:
    stage = build_working().play(b"x", CTRL_C)
    assert stage.session.box.text == "x"
    assert not stage.play(CTRL_C).session.ended


def test_exit_ends_also_while_the_agent_works() -> None:
    assert build_working().play(b"/exit", ENTER).session.ended


def test_a_backslash_and_enter_begin_a_new_line() -> None:
    stage = build_stage().play(b"one\\", ENTER, b"two")
    assert stage.session.box.text == "one\ntwo"
    assert "❯\xa0one\n  two" in stage.screen


def test_a_short_paste_is_shown_and_a_long_one_stands_as_a_placeholder() -> None:
    stage = build_stage().play(pasted("one\ntwo\nthree"))
    assert "❯\xa0one\n  two\n  three" in stage.screen
    long = "\n".join(f"echo {number}" for number in range(41))
    stage = build_stage().play(b"ask ", pasted(long))
    assert "❯\xa0ask [Pasted text #1 +40 lines]" in stage.screen
    stage.play(ENTER, 0.5)
    assert stage.session.dialog is not None
    assert stage.session.dialog.body == long


def test_a_placeholder_that_was_only_typed_stays_as_it_is() -> None:
    assert "● [Pasted text #7]" in build_stage().prompt("say [Pasted text #7]").screen


def test_enter_in_an_empty_box_does_nothing() -> None:
    assert build_stage().play(ENTER, b"  ", ENTER).session.transcript == ()


def test_time_alone_changes_only_what_moves() -> None:
    stage = build_stage()
    assert wakes_in(stage.session, stage.now) is None
    assert wakes_in(keyed(stage.session, Key(name="ctrl+c"), stage.now), stage.now) == 1.5
    assert wakes_in(build_working().session, 1025.0) == pytest.approx(0.12)
    asking = build_stage().prompt("ask ls")
    wait = wakes_in(asking.session, asking.now)
    assert wait is not None
    assert 0 < wait <= 0.6
