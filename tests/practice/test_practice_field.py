"""A text with a cursor."""

import pytest

from collie.practice.field import EMPTY, Field, edited
from collie.practice.keys import Key, Pasted, Typed


def press(field: Field, *names: str) -> Field:
    for name in names:
        after = edited(field, Key(name=name))
        assert after is not None
        field = after
    return field


def test_typing_goes_in_at_the_cursor() -> None:
    field = press(Field.filled("ac"), "left")
    assert edited(field, Typed(text="b")) == Field(text="abc", cursor=2)


def test_a_paste_keeps_its_lines_but_not_its_last_line_end() -> None:
    assert edited(EMPTY, Pasted(text="one\ntwo\n")) == Field.filled("one\ntwo")


@pytest.mark.parametrize(
    ("names", "text", "cursor"),
    [
        (["backspace"], "one\ntw", 6),
        (["home", "delete"], "one\nwo", 4),
        (["ctrl+u"], "one\n", 4),
        (["ctrl+u", "ctrl+u", "ctrl+u"], "", 0),
        (["home", "ctrl+k"], "one\n", 4),
        (["ctrl+w"], "one\n", 4),
        (["up"], "one\ntwo", 3),
        (["left", "up", "down"], "one\ntwo", 6),
        (["newline"], "one\ntwo\n", 8),
        (["home"], "one\ntwo", 4),
        (["up", "home", "end"], "one\ntwo", 3),
        (["right"], "one\ntwo", 7),
    ],
)
def test_keys_that_edit(names: list[str], text: str, cursor: int) -> None:
    assert press(Field.filled("one\ntwo"), *names) == Field(text=text, cursor=cursor)


@pytest.mark.parametrize("name", ["enter", "tab", "up", "down", "escape"])
def test_keys_that_are_not_the_fields_own(name: str) -> None:
    assert edited(Field.filled("one"), Key(name=name)) is None


def test_down_to_the_last_line_then_end_and_ctrl_u_for_each_line_empties_any_draft() -> None:
    field = Field(text="one\n\nthree", cursor=0)
    field = press(field, "down", "down", *["end", "ctrl+u", "backspace"] * 3)
    assert field == EMPTY
