"""One host a data directory, from its start to its end, also when the end is not its own wish."""

import json
import os
import shutil
import signal
import socket
import stat
import subprocess
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import pytest
import trio
from tools.live_host import live_host
from tools.processes import Machine, machine, wait_for

from collie.errors import CollieError
from collie.host.host import Host
from collie.host.listener import HostRunning
from collie.host.pty import session_members
from collie.host.run import KINDS, Paths, run_host
from collie.store import lock_holder

ENVIRON = {"PATH": os.environ["PATH"], "SHELL": "/bin/sh", "HOME": "/"}


@asynccontextmanager
async def hosted(paths: Paths) -> AsyncIterator[Host]:
    async with trio.open_nursery() as nursery:
        host: Host = await nursery.start(run_host, paths, ENVIRON, KINDS)
        yield host
        host.stopping.set()


@contextmanager
def running(built: Machine, *options: str, **popen: object) -> Iterator["subprocess.Popen[str]"]:
    """A host in the foreground."""
    command = [sys.executable, "-m", "collie", "host", "run", *options]
    process = subprocess.Popen(command, env=built.environ, text=True, stderr=subprocess.PIPE, **popen)  # type: ignore[call-overload]
    try:
        yield process
    finally:
        process.kill()
        process.communicate()


@contextmanager
def place() -> Iterator[Machine]:
    """A data directory whose host, if there is one, is the test's to end."""
    folder = Path(tempfile.mkdtemp(prefix="collie-"))
    try:
        yield Machine(folder, {"SHELL": "/bin/sh"})
    finally:
        shutil.rmtree(folder)


def answers(path: Path) -> bool:
    with socket.socket(socket.AF_UNIX) as probe:
        try:
            probe.connect(str(path))
        except OSError:
            return False
        probe.sendall(b'{"id":"1","method":"ping","params":{}}\n')
        return b"pong" in probe.recv(1000)


@pytest.mark.trio
async def test_a_socket_that_nobody_answers_on_is_replaced() -> None:
    async with live_host() as live:
        stale = Paths.of(live.folder / "other")
        stale.socket.parent.mkdir(parents=True, mode=0o700)
        stale.socket.parent.parent.chmod(0o700)
        with socket.socket(socket.AF_UNIX) as left:
            left.bind(str(stale.socket))
        async with hosted(stale):
            assert await trio.to_thread.run_sync(answers, stale.socket)
        assert not stale.socket.exists()


@pytest.mark.trio
async def test_what_is_no_socket_and_what_answers_is_left_alone() -> None:
    async with live_host() as live:
        paths = Paths.of(live.folder / "other")
        paths.socket.parent.mkdir(parents=True, mode=0o700)
        paths.socket.parent.parent.chmod(0o700)
        with socket.socket(socket.AF_UNIX) as somebody:
            somebody.bind(str(paths.socket))
            somebody.listen()
            with pytest.raises(HostRunning):
                await run_host(paths, ENVIRON, KINDS)
        paths.socket.unlink()
        paths.socket.write_text("precious")
        with pytest.raises(CollieError, match="no socket"):
            await run_host(paths, ENVIRON, KINDS)
        assert paths.socket.read_text() == "precious"


@pytest.mark.trio
async def test_a_second_host_is_turned_away_and_the_first_goes_on() -> None:
    async with live_host() as live:
        with pytest.raises(HostRunning, match=f"process {os.getpid()}"):
            await run_host(Paths.of(live.folder / "data"), ENVIRON, KINDS)
        assert (await live.call("ping"))["type"] == "pong"


@pytest.mark.trio
async def test_a_socket_that_was_removed_is_made_again(caplog: pytest.LogCaptureFixture) -> None:
    async with live_host() as live:
        await live.agent()
        async with live.stream("pane.exited") as stream:
            for _ in range(2):
                live.socket.unlink()
                await live.until(live.socket.exists)
                assert [each["pane_id"] for each in (await live.call("agent.list"))["agents"]] == ["w1:p1"]
            assert stat.S_IMODE(live.socket.stat().st_mode) == 0o600
            await live.call("pane.close", pane_id="w1:p1")
            await live.call("workspace.create")
            await live.type("w2:p1", "exit\r")
            assert (await stream.event())["data"]["pane_id"] == "w2:p1", "streams go on meanwhile"
        assert "socket's file had been removed" in caplog.text


@pytest.mark.trio
async def test_a_folder_that_was_removed_is_made_again_with_its_lock() -> None:
    async with live_host() as live:
        shutil.rmtree(live.socket.parent)
        await live.until(live.socket.exists)
        assert (await live.call("ping"))["type"] == "pong"
        assert lock_holder(live.socket.parent / "host.lock") == os.getpid()
        with pytest.raises(HostRunning):
            await run_host(Paths.of(live.folder / "data"), ENVIRON, KINDS)


@pytest.mark.trio
async def test_of_two_hosts_the_first_waits_until_the_second_has_gone(caplog: pytest.LogCaptureFixture) -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        paths = Paths.of(live.folder / "data")
        paths.lock.unlink()
        paths.socket.unlink()
        async with hosted(paths):
            await live.until(lambda: "cannot be reached: a host runs already" in caplog.text)
            assert (await live.call("pane.list"))["panes"] == []
        await live.until(live.socket.exists)
        assert len((await live.call("pane.list"))["panes"]) == 1


@pytest.mark.trio
async def test_a_host_without_a_data_directory_ends_with_its_last_pane(caplog: pytest.LogCaptureFixture) -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        shutil.rmtree(live.folder / "data")
        await live.until(lambda: "data directory was removed" in caplog.text)
        assert not live.host.stopping.is_set()
        live.host.close_pane(live.pane("w1:p1"))
        await live.until(live.host.stopping.is_set)
        assert not (live.folder / "data").exists()


@pytest.mark.trio
async def test_a_socket_that_is_not_ours_any_more_is_not_removed() -> None:
    async with live_host() as live:
        paths = Paths.of(live.folder / "other")
        paths.socket.parent.parent.mkdir(mode=0o700)
        async with hosted(paths):
            paths.socket.unlink()
            paths.socket.write_text("another's")
        assert paths.socket.read_text() == "another's"


@pytest.mark.trio
async def test_stop_is_answered_and_streams_are_closed_and_panes_end() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        shell = live.pane("w1:p1").pty.pid
        async with live.stream("pane.exited") as stream:
            assert await live.call("server.stop") == {"type": "ok"}
            assert await stream.line() == b""
        await live.until(lambda: not session_members(shell))
        assert not live.socket.exists()


@pytest.mark.trio
async def test_a_client_that_is_killed_is_no_loss() -> None:
    async with live_host() as live:
        await live.agent()
        code = (
            "import socket,sys,time;s=socket.socket(socket.AF_UNIX);s.connect(sys.argv[1]);"
            's.sendall(b\'{"id":"1","method":"events.subscribe","params":{"subscriptions":[{"type":"pane.output"}]}}\\n\');'
            "s.recv(100);print(1,flush=True);time.sleep(60)"
        )
        for _ in range(3):
            client = await trio.lowlevel.open_process(
                [sys.executable, "-S", "-c", code, str(live.socket)], stdout=subprocess.PIPE
            )
            assert client.stdout is not None
            await client.stdout.receive_some()
            client.kill()
            await client.wait()
            await live.type("w1:p1", "w")
        await live.until(lambda: live.pane("w1:p1").agent.machine.state == "working")


def test_two_starts_at_once_give_one_host() -> None:
    with machine(serving=False) as built:
        command = [sys.executable, "-m", "collie", "host", "start"]
        starts = [subprocess.Popen(command, env=built.environ, stdout=subprocess.PIPE, text=True) for _ in range(3)]
        said = {start.communicate()[0] for start in starts}
        assert [start.returncode for start in starts] == [0, 0, 0]
        assert said == {f"the host runs (process {built.host_pid()}): {Paths.of(built.data).socket}\n"}


def test_status_stop_and_what_stop_asks() -> None:
    with machine(serving=False) as built:
        done = built.run("host", "status", "--json")
        assert (done.returncode, done.stdout) == (1, '{"running":false}\n')
        built.run("host", "start")
        status = built.json("host", "status")
        assert status["running"] is True
        assert (status["workspaces"], status["panes"], status["agents"]) == (0, 0, [])
        assert built.run("host", "stop").returncode == 0
        wait_for(lambda: built.run("host", "status").returncode == 1)
        log = Paths.of(built.data).log
        assert stat.S_IMODE(log.stat().st_mode) == 0o600
        assert "stopped" in log.read_text()


def test_stop_asks_while_agents_run() -> None:
    with place() as built, running(built) as host:
        path = Paths.of(built.data).socket
        wait_for(lambda: answers(path))
        _create(path)
        _ask(path, "agent.start", name="pruner", kind="practice", pane_id="w1:p1")
        done = built.run("host", "stop")
        assert (done.returncode, done.stderr) == (
            1,
            "collie: agents run in the host (pruner): `collie host stop --yes` ends them too\n",
        )
        for answer, code in ((b"n\n", 1), (b"y\n", 0)):
            assert host.poll() is None
            keyboard, terminal = os.openpty()
            os.write(keyboard, answer)
            command = [sys.executable, "-m", "collie", "host", "stop"]
            stop = subprocess.run(command, env=built.environ, stdin=terminal, capture_output=True, text=True)
            assert "End it? [y/N]" in stop.stderr
            assert stop.returncode == code
            os.close(keyboard)
            os.close(terminal)
        assert host.wait(10) == 0


def test_agents_outlive_a_host_start_and_end_with_kill_9_of_the_host() -> None:
    with place() as built, running(built) as host:
        socket_path = Paths.of(built.data).socket
        wait_for(lambda: answers(socket_path))
        _create(socket_path)
        (shell,) = wait_for(lambda: _children(host.pid))
        assert built.run("host", "start").returncode == 0
        assert built.host_pid() == host.pid
        host.kill()
        wait_for(lambda: not session_members(shell))
        assert not answers(socket_path)
        with running(built):
            wait_for(lambda: answers(socket_path))


@pytest.mark.parametrize("end", ["closed", "killed"])
def test_a_host_with_a_lifeline_ends_with_it(end: str) -> None:
    reading, writing = os.pipe()
    holder = subprocess.Popen(["sleep", "60"], pass_fds=(writing,))
    os.close(writing)
    options = ("--lifeline", str(reading))
    try:
        with (
            machine({"SHELL": "/bin/sh"}, serving=False) as built,
            running(built, *options, pass_fds=(reading,)) as host,
        ):
            socket_path = Paths.of(built.data).socket
            wait_for(lambda: answers(socket_path))
            _create(socket_path)
            (shell,) = wait_for(lambda: _children(host.pid))
            (holder.kill if end == "killed" else holder.terminate)()
            assert host.wait(10) == 0
            assert not session_members(shell)
            assert not socket_path.exists()
    finally:
        os.close(reading)
        holder.kill()
        holder.wait()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_signals_end_a_host_in_order(number: signal.Signals) -> None:
    with place() as built, running(built) as host:
        socket_path = Paths.of(built.data).socket
        wait_for(lambda: answers(socket_path))
        _create(socket_path)
        host.send_signal(number)
        assert host.wait(10) == 0
        assert not socket_path.exists()


def test_a_host_that_cannot_be_reached_is_named_and_ended() -> None:
    with place() as built, running(built) as host:
        path = Paths.of(built.data).socket
        wait_for(lambda: answers(path))
        _create(path)
        (shell,) = wait_for(lambda: _children(host.pid))
        path.unlink()
        path.write_text("in the way")
        status = built.run("host", "status")
        assert (status.returncode, f"(process {host.pid}) runs, but does not answer" in status.stdout) == (1, True)
        assert json.loads(built.run("host", "status", "--json").stdout) == {
            "running": True,
            "answers": False,
            "pid": host.pid,
        }
        start = built.run("host", "start")
        assert (start.returncode, "`collie host stop --yes` ends it" in start.stderr) == (1, True)
        stop = built.run("host", "stop")
        assert (stop.returncode, "--yes" in stop.stderr) == (1, True)
        assert host.poll() is None
        assert built.run("host", "stop", "--yes").stdout == "the host has ended, and what ran in it\n"
        assert host.wait(10) == 0
        assert not session_members(shell)
        assert built.run("host", "stop", "--yes").stdout == "no host runs\n"


def test_a_second_host_says_who_is_there() -> None:
    with place() as built, running(built) as host:
        wait_for(lambda: answers(Paths.of(built.data).socket))
        done = built.run("host", "run")
        assert done.returncode == 1
        assert done.stderr == f"collie: a host runs already (process {host.pid}): see `collie host status`\n"


def _create(path: Path) -> None:
    _ask(path, "workspace.create")


def _ask(path: Path, method: str, **params: object) -> None:
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        client.sendall(json.dumps({"id": "1", "method": method, "params": params}).encode() + b"\n")
        assert b"result" in client.recv(10_000)


def _children(pid: int) -> list[int]:
    return [int(each) for each in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
