"""Which lines of a card have been on the screen: a question is read when each of them was. Pure."""

from collections.abc import Hashable
from typing import Final, TypeVar

Key = TypeVar("Key")
Value = TypeVar("Value")

CONTENTS_KEPT: Final = 64
"""Contents whose reading is remembered; more questions than that do not stand at once."""


class Reading:
    """What was seen of some contents, each of them laid out at some width.

    A line number is meant at its width: after a change of width a content that was not read whole begins anew.
    """

    def __init__(self) -> None:
        self._seen: dict[tuple[Hashable, int], set[int]] = {}
        self._whole: dict[Hashable, None] = {}

    def saw(self, content: Hashable, width: int, lines: range, total: int) -> None:
        """These of the content's `total` lines are on the screen."""
        if content in self._whole:
            return
        seen = self._seen.pop((content, width), set())
        seen.update(line for line in lines if line < total)
        if len(seen) == total:
            _keep(self._whole, content, None)
        else:
            _keep(self._seen, (content, width), seen)

    def is_whole(self, content: Hashable) -> bool:
        """Whether each line of the content was on the screen, at one width."""
        return content in self._whole

    def unseen(self, content: Hashable, width: int, total: int) -> tuple[int, ...]:
        """The lines that were not on the screen yet, from the top."""
        if content in self._whole:
            return ()
        seen = self._seen.get((content, width), set())
        return tuple(line for line in range(total) if line not in seen)


def _keep(kept: dict[Key, Value], key: Key, value: Value) -> None:
    kept[key] = value
    if len(kept) > CONTENTS_KEPT:
        del kept[next(iter(kept))]
