"""Frames -> what is written to the terminal."""

import pyte
from hypothesis import given, settings
from hypothesis import strategies as st
from tools.practice_stage import DOWN, ENTER, ESCAPE, TAB, Stage, build_stage

from collie.practice.draw import Frame, frame
from collie.practice.terminal import changes

PLAY = st.lists(
    st.sampled_from([b"ask rm -rf build", b"question", b"plan", b"1", b"\x15", DOWN, ENTER, ESCAPE, TAB, 0.5])
)


def picture(stage: Stage) -> Frame:
    return frame(stage.session, stage.now)


def test_nothing_is_written_when_nothing_changed() -> None:
    stage = build_stage()
    assert changes(picture(stage), picture(stage)) == ""


def test_only_rows_that_changed_are_written_and_all_at_once() -> None:
    stage = build_stage()
    before = picture(stage)
    written = changes(before, picture(stage.play(b"x")))
    assert written.startswith("\x1b[?2026h\x1b[22;1H")
    assert written.endswith("\x1b[?2026l")
    assert written.count(";1H") == 1
    assert len(written) < 100


def test_another_size_writes_every_row_and_clears_nothing_first() -> None:
    stage = build_stage()
    before = picture(stage)
    written = changes(before, picture(stage.resize(60, 12)))
    assert written.count(";1H") == 12
    assert "\x1b[2J" not in written


def test_the_title_is_written_when_it_changed() -> None:
    stage = build_stage()
    before = picture(stage)
    assert changes(None, before).startswith("\x1b]0;✳ Practice\x07")
    assert changes(before, picture(stage.play(b"work 5", ENTER))).startswith("\x1b]0;◐ Practice\x07")


@settings(deadline=None)
@given(PLAY)
def test_a_terminal_that_gets_the_changes_shows_the_picture(script: list[bytes | float]) -> None:
    stage = build_stage(60, 20)
    screen = pyte.Screen(60, 20)
    stream = pyte.Stream(screen)
    shown = None
    for step in script:
        stage.play(step)
        stream.feed(changes(shown, picture(stage)))
        shown = picture(stage)
        assert [line.rstrip(" ") for line in screen.display] == stage.lines
