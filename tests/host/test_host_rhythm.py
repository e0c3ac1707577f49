"""When a pane is looked at, and when its foreground is."""

from collie.host.foreground import STALE, YOUNG, YOUNG_EVERY, Foreground, ForegroundWatch
from collie.host.rhythm import COALESCE, DRAWING_WAITS, LOOK_EVERY, Rhythm


def test_a_quiet_pane_is_never_due() -> None:
    assert Rhythm().due is None


def test_output_is_looked_at_a_moment_later() -> None:
    rhythm = Rhythm()
    rhythm.printed(10.0)
    rhythm.printed(10.01)
    assert (rhythm.told_due, rhythm.look_due) == (10.0 + COALESCE, 10.0 + COALESCE)
    rhythm.told()
    rhythm.looked(10.02, None)
    assert rhythm.due is None


def test_a_busy_pane_is_looked_at_thirty_times_a_second_and_told_more_often() -> None:
    rhythm = Rhythm()
    rhythm.looked(10.0, None)
    rhythm.printed(10.001)
    assert rhythm.told_due == 10.001 + COALESCE
    assert rhythm.look_due == 10.0 + LOOK_EVERY


def test_a_look_that_is_wanted_earlier_stays() -> None:
    rhythm = Rhythm()
    rhythm.looked(10.0, 10.01)
    rhythm.printed(10.001)
    assert rhythm.look_due == 10.01
    rhythm.look_by(40.0)
    assert rhythm.look_due == 10.01


def test_a_screen_in_the_middle_of_being_drawn_is_waited_for_but_not_for_ever() -> None:
    rhythm = Rhythm()
    assert all(rhythm.may_wait(10.0) for _ in range(DRAWING_WAITS))
    assert not rhythm.may_wait(10.0)
    rhythm.looked(10.0, None)
    assert rhythm.may_wait(10.0)
    assert rhythm.look_due == 10.0 + COALESCE


def due(watch: ForegroundWatch, now: float, group: int | None, *, missed: bool = False, died: bool = False) -> bool:
    return watch.is_due(now, group, missed=missed, died=died)


def test_a_foreground_that_changed_is_looked_at_again_while_it_is_young() -> None:
    watch = ForegroundWatch()
    assert due(watch, 100.0, 7)
    watch.looked(100.0, Foreground(group=7))
    assert not due(watch, 100.0 + YOUNG_EVERY / 2, 7)
    assert due(watch, 100.01 + YOUNG_EVERY, 7)
    watch.looked(100.0 + YOUNG, Foreground(group=7))
    assert not due(watch, 500.0, 7), "nothing happens, so nothing is looked at"


def test_only_a_foreground_where_nothing_happens_rests() -> None:
    watch = ForegroundWatch()
    watch.looked(100.0, Foreground(group=7))
    assert not watch.rests(100.0 + YOUNG / 2, missed=False)
    assert watch.rests(101.0 + YOUNG, missed=False)
    assert not watch.rests(101.0 + YOUNG, missed=True)
    watch.printed()
    assert not watch.rests(101.0 + YOUNG, missed=False)


def test_an_old_foreground_is_looked_at_when_it_printed_or_its_agent_died() -> None:
    watch = ForegroundWatch()
    watch.looked(100.0, Foreground(group=7, kind="claude", pid=8))
    watch.printed()
    assert not due(watch, 100.0 + YOUNG + 1, 7)
    assert due(watch, 100.01 + STALE, 7)
    assert due(watch, 100.0 + YOUNG + 1, 7, died=True)
    assert due(watch, 100.0 + YOUNG + 1, 7, missed=True)
    assert due(watch, 100.0 + YOUNG + 1, None)
