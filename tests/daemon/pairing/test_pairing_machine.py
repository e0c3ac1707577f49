"""The life of a pairing window as scripts: what comes in, what is to be done."""

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.pairing import CODE, WRONG, build_attempt, build_candidate

from collie.daemon.pairing.events import (
    Answer,
    Ask,
    Attempt,
    Audit,
    Cancel,
    Command,
    Confirm,
    EndSessions,
    Event,
    Finish,
    Left,
    NotStored,
    Open,
    Overdue,
    Refuse,
    Store,
    Stored,
)
from collie.daemon.pairing.machine import TRANSITIONS, Impossible, Machine
from collie.daemon.pairing.rules import CONFIRM_SECONDS, WINDOW_SECONDS, State


def build(*events: Event, at: float = 100.0) -> Machine:
    machine = Machine()
    for event in events:
        machine.handle(event, at)
    return machine


def audit(result: str, method: str = "pair.complete", target: str | None = "nPHONE", peer: str = "nPHONE") -> Audit:
    return Audit(peer=peer, method=method, target=target, result=result)


OPENED = audit("window opened", "pair.open", None, "control")
BURNED = EndSessions(window=1, keep=11)
FAILED = Answer(session=11, is_paired=False)
REFUSED = (
    audit("refused", "pair.confirm", "Ana's phone"),
    audit("refused"),
    FAILED,
    Finish(is_paired=False, detail="not confirmed on the machine"),
)
ASKING = (Open(code=CODE), build_attempt())


def test_a_device_that_knows_the_code_is_paired_after_a_yes() -> None:
    machine = Machine()

    assert machine.handle(Open(code=CODE), 100.0) == (OPENED,)
    assert (machine.window(100.0), machine.deadline) == (1, 100.0 + WINDOW_SECONDS)
    assert machine.handle(build_attempt(), 110.0) == (BURNED, Ask(window=1, candidate=build_candidate()))
    assert (machine.window(110.0), machine.deadline) == (None, 110.0 + CONFIRM_SECONDS)
    assert machine.handle(Confirm(window=1, accept=True), 120.0) == (Store(candidate=build_candidate()),)
    assert machine.handle(Stored(), 120.0) == (
        audit("paired", "pair.confirm", "Ana's phone"),
        audit("paired"),
        Answer(session=11, is_paired=True),
        Finish(is_paired=True, detail="paired Ana's phone (nPHONE)"),
    )
    assert (machine.state, machine.deadline) == (State.CLOSED, None)


def test_a_wrong_code_burns_the_window() -> None:
    machine = build(Open(code=CODE))

    assert machine.handle(build_attempt(WRONG), 110.0) == (
        BURNED,
        audit("wrong code"),
        FAILED,
        Finish(is_paired=False, detail="wrong code from ana-phone"),
    )
    assert machine.window(110.0) is None
    assert machine.handle(build_attempt(), 111.0) == (audit("no open window"), FAILED)


def test_a_no_pairs_nobody() -> None:
    assert build(*ASKING).handle(Confirm(window=1, accept=False), 110.0) == REFUSED


@pytest.mark.parametrize("event", [Overdue(), Cancel()])
def test_silence_is_no_and_so_is_going_away(event: Event) -> None:
    assert build(*ASKING).handle(event, 160.0) == REFUSED


def test_a_yes_that_comes_too_late_is_a_no() -> None:
    assert build(*ASKING).handle(Confirm(window=1, accept=True), 100.0 + CONFIRM_SECONDS) == REFUSED


def test_a_late_yes_is_no_answer_to_the_next_candidate() -> None:
    machine = build(*ASKING, Overdue(), Open(code=CODE), build_attempt(window=2, node="nOTHER"))

    assert machine.handle(Confirm(window=1, accept=True), 101.0) == (Refuse(message="no pairing in progress"),)
    assert machine.state is State.ASKING
    assert machine.handle(Confirm(window=2, accept=True), 101.0) == (Store(candidate=build_candidate("nOTHER")),)


def test_a_device_that_hangs_up_is_not_paired() -> None:
    machine = build(*ASKING)

    commands = machine.handle(Left(), 110.0)

    assert commands[-1] == Finish(is_paired=False, detail="the device hung up before it was confirmed")
    assert machine.handle(Confirm(window=1, accept=True), 111.0) == (Refuse(message="no pairing in progress"),)


def test_what_could_not_be_stored_is_not_paired() -> None:
    machine = build(*ASKING, Confirm(window=1, accept=True))

    assert machine.handle(NotStored(why="the disk is full"), 110.0) == (
        audit("failed: the disk is full", "pair.confirm", "Ana's phone"),
        audit("refused"),
        FAILED,
        Finish(is_paired=False, detail="the disk is full"),
    )


@pytest.mark.parametrize(
    ("event", "result", "detail"),
    [(Cancel(), "cancelled", "cancelled"), (Overdue(), "expired", "pairing window expired")],
)
def test_a_window_that_nobody_tried_ends_with_its_sessions(event: Event, result: str, detail: str) -> None:
    machine = build(Open(code=CODE))

    assert machine.handle(event, 220.0) == (
        EndSessions(window=1),
        audit(result, "pair.close", None, "control"),
        Finish(is_paired=False, detail=detail),
    )
    assert machine.window(220.0) is None


def test_a_code_is_worth_nothing_after_its_time_even_if_nobody_looked_at_the_clock() -> None:
    machine = build(Open(code=CODE))
    late = 100.0 + WINDOW_SECONDS

    assert machine.window(late) is None
    assert machine.handle(build_attempt(), late) == (
        BURNED,
        audit("expired", "pair.close", None, "control"),
        Finish(is_paired=False, detail="pairing window expired"),
        audit("no open window"),
        FAILED,
    )
    assert machine.state is State.CLOSED


def test_an_attempt_from_another_window_leaves_this_one_open() -> None:
    machine = build(Open(code=WRONG), Cancel(), Open(code=CODE))

    assert machine.handle(build_attempt(window=1), 101.0) == (audit("no open window"), FAILED)
    assert machine.window(101.0) == 2
    assert machine.handle(build_attempt(window=2), 101.0)[0] == EndSessions(window=2, keep=11)


def test_a_paired_device_needs_no_window_of_its_own() -> None:
    asked = Ask(window=1, candidate=build_candidate())

    assert build(Open(code=CODE)).handle(build_attempt(window=None), 101.0) == (BURNED, asked)


def test_a_second_device_finds_no_window_while_the_first_is_asked_about() -> None:
    machine = build(*ASKING)

    second = machine.handle(build_attempt(session=12, node="nOTHER"), 101.0)

    assert second == (audit("no open window", target="nOTHER", peer="nOTHER"), Answer(session=12, is_paired=False))
    assert machine.state is State.ASKING


@pytest.mark.parametrize("events", [(Open(code=CODE),), ASKING, (*ASKING, Confirm(window=1, accept=True))])
def test_one_window_at_a_time(events: tuple[Event, ...]) -> None:
    machine = build(*events)
    was = machine.state

    assert machine.handle(Open(code=WRONG), 101.0) == (Refuse(message="a pairing window is already open"),)
    assert machine.state is was


@pytest.mark.parametrize("events", [(), (Open(code=CODE),)])
def test_there_is_nothing_to_confirm_before_a_device_knew_the_code(events: tuple[Event, ...]) -> None:
    machine = build(*events)

    assert machine.handle(Confirm(window=1, accept=True), 101.0) == (Refuse(message="no pairing in progress"),)


EVENTS = st.one_of(
    st.builds(Open, code=st.sampled_from([CODE, WRONG])),
    st.builds(
        build_attempt,
        st.sampled_from([CODE, CODE, WRONG]),
        session=st.integers(11, 13),
        window=st.sampled_from([None, 1, 2, 3]),
        node=st.sampled_from(["nPHONE", "nOTHER"]),
    ),
    st.builds(Confirm, window=st.integers(1, 3), accept=st.booleans()),
    st.sampled_from([Left(), Cancel(), Overdue(), Stored(), NotStored(why="disk")]),
)


@given(st.lists(st.tuples(EVENTS, st.floats(0.0, 70.0)), max_size=40))
def test_whatever_happens(story: list[tuple[Event, float]]) -> None:
    """One finish a window, one answer an attempt, nothing stored but after a yes to a device that knew the code."""
    machine, now = Machine(), 0.0
    done: list[Command] = []
    opened, attempts = 0, 0
    asked: Ask | None = None
    code = None
    for event, passed in story:
        now += passed
        was, row = machine.state, TRANSITIONS.get((machine.state, type(event)))
        if row is None:
            with pytest.raises(Impossible):
                machine.handle(event, now)
            assert machine.state is was
            continue
        commands = machine.handle(event, now)
        assert machine.state in row[1]
        for command in commands:
            if isinstance(command, Ask):
                assert isinstance(event, Attempt)
                assert (command.window, command.candidate, event.code) == (opened, event.candidate, code)
                asked = command
            if isinstance(command, Store):
                assert isinstance(event, Confirm)
                assert asked is not None
                assert (event.accept, event.window, command.candidate) == (True, asked.window, asked.candidate)
                asked = None
        if isinstance(event, Open) and was is State.CLOSED:
            opened, code = opened + 1, event.code
        attempts += isinstance(event, Attempt)
        done.extend(commands)
    counts = Counter(type(command) for command in done)
    assert counts[Finish] == opened - (machine.state is not State.CLOSED)
    assert counts[Answer] == attempts - (machine.state in (State.ASKING, State.STORING))
    assert counts[Ask] <= opened
    assert counts[Store] <= counts[Ask]
    assert sum(isinstance(each, Answer) and each.is_paired for each in done) <= counts[Store]


def test_each_state_and_event_of_the_table_can_be_reached() -> None:
    assert {state for state, _ in TRANSITIONS} == set(State)
    assert {event for _, event in TRANSITIONS} == set(Event.__args__)


def test_a_code_is_never_shown() -> None:
    machine = build(Open(code=CODE))

    assert CODE not in f"{Open(code=CODE)!r} {build_attempt()!r} {machine._progress!r}"
