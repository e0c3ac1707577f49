"""What others say of panes is cut and cleaned, and has a fixed room in a record."""

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collie.host.said import LABEL_CHARACTERS, PATH_BYTES, Room, label, message, path


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("north field", "north field"),
        ("  Füchse 漢字 🦊 ", "Füchse 漢字 🦊"),
        ("a\x1b[31mb", "a\ufffd[31mb"),
        ("a\nb\tc\u2028d\u00a0e", "a b c d e"),
        ("x\u202egnp", "x\ufffdgnp"),
        ("y" * 65, "y" * 63 + "…"),
        ("y" * 64, "y" * 64),
        (" \n ", None),
        ("", None),
        (None, None),
    ],
)
def test_a_label_is_one_short_line_that_hides_nothing(said: str | None, kept: str | None) -> None:
    assert label(said) == kept


@given(st.text())
def test_any_label_can_be_shown(said: str) -> None:
    kept = label(said)
    assert kept is None or (kept.isprintable() and 0 < len(kept) <= LABEL_CHARACTERS)


@pytest.mark.parametrize(
    ("found", "told"),
    [
        ("/srv/orchard", "/srv/orchard"),
        ("/srv/\udcff", "/srv/\ufffd"),
        ("/" + "d" * (PATH_BYTES - 1), "/" + "d" * (PATH_BYTES - 1)),
        ("/" + "d" * PATH_BYTES, None),
        (None, None),
    ],
)
def test_a_path_is_unicode_and_whole_or_not_told(found: str | None, told: str | None) -> None:
    assert path(found) == told


def test_a_refusal_quotes_no_more_than_fits() -> None:
    assert message("pane not found") == "pane not found"
    assert len(message("x" * 10**6)) == 300


@given(st.lists(st.one_of(st.none(), st.text(), st.dictionaries(st.text(), st.text()))), st.integers(0, 200))
def test_what_a_room_takes_never_exceeds_it(said: list[str | dict[str, str] | None], size: int) -> None:
    room = Room(size)
    taken = [room.take(each) for each in said]
    assert sum(len(msgspec.json.encode(each)) for each in taken if each is not None) <= size


def test_a_room_serves_whoever_comes_first_and_still_has_a_place_for_the_small() -> None:
    room = Room(12)
    assert [room.take(each) for each in ("first", "much too long", None, "", "abc")] == [
        "first",
        None,
        None,
        None,
        "abc",
    ]
