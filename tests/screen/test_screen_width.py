"""Display width, held against the wcwidth library that it is built on."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import iter_graphemes, wcwidth

from collie.screen import width
from collie.screen.width import clip, cluster_width, clusters, continues, pieces, text_width

FAMILY = "\U0001f469\u200d\U0001f469\u200d\U0001f467"
TRICKY = "ab漢\u00e9\u0301\u200d\u2733\ufe0f\U0001f469\U0001f4bb\U0001f1eb\U0001f1f7\U0001f3fd"
BEFORE = ("a", "漢", "\U0001f469\u200d", "\U0001f1eb", "\u0915\u094d", "\uac01", "e\u0301", "a\u200d")


@pytest.mark.parametrize(
    ("text", "cells"),
    [
        ("", 0),
        ("plain ascii", 11),
        ("╭── ❯ ✻ ·", 9),
        ("漢字", 4),
        ("e\u0301", 1),
        (FAMILY, 2),
        ("\U0001f44d\U0001f3fd", 2),
        ("\U0001f1eb\U0001f1f7", 2),
        ("\u2733\ufe0f", 2),
        ("\u231a\ufe0e", 1),
        ("a\u200bb", 2),
        ("\x1b\x07\x85\r\n", 0),
    ],
)
def test_width_is_that_of_the_clusters(text: str, cells: int) -> None:
    assert text_width(text) == cells


def test_no_cluster_is_wider_than_two_cells() -> None:
    assert cluster_width("\u0bb6\u0bcd\u0bb0\u0bc0") == 2


def test_characters_listed_as_simple_are_simple_to_the_library() -> None:
    """The fast lists agree with wcwidth, and nothing in them ever joins what stands before it."""
    for listed, cells in ((width._NARROW, 1), (width._WIDE, 2)):
        simple = re.compile(f"[{listed}]")
        for code in (*range(0x20, 0xD800), *range(0xE000, 0x20100), *range(0x2FF00, 0x2FFFE)):
            character = chr(code)
            if simple.match(character):
                assert wcwidth(character) == cells, hex(code)
                assert not any(continues(before, character) for before in BEFORE), hex(code)


@given(st.text())
def test_pieces_are_the_text(text: str) -> None:
    assert "".join(narrow + wide + other for narrow, wide, other in pieces(text)) == text


@given(st.text(alphabet=TRICKY))
def test_width_of_pieces_and_of_clusters_agree(text: str) -> None:
    assert text_width(text) == sum(cluster_width(cluster) for cluster in clusters(text))


@given(
    st.text(alphabet=TRICKY),
    st.integers(-1, 20),
)
def test_clip_keeps_whole_clusters_and_as_many_as_fit(text: str, cells: int) -> None:
    clipped = clip(text, cells)
    assert text.startswith(clipped)
    assert text_width(clipped) <= max(cells, 0)
    rest = next(iter_graphemes(text[len(clipped) :]), None)
    assert rest is None or text_width(clipped) + cluster_width(rest) > cells


def test_a_character_continues_the_cluster_before_it() -> None:
    assert continues("e", "\u0301")
    assert continues("\U0001f469\u200d", "\U0001f4bb")
    assert continues("\U0001f1eb", "\U0001f1f7")
    assert not continues("\U0001f1eb\U0001f1f7", "\U0001f1eb")
    assert not continues("", "a")
    assert not continues("a", "b")
