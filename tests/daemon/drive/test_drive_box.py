"""Drafts: when they stop a prompt, and the keys that clear them."""

import pytest

from collie.agents.facts import Facts, State
from collie.daemon.drive import box
from collie.protocol.errors import Code
from collie.protocol.models import Key


def facts(draft: str | None, *, opaque: bool = False) -> Facts:
    return Facts(kind="claude", state=State.IDLE, draft=draft, opaque=opaque)


@pytest.mark.parametrize(
    ("draft", "expected", "code"),
    [
        ("", None, None),
        ("", "something", None),
        ("a draft", "a draft", None),
        ("a draft", "a draft  \n", None),
        ("a draft", None, Code.DRAFT_CHANGED),
        ("a draft", "another", Code.DRAFT_CHANGED),
        (None, None, Code.DRAFT_NOT_CLEARED),
    ],
)
def test_a_box_is_written_to_only_when_its_text_is_known(
    draft: str | None, expected: str | None, code: Code | None
) -> None:
    refusal = box.refusal(facts(draft), expected)

    assert (refusal.code if refusal else None) is code


def test_clearing_goes_down_and_then_empties_row_by_row_in_batches_of_sixteen() -> None:
    assert list(box.clearing(1)) == [(Key.CTRL_E, Key.CTRL_U, Key.BACKSPACE)]
    batches = list(box.clearing(6))

    assert [len(batch) for batch in batches] == [16, 7]
    keys = [key for batch in batches for key in batch]
    assert keys == [Key.DOWN] * 5 + [Key.CTRL_E, Key.CTRL_U, Key.BACKSPACE] * 6


@pytest.mark.parametrize(
    ("shown", "sent", "holds"),
    [
        (facts("list the files"), "list the\nfiles", True),
        (facts("the last rows of a long prompt"), "much text and the last rows of a long prompt", True),
        (facts("", opaque=True), "forty lines", True),
        (facts(""), "list the files", False),
        (facts(None), "list the files", False),
        (facts("l"), "list the files", False),
        (facts("something else that is long"), "list the files", False),
    ],
)
def test_a_prompt_is_unsent_while_the_box_shows_it(shown: Facts, sent: str, holds: bool) -> None:
    assert box.still_holds(shown, sent) is holds
