"""A whole daemon: its lock, its files, its thread, its end; over a scripted host."""

import os
import signal as signals
import stat
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from functools import partial
from pathlib import Path

import pytest
import trio
from tools.control_house import short_folder
from tools.fake_herdr import FakeHerdr

from collie.client.connection import Connection, ConnectionLost, connect_control
from collie.daemon.config import Config, HostKind
from collie.daemon.run import AlreadyRunning, Running, run_daemon, start_in_thread
from collie.errors import CollieError, sole_error
from collie.protocol.errors import Code, WireError
from collie.protocol.events import DaemonStopping
from collie.protocol.methods import (
    AuditResult,
    AuditTailParams,
    DaemonStatusResult,
    FlockResult,
    Nothing,
    Ok,
    Surface,
)


@contextmanager
def a_config(*, from_panes: bool = True) -> Iterator[Config]:
    """A data directory, and where a daemon of it looks for herdr. Callers count as outside, wherever tests are run."""
    with short_folder() as folder:
        yield Config(
            data_dir=folder / "data",
            host_kind=HostKind.HERDR,
            from_panes=from_panes,
            environ={"HOME": str(folder), "HERDR_SOCKET_PATH": str(folder / "herdr.sock")},
        )


def socket_of(config: Config) -> Path:
    return Path(config.environ["HERDR_SOCKET_PATH"])


@asynccontextmanager
async def a_daemon(config: Config) -> AsyncIterator[Running]:
    async with trio.open_nursery() as nursery:
        host = FakeHerdr(socket_of(config))
        host.add_agent("claude", name="pruner")
        await nursery.start(host.run)
        yield await nursery.start(partial(run_daemon, config, headless=True))
        nursery.cancel_scope.cancel()


@pytest.mark.trio
async def test_it_serves_and_leaves_private_files() -> None:
    with a_config() as config:
        async with (
            a_daemon(config) as running,
            connect_control(running.control_socket, Surface.DASHBOARD) as connection,
        ):
            flock = await connection.call("flock.snapshot", Nothing())
            assert isinstance(flock, FlockResult)
            assert [agent.name for agent in flock.agents] == ["pruner"]
            status = await connection.call("daemon.status", Nothing())
            assert isinstance(status, DaemonStatusResult)
            assert (status.pid, status.headless, status.agents) == (os.getpid(), True, {"idle": 1})
            assert (config.data_dir / "daemon.lock").read_text() == f"{os.getpid()}\n"
        modes = {path.name: stat.S_IMODE(path.lstat().st_mode) for path in config.data_dir.iterdir()}
        assert {"daemon.lock", "audit.log", "audit.key"} <= modes.keys()
        assert set(modes.values()) == {0o600}
        assert stat.S_IMODE(config.data_dir.stat().st_mode) == 0o700


@pytest.mark.trio
async def test_a_second_one_is_refused_by_the_first_ones_name() -> None:
    with a_config() as config:
        async with a_daemon(config):
            with pytest.raises(
                AlreadyRunning, match=f"another collie is already running: process {os.getpid()}"
            ) as held:
                await run_daemon(config, headless=True)
            assert held.value.pid == os.getpid()


async def until_its_lock_is_gone(config: Config) -> None:
    with sole_error(), trio.fail_after(5.0):
        async with a_daemon(config):
            (config.data_dir / "daemon.lock").unlink()
            await trio.sleep_forever()


@pytest.mark.trio
async def test_one_whose_lock_was_taken_away_ends(caplog: pytest.LogCaptureFixture) -> None:
    """A second one may run by then, and two must not write one audit log."""
    with a_config() as config:
        with pytest.raises(CollieError, match=r"daemon\.lock was removed or replaced: this daemon ends") as lost:
            await until_its_lock_is_gone(config)
        assert not (config.data_dir / "control.sock").exists()
        assert str(lost.value) in caplog.text


@pytest.mark.trio
async def test_two_data_directories_have_two_daemons() -> None:
    with a_config() as one, a_config() as other:
        async with a_daemon(one) as first, a_daemon(other) as second:
            assert first.control_socket != second.control_socket


@pytest.mark.trio
async def test_its_end_is_told_and_waits_for_no_one() -> None:
    with a_config() as config:
        async with (
            a_daemon(config) as running,
            connect_control(running.control_socket, Surface.DASHBOARD) as connection,
        ):
            assert isinstance(await connection.call("daemon.stop", Nothing()), Ok)
            with trio.fail_after(2.0):
                events = [frame.event async for frame in connection.events]
            assert events[-1] == DaemonStopping(reason="stopped by desk")


@pytest.mark.trio
async def test_what_a_client_is_refused_is_audited() -> None:
    with a_config() as config:
        async with (
            a_daemon(config) as running,
            connect_control(running.control_socket, Surface.COMMAND_LINE) as connection,
        ):
            with pytest.raises(WireError):
                await connection.call("host.stop", Nothing())
            audit = await connection.call("audit.tail", AuditTailParams())
            assert isinstance(audit, AuditResult)
            assert [(line.peer, line.method, line.result.partition(":")[0]) for line in audit.lines] == [
                ("desk (command line)", "host.stop", "not_implemented")
            ]


CHILD = """
import sys, trio
from pathlib import Path
from collie.client.connection import connect_control
from collie.protocol.errors import WireError
from collie.protocol.methods import Nothing, Surface
async def main():
    async with connect_control(Path(sys.argv[1]), Surface.COMMAND_LINE) as connection:
        try:
            await connection.call("approval.list", Nothing())
        except WireError as error:
            print(error.code, error.message)
trio.run(main)
"""


@pytest.mark.trio
async def test_a_process_in_a_pane_is_refused_and_audited() -> None:
    with a_config(from_panes=False) as config:
        async with a_daemon(config) as running:
            done = await trio.run_process(
                [sys.executable, "-c", CHILD, str(running.control_socket)],
                env={**os.environ, "HERDR_PANE_ID": "w1:p1"},
                capture_stdout=True,
            )
        code, _, message = done.stdout.decode().partition(" ")
        assert code == Code.FROM_PANE
        assert "stands inside a pane" in message
        assert f"set [control] from_panes = true in {config.path}" in message
        (line,) = (config.data_dir / "audit.log").read_text().splitlines()
        assert '"peer":"inside a pane","method":"approval.list"' in line
        assert '"result":"from_pane: process ' in line


# In a thread


def test_in_a_thread_it_serves_and_ends() -> None:
    with a_config() as config:
        thread = start_in_thread(config)
        try:
            assert trio.run(_ask_status, thread.control_socket).headless is False
            with pytest.raises(AlreadyRunning):
                start_in_thread(config)
        finally:
            thread.stop("the test is over")
            thread.join(5.0)
        assert not thread.is_alive
        assert not thread.control_socket.exists()
        thread.stop("once more")


async def _ask_status(path: Path) -> DaemonStatusResult:
    async with connect_control(path, Surface.COMMAND_LINE) as connection:
        status = await connection.call("daemon.status", Nothing())
        assert isinstance(status, DaemonStatusResult)
        return status


def test_what_keeps_it_from_starting_is_raised() -> None:
    with a_config() as config:
        config.data_dir.mkdir(mode=0o755)
        with pytest.raises(CollieError, match="is open to other users"):
            start_in_thread(config)


# The command


def serve(config: Config, **env: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "collie", "--serve"],
        env={**os.environ, **config.environ, "COLLIE_DATA_DIR": str(config.data_dir), **env},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


@pytest.mark.parametrize("signal", ["TERM", "INT"])
def test_served_it_says_ready_once_and_ends_on_a_signal(signal: str) -> None:
    with a_config() as config, serve(config) as process:
        assert process.stdout is not None
        ready = process.stdout.readline()
        socket = config.data_dir / "control.sock"
        assert ready == f"collie: ready, pid {process.pid}, control socket {socket}\n"
        with serve(config) as second:
            out, err = second.communicate(timeout=10)
            assert (second.returncode, out) == (1, "")
            holds = f"process {process.pid} holds {config.data_dir}/daemon.lock"
            assert err == f"collie: another collie is already running: {holds}\n"
        process.send_signal(getattr(signals, f"SIG{signal}"))
        out, err = process.communicate(timeout=5)
        assert (process.returncode, out) == (0, "")
        assert f"ending: the daemon got SIG{signal}" in err
        assert not socket.exists()


def test_a_wrong_key_keeps_it_from_starting() -> None:
    with a_config() as config:
        config.data_dir.mkdir(mode=0o700)
        config.path.write_text("[control]\nfrom_pane = true\n")
        with serve(config) as process:
            out, err = process.communicate(timeout=10)
        assert (process.returncode, out) == (1, "")
        assert err == f'collie: {config.path}:2: unknown key "from_pane" in [control]; known: from_panes\n'


def test_a_wrong_level_is_a_usage_error() -> None:
    with a_config() as config, serve(config, COLLIE_LOG="loud") as process:
        _, err = process.communicate(timeout=10)
        assert process.returncode == 2
        assert err == "collie: COLLIE_LOG is 'loud': it is one of debug, info, warning, error\n"


@pytest.mark.trio
async def test_a_killed_one_leaves_nothing_that_stops_the_next() -> None:
    with a_config() as config:
        for _ in range(2):
            with serve(config) as process:
                assert process.stdout is not None
                assert process.stdout.readline().startswith("collie: ready")
                process.kill()
        with serve(config) as process:
            assert process.stdout is not None
            process.stdout.readline()
            async with connect_control(config.data_dir / "control.sock", Surface.DASHBOARD) as connection:
                process.kill()
                with pytest.raises(ConnectionLost):
                    await _calls_until_lost(connection)


async def _calls_until_lost(connection: Connection) -> None:
    while True:
        await connection.call("host.status", Nothing())
