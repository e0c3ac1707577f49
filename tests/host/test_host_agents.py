"""From process to status: what a host tells of an agent, in which order (specs: embedded-host section 8.3)."""

from typing import Any

import pytest
import trio
from tools.live_host import LiveHost, Stream, live_host

pytestmark = pytest.mark.trio

AGENT_EVENTS = ("pane.agent_detected", "pane.updated", "pane.exited")


def line(event: dict[str, Any]) -> str:
    """An event in a few words."""
    data = event["data"]
    match event["event"]:
        case "pane.agent_status_changed":
            return f"status {data['agent_status']} of {data.get('agent')}"
        case "pane_agent_detected":
            return f"{'gone' if data.get('released') else 'found'} {data['agent']}"
        case "pane_updated":
            return "updated"
        case name:
            return str(name)


async def told(stream: Stream) -> list[str]:
    return [line(event) for event in await stream.all()]


async def listed(live: LiveHost) -> list[tuple[str, int]]:
    agents = (await live.call("agent.list"))["agents"]
    return [(each["agent_status"], each["state_change_seq"]) for each in agents]


async def test_a_days_work() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        assert await listed(live) == []
        async with live.stream("pane.agent_detected", "pane.exited", watch="w1:p1") as stream:
            await live.type("w1:p1", "claude\r")
            assert await told(stream) == ["found claude", "status idle of claude"]
            await live.type("w1:p1", "w")
            assert await told(stream) == ["status working of claude"]
            assert await listed(live) == [("working", 2)]
            await live.type("w1:p1", "b")
            assert await told(stream) == ["status blocked of claude"]
            await live.type("w1:p1", "d")
            assert await told(stream) == [], "another question is no other status"
            assert await listed(live) == [("blocked", 3)]
            await live.type("w1:p1", "w")
            await live.type("w1:p1", "i")
            assert (await told(stream))[-1] == "status done of claude"
            seq = (await listed(live))[0][1]
            await live.call("agent.focus", target="w1:p1")
            assert await told(stream) == ["status idle of claude"]
            assert await listed(live) == [("idle", seq)], "being seen is no change of state"
            await live.type("w1:p1", "q")
            assert await told(stream) == ["gone claude", "status unknown of None"]
            assert await listed(live) == []
            await live.type("w1:p1", "exit\r")
            assert await told(stream) == ["pane_exited"]


async def test_an_agent_that_is_ended_at_work_is_idle_first() -> None:
    async with live_host() as live:
        await live.agent("w")
        async with live.stream("pane.agent_detected", watch="w1:p1") as stream:
            await live.type("w1:p1", "q")
            assert await told(stream) == ["status idle of claude", "gone claude", "status unknown of None"]


async def test_a_launch_that_is_asked_something_first() -> None:
    async with live_host() as live:
        await live.call("workspace.create", env={"FIRST": "b"})
        async with live.stream(*AGENT_EVENTS, watch="w1:p1") as stream:
            started = await live.call("agent.start", name="pruner", kind="claude", pane_id="w1:p1")
            assert started["argv"] == ["claude"]
            assert started["agent"]["launch_pending"] is True
            assert "agent" not in started["agent"]
            events = await told(stream)
            assert [each for each in events if each != "updated"] == ["found claude", "status blocked of claude"]
            assert events[0] == "updated"
            assert events[-1] == "updated"
            agent = (await live.call("agent.get", target="pruner"))["agent"]
            assert (agent["agent_status"], agent["launch_pending"]) == ("blocked", True)
            await live.type("w1:p1", "i")
            assert await told(stream) == ["status idle of claude", "updated"]
            agent = (await live.call("agent.get", target="pruner"))["agent"]
            assert (agent["interactive_ready"], agent["agent_status"]) == (True, "idle")
            await live.type("w1:p1", "q")
            assert await told(stream) == ["updated", "gone claude", "status unknown of None"]
            assert await live.refused("agent.get", target="pruner") == "agent_not_found"


async def test_a_launch_that_fails_drops_its_name_at_the_deadline() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        await live.call("agent.start", name="pruner", kind="claude", pane_id="w1:p1", args=["--fail"], timeout_ms=3001)
        assert [each["name"] for each in (await live.call("agent.list"))["agents"]] == ["pruner"]
        async with live.stream("pane.updated") as stream:
            await stream.until("pane_updated")
            assert await listed(live) == []


async def test_the_exact_command_line_and_what_cannot_be_started() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        start = {"name": "pruner", "kind": "claude", "pane_id": "w1:p1"}
        assert await live.refused("agent.start", **start | {"name": "Pruner"}) == "invalid_agent_name"
        assert await live.refused("agent.start", **start | {"kind": "vim"}) == "unsupported_agent_kind"
        assert await live.refused("agent.start", **start | {"args": ["a\x03"]}) == "invalid_agent_argument"
        assert await live.refused("agent.start", **start | {"timeout_ms": 3000}) == "invalid_agent_timeout"
        assert await live.refused("agent.start", **start | {"pane_id": "w1:p9"}) == "agent_pane_not_found"
        await live.type("w1:p1", "sleep 60\r")
        await live.until(lambda: live.pane("w1:p1").pty.foreground() != live.pane("w1:p1").pty.pid)
        assert await live.refused("agent.start", **start) == "agent_pane_busy"
        await live.type("w1:p1", "\x03")
        await live.call("agent.start", **start | {"args": ["--prompt", "don't `stop`"]})
        await live.until(lambda: live.pane("w1:p1").agent.machine.kind == "claude")
        (process,) = (await live.call("pane.process_info"))["process_info"]["foreground_processes"]
        assert process["argv"][-2:] == ["--prompt", "don't `stop`"]
        await live.call("workspace.create")
        assert await live.refused("agent.start", **start | {"pane_id": "w2:p1"}) == "agent_name_taken"


async def test_names_can_be_changed() -> None:
    async with live_host() as live:
        await live.agent()
        assert await live.refused("agent.rename", target="w1:p1", name="A b") == "invalid_agent_name"
        async with live.stream("pane.updated") as stream:
            renamed = await live.call("agent.rename", target="w1:p1", name="tender")
            assert renamed["agent"]["name"] == "tender"
            assert [each["event"] for each in await stream.all()] == ["pane_updated"]
        assert (await live.call("agent.get", target="tender"))["agent"]["pane_id"] == "w1:p1"
        assert await live.refused("agent.get", target=renamed["agent"]["terminal_id"]) == "agent_not_found"
        assert await live.refused("agent.get", target="claude") == "agent_not_found"


async def test_why_an_agent_has_its_status() -> None:
    async with live_host() as live:
        await live.agent("b")
        explain = (await live.call("agent.explain", target="w1:p1"))["explain"]
        assert (explain["agent"], explain["state"], explain["visible_blocker"]) == ("claude", "blocked", True)
        assert explain["matched_rule"]["id"] == explain["evaluated_rules"][0]["id"] == "generic_permission_prompt"
        assert (await live.call("workspace.list"))["workspaces"][0]["agent_status"] == "blocked"


async def test_waiting_for_a_status() -> None:
    async with live_host() as live:
        await live.agent()
        assert await live.refused("agent.wait", target="w1:p1", until=["blocked"], timeout_ms=50) == "timeout"
        results: list[Any] = []

        async def wait(**params: Any) -> None:
            results.append(await live.reply("agent.wait", target="w1:p1", **params))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(lambda: wait(until=["blocked"], timeout_ms=5000))
            await trio.sleep(0.05)
            await live.type("w1:p1", "b")
        assert results.pop()["result"]["agent"]["agent_status"] == "blocked"
        async with trio.open_nursery() as nursery:
            nursery.start_soon(lambda: wait(until=["working"]))
            await trio.sleep(0.05)
            await live.type("w1:p1", "q")
        assert results.pop()["error"]["code"] == "agent_not_running"


async def test_waiting_for_output() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        wait = {"pane_id": "w1:p1", "source": "recent", "match": {"type": "substring", "value": "42 passed"}}
        assert await live.refused("pane.wait_for_output", **wait, timeout_ms=30) == "timeout"
        regex = wait | {"match": {"type": "regex", "value": "."}}
        assert await live.refused("pane.wait_for_output", **regex) == "not_implemented"
        async with trio.open_nursery() as nursery:

            async def expect_match() -> None:
                assert (await live.call("pane.wait_for_output", **wait))["matched_line"] == "42 passed"

            nursery.start_soon(expect_match)
            await live.type("w1:p1", "echo 42 p''assed\r")


async def test_a_prompt_that_is_followed_to_its_end() -> None:
    async with live_host() as live:
        pane = live.pane(await live.agent())
        replies: list[dict[str, Any]] = []

        async def prompt() -> None:
            wait = {"until": ["done"], "timeout_ms": 5000}
            replies.append(await live.reply("agent.prompt", target="w1:p1", text="xyz", wait=wait))

        async with trio.open_nursery() as nursery:
            nursery.start_soon(prompt)
            await live.until(lambda: live.notes.read_bytes() == b"xyz\r")
            for key, state in (("w", "working"), ("i", "idle")):
                pane.pty.write(key.encode())
                await live.until(lambda state=state: pane.agent.machine.state == state)  # type: ignore[misc]
        assert replies[0]["result"]["agent"]["agent_status"] == "done"


HOOK = """
import json, os, socket
with socket.socket(socket.AF_UNIX) as s:
    s.settimeout(0.5)
    s.connect(os.environ["HERDR_SOCKET_PATH"])
    params = {"pane_id": os.environ["HERDR_PANE_ID"], "source": "herdr:claude", "agent": "claude", "seq": 1,
              "agent_session_id": "5b0e6f0a", "session_start_source": "startup"}
    s.sendall(json.dumps({"id": "hook", "method": "pane.report_agent_session", "params": params}).encode() + b"\\n")
    print(s.recv(1000))
"""


async def test_a_hook_in_the_pane_reports_its_session() -> None:
    """What the installed hook scripts do: environment, one line, half a second."""
    async with live_host() as live:
        (live.folder / "hook.py").write_text(HOOK)
        await live.call("workspace.create", cwd=str(live.folder))
        await live.type("w1:p1", "python3 -S hook.py; claude\r")
        await live.until(lambda: live.pane("w1:p1").agent.machine.state == "idle")
        agent = (await live.call("agent.list"))["agents"][0]
        assert agent["agent_session"] == {
            "source": "herdr:claude",
            "agent": "claude",
            "kind": "id",
            "value": "5b0e6f0a",
        }
        report = {"pane_id": "w1:p1", "source": "herdr:claude", "agent": "claude"}
        assert (await live.call("pane.report_agent", **report, state="blocked")) == {"type": "ok"}
        assert (await live.call("pane.release_agent", **report)) == {"type": "ok"}
        assert [status for status, _ in await listed(live)] == ["idle"], "a hook sets no state"
        assert await live.refused("pane.report_agent_session", **report | {"pane_id": "w7:p1"}) == "pane_not_found"
