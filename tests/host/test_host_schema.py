"""Every line that the host writes in a scripted session is one that herdr's own schema allows."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import trio
from tools.live_host import LiveHost, Stream, live_host

from collie.herdr.wire import GLOBAL_SUBSCRIPTIONS
from collie.host.calls.table import METHODS, NOT_OFFERED
from collie.host.stream import SUBSCRIBE

pytestmark = pytest.mark.corpus

OURS = {"pane.view"}
"""What we added."""

UNKNOWN_TO_THE_SCHEMA = {"pane.graphics.stream"}
"""A method that herdr knows and its schema leaves out, since it is no call."""


@pytest.fixture(scope="module")
def schema() -> Any:
    folder = os.environ.get("COLLIE_CORPUS")
    if not folder:
        pytest.skip("COLLIE_CORPUS is unset: it names the folder that has herdr-0.8.2/herdr-api.schema.json")
    return json.loads((Path(folder) / "herdr-0.8.2/herdr-api.schema.json").read_text("utf-8"))["schemas"]


def check(schema: Any, kind: str, line: Any) -> None:
    jsonschema.Draft202012Validator({"$ref": f"#/schemas/{kind}", "schemas": schema}).validate(line)


def requests() -> Iterator[tuple[str, dict[str, Any]]]:
    """A session that uses every method, also in ways that are refused."""
    place = {"pane_id": "w1:p1"}
    report = {**place, "source": "herdr:claude", "agent": "claude"}
    yield "ping", {}
    yield "workspace.create", {"cwd": "/", "label": "orchard", "env": {"FIRST": "i"}}
    yield "agent.start", {"name": "pruner", "kind": "claude", "pane_id": "w1:p1"}
    yield "agent.wait", {"target": "pruner", "until": ["idle"], "timeout_ms": 5000}
    yield "agent.list", {}
    yield "agent.get", {"target": "w1:p1"}
    yield "agent.get", {"target": "nobody"}
    yield "agent.read", {"target": "pruner", "source": "visible"}
    yield "agent.explain", {"target": "pruner"}
    yield "agent.prompt", {"target": "pruner", "text": "xyz", "wait": {"timeout_ms": 1}}
    yield "agent.send_keys", {"target": "pruner", "keys": ["x"]}
    yield "agent.focus", {"target": "pruner"}
    yield "agent.rename", {"target": "pruner", "name": "tender"}
    yield "pane.report_agent_session", {**report, "agent_session_id": "5b0e"}
    yield "pane.report_agent", {**report, "state": "working"}
    yield "pane.release_agent", report
    yield "pane.report_metadata", {**place, "source": "x", "title": "t", "tokens": {"a": "b"}, "ttl_ms": 1000}
    yield "pane.report_metadata", {**place, "source": "x y"}
    yield "server.agent_manifests", {}
    yield "notification.show", {"title": "done"}
    yield "pane.split", {"direction": "right"}
    yield "tab.create", {"label": "logs"}
    yield "session.snapshot", {}
    yield "workspace.list", {}
    yield "workspace.get", {"workspace_id": "w1"}
    yield "workspace.focus", {"workspace_id": "w1"}
    yield "workspace.rename", {"workspace_id": "w1", "label": "north"}
    yield "tab.list", {}
    yield "tab.get", {"tab_id": "w1:t1"}
    yield "tab.focus", {"tab_id": "w1:t1"}
    yield "tab.rename", {"tab_id": "w1:t1", "label": "trees"}
    yield "pane.list", {"workspace_id": "w1"}
    yield "pane.get", place
    yield "pane.get", {"pane_id": "w9:p9"}
    yield "pane.current", {}
    yield "pane.focus", place
    yield "pane.rename", {**place, "label": "build"}
    yield "pane.layout", {}
    yield "pane.process_info", place
    yield "pane.read", {**place, "source": "recent_unwrapped", "format": "ansi", "lines": 20}
    yield "pane.wait_for_output", {**place, "source": "visible", "match": {"type": "substring", "value": "❯"}}
    yield "pane.send_text", {**place, "text": "w"}
    yield "pane.send_keys", {**place, "keys": ["delete"]}
    yield "pane.send_input", {**place, "text": "q", "keys": []}
    yield "pane.close", {"pane_id": "w1:p2"}
    yield "tab.close", {"tab_id": "w1:t2"}
    yield "plugin.list", {}
    yield "workspace.create", {"focus": True}
    yield "pane.send_text", {"pane_id": "w2:p1", "text": "exit\r"}
    yield "workspace.close", {"workspace_id": "w1"}
    yield "server.stop", {}


@pytest.mark.trio
async def test_a_whole_session_is_valid(schema: Any) -> None:
    assert {method for method, _ in requests()} | OURS >= set(METHODS)
    async with live_host() as live:
        (first, params), *rest = requests()
        assert first == "ping"
        check(schema, "success_response", await live.reply(first, **params))
        async with live.stream(*GLOBAL_SUBSCRIPTIONS) as stream, trio.open_nursery() as nursery:
            nursery.start_soon(_check_events, schema, stream)
            await _run(schema, live, rest)


async def _run(schema: Any, live: LiveHost, script: list[tuple[str, dict[str, Any]]]) -> None:
    async with trio.open_nursery() as nursery:
        for method, params in script:
            check(schema, "request", {"id": "t", "method": method, "params": params})
            reply = await live.reply(method, **params)
            check(schema, "error_response" if "error" in reply else "success_response", reply)
            if reply.get("result", {}).get("type") == "agent_started":
                stream = await nursery.start(_watch, live)
                nursery.start_soon(_check_events, schema, stream)


async def _watch(live: LiveHost, *, task_status: trio.TaskStatus[Stream]) -> None:
    """The status of the first pane, for as long as the host lives."""
    async with live.stream(watch="w1:p1") as stream:
        task_status.started(stream)
        await live.host.stopping.wait()
        await trio.sleep(0.05)


async def _check_events(schema: Any, stream: Stream) -> None:
    while line := await stream.line():
        event = json.loads(line)
        check(schema, "subscription_event" if "." in event["event"] else "event", event)


def test_every_method_of_herdrs_is_offered_or_said_not_to_be(schema: Any) -> None:
    known = {each["properties"]["method"]["const"] for each in schema["request"]["oneOf"]}
    assert known | UNKNOWN_TO_THE_SCHEMA == (set(METHODS) - OURS) | NOT_OFFERED | {SUBSCRIBE}
