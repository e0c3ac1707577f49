"""Output patches: a terminal's new text, told by what of the text before it is still there (specs: phone-protocol
section 8).

    new text = head, old[skip : skip + keep], tail, the last `trail` lines of old; joined by newlines

Both ends keep the last text of a watch as a `Text`, which knows the hash at the end of each of its lines: what the next
text begins with in common need not be hashed again. FNV-1a costs some 70 ns a byte in Python, and is most of the work.
"""

from dataclasses import dataclass, field
from typing import Final, Self

import msgspec

from collie.errors import CollieError
from collie.protocol import limits

FNV_OFFSET: Final = 0xCBF29CE484222325
FNV_PRIME: Final = 0x100000001B3
"""FNV-1a with 64 bits (draft-eastlake-fnv)."""

_MASK: Final = limits.UNSIGNED_64


class Unusable(CollieError):
    """A patch does not fit the text it came for: the watch has to begin anew."""


class Patch(msgspec.Struct, frozen=True, kw_only=True):
    """What changed since the text whose hash is `base`; `skip`, `keep` and `trail` count lines of that text."""

    base: int
    head: tuple[str, ...]
    skip: int
    keep: int
    tail: tuple[str, ...]
    trail: int

    def __repr__(self) -> str:
        sizes = f"{len(self.head)} + {self.skip}:{self.skip + self.keep} + {len(self.tail)} + {self.trail}"
        return f"{type(self).__name__}({sizes} lines)"


@dataclass(frozen=True, slots=True)
class Text:
    """A text as a watch delivered it. `hashes` holds the hash of the text up to the end of each line."""

    ansi: str = field(repr=False)
    lines: tuple[str, ...] = field(repr=False, compare=False)
    hashes: tuple[int, ...] = field(repr=False, compare=False)

    @classmethod
    def of(cls, ansi: str, after: Self | None = None) -> Self:
        """The text `ansi`, hashed as far as it differs from the text `after` which it comes."""
        lines = tuple(ansi.split("\n"))
        shared = 0 if after is None else _common(after.lines, lines)
        hashes = [] if after is None else list(after.hashes[:shared])
        for line in lines[shared:]:
            before, start = (hashes[-1], b"\n") if hashes else (FNV_OFFSET, b"")
            hashes.append(text_hash(start + line.encode(), before))
        return cls(ansi, lines, tuple(hashes))

    @property
    def hash(self) -> int:
        """FNV-1a of the text's UTF-8."""
        return self.hashes[-1]


def text_hash(data: bytes, before: int = FNV_OFFSET) -> int:
    """FNV-1a of `data`, going on from the hash of what came `before` it."""
    found = before
    for byte in data:
        found = (found ^ byte) * FNV_PRIME & _MASK
    return found


def make(old: Text, new: Text) -> Patch | None:
    """The patch from `old` to `new`; None where the whole text is to be sent instead, as it would carry more than half
    of it."""
    start, skip, keep = _longest_run(old.lines, new.lines)
    if not keep:
        return None
    rest = new.lines[start + keep :]
    trail = _common(old.lines[: skip + keep - 1 : -1], rest[::-1])
    head, tail = new.lines[:start], rest[: len(rest) - trail]
    carried = sum(len(line.encode()) + 1 for line in head + tail)
    if carried * 2 > len(new.ansi.encode()):
        return None
    return Patch(base=old.hash, head=head, skip=skip, keep=keep, tail=tail, trail=trail)


def apply(old: Text, patch: Patch) -> Text:
    """The text after `patch`.

    Raises: Unusable where it was made for another text, or reaches past the end of this one.
    """
    if patch.base != old.hash:
        raise Unusable("the patch is for another text")
    end, lines = patch.skip + patch.keep, len(old.lines)
    if min(patch.skip, patch.keep, patch.trail) < 0 or end + patch.trail > lines:
        raise Unusable("the patch reaches past the text it is for")
    ansi = "\n".join((*patch.head, *old.lines[patch.skip : end], *patch.tail, *old.lines[lines - patch.trail :]))
    if len(ansi) > limits.SERVER_FRAME_BYTES:
        raise Unusable("the patch makes a text that no frame could carry")
    return Text.of(ansi, old)


def _common(one: tuple[str, ...], other: tuple[str, ...]) -> int:
    """How many lines both begin with."""
    count = 0
    for here, there in zip(one, other, strict=False):
        if here != there:
            break
        count += 1
    return count


def _longest_run(old: tuple[str, ...], new: tuple[str, ...]) -> tuple[int, int, int]:
    """The longest run of lines that both have: where in `new` and in `old` it begins, and its length.

    Of several, the first in `new`, of those the first in `old`.

    Which lines of `old` a run may begin at is one bit each of an integer, so that runs of twice the length cost one
    shift a line, whatever the text: a screen full of equal lines takes no longer than any other.
    """
    prefix = _common(old, new)
    if 2 * prefix + 1 >= len(new) and (prefix == len(new) or new[prefix] not in old):
        return 0, 0, prefix  # a longer run would have to hold the first line that differs
    places: dict[str, int] = {}
    for index, line in enumerate(old):
        places[line] = places.get(line, 0) | 1 << index
    runs, levels = [places.get(line, 0) for line in new], []
    while any(runs):
        levels.append(runs)
        runs = _joined(runs, runs, 1 << len(levels) - 1)
    if not levels:
        return 0, 0, 0
    runs, length = levels.pop(), 1 << len(levels)
    for step in reversed(range(len(levels))):
        longer = _joined(runs, levels[step], length)
        if any(longer):
            runs, length = longer, length + (1 << step)
    start = next(index for index, places_in_old in enumerate(runs) if places_in_old)
    return start, (runs[start] & -runs[start]).bit_length() - 1, length


def _joined(runs: list[int], others: list[int], length: int) -> list[int]:
    """Where a run of `length` lines goes on as one of the `others`."""
    return [here & there >> length for here, there in zip(runs, others[length:], strict=False)]
