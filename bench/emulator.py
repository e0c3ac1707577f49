"""How fast the embedded host's emulator takes in output, beside pyte (which keeps no scrollback) on the same bytes.

Prints, for each kind of output, MB/s of both and their ratio. `python bench/emulator.py [MB]` (default 2; pyte gets a
share of it, since it is slow).
"""

import random
import sys
import time
from collections.abc import Callable

import pyte

from collie.host.terminal.reads import detection_rows, read
from collie.host.terminal.screen import Terminal

COLUMNS, ROWS = 120, 40
CHUNK = 1 << 16
PYTE_SHARE = 0.1
GOAL = 2.0


def plain_lines(size: int, rng: random.Random) -> bytes:
    """Lines as a build or a log prints them."""
    words = ["compiling", "src/main.c", "warning:", "unused", "variable", "[-Wall]", "ok", "12.3s", "linking", "done"]
    lines = [" ".join(rng.choices(words, k=rng.randint(2, 16))) for _ in range(1000)]
    block = "\r\n".join(lines).encode() + b"\r\n"
    return block * (size // len(block) + 1)


def coloured_listing(size: int, rng: random.Random) -> bytes:
    """What `ls --color -l` prints."""
    colours = ["01;34", "01;32", "00", "40;33;01", "38;5;208"]
    lines = [
        f"-rw-r--r-- 1 user users {name % 10**6:7} Jun  1 10:00 \x1b[{rng.choice(colours)}m{name:08x}.txt\x1b[0m"
        for name in rng.sample(range(1 << 30), 1000)
    ]
    block = "\r\n".join(lines).encode() + b"\r\n"
    return block * (size // len(block) + 1)


def full_screen_redraw(size: int, rng: random.Random) -> bytes:
    """A full-screen program that draws every row anew at each tick, as coding agents do."""
    frames = []
    for tick in range(50):
        rows = ["\x1b[?2026h\x1b[H"]
        for row in range(ROWS - 6):
            shade = rng.randint(0, 255)
            rows.append(
                f"\x1b[2K\x1b[38;2;{shade};120;200m⏺\x1b[39m Read(\x1b[1msrc/module_{row}.py\x1b[22m)"
                f"\x1b[{30 + row % 8}C\x1b[2m{rng.randint(1, 999)} lines · {tick}s\x1b[22m\r\n"
            )
        rows += [f"\x1b[2K\x1b[38;5;174m✻ Working… ({tick}s · esc to interrupt)\x1b[39m\r\n", "\x1b[2K\r\n"]
        rows += [f"\x1b[2K╭{'─' * (COLUMNS - 2)}╮\r\n", f"\x1b[2K│ > \x1b[7m \x1b[27m{' ' * (COLUMNS - 6)}│\r\n"]
        rows += [f"\x1b[2K╰{'─' * (COLUMNS - 2)}╯\r\n", "\x1b[2K  ? for shortcuts\x1b[?2026l"]
        frames.append("".join(rows))
    block = "".join(frames).encode()
    return block * (size // len(block) + 1)


def wide_text(size: int, rng: random.Random) -> bytes:
    """Chinese and Japanese prose with some emoji and accents."""
    letters = "漢字仮名交じり文の例です。端末は幅を正しく数えなければならない"
    extras = ["👍🏽", "👩\u200d💻", "e\u0301", "✳\ufe0f", "🇫🇷", " plain words "]
    lines = ["".join(rng.choices(letters, k=40)) + "".join(rng.choices(extras, k=3)) for _ in range(500)]
    block = "\r\n".join(lines).encode() + b"\r\n"
    return block * (size // len(block) + 1)


KINDS = (plain_lines, coloured_listing, full_screen_redraw, wide_text)


def rate(build: Callable[[], Callable[[bytes], object]], data: bytes) -> float:
    """MB/s of feeding `data`, in chunks as a PTY gives them, to what `build` makes: the best of three."""
    best = float("inf")
    for _ in range(3):
        feed = build()
        started = time.perf_counter()
        for start in range(0, len(data), CHUNK):
            feed(data[start : start + CHUNK])
        best = min(best, time.perf_counter() - started)
    return len(data) / best / 1e6


def microseconds(action: Callable[[], object], times: int = 300) -> float:
    """Mean time of an action."""
    started = time.perf_counter()
    for _ in range(times):
        action()
    return (time.perf_counter() - started) / times * 1e6


def main() -> None:
    size = int(float(sys.argv[1] if len(sys.argv) > 1 else "2") * 1e6)
    print(f"{'output':20} {'collie':>12} {'pyte':>12} {'ratio':>8}")
    for kind in KINDS:
        data = kind(size, random.Random(1))[:size]
        ours = rate(lambda: Terminal(COLUMNS, ROWS).feed, data)
        theirs = rate(lambda: pyte.ByteStream(pyte.Screen(COLUMNS, ROWS)).feed, data[: int(size * PYTE_SHARE)])
        print(f"{kind.__name__:20} {ours:7.2f} MB/s {theirs:7.2f} MB/s {ours / theirs:7.1f}x")
        if kind is plain_lines and ours < GOAL:
            print(f"{'':20} below the goal of {GOAL} MB/s")
    terminal = Terminal(COLUMNS, ROWS)
    terminal.feed(full_screen_redraw(1, random.Random(1)))
    print(f"{'detection rows':20} {microseconds(lambda: detection_rows(terminal)):7.0f} µs")
    print(f"{'visible, ansi':20} {microseconds(lambda: read(terminal, 'visible', format='ansi')):7.0f} µs")
    terminal.feed(plain_lines(size, random.Random(1)))

    def resize() -> None:
        terminal.resize(COLUMNS // 2 if terminal.columns == COLUMNS else COLUMNS, ROWS)

    print(f"{'resize, reflowing':20} {microseconds(resize, 6) / 1e3:7.1f} ms")


if __name__ == "__main__":
    main()
