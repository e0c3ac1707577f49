"""How a tab is divided: a binary tree of splits, and the boxes that follow from it."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

from collie.herdr.models import Rect
from collie.herdr.models import Split as SplitRecord

RATIO: Final = 0.5
"""The share of the first half where none is asked for."""

RATIOS: Final = (0.1, 0.9)
"""The least and the largest share, so that no pane vanishes (herdr's own bounds)."""


class Direction(StrEnum):
    """Where the second half of a split lies."""

    RIGHT = "right"
    DOWN = "down"


@dataclass(frozen=True, slots=True, kw_only=True)
class Split:
    """A part of a tab that is divided in two; `ratio` is the first half's share."""

    direction: Direction
    ratio: float
    first: "Tree"
    second: "Tree"


Tree = str | Split
"""A part of a tab: a pane, by its id, or a split."""


def panes(tree: Tree) -> Iterator[str]:
    """The panes, first halves before second."""
    if isinstance(tree, str):
        yield tree
        return
    yield from panes(tree.first)
    yield from panes(tree.second)


def divide(tree: Tree, pane: str, new: str, direction: Direction, ratio: float = RATIO) -> Tree:
    """The tree in which `pane` shares its place with `new`."""
    if isinstance(tree, str):
        if tree != pane:
            return tree
        share = min(max(ratio, RATIOS[0]), RATIOS[1])
        return Split(direction=direction, ratio=share, first=tree, second=new)
    first = divide(tree.first, pane, new, direction, ratio)
    return replace(tree, first=first, second=divide(tree.second, pane, new, direction, ratio))


def without(tree: Tree, pane: str) -> Tree | None:
    """The tree after `pane` left it, its neighbour grown into its place; None when it was the last."""
    if isinstance(tree, str):
        return None if tree == pane else tree
    first, second = without(tree.first, pane), without(tree.second, pane)
    if first is None or second is None:
        return second if first is None else first
    return replace(tree, first=first, second=second)


def boxes(tree: Tree, area: Rect) -> Iterator[tuple[str, Rect]]:
    """Each pane with its box; none has a border."""
    if isinstance(tree, str):
        yield tree, area
        return
    first, second = _halves(tree, area)
    yield from boxes(tree.first, first)
    yield from boxes(tree.second, second)


def split_records(tree: Tree, area: Rect) -> tuple[SplitRecord, ...]:
    """The splits as the wire has them, outer before inner."""
    found = _walk(tree, area, "")
    return tuple(
        SplitRecord(
            id=f"split_{index}_{path or 'root'}",
            direction=split.direction.value,
            ratio=split.ratio,
            rect=box,
        )
        for index, (split, box, path) in enumerate(found)
    )


def _walk(tree: Tree, area: Rect, path: str) -> Iterator[tuple[Split, Rect, str]]:
    if isinstance(tree, str):
        return
    yield tree, area, path
    first, second = _halves(tree, area)
    yield from _walk(tree.first, first, path + "0")
    yield from _walk(tree.second, second, path + "1")


def _halves(split: Split, area: Rect) -> tuple[Rect, Rect]:
    """Both halves keep at least one cell, even where there is none left to give."""
    if split.direction is Direction.RIGHT:
        width = _share(area.width, split.ratio)
        rest = Rect(x=area.x + width, y=area.y, width=max(area.width - width, 1), height=area.height)
        return Rect(x=area.x, y=area.y, width=width, height=area.height), rest
    height = _share(area.height, split.ratio)
    rest = Rect(x=area.x, y=area.y + height, width=area.width, height=max(area.height - height, 1))
    return Rect(x=area.x, y=area.y, width=area.width, height=height), rest


def _share(cells: int, ratio: float) -> int:
    return max(min(round(cells * ratio), cells - 1), 1)
