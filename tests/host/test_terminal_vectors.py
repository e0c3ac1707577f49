"""The reads and replies of herdr's terminal library, on recorded input (fixtures/terminal/read-vectors.json)."""

import json
from pathlib import Path
from typing import Any

import pytest

from collie.host.terminal.reads import read
from collie.host.terminal.screen import Terminal

VECTORS = json.loads((Path(__file__).parents[2] / "fixtures" / "terminal" / "read-vectors.json").read_text())
OWN_REPLIES = {"xtversion": "\x1bP>|collie\x1b\\"}
"""Where this terminal gives its own name."""


def build_terminal(case: dict[str, Any], data: bytes, *, piece: int) -> Terminal:
    terminal = Terminal(case["cols"], case["rows"])
    for start in range(0, len(data), piece):
        terminal.feed(data[start : start + piece])
    if case["resize"]:
        terminal.resize(case["resize"]["cols"], case["resize"]["rows"])
    return terminal


def expected_reads(case: dict[str, Any]) -> list[dict[str, Any]]:
    """All reads of a case, those replaced that herdr 0.9 gives differently."""
    newer = {(each["source"], each["format"], each["lines"]): each for each in case.get("reads_0_9") or ()}
    return [newer.get((each["source"], each["format"], each["lines"]), each) for each in case["reads"]]


@pytest.mark.parametrize("piece", [1, 1 << 20], ids=["byte by byte", "whole"])
@pytest.mark.parametrize("case", VECTORS["cases"], ids=lambda case: str(case["name"]))
def test_reads_are_those_of_herdr(case: dict[str, Any], piece: int) -> None:
    terminal = build_terminal(case, case["input"].encode(), piece=piece)
    assert terminal.total_rows == case["total_rows"]
    assert terminal.cursor[0] == case["cursor_row"]
    assert terminal.alternate == case["alternate_screen"]
    for each in expected_reads(case):
        result = read(terminal, each["source"], lines=each["lines"], format=each["format"])
        asked = (each["source"], each["format"], each["lines"])
        assert (asked, result.text, result.truncated) == (asked, each["text"], each["truncated"])


@pytest.mark.parametrize("piece", [1, 1 << 20], ids=["byte by byte", "whole"])
@pytest.mark.parametrize("case", VECTORS["replies"], ids=lambda case: str(case["name"]))
def test_replies_are_those_of_herdr(case: dict[str, Any], piece: int) -> None:
    terminal = build_terminal({"cols": 20, "rows": 3, "resize": None}, case["query"].encode(), piece=piece)
    assert terminal.take_replies().decode() == OWN_REPLIES.get(case["name"], case["reply"])
    assert terminal.take_replies() == b""
