"""The dashboard as pictures, at the two sizes that matter; each was looked at before it was kept.

To renew them: `pytest tests/snapshots --snapshot-update`, on the Python and Textual versions of `PICTURED_ON`.
"""

import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from importlib.metadata import version
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.widgets import Input

PICTURED_ON = ((3, 11), "8.2")
SIZES = ((80, 24), (120, 40))

pytestmark = pytest.mark.skipif(
    (sys.version_info[:2], version("textual").rpartition(".")[0]) != PICTURED_ON,
    reason=f"the pictures are of Python and Textual {PICTURED_ON}",
)

Compare = Callable[..., bool]


@pytest.fixture(autouse=True)
def utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Times of day in the audit pane are the reader's; here they are everyone's."""
    monkeypatch.setenv("TZ", "UTC")
    monkeypatch.delenv("NO_COLOR", raising=False)
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


SHOWN = pytest.mark.parametrize("size", SIZES, ids=lambda size: "x".join(map(str, size)))


def pressing(*keys: str) -> Callable[[Pilot[Any]], Awaitable[None]]:
    """Presses keys once the first picture is drawn; stills cursors, and shows the same folder on every machine."""

    async def press(pilot: Pilot[Any]) -> None:
        for key in ("", *keys):
            await pilot.pause()
            if key:
                await pilot.press(key)
        await pilot.pause()
        for field in pilot.app.screen.query(Input):
            field.cursor_blink = False
            if field.id == "folder":
                field.value = "/home/alice/shop"
        await pilot.pause()

    return press


@SHOWN
@pytest.mark.parametrize("name", ["empty", "approval_short", "approval_long", "approval_incomplete", "approval_sly"])
def test_needs_you(snap_compare: Compare, name: str, size: tuple[int, int]) -> None:
    assert snap_compare(f"apps/{name}.py", terminal_size=size, run_before=pressing())


@SHOWN
def test_three_agents(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare("apps/three_agents.py", terminal_size=size, run_before=pressing("tab", "j"))


@SHOWN
@pytest.mark.parametrize("name", ["host_lost", "daemon_lost"])
def test_a_loss(snap_compare: Compare, name: str, size: tuple[int, int]) -> None:
    assert snap_compare(f"apps/{name}.py", terminal_size=size, run_before=pressing())


@SHOWN
def test_the_live_screen(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare("apps/live_screen.py", terminal_size=size, run_before=pressing("enter"))


@SHOWN
def test_help(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare("apps/approval_short.py", terminal_size=size, run_before=pressing("question_mark"))


@pytest.mark.parametrize(
    "keys", [("n",), ("tab", "x"), ("e",), ("a",), ("ctrl+p",), ("ctrl+t",)], ids=lambda keys: "-".join(keys)
)
def test_after_keys(snap_compare: Compare, keys: tuple[str, ...]) -> None:
    assert snap_compare("apps/approval_short.py", terminal_size=(80, 24), run_before=pressing(*keys))


def test_without_colour(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert snap_compare("apps/approval_short.py", terminal_size=(80, 24), run_before=pressing())


def test_too_small(snap_compare: Compare) -> None:
    assert snap_compare("apps/approval_short.py", terminal_size=(30, 8), run_before=pressing())
