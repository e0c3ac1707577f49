"""How many fit: the operator, all who may only report, those of one pane."""

import pytest

from collie.daemon.caller import REPORTER, Caller
from collie.daemon.seats import GUESTS, GUESTS_A_PANE, SESSIONS, Seats
from collie.protocol.errors import Code, WireError
from collie.protocol.methods import MethodClass

OPERATOR = Caller(device="control", by="desk", classes=frozenset(MethodClass))


def guest(pane: int) -> Caller:
    return Caller(device=f"control/pane {pane}", by="inside a pane", classes=REPORTER)


def refusal(seats: Seats, number: int, caller: Caller) -> str:
    with pytest.raises(WireError) as refused:
        seats.sit(number, caller)
    assert refused.value.code is Code.RATE_LIMITED
    return refused.value.message


def test_the_operator_has_so_many_seats() -> None:
    seats = Seats()
    for number in range(SESSIONS):
        seats.sit(number, OPERATOR)
    assert refusal(seats, 99, OPERATOR) == "too many connections: the daemon serves 64 clients at once"
    seats.leave(7)
    seats.sit(99, OPERATOR)


def test_one_pane_takes_no_seat_from_the_operator_nor_from_another_pane() -> None:
    seats = Seats()
    for number in range(GUESTS_A_PANE):
        seats.sit(number, guest(1))
    assert refusal(seats, 90, guest(1)) == "too many connections: 8 from one pane at once"
    seats.sit(91, guest(2))
    seats.sit(92, OPERATOR)


def test_all_panes_together_take_none_from_the_operator() -> None:
    seats = Seats()
    for number in range(GUESTS):
        seats.sit(number, guest(number // GUESTS_A_PANE))
    assert refusal(seats, 90, guest(77)) == "too many connections: 32 from inside panes at once"
    for number in range(100, 100 + SESSIONS):
        seats.sit(number, OPERATOR)


def test_who_turns_out_to_be_a_hook_gives_its_seat_back() -> None:
    seats = Seats()
    for number in range(SESSIONS):
        seats.sit(number, OPERATOR)
    seats.sit(0, guest(0))
    seats.sit(99, OPERATOR)
    seats.sit(0, guest(0))
    seats.leave(1234)
