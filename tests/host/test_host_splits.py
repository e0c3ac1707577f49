"""Dividing a tab, and taking panes out of it."""

from hypothesis import given
from hypothesis import strategies as st

from collie.herdr.models import Rect
from collie.host.splits import Direction, Tree, boxes, divide, panes, split_records, without

AREA = Rect(x=0, y=0, width=120, height=40)


def box(x: int, y: int, width: int, height: int) -> Rect:
    return Rect(x=x, y=y, width=width, height=height)


def test_right_then_down() -> None:
    tree = divide(divide("a", "a", "b", Direction.RIGHT), "b", "c", Direction.DOWN, 0.25)
    assert dict(boxes(tree, AREA)) == {
        "a": box(0, 0, 60, 40),
        "b": box(60, 0, 60, 10),
        "c": box(60, 10, 60, 30),
    }
    outer, inner = split_records(tree, AREA)
    assert (outer.id, outer.direction, outer.rect) == ("split_0_root", "right", AREA)
    assert (inner.id, inner.direction, inner.ratio) == ("split_1_1", "down", 0.25)


def test_who_stays_grows_into_the_place_of_who_goes() -> None:
    tree = divide(divide("a", "a", "b", Direction.RIGHT), "a", "c", Direction.DOWN)
    left = without(tree, "b")
    assert left is not None
    assert dict(boxes(left, AREA)) == {"a": box(0, 0, 120, 20), "c": box(0, 20, 120, 20)}
    assert without("a", "a") is None


@given(st.lists(st.tuples(st.integers(0, 20), st.sampled_from(Direction), st.floats(0, 1)), max_size=12))
def test_boxes_tile_the_tab_while_there_is_room(steps: list[tuple[int, Direction, float]]) -> None:
    tree: Tree = "0"
    for number, (index, direction, ratio) in enumerate(steps, start=1):
        known = list(panes(tree))
        tree = divide(tree, known[index % len(known)], str(number), direction, ratio)
    found = dict(boxes(tree, AREA))
    assert set(found) == {str(number) for number in range(len(steps) + 1)}
    assert all(each.width >= 1 and each.height >= 1 for each in found.values())
    if all(each.width > 1 and each.height > 1 for each in found.values()):
        assert sum(each.width * each.height for each in found.values()) == 120 * 40
    assert len(split_records(tree, AREA)) == len(steps)
