"""Each thing that happens gives exactly its events, in herdr's order (specs: embedded-host section 7.3)."""

from typing import Any

import pytest
import trio
from tools.live_host import LiveHost, Stream, live_host

from collie.herdr.wire import GLOBAL_SUBSCRIPTIONS
from collie.host import events

pytestmark = pytest.mark.trio

OPENED = ["workspace_created", "tab_created", "pane_created", "layout_updated"]
FOCUSED = ["workspace_focused", "tab_focused", "pane_focused"]


async def names(live: LiveHost, stream: Stream) -> list[str]:
    """The names of all events that are told before one that is asked for last."""
    await live.call("workspace.create", label="last")
    found: list[str] = []
    while True:
        event = await stream.event()
        if event["data"].get("workspace", {}).get("label") == "last":
            return found
        found.append(event["event"])


async def orchard(live: LiveHost) -> None:
    """Two workspaces; the second has two tabs, of which the first has two panes."""
    await live.call("workspace.create", label="home")
    await live.call("workspace.create", label="orchard")
    await live.call("pane.split", target_pane_id="w2:p1", direction="right")
    await live.call("tab.create", workspace_id="w2")


CASES: list[tuple[str, dict[str, Any], list[str]]] = [
    ("workspace.create", {}, OPENED),
    ("workspace.create", {"focus": True}, [*OPENED, *FOCUSED]),
    ("tab.create", {"workspace_id": "w2"}, ["tab_created", "pane_created", "layout_updated"]),
    ("tab.create", {"focus": True}, ["tab_created", "pane_created", "layout_updated", "tab_focused", "pane_focused"]),
    ("pane.split", {"target_pane_id": "w2:p1", "direction": "down"}, ["pane_created", "layout_updated"]),
    ("pane.close", {"pane_id": "w2:p2"}, ["pane_closed", "layout_updated"]),
    ("pane.close", {"pane_id": "w2:p3"}, ["pane_closed"]),
    ("pane.close", {"pane_id": "w1:p1"}, ["pane_closed", "workspace_closed"]),
    ("tab.close", {"tab_id": "w2:t1"}, ["tab_closed"]),
    ("tab.close", {"tab_id": "w1:t1"}, ["tab_closed", "workspace_closed"]),
    ("workspace.close", {"workspace_id": "w2"}, ["workspace_closed"]),
    ("workspace.rename", {"workspace_id": "w2", "label": "north"}, ["workspace_renamed"]),
    ("tab.rename", {"tab_id": "w2:t1", "label": "trees"}, ["tab_renamed"]),
    ("pane.rename", {"pane_id": "w2:p1", "label": "build"}, []),
    ("workspace.focus", {"workspace_id": "w2"}, FOCUSED),
    ("tab.focus", {"tab_id": "w2:t2"}, FOCUSED),
    ("pane.focus", {"pane_id": "w1:p1"}, []),
    ("pane.send_text", {"pane_id": "w2:p1", "text": "exit\r"}, ["pane_exited", "layout_updated"]),
    ("pane.send_text", {"pane_id": "w2:p3", "text": "exit\r"}, ["pane_exited"]),
    ("pane.send_text", {"pane_id": "w1:p1", "text": "exit\r"}, ["pane_exited"]),
    ("pane.report_metadata", {"pane_id": "w1:p1", "source": "x", "tokens": {"a": "b"}}, ["pane_updated"]),
    ("pane.report_metadata", {"pane_id": "w1:p1", "source": "x", "title": "b"}, []),
]


@pytest.mark.parametrize(("method", "params", "expected"), CASES, ids=lambda value: str(value)[:40])
async def test_the_events_of(method: str, params: dict[str, Any], expected: list[str]) -> None:
    async with live_host() as live:
        await orchard(live)
        async with live.stream(*GLOBAL_SUBSCRIPTIONS) as stream:
            await live.call(method, **params)
            if "exit\r" in params.values():
                await live.until(lambda: live.host.session.pane(params["pane_id"]) is None)
            assert await names(live, stream) == expected


async def test_the_first_workspace_moves_the_focus() -> None:
    async with live_host() as live, live.stream(*GLOBAL_SUBSCRIPTIONS) as stream:
        await live.call("workspace.create")
        assert await names(live, stream) == [*OPENED, *FOCUSED]


async def test_a_title_is_told_and_its_spinner_is_not() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        async with live.stream("pane.updated") as stream:
            for title in ("⠂ prune", "⠐ prune", "✳ prune", "graft"):
                await live.type("w1:p1", f"printf '\\033]0;{title}\\007'\r")
                await live.until(lambda title=title: live.pane("w1:p1").terminal.title == title)  # type: ignore[misc]
                await trio.sleep(0.05)
            told = [event["data"]["pane"] for event in await stream.all()]
            assert [(each["terminal_title_stripped"], each["revision"]) for each in told] == [
                ("prune", 1),
                ("graft", 2),
            ]


async def test_nothing_older_than_the_subscription_is_told() -> None:
    async with live_host() as live:
        for _ in range(3):
            await live.call("workspace.create")
        async with live.stream(*GLOBAL_SUBSCRIPTIONS) as stream:
            await live.call("workspace.rename", workspace_id="w2", label="north")
            assert await names(live, stream) == ["workspace_renamed"]


async def test_who_does_not_read_is_told_that_he_lost_some() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        async with live.stream("workspace.renamed") as stream:
            for number in range(600):
                await live.call("workspace.rename", workspace_id="w1", label=f"{number} " + "x" * 200)
            lines = []
            while line := await stream.line():
                lines.append(line)
            assert lines[-1].startswith(b'{"id":"s","error":{"code":"events_lost","message":"event subscription fell')
            assert len(lines) < 600 - events.RING + 100


async def test_a_pane_that_is_not_there_cannot_be_watched() -> None:
    async with live_host() as live:
        wanted = [{"type": "pane.agent_status_changed", "pane_id": "w1:p1"}]
        assert await live.refused("events.subscribe", subscriptions=wanted) == "pane_not_found"
        await live.call("workspace.create")
        wanted[0]["type"] = "pane.output_matched"
        assert await live.refused("events.subscribe", subscriptions=wanted) == "not_implemented"


async def test_output_is_told_by_counters() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        pane = live.pane("w1:p1")
        await live.until(lambda: pane.counter > 0)
        async with live.stream("pane.output") as stream:
            await live.type("w1:p1", "seq 20000\r")
            told = [event["data"] for event in await stream.all()]
        assert {(each["pane_id"], each["terminal_id"]) for each in told} == {("w1:p1", pane.terminal_id)}
        counters = [each["counter"] for each in told]
        assert counters == sorted(set(counters))
        assert counters[-1] == pane.counter
