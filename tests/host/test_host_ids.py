"""Ids are herdr's, and no two numbers share one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collie.host import ids


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1, "1"),
        (9, "9"),
        (10, "A"),
        (31, "Z"),
        (32, "0"),
        (33, "11"),
        (64, "10"),
        (65, "21"),
        (1024, "Z0"),
        (1056, "00"),
        (1057, "111"),
    ],
)
def test_numbers_are_spelled_as_herdr_spells_them(number: int, text: str) -> None:
    assert ids.encode(number) == text


@given(st.integers(min_value=1, max_value=2**64))
def test_a_number_can_be_read_back(number: int) -> None:
    value = 0
    for digit in ids.encode(number):
        value = value * 32 + ids.DIGITS.index(digit) + 1
    assert value == number


def test_ids_are_nested() -> None:
    assert ids.workspace_id(10) == "wA"
    assert ids.tab_id("wA", 2) == "wA:t2"
    assert ids.pane_id("wA", 33) == "wA:p11"
    assert ids.terminal_id(0x66173D6044000, 1) == "term_66173d60440001"
