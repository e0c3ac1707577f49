"""A launch, from its command to an agent that can be spoken to."""

import pytest

from collie.agents.facts import State
from collie.host.launch import SETTLE, Launch, Phase

LAUNCH = Launch(kind="claude", deadline=30.0)


def phase(launch: Launch | None) -> Phase | None:
    return launch.phase if launch else None


def test_it_waits_for_its_agent() -> None:
    assert LAUNCH.seen(1.0, None, State.UNKNOWN, settles_unknown=False) == LAUNCH
    assert LAUNCH.due(settles_unknown=False) == 30.0
    assert LAUNCH.is_pending


@pytest.mark.parametrize("state", [State.IDLE, State.WORKING])
def test_an_agent_that_waits_or_works_has_started(state: State) -> None:
    launch = LAUNCH.seen(2.0, "claude", state, settles_unknown=False)
    assert phase(launch) is Phase.ACTIVE
    assert launch is not None
    assert not launch.is_pending
    assert launch.due(settles_unknown=False) is None


def test_a_question_first_suspends_the_deadline() -> None:
    launch = LAUNCH.seen(2.0, "claude", State.BLOCKED, settles_unknown=False)
    assert phase(launch) is Phase.BLOCKED
    assert launch is not None
    assert launch.is_pending
    launch = launch.seen(300.0, "claude", State.BLOCKED, settles_unknown=False)
    assert phase(launch) is Phase.BLOCKED
    assert launch is not None
    assert phase(launch.seen(301.0, "claude", State.IDLE, settles_unknown=False)) is Phase.ACTIVE


def test_at_the_deadline_it_has_failed() -> None:
    assert LAUNCH.seen(30.0, None, State.UNKNOWN, settles_unknown=False) is None
    assert LAUNCH.seen(30.0, "claude", State.UNKNOWN, settles_unknown=False) is None


def test_another_agent_in_its_place_ends_it() -> None:
    assert LAUNCH.seen(2.0, "codex", State.IDLE, settles_unknown=False) is None


def test_an_agent_that_vanishes_ends_it() -> None:
    launch = LAUNCH.seen(2.0, "claude", State.UNKNOWN, settles_unknown=False)
    assert launch is not None
    assert launch.seen(3.0, None, State.UNKNOWN, settles_unknown=False) is None


def test_a_kind_without_a_face_of_its_own_settles() -> None:
    launch = LAUNCH.seen(2.0, "claude", State.UNKNOWN, settles_unknown=True)
    assert launch is not None
    assert launch.due(settles_unknown=True) == 2.0 + SETTLE
    assert phase(launch.seen(2.0 + SETTLE, "claude", State.UNKNOWN, settles_unknown=True)) is Phase.ACTIVE
    assert phase(launch.seen(2.0 + SETTLE, "claude", State.UNKNOWN, settles_unknown=False)) is Phase.PENDING
