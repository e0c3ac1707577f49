"""How often a picture is handed on."""

import itertools
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st
from tools.pictures import build_agent, build_busy, build_picture

from collie.client.picture import Picture
from collie.protocol.models import ReadSource, TerminalRead
from collie.tui.pace import LISTS_SECONDS, OUTPUT_SECONDS, Pace


def with_output(picture: Picture, text: str) -> Picture:
    return replace(picture, output=TerminalRead(terminal_id="t1", source=ReadSource.RECENT, ansi=text))


def test_the_first_after_a_quiet_spell_comes_at_once() -> None:
    pace = Pace()
    assert pace.offer(build_picture(), 0.0) == build_picture()
    assert pace.offer(build_busy(), 5.0) == build_busy()


def test_lists_wait_their_turn_and_the_newest_wins() -> None:
    pace = Pace()
    pace.offer(build_picture(), 0.0)
    assert pace.offer(build_busy(), 0.05) is None
    assert pace.wait(build_busy(), 0.05) == LISTS_SECONDS - 0.05
    newest = build_busy(agents=())
    assert pace.offer(newest, LISTS_SECONDS) == newest
    assert pace.wait(newest, LISTS_SECONDS) is None


def test_a_watched_terminal_comes_sooner_and_takes_no_list_with_it() -> None:
    pace = Pace()
    first = with_output(build_picture(), "one")
    pace.offer(first, 0.0)
    newest = with_output(build_busy(), "two")
    assert pace.wait(newest, 0.0) == OUTPUT_SECONDS
    assert pace.offer(newest, OUTPUT_SECONDS) == with_output(build_picture(), "two")
    assert pace.offer(newest, LISTS_SECONDS) == newest


def test_what_only_counts_events_is_no_change() -> None:
    pace = Pace()
    pace.offer(build_picture(), 0.0)
    assert pace.wait(build_picture(seq=99), 10.0) is None


@given(st.lists(st.floats(min_value=0.0, max_value=0.02), min_size=1, max_size=300))
def test_two_hundred_events_a_second_become_ten_and_the_last_is_shown(gaps: list[float]) -> None:
    pace, now, given_at, shown = Pace(), 0.0, [], None
    picture = build_picture()
    for count, gap in enumerate(gaps):
        now += gap
        picture = build_picture(agents=(build_agent(status_since_ms=count),))
        if (due := pace.offer(picture, now)) is not None:
            shown = due
            given_at.append(now)
    assert all(later - earlier >= LISTS_SECONDS for earlier, later in itertools.pairwise(given_at))
    if (wait := pace.wait(picture, now)) is not None:
        shown = pace.offer(picture, now + wait + 1e-9)
    assert shown == picture
