"""What looks at a process and a screen say of an agent."""

from collie.agents.facts import State
from collie.agents.kind import Detection
from collie.host.status import LOOK_EVERY, MISSES, START_WAIT, KindFound, KindGone, StateChanged, StatusMachine

SEEN_IDLE = Detection(state=State.IDLE, rule="live_prompt_box", visible_idle=True)
ASSUMED_IDLE = Detection(state=State.IDLE)
WORKING = Detection(state=State.WORKING, rule="live_turn_working")
BLOCKED = Detection(state=State.BLOCKED, rule="live_blocked_form")
VIEWER = Detection(state=State.UNKNOWN, rule="transcript_viewer", skip=True)


def found(*screens: Detection) -> StatusMachine:
    machine = StatusMachine()
    machine.process_seen(0.0, "claude", shell_in_front=False)
    for screen in screens:
        machine.screen_seen(10.0, screen)
    return machine


def test_an_agent_is_found_once() -> None:
    machine = StatusMachine()
    assert machine.process_seen(0.0, None, shell_in_front=True) is None
    assert machine.process_seen(0.5, "claude", shell_in_front=False) == KindFound(kind="claude", before=None)
    assert machine.process_seen(1.0, "claude", shell_in_front=False) is None
    assert machine.process_seen(1.5, "codex", shell_in_front=False) == KindFound(kind="codex", before="claude")
    assert machine.state is State.UNKNOWN


def test_a_rule_that_matches_counts_at_once_even_at_the_start() -> None:
    assert found().screen_seen(0.01, BLOCKED) == StateChanged(old=State.UNKNOWN, new=State.BLOCKED)
    assert found().screen_seen(0.01, SEEN_IDLE) == StateChanged(old=State.UNKNOWN, new=State.IDLE)


def test_an_agent_that_has_shown_nothing_yet_is_not_called_idle() -> None:
    machine = found()
    assert machine.screen_seen(0.1, ASSUMED_IDLE) is None
    assert machine.due == START_WAIT
    changes = [machine.screen_seen(START_WAIT + look * LOOK_EVERY * 1.01, ASSUMED_IDLE) for look in range(3)]
    assert changes == [None, None, StateChanged(old=State.UNKNOWN, new=State.IDLE)]


def test_an_assumed_idle_needs_three_looks_in_a_row() -> None:
    machine = found(SEEN_IDLE, WORKING)
    assert machine.screen_seen(20.0, ASSUMED_IDLE) is None
    assert machine.due == 20.0 + LOOK_EVERY
    assert machine.screen_seen(20.05, ASSUMED_IDLE) is None, "a look before its time does not count"
    assert machine.screen_seen(20.1, ASSUMED_IDLE) is None
    assert machine.screen_seen(20.21, ASSUMED_IDLE) == StateChanged(old=State.WORKING, new=State.IDLE, finished=True)
    assert machine.due is None


def test_work_in_between_begins_the_count_anew() -> None:
    machine = found(SEEN_IDLE, WORKING)
    for now, seen in ((20.0, ASSUMED_IDLE), (20.1, ASSUMED_IDLE), (20.15, WORKING), (20.2, ASSUMED_IDLE)):
        assert machine.screen_seen(now, seen) is None
    assert machine.screen_seen(20.31, ASSUMED_IDLE) is None
    assert machine.screen_seen(20.42, ASSUMED_IDLE) is not None


def test_a_question_is_told_at_once() -> None:
    assert found(WORKING).screen_seen(20.0, BLOCKED) == StateChanged(old=State.WORKING, new=State.BLOCKED)


def test_a_second_question_is_no_change() -> None:
    assert found(BLOCKED).screen_seen(20.0, BLOCKED) is None


def test_what_covers_the_screen_changes_nothing() -> None:
    machine = found(BLOCKED)
    assert machine.screen_seen(20.0, VIEWER) is None
    assert machine.state is State.BLOCKED


def test_the_first_idle_is_not_a_finish_and_later_ones_are() -> None:
    machine = found(BLOCKED)
    first = machine.screen_seen(20.0, SEEN_IDLE)
    machine.screen_seen(21.0, WORKING)
    second = machine.screen_seen(22.0, SEEN_IDLE)
    assert isinstance(first, StateChanged)
    assert isinstance(second, StateChanged)
    assert (first.finished, second.finished) == (False, True)


def test_when_the_shell_is_back_the_agent_is_gone_after_one_idle() -> None:
    machine = found(SEEN_IDLE, WORKING)
    changes = [machine.process_seen(30.0, None, shell_in_front=True) for _ in range(3)]
    assert changes == [StateChanged(old=State.WORKING, new=State.IDLE), KindGone(kind="claude"), None]
    assert (machine.kind, machine.state) == (None, State.UNKNOWN)
    assert found(SEEN_IDLE).process_seen(30.0, None, shell_in_front=True) == KindGone(kind="claude")


def test_something_else_in_front_must_stay_there_a_while() -> None:
    machine = found(SEEN_IDLE)
    for _ in range(MISSES - 1):
        assert machine.process_seen(30.0, None, shell_in_front=False) is None
    machine.process_seen(30.0, "claude", shell_in_front=False)
    for _ in range(MISSES - 1):
        assert machine.process_seen(31.0, None, shell_in_front=False) is None
    assert machine.process_seen(32.0, None, shell_in_front=False) == KindGone(kind="claude")


def test_a_screen_without_an_agent_says_nothing() -> None:
    assert StatusMachine().screen_seen(0.0, BLOCKED) is None
