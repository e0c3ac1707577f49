"""What events mean, and which of them make another stream necessary."""

from pathlib import Path

import pytest

from collie.herdr.hints import WATCHED, Changed, Hint, OutputSeen, StatusSeen, read_hint, subscriptions, unsettles
from collie.herdr.models import AgentInfo, AgentStatus
from collie.herdr.wire import GLOBAL_SUBSCRIPTIONS, Event, parse_line

LINES = (Path(__file__).parents[2] / "fixtures/herdr/lines.txt").read_text("utf-8").splitlines()
EVENTS = [
    event for line in LINES if line.startswith("* ") and isinstance(event := parse_line(line[2:].encode()), Event)
]
WATCHING = {
    "w2:p1": AgentInfo(pane_id="w2:p1", terminal_id="term_2", workspace_id="w2", tab_id="w2:t1", agent="claude"),
}


def test_each_example_is_a_hint_or_nothing_of_ours() -> None:
    hints = [read_hint(event) for event in EVENTS if isinstance(event, Event)]
    assert hints.count(None) == 2, "pane_focused and pane.scroll_changed"
    assert StatusSeen(pane_id="w2:p1", status=AgentStatus.WORKING, agent="claude") in hints
    assert Changed(subscription="pane.created", pane_id="w2:p1") in hints
    assert Changed(subscription="workspace.renamed", pane_id=None) in hints


@pytest.mark.parametrize(
    ("event", "hint"),
    [
        (
            Event("pane_agent_status_changed", {"pane_id": "w1:p1", "agent_status": "pondering"}),
            StatusSeen(pane_id="w1:p1", status=AgentStatus.UNKNOWN, agent=None),
        ),
        (Event("pane.agent_status_changed", {"agent_status": "idle"}), None),
        (
            Event("pane_output", {"type": "pane_output", "pane_id": "w1:p1", "terminal_id": "term_1", "counter": 7}),
            OutputSeen(pane_id="w1:p1", terminal_id="term_1", counter=7),
        ),
        (
            Event("pane.output", {"pane_id": "w1:p1", "counter": 7}),
            OutputSeen(pane_id="w1:p1", terminal_id=None, counter=7),
        ),
        (Event("pane.output", {"pane_id": "w1:p1"}), None),
        (Event("pane_output_changed", {"pane_id": "w1:p1", "revision": 7}), None),
        (Event("pane_closed", {"pane_id": 3}), Changed(subscription="pane.closed", pane_id=None)),
        (Event("pane_created", {"pane": "odd"}), Changed(subscription="pane.created", pane_id=None)),
        (Event("barn_burnt", {}), None),
    ],
)
def test_events_are_read_in_either_spelling_and_never_raise(event: Event, hint: Hint | None) -> None:
    assert read_hint(event) == hint


def pane_data(pane_id: str, agent: str | None) -> dict[str, object]:
    return {"pane": {"pane_id": pane_id, "agent": agent}}


@pytest.mark.parametrize(
    ("event", "answer"),
    [
        (Event.of("pane.agent_detected", pane_id="w3:p1", agent="claude"), True),
        (Event.of("pane.agent_detected", pane_id="w2:p1", agent="claude"), False),
        (Event.of("pane.agent_detected", pane_id="w2:p1", agent="claude", released=True), True),
        (Event.of("pane.agent_detected", pane_id="w3:p1", agent="claude", released=True), False),
        (Event.of("pane.closed", pane_id="w2:p1"), True),
        (Event.of("pane.closed", pane_id="w3:p1"), False),
        (Event.of("pane.exited", pane_id="w2:p1"), True),
        (Event.of("pane.updated", **pane_data("w3:p1", "claude")), True),
        (Event.of("pane.updated", **pane_data("w3:p1", None)), False),
        (Event.of("pane.updated", **pane_data("w2:p1", "claude")), False),
        (Event.of("pane.moved", previous_pane_id="w2:p1"), True),
        (Event.of("pane.moved", previous_pane_id="w3:p1"), False),
        (Event.of("tab.closed", tab_id="w2:t1"), True),
        (Event.of("tab.closed", tab_id="w2:t2"), False),
        (Event.of("workspace.closed", workspace_id="w2"), True),
        (Event.of("workspace.closed", workspace_id="w3"), False),
        (Event.of("pane.created", **pane_data("w3:p1", None)), False),
        (Event.of("pane.agent_status_changed", pane_id="w2:p1"), False),
        (Event("pane_agent_detected", {}), True),
    ],
)
def test_only_news_unsettles(event: Event, answer: bool) -> None:
    assert unsettles(event, WATCHING) is answer


def test_subscriptions_are_global_ones_and_each_agents_status() -> None:
    assert set(WATCHED) <= set(GLOBAL_SUBSCRIPTIONS)
    wanted = subscriptions(["w1:p1"], output=False)
    assert wanted[:-1] == [{"type": name} for name in WATCHED]
    assert wanted[-1] == {"type": "pane.agent_status_changed", "pane_id": "w1:p1"}
    assert {"type": "pane.output"} in subscriptions([], output=True)
