"""Real shells in real terminals: where they start, what they are given, how they end."""

import os
import shutil
import signal
import sys
import time
from pathlib import Path

import psutil
import pytest
import trio
from tools.live_host import LiveHost, live_host

from collie.host import foreground, panes
from collie.host.pty import Command, Pty, SpawnFailed, session_members

pytestmark = pytest.mark.trio


def opened_by(pid: int) -> set[str]:
    return {os.readlink(each) for each in Path(f"/proc/{pid}/fd").iterdir()}


async def ran(live: LiveHost, command: str, pane_id: str = "w1:p1") -> list[str]:
    """What a command prints in a pane, line by line."""
    out = live.folder / f"out-{time.monotonic_ns()}"
    await live.type(pane_id, f"({command}) >{out}.tmp 2>&1; mv {out}.tmp {out}\r")
    await live.until(out.exists)
    return out.read_text().splitlines()


async def test_a_shell_has_a_terminal_of_the_right_size_from_the_start() -> None:
    async with live_host() as live:
        await live.call("workspace.create", cwd="/usr")
        assert await ran(live, "pwd; stty size; stty size </dev/tty") == ["/usr", "40 120", "40 120"]


async def test_programs_know_where_they_are() -> None:
    async with live_host({"TMUX": "/tmp/x", "TERM_PROGRAM": "x", "HERDR_PANE_ID": "w9:p9"}) as live:
        await live.call("workspace.create", env={"GREETING": "hello", "HERDR_TAB_ID": "x"})
        lines = await ran(live, "env")
        found = dict(line.split("=", 1) for line in lines if "=" in line)
        assert found["GREETING"] == "hello"
        assert (found["TERM"], found["COLORTERM"]) == ("xterm-256color", "truecolor")
        assert {key: value for key, value in found.items() if key.startswith("HERDR_")} == {
            "HERDR_ENV": "1",
            "HERDR_SOCKET_PATH": str(live.socket),
            "HERDR_WORKSPACE_ID": "w1",
            "HERDR_TAB_ID": "w1:t1",
            "HERDR_PANE_ID": "w1:p1",
        }
        assert not {"TMUX", "TERM_PROGRAM"} & found.keys()
        assert shutil.which("collie-practice", path=found["PATH"])


async def test_a_folder_that_is_not_there_is_home() -> None:
    async with live_host() as live:
        await live.call("workspace.create", cwd="/no/such/folder")
        assert await ran(live, "pwd -P") == await ran(live, "cd && pwd -P")
        await live.call("workspace.create", cwd="/usr")
        await live.call("tab.create", workspace_id="w2")
        assert await ran(live, "pwd", "w2:p2") == ["/usr"], "a new tab begins where its neighbour is"


async def test_env_that_no_process_can_have_is_refused() -> None:
    async with live_host() as live:
        assert await live.refused("workspace.create", env={"A=B": "x"}) == "invalid_env"
        assert await live.refused("tab.create") == "workspace_not_found"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
async def test_nothing_of_the_host_is_open_in_a_pane() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        await live.call("workspace.create")
        shell = live.pane("w2:p1").pty.pid
        await live.until(lambda: "$" in live.pane("w2:p1").text())
        opened = opened_by(shell)
        assert {each for each in opened if not each.startswith("/dev/pts/")} <= {"/dev/tty"}
        assert len({each for each in opened if each.startswith("/dev/pts/")}) == 1


async def test_a_split_halves_a_pane_and_its_end_gives_the_room_back() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        split = await live.call("pane.split", direction="right", ratio=0.25)
        assert split["pane"]["pane_id"] == "w1:p2"
        assert await ran(live, "stty size </dev/tty") == ["40 30"]
        assert await ran(live, "stty size </dev/tty", "w1:p2") == ["40 90"]
        layout = (await live.call("pane.layout", pane_id="w1:p2"))["layout"]
        assert [each["rect"]["width"] for each in layout["panes"]] == [30, 90]
        assert layout["splits"][0]["ratio"] == 0.25
        await live.call("pane.close", pane_id="w1:p2")
        assert await ran(live, "stty size </dev/tty") == ["40 120"]


async def test_reading_changes_nothing() -> None:
    async with live_host() as live:
        await live.agent("i")
        pane = live.pane("w1:p1")
        pane.slot.seen = False
        before = (await live.call("session.snapshot"))["snapshot"]
        for source in ("visible", "recent", "recent_unwrapped", "detection"):
            for form in ("text", "ansi"):
                await live.call("pane.read", pane_id="w1:p1", source=source, format=form, lines=200)
        await live.call("agent.read", target="w1:p1", source="visible")
        await live.call("pane.view", pane_id="w1:p1")
        assert (await live.call("session.snapshot"))["snapshot"] == before


async def test_what_runs_is_described() -> None:
    async with live_host() as live:
        await live.call("workspace.create", cwd="/usr")
        await live.type("w1:p1", "cat | cat\r")
        await live.until(lambda: live.pane("w1:p1").pty.foreground() != live.pane("w1:p1").pty.pid)
        await trio.sleep(0.02)
        info = (await live.call("pane.process_info", pane_id="w1:p1"))["process_info"]
        assert info["shell_pid"] == live.pane("w1:p1").pty.pid
        assert info["foreground_process_group_id"] == info["foreground_processes"][0]["pid"]
        assert [(each["name"], each["cwd"]) for each in info["foreground_processes"]] == [("cat", "/usr")] * 2


async def test_closing_a_pane_hangs_up_and_then_kills(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(panes, "GRACE", 0.2)
    async with live_host() as live:
        await live.call("workspace.create")
        await live.call("workspace.create")
        shell = live.pane("w2:p1").pty.pid
        await live.type("w2:p1", "(trap '' HUP; sleep 61) & sleep 60 & sleep 62\r")
        await live.until(lambda: len(session_members(shell)) >= 4)
        await live.call("pane.close", pane_id="w2:p1")
        await live.until(lambda: not session_members(shell))


async def test_what_a_shell_leaves_running_when_it_exits_goes_on() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        await live.type("w1:p1", "(trap '' HUP; exec sleep 63) & echo $! >pid; exit\r")
        await live.until(lambda: live.host.session.pane("w1:p1") is None)
        pid = int((live.folder / "pid").read_text())
        await trio.sleep(0.05)
        assert psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
        os.kill(pid, signal.SIGKILL)


async def test_the_last_output_is_drawn_before_a_pane_goes() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        pane = live.pane("w1:p1")
        await live.type("w1:p1", "seq 3000; exit\r")
        await live.until(lambda: live.host.session.pane("w1:p1") is None)
        assert "3000" in pane.text()


async def test_a_shell_that_cannot_be_started_leaves_nothing_behind() -> None:
    opened = len(os.listdir("/dev/fd"))
    with pytest.raises(SpawnFailed):
        Pty.spawn(Command(argv=["/bin/sh"], cwd="/no/such/folder", env={}, columns=80, rows=24, open_files=256))
    assert len(os.listdir("/dev/fd")) == opened
    await trio.lowlevel.checkpoint()


async def test_bulk_output_leaves_others_their_turn() -> None:
    """A pane that prints without end does not keep the host from answering."""
    async with live_host() as live:
        await live.call("workspace.create")
        await live.type("w1:p1", "yes 'a line of some length, printed again and again'\r")
        await live.until(lambda: live.pane("w1:p1").counter > 20)
        slowest = 0.0
        for _ in range(20):
            began = time.monotonic()
            await live.call("ping")
            slowest = max(slowest, time.monotonic() - began)
        assert slowest < 0.5
        await live.type("w1:p1", "\x03")


async def test_a_pane_that_shows_nothing_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Looks are counted, not time: once an agent rests, neither its screen nor its processes are looked at."""
    monkeypatch.setattr(foreground, "YOUNG", 0.2)
    async with live_host() as live:
        pane = live.pane(await live.agent())
        await trio.sleep(0.7)
        looks = 0
        window = pane.terminal.window

        def counted(first: int, end: int) -> object:
            nonlocal looks
            looks += 1
            return window(first, end)

        monkeypatch.setattr(pane.terminal, "window", counted)
        found = pane.foreground.found
        await trio.sleep(0.7)
        assert (looks, pane.foreground.found is found, pane.rhythm.due) == (0, True, None)
