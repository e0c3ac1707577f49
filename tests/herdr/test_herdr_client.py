"""Calls against a fake host on a real socket: what is asked for, what comes back, what goes wrong."""

import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import trio
import trio.testing
from tools.fake_herdr import FakeHerdr, Trouble, socket_folder
from tools.fake_session import Manners

from collie.herdr.client import REPLY_TIMEOUT, HostClient
from collie.herdr.errors import HostRefused, HostUnavailable, ScreenChanged
from collie.herdr.models import AgentStatus, Expect, Ok, ReadFormat, ReadSource, WorktreeRemoved
from collie.herdr.wire import WireError

SCREEN = "Do you want to proceed?\n 1. Yes\n 2. No"


@asynccontextmanager
async def fake_host(manners: Manners = "0.9") -> AsyncIterator[tuple[FakeHerdr, HostClient]]:
    with socket_folder() as folder:
        host = FakeHerdr(folder / "herdr.sock", manners=manners)
        async with trio.open_nursery() as nursery:
            await nursery.start(host.run)
            yield host, HostClient(host.path)
            nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_lists_and_snapshot_are_typed() -> None:
    async with fake_host() as (host, client):
        host.add_agent("claude", "w1:p1", status="blocked", name="pruner", session="5b0e")
        host.add_pane("w2:p1")
        (agent,) = await client.agent_list()
        assert (agent.name, agent.agent, agent.agent_status) == ("pruner", "claude", AgentStatus.BLOCKED)
        assert agent.agent_session is not None
        assert agent.agent_session.value == "5b0e"
        assert [pane.pane_id for pane in await client.pane_list()] == ["w1:p1", "w2:p1"]
        assert [pane.pane_id for pane in await client.pane_list("w2")] == ["w2:p1"]
        snapshot = await client.snapshot()
        assert snapshot.agents == (agent,)
        assert [each.workspace_id for each in snapshot.workspaces] == ["w1", "w2"]
        assert snapshot.layouts[0].area.width == 120
        assert {manifest.agent for manifest in await client.agent_manifests()} >= {"claude", "codex"}
        assert host.rude == 0


@pytest.mark.trio
async def test_one_agent_is_found_by_its_pane_and_by_its_name() -> None:
    async with fake_host() as (host, client):
        host.add_agent("claude", "w1:p1", status="blocked", name="pruner", rule="live_blocked_form")
        assert await client.agent_get("pruner") == await client.agent_get("w1:p1")
        assert (await client.pane_get("w1:p1")).agent == "claude"
        explain = await client.agent_explain("w1:p1")
        assert explain.matched_rule is not None
        assert explain.matched_rule.id == "live_blocked_form"
        processes = (await client.pane_process_info("w1:p1")).foreground_processes
        assert [process.name for process in processes] == ["claude"]
        assert (await client.pane_layout("w1:p1")).focused_pane_id == "w1:p1"


@pytest.mark.trio
async def test_reads_say_what_they_want_and_leave_the_rest_out() -> None:
    async with fake_host() as (host, client):
        host.add_agent("claude", "w1:p1", screen=SCREEN, ansi="\x1b[0m\x1b[1mDo\x1b[0m")
        text = await client.pane_read("w1:p1", ReadSource.DETECTION, format=ReadFormat.TEXT)
        assert text.text == SCREEN + "\n"
        styled = await client.pane_read("w1:p1", ReadSource.RECENT_UNWRAPPED, lines=200)
        assert styled.text.startswith("\x1b[0m")
        assert host.calls("pane.read") == [
            {"pane_id": "w1:p1", "source": "detection", "format": "text"},
            {"pane_id": "w1:p1", "source": "recent_unwrapped", "lines": 200, "format": "ansi"},
        ]


@pytest.mark.trio
async def test_input_is_written_as_asked() -> None:
    async with fake_host() as (host, client):
        host.add_agent("claude", "w1:p1")
        await client.pane_send_text("w1:p1", "\x1b[1;5F")
        await client.pane_send_keys("w1:p1", ["down"])
        await client.pane_send_input("w1:p1", text="make", keys=["enter"])
        await client.agent_send_keys("w1:p1", ["2"])
        await client.agent_prompt("w1:p1", "prune")
        assert [(typed.method, typed.text, typed.keys) for typed in host.typed] == [
            ("pane.send_text", "\x1b[1;5F", ()),
            ("pane.send_keys", None, ("down",)),
            ("pane.send_input", "make", ("enter",)),
            ("agent.send_keys", None, ("2",)),
            ("agent.prompt", "prune", ("enter",)),
        ]


@pytest.mark.trio
async def test_workspaces_tabs_and_starts() -> None:
    async with fake_host() as (host, client):
        made = await client.workspace_create("/srv/orchard", label="orchard", env={"LANG": "C"})
        started = await client.agent_start("grafter", "codex", made.root_pane.pane_id, ["--no-daemon"])
        assert started.argv == ("codex", "--no-daemon")
        assert started.agent.launch_pending
        tab = await client.tab_create(made.workspace.workspace_id, label="logs")
        assert [each.tab_id for each in await client.tab_list()] == ["w1:t1", tab.tab.tab_id]
        assert (await client.workspace_rename("w1", "north")).label == "north"
        await client.tab_close(tab.tab.tab_id)
        await client.pane_close(made.root_pane.pane_id)
        assert await client.workspace_list() == ()
        assert host.calls("workspace.create")[0] == {
            "cwd": "/srv/orchard",
            "label": "orchard",
            "env": {"LANG": "C"},
            "focus": False,
        }


@pytest.mark.trio
async def test_focus_marks_a_finished_agent_as_seen() -> None:
    async with fake_host() as (host, client):
        host.add_agent("claude", "w1:p1", status="done")
        assert (await client.agent_focus("w1:p1")).agent_status is AgentStatus.IDLE


@pytest.mark.trio
async def test_worktree_calls_wait_as_long_as_git_may_take(autojump_clock: trio.testing.MockClock) -> None:
    async with fake_host() as (host, client):
        host.answer("worktree.remove", lambda params: WorktreeRemoved(workspace_id="w3", path="/srv/x", forced=True))
        host.delay("worktree.remove", 30.0)
        removed = await client.worktree_remove("w3", force=True)
        assert removed.path == "/srv/x"


@pytest.mark.trio
async def test_server_stop_ends_the_host() -> None:
    async with fake_host() as (_, client):
        await client.server_stop()
        await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(HostUnavailable):
            await client.ping()


@pytest.mark.trio
async def test_a_refusal_carries_its_code() -> None:
    async with fake_host() as (host, client):
        host.add_agent("claude", "w1:p1", status="blocked")
        with pytest.raises(HostRefused) as refused:
            await client.agent_prompt("w1:p1", "prune")
        assert refused.value.code == "agent_blocked"
        with pytest.raises(HostRefused, match="pane term_1 not found"):
            await client.pane_get("term_1")
        with pytest.raises(HostRefused) as refused:
            await client.pane_send_keys("w1:p1", ["up", "delete"])
        assert refused.value.code == "invalid_key"
        assert host.typed == []


@pytest.mark.trio
async def test_a_bad_request_is_answered_with_an_empty_id_and_understood() -> None:
    async with fake_host() as (_, client):
        with pytest.raises(HostRefused) as refused:
            await client._call(Ok, "pane.frobnicate")
        assert refused.value.code == "invalid_request"


@pytest.mark.trio
async def test_conditional_input_is_written_only_while_the_screen_stays() -> None:
    async with fake_host("embedded") as (host, client):
        agent = host.add_agent("claude", "w1:p1", screen=SCREEN)
        assert (await client.ping()).conditional_input
        expect = Expect.of(SCREEN, first=0, last=2, terminal_id=agent.terminal_id)
        await client.pane_send_keys("w1:p1", ["1"], expect=expect)
        host.set_screen("w1:p1", SCREEN.replace("proceed", "delete it"))
        with pytest.raises(ScreenChanged):
            await client.pane_send_keys("w1:p1", ["1"], expect=expect)
        with pytest.raises(ScreenChanged):
            await client.pane_send_text("w1:p1", "1", expect=expect)
        with pytest.raises(ScreenChanged):
            await client.pane_send_input("w1:p1", keys=["1"], expect=expect)
        assert len(host.typed) == 1


@pytest.mark.trio
async def test_herdr_ignores_the_condition() -> None:
    async with fake_host("0.8.2") as (host, client):
        host.add_agent("claude", "w1:p1", screen="other")
        assert not (await client.ping()).conditional_input
        await client.pane_send_keys("w1:p1", ["1"], expect=Expect.of(SCREEN, first=0, last=2, terminal_id="term_x"))
        assert len(host.typed) == 1


@pytest.mark.trio
@pytest.mark.parametrize("trouble", list(Trouble), ids=lambda trouble: trouble.name)
async def test_a_call_that_goes_wrong_is_unavailable_and_never_repeated(
    trouble: Trouble, autojump_clock: trio.testing.MockClock
) -> None:
    async with fake_host() as (host, client):
        host.add_agent("claude", "w1:p1")
        host.fail("agent.send_keys", trouble, done=True)
        with pytest.raises(HostUnavailable) as unavailable:
            await client.agent_send_keys("w1:p1", ["1"])
        assert unavailable.value.sent
        assert trio.current_time() <= REPLY_TIMEOUT
        assert len(host.typed) == 1
        await client.agent_send_keys("w1:p1", ["2"])


@pytest.mark.trio
async def test_a_host_that_does_not_answer_in_time(autojump_clock: trio.testing.MockClock) -> None:
    async with fake_host() as (host, client):
        host.delay("agent.list", REPLY_TIMEOUT - 0.1)
        await client.agent_list()
        host.delay("agent.list", REPLY_TIMEOUT + 0.1)
        with pytest.raises(HostUnavailable, match=r"no answer to agent\.list within 5 s"):
            await client.agent_list()


async def no_file(path: Path) -> None:
    """Nothing there."""


async def nobody_listens(path: Path) -> None:
    """A socket that a dead host left."""
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(path))


@pytest.mark.trio
@pytest.mark.parametrize("left", [no_file, nobody_listens])
async def test_no_host_at_all(left: Callable[[Path], Awaitable[None]]) -> None:
    with socket_folder() as folder:
        path = folder / "herdr.sock"
        await left(path)
        with pytest.raises(HostUnavailable, match="no host at") as unavailable:
            await HostClient(path).ping()
        assert not unavailable.value.sent


@pytest.mark.trio
async def test_a_path_too_long_for_a_socket_is_no_host() -> None:
    with pytest.raises(HostUnavailable, match="too long"):
        await HostClient(Path("/" + "x" * 200)).ping()


@pytest.mark.trio
async def test_a_request_too_long_is_refused_before_it_is_sent() -> None:
    async with fake_host() as (host, client):
        host.add_agent("claude", "w1:p1")
        with pytest.raises(WireError):
            await client.agent_prompt("w1:p1", "x" * 1_000_000)
        assert host.sent == []


@pytest.mark.trio
async def test_a_long_prompt_arrives_whole() -> None:
    async with fake_host() as (host, client):
        host.add_agent("claude", "w1:p1")
        text = "é" * 400_000
        await client.agent_prompt("w1:p1", text)
        assert host.typed[0].text == text


@pytest.mark.trio
async def test_a_cancelled_call_leaves_nothing_open() -> None:
    async with fake_host() as (host, client):
        host.fail("agent.list", Trouble.SILENT)
        with trio.move_on_after(0.01) as scope:
            await client.agent_list()
        assert scope.cancelled_caught
        assert await client.agent_list() == ()


@pytest.mark.trio
async def test_many_calls_at_once_do_not_mix() -> None:
    async with fake_host() as (host, client):
        for number in range(1, 21):
            host.add_agent("claude", f"w{number}:p1", screen=f"screen {number}")
        read: dict[str, str] = {}

        async def look(pane_id: str) -> None:
            read[pane_id] = (await client.pane_read(pane_id, ReadSource.VISIBLE, format=ReadFormat.TEXT)).text

        async with trio.open_nursery() as nursery:
            for pane_id in host.panes:
                nursery.start_soon(look, pane_id)
        assert read == {f"w{number}:p1": f"screen {number}\n" for number in range(1, 21)}


def test_params_that_are_none_are_left_out() -> None:
    client = HostClient(Path("/nowhere"))
    params: dict[str, Any] = {"a": None, "b": False, "c": ()}
    assert client.request("x", **params).params == {"b": False, "c": ()}
    assert client.request("x").id != client.request("x").id
