"""What we write is what herdr's own schema allows (the schema is not part of the project)."""

import json
import os
from pathlib import Path
from typing import Any

import jsonschema
import msgspec
import pytest
from tools.fake_methods import METHODS
from tools.fake_session import FakeSession

from collie.herdr.models import AgentInfo, AgentManifestStatus, AgentResult, Manifest, PaneInfo, PaneList, Pong, Result
from collie.herdr.wire import Event, Failure, Request, Success, encode, invalid_request, parse_line, parse_request

pytestmark = pytest.mark.corpus

LINES = (Path(__file__).parents[2] / "fixtures/herdr/lines.txt").read_text("utf-8").splitlines()
BY_TAG = {str(each.__struct_config__.tag): each for each in Result.__subclasses__()}
PLACE: dict[str, Any] = {"workspace_id": "w1", "tab_id": "w1:t1", "pane_id": "w1:p1", "terminal_id": "term_1"}


@pytest.fixture(scope="module")
def schema() -> Any:
    folder = os.environ.get("COLLIE_CORPUS")
    if not folder:
        pytest.skip("COLLIE_CORPUS is unset: it names the folder that has herdr-0.8.2/herdr-api.schema.json")
    return json.loads((Path(folder) / "herdr-0.8.2/herdr-api.schema.json").read_text("utf-8"))


def check(schema: Any, kind: str, line: bytes) -> None:
    root = {"$ref": f"#/schemas/{kind}", "schemas": schema["schemas"]}
    jsonschema.Draft202012Validator(root).validate(json.loads(line))


def kind_of(reply: object) -> str:
    if isinstance(reply, Success):
        return "success_response"
    if isinstance(reply, Failure):
        return "error_response"
    assert isinstance(reply, Event)
    return "subscription_event" if "." in reply.event else "event"


def test_each_example_is_valid_after_it_went_through_our_types(schema: Any) -> None:
    for line in LINES:
        body = line[2:].encode()
        if line.startswith(">"):
            check(schema, "request", encode(parse_request(body)))
            continue
        reply = parse_line(body)
        if isinstance(reply, Success):
            reply = Success(reply.id, msgspec.convert(reply.result, BY_TAG[reply.result["type"]]))
        check(schema, kind_of(reply), encode(reply))


@pytest.mark.parametrize(
    "result",
    [
        Pong(version="0.9.5+collie.1", protocol=20),
        PaneList(panes=(PaneInfo(**PLACE),)),
        AgentResult(agent=AgentInfo(**PLACE)),
        AgentManifestStatus(manifests=(Manifest(agent="claude", source="bundled:claude", source_kind="bundled"),)),
    ],
)
def test_the_barest_result_is_valid(schema: Any, result: Result) -> None:
    check(schema, "success_response", encode(Success("1", result)))


def test_built_events_and_refusals_are_valid(schema: Any) -> None:
    check(schema, "event", encode(Event.of("pane.created", pane=PaneInfo(**PLACE))))
    check(schema, "event", encode(Event.of("pane.agent_detected", pane_id="w1:p1", workspace_id="w1", agent=None)))
    status = Event.of("pane.agent_status_changed", pane_id="w1:p1", workspace_id="w1", agent_status="idle")
    check(schema, "subscription_event", encode(status))
    check(schema, "error_response", encode(invalid_request("no")))


CALLS: list[tuple[str, dict[str, Any]]] = [
    ("ping", {}),
    ("session.snapshot", {}),
    ("server.agent_manifests", {}),
    ("agent.list", {}),
    ("agent.get", {"target": "pruner"}),
    ("agent.read", {"target": "pruner", "source": "visible"}),
    ("agent.explain", {"target": "w1:p1"}),
    ("agent.focus", {"target": "w1:p1"}),
    ("agent.prompt", {"target": "w1:p1", "text": "prune"}),
    ("agent.send_keys", {"target": "w1:p1", "keys": ["enter"]}),
    ("workspace.create", {"cwd": "/srv", "focus": False}),
    ("agent.start", {"name": "grafter", "kind": "codex", "pane_id": "w2:p1"}),
    ("tab.create", {"workspace_id": "w2"}),
    ("tab.list", {}),
    ("pane.list", {}),
    ("pane.get", {"pane_id": "w1:p1"}),
    ("pane.read", {"pane_id": "w1:p1", "source": "recent_unwrapped", "lines": 200, "format": "ansi"}),
    ("pane.layout", {"pane_id": "w1:p1"}),
    ("pane.process_info", {"pane_id": "w1:p1"}),
    ("pane.send_text", {"pane_id": "w1:p1", "text": "x"}),
    ("pane.send_input", {"pane_id": "w1:p1", "text": "x", "keys": ["enter"]}),
    ("workspace.rename", {"workspace_id": "w2", "label": "north"}),
    ("workspace.list", {}),
    ("tab.close", {"tab_id": "w2:t2"}),
    ("pane.close", {"pane_id": "w2:p1"}),
    ("workspace.close", {"workspace_id": "w1"}),
]


def test_what_the_fake_host_says_is_valid(schema: Any) -> None:
    """So that what passes against it has been told what herdr would tell."""
    host = FakeSession("0.9")
    host.add_agent("claude", "w1:p1", screen="> ", name="pruner", session="5b0e", rule="live_prompt_box")
    for method, params in CALLS:
        request = Request("1", method, params)
        check(schema, "request", encode(request))
        check(schema, "success_response", encode(Success("1", METHODS[method](host, params))))
    host.add_agent("codex", "w3:p1")
    host.release("w3:p1")
    host.exit("w3:p1")
    assert len({event.event for event in host.events}) >= 12
    for event in host.events:
        check(schema, kind_of(event), encode(event))
