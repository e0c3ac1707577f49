"""What a pushed terminal text costs each end: hashing it, making the patch, applying it.

    python bench/output_patch.py [--lines N] [--columns N]

Hashing is FNV-1a in Python, from the first line that changed; its share of a scrolled text is what a patch costs most.
"""

import argparse
import random
import time
from collections.abc import Callable

import msgspec

from collie.protocol.patch import Text, apply, make

ROUNDS = 20
PLACES = "{:26} {:>9} {:>9} {:>9} {:>9} {:>9}"


def main() -> None:
    """Print a row for each kind of change; times in milliseconds, the best of some rounds."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--lines", type=int, default=1_000)
    parser.add_argument("--columns", type=int, default=40)
    arguments = parser.parse_args()
    print(PLACES.format("", "text B", "wire B", "hash ms", "make ms", "apply ms"))
    for name, old, new in changes(arguments.lines, arguments.columns):
        print(row(name, "\n".join(old), "\n".join(new)))


def changes(count: int, columns: int) -> list[tuple[str, list[str], list[str]]]:
    """Kinds of change to a text of so many lines."""
    draw = random.Random(0)

    def lines(number: int) -> list[str]:
        return ["".join(draw.choices("etaoin shrdlu", k=columns)) for _ in range(number)]

    old = lines(count)
    blank = [""] * count
    return [
        ("a spinner near the end", old, old[:-8] + lines(1) + old[-7:]),
        ("a line in the middle", old, old[: count // 2] + lines(1) + old[count // 2 + 1 :]),
        ("scrolled by five lines", old, old[5:] + lines(5)),
        ("scrolled, and a spinner", old, old[5:-8] + lines(6) + old[-7:]),
        ("all of it", old, lines(count)),
        ("one word among blank lines", [*blank, "here", *blank[1:]], [*blank[: count // 2], "here", *blank]),
    ]


def row(name: str, old: str, new: str) -> str:
    """One kind of change, measured."""
    before = Text.of(old)
    after = Text.of(new, before)
    patch = make(before, after)
    wire = len(new.encode()) if patch is None else len(msgspec.json.encode(patch))
    hashing = best(lambda: Text.of(new, before))
    making = best(lambda: make(before, after))
    applying = "full" if patch is None else f"{best(lambda: apply(before, patch)):.2f}"
    return PLACES.format(name, len(new.encode()), wire, f"{hashing:.2f}", f"{making:.2f}", applying)


def best(work: Callable[[], object]) -> float:
    """The shortest of some rounds, in milliseconds."""
    times = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work()
        times.append(time.perf_counter() - began)
    return min(times) * 1_000


if __name__ == "__main__":
    main()
