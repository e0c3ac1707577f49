"""Which lines of a question were on the screen."""

from hypothesis import given
from hypothesis import strategies as st

from collie.tui.reading import CONTENTS_KEPT, Reading


def test_a_content_is_read_once_each_line_was_seen() -> None:
    reading = Reading()
    reading.saw("a", 80, range(4), 10)
    reading.saw("a", 80, range(8, 12), 10)
    assert reading.unseen("a", 80, 10) == (4, 5, 6, 7)
    assert not reading.is_whole("a")
    reading.saw("a", 80, range(3, 8), 10)
    assert reading.is_whole("a")


def test_another_width_begins_anew_unless_it_was_read() -> None:
    reading = Reading()
    reading.saw("a", 80, range(4), 5)
    assert reading.unseen("a", 40, 9) == tuple(range(9))
    reading.saw("a", 80, range(4, 5), 5)
    assert reading.unseen("a", 40, 9) == ()


def test_contents_are_apart_and_only_so_many_are_kept() -> None:
    reading = Reading()
    for content in range(CONTENTS_KEPT + 1):
        reading.saw(content, 80, range(1), 1)
    assert not reading.is_whole(0)
    assert reading.is_whole(1)


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(0, 10)), max_size=12), st.integers(1, 30))
def test_exactly_the_lines_that_were_shown_are_seen(views: list[tuple[int, int]], total: int) -> None:
    reading = Reading()
    for top, rows in views:
        reading.saw("a", 80, range(top, top + rows), total)
    seen = {line for top, rows in views for line in range(top, top + rows)}
    assert reading.unseen("a", 80, total) == tuple(line for line in range(total) if line not in seen)
