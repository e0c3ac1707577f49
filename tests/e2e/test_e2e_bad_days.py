"""Bad days that must end well, with real processes."""

import os
import signal
import time
from pathlib import Path

import pytest
import trio
from tools.processes import Machine, machine, wait_for

from collie.herdr.client import HostClient
from collie.store import socket_path


def start(desk: Machine, prompt: str, name: str = "asker") -> str:
    return str(desk.json("start", "practice", "--name", name, "--prompt", prompt)["terminal_id"])


def screen(desk: Machine, terminal: str) -> str:
    return desk.run("read", terminal).stdout


@pytest.mark.parametrize("delay", [0.12, 0.2, 0.3, 0.4])
def test_a_daemon_killed_while_it_answers_sends_nothing_twice_and_asks_anew(delay: float) -> None:
    with machine() as desk:
        terminal = start(desk, "ask rm -rf build")
        first = desk.approval(of=terminal)
        decider = desk.begin("decide", first["approval_id"], "deny")
        time.sleep(delay)
        desk.kill_daemon()
        decider.wait(20)
        before = screen_of_host(desk)
        assert "ready" in desk.serve()
        if "Do you want to proceed?" in before:
            anew = desk.approval(of=terminal)
            assert anew["approval_id"] != first["approval_id"]
            assert desk.run("decide", first["approval_id"], "deny").returncode == 1
            assert desk.run("decide", anew["approval_id"], "deny").returncode == 0
        wait_for(lambda: "Interrupted" in screen(desk, terminal))
        assert "Bash(rm -rf build)" not in screen(desk, terminal)


def screen_of_host(desk: Machine) -> str:
    """What the one pane shows, asked of the host itself."""

    async def read() -> str:
        client = HostClient(socket_path(desk.data, "herdr/herdr.sock"))
        return (await client.pane_read((await client.pane_list())[0].pane_id, "visible")).text  # type: ignore[arg-type]

    return trio.run(read)


def test_a_killed_host_is_said_to_be_lost_with_its_agents_and_comes_back() -> None:
    with machine() as desk:
        terminal = start(desk, "ask rm -rf build")
        lost = desk.approval(of=terminal)
        os.kill(desk.host_pid(), signal.SIGKILL)
        status = wait_for(lambda: (found := desk.json("status"))["host"]["lost"] and found)
        assert "asker" in status["host"]["lost"]
        assert desk.run("decide", lost["approval_id"], "approve").returncode == 1
        wait_for(lambda: desk.json("status")["host"]["state"] == "up")
        again = start(desk, "ask make clean", name="second")
        assert desk.run("decide", desk.approval(of=again)["approval_id"], "approve").returncode == 0


def test_agents_outlive_their_daemon() -> None:
    with machine() as desk:
        terminal = start(desk, "work 600")
        desk.kill_daemon()
        assert "ready" in desk.serve()
        wait_for(lambda: [each["status"] for each in desk.json("agents")["agents"]] == ["working"])
        assert desk.json("agents")["agents"][0]["terminal_id"] == terminal


def test_a_pane_closed_while_it_is_answered_ends_the_approval() -> None:
    with machine() as desk:
        terminal = start(desk, "ask rm -rf build")
        approval = desk.approval(of=terminal)
        decider = desk.begin("decide", approval["approval_id"], "deny")
        assert desk.run("close", terminal).returncode == 0
        decider.wait(20)
        wait_for(lambda: desk.approvals() == [])
        assert desk.run("decide", approval["approval_id"], "deny").returncode == 1


def test_an_agents_own_shell_cannot_decide_and_that_is_in_the_audit() -> None:
    with machine() as desk:
        approval = desk.approval(of=start(desk, "ask rm -rf build"))
        told = desk.work / "told"
        command = f"collie decide {approval['approval_id']} approve > {told} 2>&1; echo status $? >> {told}\n"

        async def type_in_a_pane() -> None:
            client = HostClient(socket_path(desk.data, "herdr/herdr.sock"))
            pane = (await client.workspace_create(str(desk.work))).root_pane
            await client.pane_send_text(pane.pane_id, command)

        trio.run(type_in_a_pane)
        text = wait_for(lambda: ended(told))
        assert "status 1" in text
        assert "from_panes" in text
        assert desk.approval()["approval_id"] == approval["approval_id"]
        assert [each for each in desk.audit() if "pane" in each["result"]]


def ended(told: Path) -> str | None:
    """What a shell command wrote, once it has written its status."""
    text = told.read_text() if told.exists() else ""
    return text if "status" in text else None


def test_a_second_daemon_names_the_first() -> None:
    with machine() as desk:
        second = desk.run("--serve")
        assert second.returncode == 1
        assert desk.daemon is not None
        assert str(desk.daemon.pid) in second.stderr
        assert second.stderr.strip().count("\n") == 0


def test_a_stale_socket_and_lock_do_not_keep_a_daemon_from_starting() -> None:
    with machine() as desk:
        desk.kill_daemon()
        assert "ready" in desk.serve()


@pytest.mark.parametrize("text", ["[host]\nknd = 'auto'\n", "[hosts]\n", "[host]\nkind = 7\n", "[host\n"])
def test_a_wrong_configuration_is_one_line_with_file_and_line(text: str) -> None:
    with machine(serving=False) as desk:
        desk.data.mkdir(mode=0o700)
        (desk.data / "collie.toml").write_text(text)
        done = desk.run("--serve")
        assert done.returncode == 1
        assert "collie.toml:" in done.stderr
        assert done.stderr.strip().count("\n") == 0


def spoil_mode(folder: Path) -> None:
    folder.mkdir(mode=0o700)
    folder.chmod(0o755)


def spoil_file(folder: Path) -> None:
    folder.write_text("")


def spoil_link(folder: Path) -> None:
    elsewhere = folder.parent / "elsewhere"
    elsewhere.mkdir(mode=0o700)
    folder.symlink_to(elsewhere)


def spoil_owner(folder: Path) -> None:
    if os.geteuid() != 0:
        pytest.skip("only root can give a folder away")
    folder.mkdir(mode=0o700)
    os.chown(folder, 12345, 12345)


@pytest.mark.parametrize("spoil", [spoil_mode, spoil_file, spoil_link, spoil_owner])
@pytest.mark.parametrize("command", [["--serve"], ["host", "start"]])
def test_a_data_directory_that_cannot_be_trusted_is_one_line(spoil: object, command: list[str]) -> None:
    with machine(serving=False) as desk:
        spoil(desk.data)  # type: ignore[operator]
        done = desk.run(*command)
        assert done.returncode == 1
        assert str(desk.data) in done.stderr
        assert done.stderr.strip().count("\n") == 0
