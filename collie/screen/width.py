"""How many cells a text takes: the project's one notion of display width.

Widths are those of the `wcwidth` library for grapheme clusters (Unicode UAX #29), at most two cells a cluster, as
terminals with mode 2027 draw them. Controls take no cell.
"""

import re
from collections.abc import Iterator

from wcwidth import iter_graphemes, wcswidth

MAX_CLUSTER_WIDTH = 2
"""No terminal gives one cluster more than two cells, whatever its code points add up to."""

# Code points that always take one cell, or two, and never join what stands before them. The lists are not complete:
# what they leave out is measured by its cluster, only slower. Tests hold them against the library.
_NARROW = (
    " -~\u00a0-\u00a8\u00aa-\u00ac\u00af-\u02ff\u0370-\u0482\u048a-\u0530\u1e00-\u200a\u2010-\u2027\u202f-\u203b"
    "\u203d-\u2048\u2070-\u20cf\u213a-\u2193\u219a-\u21a8\u21ab-\u2319\u23d0-\u23e8\u2400-\u24c1\u24c3-\u25a9\u25ac-\u25b5"
    "\u25b7-\u25bf\u25c1-\u25fa\u2713\u2715\u2717-\u271c\u2722-\u2727\u2729-\u2732\u2735-\u2743\u2748-\u274b\u2758-\u2762"
    "\u2765-\u2794\u27c0-\u2933\ue000-\uf8ff\ufffc\ufffd\U0001fb00-\U0001fbff"
)
_WIDE = (
    "\u3001-\u3029\u3041-\u3096\u309b-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7a3\uf900-\ufaff\uff01-\uff60"
    "\U00020000-\U0002fffd"
)
_PIECE = re.compile(f"([{_NARROW}]+)|([{_WIDE}]+)|(.)", re.DOTALL)
_ALL_NARROW = re.compile(f"[{_NARROW}]*")


def cluster_width(cluster: str) -> int:
    """Cells of one grapheme cluster: 0, 1 or 2."""
    return min(max(wcswidth(cluster), 0), MAX_CLUSTER_WIDTH)


def text_width(text: str) -> int:
    """Cells of a text that holds no escape sequences."""
    if _ALL_NARROW.fullmatch(text):
        return len(text)
    return sum(map(cluster_width, iter_graphemes(text)))


def clusters(text: str) -> Iterator[str]:
    """The grapheme clusters of a text: what a terminal puts in one cell, or in the two of a wide character."""
    return iter_graphemes(text)


def clip(text: str, width: int) -> str:
    """The longest beginning of `text` that takes at most `width` cells; no cluster is cut in two."""
    if _ALL_NARROW.fullmatch(text):
        return text[: max(width, 0)]
    used = end = 0
    for cluster in iter_graphemes(text):
        used += cluster_width(cluster)
        if used > width:
            break
        end += len(cluster)
    return text[:end]


def continues(previous: str, character: str) -> bool:
    """Whether `character` belongs to the last grapheme cluster of `previous`."""
    *_, last = iter_graphemes(previous + character)
    return last != character


def pieces(text: str) -> list[tuple[str, str, str]]:
    """`text` cut into runs of (one-cell characters, two-cell characters, one other); one of the three is not empty.

    Only the other kind can join the cluster before it; it has to be asked for its width.
    """
    return _PIECE.findall(text)
