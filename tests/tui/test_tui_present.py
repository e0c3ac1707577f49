"""What is said of agents, host, daemon and audit log, at every width."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.pictures import AGENTS, AUDIT, LOST, NOW, UP, build_agent, build_busy, build_picture

from collie.client.picture import Link, Picture
from collie.protocol.models import Agent, AgentStatus, HostState, HostStatus
from collie.tui.audit_words import audit_line, result_words
from collie.tui.lines import line_text, line_width
from collie.tui.present import (
    age,
    agent_label,
    banner,
    header_line,
    more_lines,
    sorted_agents,
    workspace_labels,
)
from collie.tui.state import State
from collie.tui.table import agent_detail, agent_row, columns_for, heading

LABELS = workspace_labels(build_busy())


@pytest.mark.parametrize(
    ("milliseconds", "words"),
    [(-5, "0s"), (0, "0s"), (59_999, "59s"), (60_000, "1m"), (3_599_999, "59m"), (3_600_000, "1h"), (86_400_000, "1d")],
)
def test_ages(milliseconds: int, words: str) -> None:
    assert age(milliseconds) == words


def test_an_agent_is_called_by_its_name_else_title_else_kind() -> None:
    assert agent_label(build_agent(name="fixer")) == "fixer"
    assert agent_label(build_agent(name=None, title="Fix it")) == "Fix it"
    assert agent_label(build_agent(name=None, title=None)) == "claude"
    assert agent_label(build_agent(name=None, title="\x07\u200b", kind=None)) == "agent"


def test_agents_that_need_a_person_come_first_and_the_longest_first_among_equals() -> None:
    agents = (
        build_agent("t1", status=AgentStatus.IDLE),
        build_agent("t2", status=AgentStatus.BLOCKED, status_since_ms=NOW - 5),
        build_agent("t3", status=AgentStatus.WORKING),
        build_agent("t4", status=AgentStatus.BLOCKED, status_since_ms=NOW - 500),
    )
    assert [agent.terminal_id for agent in sorted_agents(agents, "", {})] == ["t4", "t2", "t3", "t1"]


@pytest.mark.parametrize(
    ("words", "terminals"),
    [("", ["t1", "t2", "t3"]), ("CODEX", ["t2"]), ("handbook", ["t3"]), ("needs you", ["t1"]), ("shop basket", ["t2"])],
)
def test_the_filter_wants_every_word_somewhere_in_the_row(words: str, terminals: list[str]) -> None:
    assert [agent.terminal_id for agent in sorted_agents(AGENTS, words, LABELS)] == terminals


@given(st.integers(min_value=20, max_value=200), st.integers(min_value=0, max_value=3))
def test_a_row_and_its_heading_fit_any_width(width: int, count: int) -> None:
    columns = columns_for(AGENTS[:count], LABELS, width)
    rows = [agent_row(agent, columns, LABELS, NOW) for agent in AGENTS]
    assert all(line_width(row) + 2 <= max(width, 24) for row in rows)
    assert line_width(heading(columns)) <= max(width, 24)


def test_columns_leave_in_the_order_in_which_they_matter_least() -> None:
    wide, middle, narrow = (columns_for(AGENTS, LABELS, width) for width in (100, 50, 34))
    assert wide.kind
    assert wide.workspace
    assert middle.workspace
    assert not middle.kind
    assert not narrow.workspace
    assert narrow.name == 5


def test_the_detail_has_what_the_row_had_no_room_for() -> None:
    rows = [line_text(line) for line in agent_detail(AGENTS[2], LABELS, 80)]
    assert rows == [
        "docs  gemini · handbook · /home/alice/handbook",
        "title  Describe the export",
        "last   The chapter is written; see export.md.",
    ]


@pytest.mark.parametrize(
    ("result", "words"),
    [
        ("approve: rejected: replayed", "approve: refused: it was answered already"),
        ("failed: agent_not_ready", "failed: the agent was not ready for it"),
        ("approve: applied terminal=t2 keys=enter", "approve: applied terminal=t2 keys=enter"),
        ("rejected: from a pane pid=4711 program=internal", "refused: from a pane pid=4711 program=internal"),
    ],
)
def test_results_are_said_in_words_for_people(result: str, words: str) -> None:
    assert result_words(result) == words


@pytest.mark.parametrize("width", [40, 60, 80, 120])
def test_the_header_keeps_the_counts_at_every_width(width: int) -> None:
    text = line_text(header_line(build_busy(), width, hosting=False))
    assert len(text) <= width
    assert "3 agents  ▲ 1 needs you" in text


def test_the_header_names_trouble_even_where_there_is_little_room() -> None:
    text = line_text(header_line(build_busy(host=LOST, link=Link.LOST, agents=()), 60, hosting=False))
    assert "host ▲ lost" in text
    assert "daemon ▲ lost" in text


def test_nothing_wrong_has_no_banner() -> None:
    assert banner(build_picture(), 0, 80) == ()
    assert banner(Picture(), 0, 80) == ()


def banner_text(picture: Picture, lost_ms: int = 0) -> str:
    return " ".join(line_text(line) for line in banner(picture, lost_ms, 200))


def test_a_lost_daemon_says_how_old_the_picture_is() -> None:
    text = banner_text(build_picture(link=Link.LOST, link_detail="it ended", stopping=""), 95_000)
    assert "▲ The daemon is lost: it ended" in text
    assert "What you see is 1m old; answers are off until it is back." in text


def test_a_daemon_that_stopped_on_purpose_says_why() -> None:
    assert "stopped by desk" in banner_text(build_picture(link=Link.LOST, stopping="stopped by desk"))


def test_a_daemon_that_never_was_does_not_speak_of_what_you_see() -> None:
    assert "What you see" not in banner_text(Picture(link=Link.LOST, link_detail="read-only"))


def test_a_lost_host_names_what_went_with_it() -> None:
    assert "Gone with it: fixer, tests, docs" in banner_text(build_picture(host=LOST))
    assert banner_text(build_picture(host=HostStatus(kind="embedded", state=HostState.STARTING))) == ""


def test_a_host_that_came_back_tells_what_did_not_until_that_is_known() -> None:
    back = build_picture(host=HostStatus(kind="embedded", state=HostState.UP, lost=("a", "b")))
    state = State().with_picture(back, NOW, hosting=False)
    assert "Gone with the old one: a, b" in " ".join(map(line_text, state.banner(200)))
    assert state.knowing_lost().banner(200) == ()
    assert State(picture=build_picture(host=UP)).banner(200) == ()


@pytest.mark.parametrize("width", [30, 60, 118])
def test_an_audit_line_says_what_came_of_it_at_every_width(width: int) -> None:
    texts = [line_text(audit_line(line, width)) for line in AUDIT]
    assert all(len(text) <= width for text in texts)
    assert "approval.decide" in texts[-1]


def test_an_agents_fields_cannot_carry_controls_into_a_row() -> None:
    sly = Agent(
        terminal_id="t1",
        workspace_id="w1",
        kind="cl\x1b]0;x\x07aude",
        name="a\nb",
        title="\u202eevil",
        status=AgentStatus.UNKNOWN,
        status_since_ms=NOW,
        last_line="\x9b2J",
    )
    columns = columns_for((sly,), {}, 120)
    text = line_text(agent_row(sly, columns, {}, NOW)) + "".join(map(line_text, agent_detail(sly, {}, 120)))
    assert text.isprintable()


def test_one_line_and_more() -> None:
    assert more_lines(1) == "1 more line"
    assert more_lines(2) == "2 more lines"
