"""Output patches: what is carried, what is not sent, what does not fit; and that nothing is lost on the way."""

import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from collie.protocol import limits
from collie.protocol.patch import Patch, Text, Unusable, apply, make, text_hash

GOLDEN = json.loads((Path(__file__).parents[2] / "fixtures/protocol/output_patches.json").read_text("utf-8"))

line = st.one_of(st.sampled_from(["", "", "│ > ", "✻ Working…", "\x1b[38;5;246m⎿\x1b[0m ok\r"]), st.text(max_size=3))
screen = st.lists(line.map(lambda text: text.replace("\n", "")), min_size=1, max_size=12)


@st.composite
def changes(draw: st.DrawFn) -> tuple[str, str]:
    """A screen, and what a program may have made of it: some of it moved, some drawn anew."""
    old = draw(screen)
    start, end = sorted(draw(st.tuples(st.integers(0, len(old)), st.integers(0, len(old)))))
    new = [*draw(st.just([]) | screen), *old[start:end], *draw(st.just([]) | screen), *draw(st.just([]) | st.just(old))]
    return "\n".join(old), "\n".join(new)


def plain(patch: Patch | None) -> Any:
    """A patch as it is on the wire."""
    return json.loads(msgspec.json.encode(patch))


def build(old: str, new: str) -> tuple[Text, Text, Patch | None]:
    before = Text.of(old)
    after = Text.of(new, before)
    return before, after, make(before, after)


def expected(old: list[str], new: list[str]) -> dict[str, Any] | None:
    """The rules, one by one, as slowly as they read (specs: phone-protocol section 8)."""
    runs = [
        (length, -start, -skip)
        for start in range(len(new))
        for skip in range(len(old))
        for length in range(1, min(len(new) - start, len(old) - skip) + 1)
        if new[start : start + length] == old[skip : skip + length]
    ]
    if not runs:
        return None
    keep, start, skip = (abs(each) for each in max(runs))
    rest, left = new[start + keep :], old[skip + keep :]
    shared = range(min(len(rest), len(left)) + 1)
    trail = max(count for count in shared if rest[len(rest) - count :] == left[len(left) - count :])
    head, tail = new[:start], rest[: len(rest) - trail]
    if sum(len(each.encode()) + 1 for each in head + tail) > len("\n".join(new).encode()) / 2:
        return None
    return {"head": head, "skip": skip, "keep": keep, "tail": tail, "trail": trail}


@pytest.mark.parametrize("case", GOLDEN, ids=[case["name"] for case in GOLDEN])
def test_golden(case: dict[str, Any]) -> None:
    before, after, patch = build(case["old"], case["new"])

    assert plain(patch) == case["patch"]
    if case["patch"] is not None:
        assert apply(before, msgspec.convert(case["patch"], Patch)) == after


@given(changes())
@example(("", ""))
@example(("a\n" * 9 + "b", "b\n" + "a\n" * 9))
def test_it_is_made_as_the_rules_say_and_nothing_is_lost(change: tuple[str, str]) -> None:
    before, after, patch = build(*change)
    rules = expected(change[0].split("\n"), change[1].split("\n"))

    if patch is None:
        assert rules is None
    else:
        assert plain(patch) == {**(rules or {}), "base": text_hash(change[0].encode())}
        assert apply(before, patch) == after


@given(changes())
def test_a_text_hashed_after_another_has_the_hash_of_the_whole(change: tuple[str, str]) -> None:
    after = Text.of(change[1], Text.of(change[0]))

    assert after.hash == text_hash(change[1].encode())
    assert after.hashes == Text.of(change[1]).hashes


@pytest.mark.parametrize(
    ("data", "found"),
    [(b"", 0xCBF29CE484222325), (b"a", 0xAF63DC4C8601EC8C), (b"foobar", 0x85944171F73967E8)],
)
def test_fnv_1a(data: bytes, found: int) -> None:
    assert text_hash(data) == found


def test_a_spinner_tick_on_a_whole_read_costs_its_line() -> None:
    old = [f"line {number} of what the agent said" for number in range(1_000)]
    new = [*old[:-8], "✶ Working… (12s)", *old[-7:]]

    _, _, patch = build("\n".join(old), "\n".join(new))

    assert patch is not None
    assert (patch.head, patch.tail) == ((), ("✶ Working… (12s)",))
    assert len(msgspec.json.encode(patch)) < 150


def test_equal_lines_without_end_are_no_burden() -> None:
    """A run of half the lines is found among a million pairs of equal lines."""
    old = [""] * 500 + ["here"] + [""] * 499
    new = [""] * 250 + ["here"] + [""] * 749

    _, _, patch = build("\n".join(old), "\n".join(new))

    assert patch is not None
    assert (patch.head, patch.skip, patch.keep, patch.tail, patch.trail) == ((), 250, 750, ("",) * 250, 0)


@pytest.mark.parametrize(
    "wrong",
    [
        {"base": 0},
        {"base": 2**64 + text_hash(b"a\nb\nc")},
        {"skip": -1},
        {"keep": -1},
        {"trail": -1},
        {"skip": 2},
        {"skip": 4, "keep": 0},
        {"keep": 3},
        {"trail": 3},
        {"skip": 2**70},
        {"head": ("x" * limits.SERVER_FRAME_BYTES,)},
    ],
)
def test_a_patch_that_does_not_fit_is_unusable(wrong: dict[str, Any]) -> None:
    fits = Patch(base=text_hash(b"a\nb\nc"), head=("new",), skip=0, keep=2, tail=(), trail=1)
    assert apply(Text.of("a\nb\nc"), fits).ansi == "new\na\nb\nc"

    with pytest.raises(Unusable):
        apply(Text.of("a\nb\nc"), msgspec.structs.replace(fits, **wrong))


def test_a_patch_may_keep_no_line_and_carry_line_ends_of_its_own() -> None:
    odd = Patch(base=text_hash(b"a"), head=("x\ny",), skip=0, keep=0, tail=("z",), trail=0)

    assert apply(Text.of("a"), odd) == Text.of("x\ny\nz")


def test_neither_text_nor_patch_shows_what_it_holds() -> None:
    before, _, patch = build("a long line of secrets\nword", "word\na long line of secrets")

    assert "secret" not in repr(before) + repr(patch)
