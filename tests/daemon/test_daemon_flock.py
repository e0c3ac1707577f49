"""Snapshots and what changed between them."""

from dataclasses import dataclass, field

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collie.daemon.flock import Flock, Since, plain_line
from collie.herdr.models import AgentInfo, AgentStatus, WorkspaceInfo, Worktree
from collie.protocol.models import Agent


def build_info(terminal_id: str = "t1", /, **changed: object) -> AgentInfo:
    fields: dict[str, object] = {
        "agent": "claude",
        "name": "pruner",
        "agent_status": AgentStatus.IDLE,
        "workspace_id": "w1",
        "tab_id": "w1:t1",
        "pane_id": f"w1:{terminal_id}",
        "state_change_seq": 1,
    }
    return AgentInfo(terminal_id=terminal_id, **{**fields, **changed})  # type: ignore[arg-type]


def build_room(workspace_id: str = "w1", **changed: object) -> WorkspaceInfo:
    return WorkspaceInfo(workspace_id=workspace_id, **{"number": 1, "label": "orchard", **changed})  # type: ignore[arg-type]


def test_the_first_snapshot_rearranges_everything() -> None:
    flock = Flock()
    changes = flock.observe([build_info()], [build_room()], 1_000)
    assert changes.is_rearranged
    assert changes.agents == ()
    assert changes.touched == {"t1"}
    assert flock.agents[0].status_since_ms == 1_000
    assert flock.labels() == {"w1": "orchard"}


def test_the_same_again_is_no_change() -> None:
    flock = Flock()
    flock.observe([build_info()], [build_room()], 1_000)
    changes = flock.observe([build_info()], [build_room()], 2_000)
    assert (changes.agents, changes.is_rearranged, changes.touched) == ((), False, frozenset())


@pytest.mark.parametrize(
    ("changed", "touched"),
    [
        ({"agent_status": AgentStatus.WORKING}, True),
        ({"state_change_seq": 2}, True),
        ({"agent": "codex"}, True),
        ({"name": "grafter"}, False),
        ({"terminal_title_stripped": "prune"}, False),
        ({"foreground_cwd": "/srv"}, False),
    ],
)
def test_a_changed_row_is_told(changed: dict[str, object], touched: bool) -> None:
    flock = Flock()
    flock.observe([build_info(), build_info("t2")], [build_room()], 1_000)
    changes = flock.observe([build_info(**changed), build_info("t2")], [build_room()], 2_000)
    assert [agent.terminal_id for agent in changes.agents] == ["t1"]
    assert not changes.is_rearranged
    assert changes.touched == ({"t1"} if touched else set())


def test_what_only_the_host_cares_for_is_not_told() -> None:
    flock = Flock()
    flock.observe([build_info()], [build_room()], 1_000)
    changes = flock.observe([build_info(revision=7, focused=True)], [build_room(focused=True, pane_count=4)], 2_000)
    assert (changes.agents, changes.is_rearranged, changes.touched) == ((), False, frozenset())


@pytest.mark.parametrize(
    "rooms",
    [
        [build_room(label="north field")],
        [build_room(number=2)],
        [build_room(), build_room("w2", number=2)],
        [],
    ],
)
def test_a_workspace_that_changes_rearranges(rooms: list[WorkspaceInfo]) -> None:
    flock = Flock()
    flock.observe([build_info()], [build_room()], 1_000)
    assert flock.observe([build_info()], rooms, 2_000).is_rearranged


def test_an_agent_that_moves_rearranges_and_keeps_its_time() -> None:
    flock = Flock()
    flock.observe([build_info()], [build_room()], 1_000)
    changes = flock.observe([build_info(workspace_id="w2", pane_id="w2:p1")], [build_room()], 2_000)
    assert changes.is_rearranged
    assert changes.touched == {"t1"}
    assert flock.agents[0].status_since_ms == 1_000


def test_the_time_of_a_status_is_kept_while_it_lasts_and_over_a_loss() -> None:
    flock = Flock()
    flock.observe([build_info()], [build_room()], 1_000)
    flock.observe([build_info()], [build_room()], 2_000)
    assert flock.clear() == ("pruner",)
    assert (flock.agents, flock.info("t1")) == ((), None)
    flock.observe([build_info()], [build_room()], 3_000)
    assert flock.agents[0].status_since_ms == 1_000
    flock.observe([build_info(agent_status=AgentStatus.DONE)], [build_room()], 4_000)
    assert flock.agents[0].status_since_ms == 4_000


def test_a_time_that_lies_ahead_is_not_kept() -> None:
    flock = Flock({"t1": Since(status="idle", seq=1, since_ms=9_000)})
    flock.observe([build_info()], [build_room()], 1_000)
    assert flock.agents[0].status_since_ms == 1_000


def test_what_has_no_usable_id_is_left_out() -> None:
    flock = Flock()
    flock.observe([build_info("a b"), build_info("t1")], [build_room("x y"), build_room()], 1_000)
    assert [agent.terminal_id for agent in flock.agents] == ["t1"]
    assert [room.workspace_id for room in flock.workspaces] == ["w1"]


def test_a_workspace_stands_in_its_checkout_or_with_its_first_agent() -> None:
    tree = Worktree(
        repo_key="k", repo_name="orchard", repo_root="/srv/orchard", checkout_path="/srv/orchard/.worktree/a"
    )
    flock = Flock()
    infos = [
        build_info(cwd="/srv/a"),
        build_info("t2", cwd="/srv/b"),
        build_info("t3", workspace_id="w2", cwd="/srv/c"),
    ]
    flock.observe(infos, [build_room(), build_room("w2", worktree=tree), build_room("w3")], 1_000)
    assert [room.cwd for room in flock.workspaces] == ["/srv/a", "/srv/orchard/.worktree/a", None]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        (None, None),
        ("", None),
        ("  \x1b\x07 ", None),
        ("prune\x1b]0;x\x07 apple\u202erows\n", "prune]0;x applerows"),
        ("a\tb", "ab"),
        ("x" * 1_000, "x" * 256),
    ],
)
def test_a_title_is_one_plain_line(text: str | None, plain: str | None) -> None:
    assert plain_line(text) == plain


@dataclass
class Client:
    """What a client makes of what it is told."""

    agents: dict[str, Agent] = field(default_factory=dict)
    rooms: list[tuple[str, str, int]] = field(default_factory=list)


terminals = st.sampled_from(["t1", "t2", "t3"])
infos = st.builds(
    build_info,
    terminals,
    workspace_id=st.sampled_from(["w1", "w2"]),
    agent_status=st.sampled_from(list(AgentStatus)),
    state_change_seq=st.integers(0, 3),
    name=st.sampled_from([None, "pruner"]),
)
rooms = st.builds(
    build_room, st.sampled_from(["w1", "w2"]), label=st.sampled_from(["a", "b"]), number=st.integers(1, 2)
)
snapshots = st.tuples(
    st.lists(infos, max_size=3, unique_by=lambda info: info.terminal_id),
    st.lists(rooms, max_size=2, unique_by=lambda room: room.workspace_id),
)


@given(st.lists(snapshots, max_size=6))
def test_what_is_told_is_enough_to_know_the_agents(
    seen: list[tuple[list[AgentInfo], list[WorkspaceInfo]]],
) -> None:
    flock, client = Flock(), Client()
    for now, (agents, spaces) in enumerate(seen):
        changes = flock.observe(agents, spaces, now)
        client.agents |= {agent.terminal_id: agent for agent in changes.agents}
        if changes.is_rearranged:
            client.agents = {agent.terminal_id: agent for agent in flock.agents}
            client.rooms = [(room.workspace_id, room.label, room.number) for room in flock.workspaces]
        assert client.agents == {agent.terminal_id: agent for agent in flock.agents}
        assert client.rooms == [(room.workspace_id, room.label, room.number) for room in flock.workspaces]
