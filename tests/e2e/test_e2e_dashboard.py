"""The dashboard in a terminal, with real processes behind it: what a person does, and bad days."""

import os
import re
import signal
import sys
import tempfile
from pathlib import Path

import psutil
from tools.processes import Machine, machine, wait_for
from tools.tmux import window

COLLIE = [sys.executable, "-m", "collie"]
COLLIE_THEN_STAY = ["sh", "-c", '"$0" -m collie; sleep 60', sys.executable]
"""tmux may drop what a program writes right before it ends, so the window outlives a short one."""


def environ_of(desk: Machine, **more: str) -> dict[str, str]:
    return {**desk.environ, "TERM": "tmux-256color", "LANG": "C.UTF-8"} | more


def demo_folders() -> set[Path]:
    return set(Path(tempfile.gettempdir()).glob("collie-demo-*"))


def hosts_of(folder: Path) -> list[psutil.Process]:
    """The host processes of a data directory."""
    found = []
    for process in psutil.process_iter():
        try:
            if "host" in process.cmdline() and process.environ().get("COLLIE_DATA_DIR") == str(folder):
                found.append(process)
        except psutil.Error:
            continue
    return found


def start(desk: Machine, prompt: str, name: str = "asker") -> str:
    return str(desk.json("start", "practice", "--name", name, "--prompt", prompt)["terminal_id"])


def test_the_demo_is_answered_with_one_key_and_leaves_nothing_behind() -> None:
    before = demo_folders()
    with machine(serving=False) as desk, window([*COLLIE, "demo"], environ_of(desk)) as shown:
        shown.shows("asker asks", "rm -rf build", "press a")
        (folder,) = demo_folders() - before
        shown.press_until("a", "approved", "approval.decide")
        shown.press("q")
        wait_for(shown.ended)
        assert not folder.exists()
        assert hosts_of(folder) == []


def test_a_killed_demo_leaves_nothing_behind_either() -> None:
    before = demo_folders()
    with machine(serving=False) as desk, window([*COLLIE, "demo"], environ_of(desk)) as shown:
        shown.shows("rm -rf build")
        (folder,) = demo_folders() - before
        os.kill(shown.pid(), signal.SIGKILL)
        wait_for(lambda: not folder.exists())
        wait_for(lambda: hosts_of(folder) == [])


def test_of_two_dashboards_the_second_sees_who_answered() -> None:
    with machine() as desk:
        start(desk, "ask rm -rf build")
        with window(COLLIE, environ_of(desk)) as first, window(COLLIE, environ_of(desk)) as second:
            first.shows("asker asks", "rm -rf build")
            second.shows("asker asks", "rm -rf build")
            first.press_until("d", "denied")
            second.shows("desk")
            second.shows_no_more("asker asks")
        decided = [each for each in desk.audit() if each["method"] == "approval.decide"]
        assert {each["peer"] for each in decided} == {"desk"}


def test_when_the_dashboard_that_hosts_the_daemon_is_killed_another_takes_over() -> None:
    with machine(serving=False) as desk, window(COLLIE, environ_of(desk)) as first:
        first.shows("daemon ● here")
        with window(COLLIE, environ_of(desk)) as second:
            second.shows("daemon ● attached")
            os.kill(first.pid(), signal.SIGKILL)
            second.shows("daemon ● here")
            start(desk, "ask rm -rf build")
            second.shows("asker asks")


def test_a_killed_host_is_named_with_what_was_lost() -> None:
    with machine() as desk:
        start(desk, "ask rm -rf build", name="rambler")
        with window(COLLIE, environ_of(desk)) as shown:
            shown.shows("rambler asks")
            os.kill(desk.host_pid(), signal.SIGKILL)
            shown.shows_no_more("rambler asks")
            shown.shows("rambler", "embedded host ● up")


def test_a_killed_daemon_is_replaced_by_the_dashboard() -> None:
    with machine() as desk:
        start(desk, "ask rm -rf build")
        with window(COLLIE, environ_of(desk)) as shown:
            shown.shows("asker asks")
            desk.kill_daemon()
            shown.shows("daemon ● here", "asker asks")
            shown.press_until("a", "approved")


def test_a_tiny_window_says_so_and_recovers() -> None:
    with machine(serving=False) as desk, window(COLLIE, environ_of(desk)) as shown:
        shown.shows("Needs you", "Agents")
        shown.resize(20, 5)
        shown.shows_no_more("Agents")
        assert shown.screen().strip()
        shown.resize(120, 40)
        shown.shows("Needs you", "Agents", "Audit")


def test_narrow_windows_keep_every_pane_in_reach() -> None:
    with machine() as desk:
        start(desk, "ask rm -rf build")
        with window(COLLIE, environ_of(desk), columns=80, rows=24) as shown:
            shown.shows("asker asks", "rm -rf build")
            shown.press("Tab")
            shown.shows("Agents")


def test_without_colour_nothing_is_coloured() -> None:
    with machine(serving=False) as desk, window(COLLIE, environ_of(desk, NO_COLOR="1")) as shown:
        shown.shows("Needs you", "daemon ● here")
        assert re.findall(r"\x1b\[(?:[\d;]*;)?[34]8;[\d;]*m", shown.screen(styled=True)) == []


def test_a_terminal_that_cannot_be_drawn_on_is_one_line() -> None:
    with machine(serving=False) as desk, window(COLLIE_THEN_STAY, environ_of(desk, TERM="dumb")) as shown:
        shown.shows("TERM", "--serve")
        assert "Traceback" not in shown.screen()


def test_a_wrong_configuration_is_told_instead_of_a_dashboard() -> None:
    with machine(serving=False) as desk:
        desk.data.mkdir(mode=0o700)
        (desk.data / "collie.toml").write_text("[host]\nknd = 'auto'\n")
        with window(COLLIE_THEN_STAY, environ_of(desk)) as shown:
            screen = shown.shows("unknown key")
            assert "collie.toml:2" in re.sub(r"\s*\n\s*", "", screen)


def test_leaving_can_leave_a_daemon_running() -> None:
    with machine(serving=False) as desk:
        with window(COLLIE, environ_of(desk)) as shown:
            shown.shows("daemon ● here")
            start(desk, "ask rm -rf build")
            shown.shows("asker asks")
            shown.press("q")
            shown.shows("Quit?")
            shown.press("l")
            shown.shows("goes on without a window")
        status = desk.json("status")
        assert status["headless"] is True
        os.kill(status["pid"], signal.SIGTERM)
