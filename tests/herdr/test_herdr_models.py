"""Records read leniently and are written exactly."""

import hashlib
import json
from pathlib import Path
from typing import Any

import msgspec
import pytest

from collie.herdr.models import (
    AgentInfo,
    AgentStatus,
    Capabilities,
    Expect,
    Explain,
    PaneInfo,
    Pong,
    Process,
    ProcessInfo,
    Result,
    WorkspaceInfo,
)

LINES = (Path(__file__).parents[2] / "fixtures/herdr/lines.txt").read_text("utf-8").splitlines()
RESULTS = [
    answer["result"]
    for line in LINES
    if line.startswith("< ") and "result" in (answer := json.loads(line.removeprefix("< ")))
]
BY_TAG = {str(each.__struct_config__.tag): each for each in Result.__subclasses__()}


def written(record: object) -> Any:
    return json.loads(msgspec.json.encode(record))


@pytest.mark.parametrize("result", RESULTS, ids=lambda result: str(result["type"]))
def test_example_result_is_read_typed_and_written_back_field_for_field(result: dict[str, Any]) -> None:
    assert written(msgspec.convert(result, BY_TAG[result["type"]])) == result


def test_a_bare_record_is_written_with_all_that_is_never_omitted() -> None:
    place: dict[str, Any] = {"workspace_id": "w1", "tab_id": "w1:t1", "pane_id": "w1:p1", "terminal_id": "term_1"}
    assert written(PaneInfo(**place)) == {**place, "focused": False, "agent_status": "unknown", "revision": 0}
    assert written(AgentInfo(**place)) == {
        **place,
        "focused": False,
        "agent_status": "unknown",
        "revision": 0,
        "state_change_seq": 0,
    }
    assert written(WorkspaceInfo(workspace_id="w1")) == {
        "workspace_id": "w1",
        "number": 0,
        "label": "",
        "focused": False,
        "pane_count": 0,
        "tab_count": 0,
        "active_tab_id": "",
        "agent_status": "unknown",
    }
    assert written(Explain())["matched_rule"] is None


def test_later_hosts_may_add_and_rename() -> None:
    pane = msgspec.convert(
        {
            "pane_id": "w1:p1",
            "terminal_id": "term_1",
            "workspace_id": "w1",
            "tab_id": "w1:t1",
            "agent_status": "pondering",
            "restore_error": {"code": 1},
            "cwd": None,
        },
        PaneInfo,
    )
    assert pane.agent_status is AgentStatus.UNKNOWN
    assert pane.cwd is None


def test_a_record_without_its_ids_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"pane_id": "w1:p1"}, PaneInfo)


def test_a_result_of_another_kind_is_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        msgspec.convert({"type": "ok", "version": "1"}, Pong)


def test_conditional_input_is_what_ping_says() -> None:
    assert not Pong(version="0.8.2", protocol=20).conditional_input
    assert not Pong(version="0.8.2", capabilities=Capabilities(live_handoff=True)).conditional_input
    ours = Pong(version="0.9.5+collie.1", protocol=20, capabilities=Capabilities(conditional_input=True))
    assert ours.conditional_input
    assert written(ours)["capabilities"] == {
        "live_handoff": False,
        "detached_server_daemon": False,
        "conditional_input": True,
    }


def test_a_process_list_may_be_missing_or_bare() -> None:
    assert msgspec.convert({"pane_id": "w1:p1"}, ProcessInfo).foreground_processes == ()
    assert written(Process(pid=1, name="sh")) == {"pid": 1, "name": "sh"}


SCREEN = "one\ntwo  \n\n 1. Yes\n"


def test_expectation_is_the_digest_of_right_trimmed_rows() -> None:
    expect = Expect.of(SCREEN, first=1, last=3, terminal_id="term_1")
    assert written(expect) == {
        "rows": [1, 3],
        "sha256": hashlib.sha256(b"two\n\n 1. Yes").hexdigest(),
        "terminal_id": "term_1",
    }


@pytest.mark.parametrize("now", [SCREEN, SCREEN.rstrip("\n"), "other\ntwo\n \n 1. Yes   \nmore"])
def test_expectation_holds_while_its_rows_stay(now: str) -> None:
    assert Expect.of(SCREEN, first=1, last=3, terminal_id="term_1").holds(now, terminal_id="term_1")


@pytest.mark.parametrize(
    "now", ["", "one\ntwo", "one\ntwo\n\n 1. No", "one\none\ntwo\n\n 1. Yes", "one\ntwo\n\n1. Yes"]
)
def test_expectation_fails_when_a_row_changes_or_moves(now: str) -> None:
    assert not Expect.of(SCREEN, first=1, last=3, terminal_id="term_1").holds(now, terminal_id="term_1")


def test_rows_below_the_end_are_as_blank_as_they_look() -> None:
    expect = Expect.of(SCREEN, first=3, last=30, terminal_id="term_1")
    assert expect.holds(SCREEN.rstrip("\n"), terminal_id="term_1")
    assert not expect.holds(SCREEN + "\nmore\n", terminal_id="term_1")


def test_expectation_is_for_one_terminal() -> None:
    assert not Expect.of(SCREEN, first=1, last=3, terminal_id="term_1").holds(SCREEN, terminal_id="term_2")


@pytest.mark.parametrize("rows", [(-3, 1), (2, 1), (-2, -1), (1, 5), (7, 7)])
def test_expectation_of_rows_that_cannot_be_never_holds(rows: tuple[int, int]) -> None:
    digest = hashlib.sha256(b"").hexdigest()
    assert not Expect(rows=rows, sha256=digest, terminal_id="term_1").holds("", terminal_id="term_1")
