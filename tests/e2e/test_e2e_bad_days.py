"""Bad days that must end well, with real processes."""

import os
import signal
import sys
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
        assert "lost      asker" in desk.run("status").stdout
        assert desk.run("decide", lost["approval_id"], "approve").returncode == 1
        wait_for(lambda: desk.json("status")["host"]["state"] == "up")
        assert "lost      asker" in desk.run("status").stdout
        again = start(desk, "ask make clean", name="second")
        assert desk.run("decide", desk.approval(of=again)["approval_id"], "approve").returncode == 0
        assert "lost" not in desk.run("status").stdout


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


def in_a_pane(desk: Machine, command: str) -> str:
    """What a command says in a shell of a pane, its exit status last."""
    told = desk.work / "told"
    told.unlink(missing_ok=True)

    async def type_it() -> None:
        client = HostClient(socket_path(desk.data, "herdr/herdr.sock"))
        pane = (await client.workspace_create(str(desk.work))).root_pane
        await client.pane_send_text(pane.pane_id, f"({command}) > {told} 2>&1; echo status $? >> {told}\n")

    trio.run(type_it)
    return wait_for(lambda: ended(told))


def test_an_agents_own_shell_cannot_decide_and_that_is_in_the_audit() -> None:
    with machine() as desk:
        terminal = start(desk, "ask rm -rf build")
        approval = desk.approval(of=terminal)
        tries = (
            ("approval.decide", f"collie decide {approval['approval_id']} approve", approval["approval_id"]),
            ("agent.prompt", "collie prompt asker yes", "asker"),
            ("agent.send_keys", "collie keys asker enter", "asker keys=enter"),
            ("pane.close", "collie close asker", "asker"),
        )
        for method, command, target in tries:
            text = in_a_pane(desk, command)
            assert "status 1" in text
            assert "from_panes" in text
            line = desk.audit()[-1]
            assert (line["peer"], line["method"], line["target"]) == ("inside a pane", method, target)
            assert line["result"].startswith("from_pane: process ")
        assert desk.approval(of=terminal)["approval_id"] == approval["approval_id"]


def test_what_was_put_into_the_background_and_cleared_its_environment_is_still_inside() -> None:
    with machine() as desk:
        approval = desk.approval(of=start(desk, "ask rm -rf build"))
        late = f"sleep 0.5; collie decide {approval['approval_id']} approve; echo status $?"
        orphan = f"env -u HERDR_PANE_ID sh -c '({late}) > late 2>&1 &'"
        in_a_pane(desk, orphan)
        text = wait_for(lambda: ended(desk.work / "late"))
        assert "status 1" in text
        assert "stands inside a pane" in text
        assert desk.approval()["approval_id"] == approval["approval_id"]


HOG = """
import os, socket, time
def hello(path):
    client = socket.socket(socket.AF_UNIX)
    client.connect(path)
    client.sendall(b'{"id":1,"method":"hello","params":{"protocol_version":25,"app_version":"x"}}' + bytes([10]))
    return client
held = [hello(os.environ["COLLIE_DATA_DIR"] + "/control.sock") for _ in range(64)]
held[-1].settimeout(5)
print(held[-1].recv(65536), flush=True)
print("status held", flush=True)
time.sleep(30)
"""


def test_from_a_pane_nobody_keeps_the_operator_out() -> None:
    with machine() as desk:
        start(desk, "say hello")
        (desk.work / "hog.py").write_text(HOG)
        in_a_pane(desk, f"{sys.executable} hog.py > held 2>&1 &")
        text = wait_for(lambda: ended(desk.work / "held"))
        assert "too many connections" in text
        for _ in range(3):
            assert desk.run("agents").returncode == 0


def test_a_control_socket_that_was_removed_comes_back() -> None:
    with machine() as desk:
        (desk.data / "control.sock").unlink()
        wait_for(lambda: desk.run("status").returncode == 0 or None)
        assert desk.daemon is not None
        assert desk.daemon.poll() is None


def test_a_daemon_that_lost_its_lock_ends_and_leaves_one_chain() -> None:
    with machine() as desk:
        start(desk, "say hello")
        first = desk.daemon
        assert first is not None
        for name in ("control.sock", "daemon.lock"):
            (desk.data / name).unlink()
        assert "ready" in desk.serve()
        assert first.wait(10) == 1
        assert "daemon.lock was removed or replaced" in (desk.data.parent / "daemon.log").read_text()
        assert desk.run("prompt", "asker", "say again").returncode == 0
        lines = desk.audit()
        assert [line["prev"] for line in lines[1:]] == [line["mac"] for line in lines[:-1]]


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
