"""Who calls, seen with real processes."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import psutil
import pytest
import trio

from collie.daemon.caller import REPORTER, Caller
from collie.daemon.config import Config
from collie.daemon.hosting import Hosting
from collie.daemon.identity import Identities
from collie.daemon.panes import PaneProcesses
from collie.daemon.tripwire import Peer, inside_pane, is_our_user, peer_of, program_of
from collie.protocol.errors import Code
from collie.protocol.methods import MethodClass, Surface

WAIT = "print(1, flush=True); input()"


def clean() -> dict[str, str]:
    """An environment as outside of any pane, wherever these tests are run."""
    return {key: value for key, value in os.environ.items() if not key.startswith("HERDR_")}


def runs_inside_a_pane() -> bool:
    return inside_pane(os.getpid(), ()) is not None


outside_only = pytest.mark.skipif(runs_inside_a_pane(), reason="these tests are run inside a pane")


@contextmanager
def child(code: str = WAIT, **env: str) -> Iterator[int]:
    """A process that waits; its id."""
    command = [sys.executable, "-c", code]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=clean() | env) as process:
        assert process.stdout is not None
        process.stdout.readline()
        try:
            yield process.pid
        finally:
            process.kill()


def identities(folder: Path, *, from_panes: bool = False) -> Identities:
    async def ensure() -> Path:
        raise AssertionError

    config = Config(data_dir=folder, from_panes=from_panes)
    hosting = Hosting(config, ensure)
    return Identities(config=config, hosting=hosting, panes=PaneProcesses(hosting.client))


@outside_only
def test_a_process_outside_is_outside() -> None:
    with child() as pid:
        assert inside_pane(pid, ()) is None


def test_the_environment_gives_it_away() -> None:
    with child(HERDR_PANE_ID="w1:p1") as pid:
        found = inside_pane(pid, ())
        assert found is not None
        assert (found.pid, found.program.startswith("python")) == (pid, True)
        assert found.witness == f"process {pid} has HERDR_PANE_ID"


GRANDCHILD = """
import os, subprocess, sys
env = {key: value for key, value in os.environ.items() if key != "HERDR_PANE_ID"}
process = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, env=env)
print(process.pid, flush=True)
input()
"""


def test_an_ancestors_environment_gives_it_away() -> None:
    with subprocess.Popen(
        [sys.executable, "-c", GRANDCHILD],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=clean() | {"HERDR_PANE_ID": "w1:p1"},
    ) as parent:
        assert parent.stdout is not None
        pid = int(parent.stdout.readline())
        found = inside_pane(pid, ())
        assert found is not None
        assert found.witness == f"process {parent.pid} has HERDR_PANE_ID"
        parent.kill()


def test_a_panes_process_among_the_ancestors_gives_it_away() -> None:
    with child() as pid:
        found = inside_pane(pid, {os.getpid()})
        assert found is not None
        assert (found.witness, found.pane) == (f"process {os.getpid()} is a pane's", os.getpid())


@pytest.mark.parametrize("pid", [0, 2**22 + 7])
def test_what_cannot_be_seen_is_inside(pid: int) -> None:
    assert inside_pane(pid, ()) is not None


@contextmanager
def orphan() -> Iterator[tuple[int, int]]:
    """A process whose parent has ended, and the shell of the pane that it was started in: a session of its own."""
    reading, writing = os.pipe()
    code = (
        "import os, sys, time\n"
        "if os.fork():\n"
        "    os.wait(); print(1, flush=True); sys.stdin.read()\n"
        "elif not os.fork():\n"
        f"    os.write({writing}, b'%d\\n' % os.getpid()); time.sleep(60)\n"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env=clean(),
        pass_fds=(writing,),
        start_new_session=True,
    ) as shell:
        pid = 0
        try:
            assert shell.stdout is not None
            shell.stdout.readline()
            pid = int(os.read(reading, 32))
            yield pid, shell.pid
        finally:
            shell.kill()
            if pid:
                os.kill(pid, signal.SIGKILL)
            os.close(reading)
            os.close(writing)


def test_what_has_lost_its_parent_is_still_in_the_session_of_its_pane() -> None:
    with orphan() as (pid, shell):
        assert psutil.Process(pid).ppid() != shell
        found = inside_pane(pid, {shell})
        assert found is not None
        assert (found.witness, found.pane) == (f"process {shell} is a pane's", shell)


def test_the_leader_of_its_session_leads_to_the_host() -> None:
    """As in a pane of a plain shell, which the daemon does not know one by one."""
    with orphan() as (pid, shell):
        found = inside_pane(pid, (), host=os.getpid())
        assert found is not None
        assert (found.witness, found.pane) == (f"process {os.getpid()} is the host", shell)


def test_all_that_stand_in_one_pane_are_told_from_others() -> None:
    with child() as one, child() as other:
        panes = [inside_pane(pid, (), host=os.getpid()) for pid in (one, other)]
        assert [found.pane for found in panes if found] == [one, other]


def test_a_programs_name_is_no_way_into_the_log() -> None:
    named = "import ctypes; ctypes.CDLL(None).prctl(15, b'a\\x1b[2J\\n', 0, 0, 0)\n" if sys.platform == "linux" else ""
    with child(named + WAIT) as pid:
        assert program_of(pid).isprintable()


async def caller_of(folder: Path, pid: int, surface: Surface | None, *, from_panes: bool = False) -> Caller:
    process = await identities(folder, from_panes=from_panes).look(1, Peer(pid=pid, uid=0))
    return process.caller(surface)


@outside_only
@pytest.mark.trio
@pytest.mark.parametrize(
    ("surface", "by"),
    [(Surface.DASHBOARD, "desk"), (Surface.COMMAND_LINE, "desk (command line)"), (None, "desk (command line)")],
)
async def test_the_operator_may_do_everything(tmp_path: Path, surface: Surface | None, by: str) -> None:
    with child() as pid:
        caller = await caller_of(tmp_path, pid, surface)
        assert (caller.by, caller.classes, caller.is_guest) == (by, frozenset(MethodClass), False)


@outside_only
@pytest.mark.trio
async def test_a_hook_may_only_report_wherever_it_stands(tmp_path: Path) -> None:
    with child() as pid:
        caller = await caller_of(tmp_path, pid, Surface.HOOK)
        assert (caller.classes, caller.is_guest) == (REPORTER, True)
        assert caller.refusal().code is Code.UNKNOWN_METHOD
        assert caller.told("unknown_method").startswith(f"unknown_method (process {pid} (python")


@pytest.mark.trio
@pytest.mark.parametrize(("surface", "by"), [(Surface.DASHBOARD, "inside a pane"), (Surface.HOOK, "hook")])
async def test_inside_a_pane_one_may_only_report_and_is_told_why(tmp_path: Path, surface: Surface, by: str) -> None:
    with child(HERDR_PANE_ID="w1:p1") as pid:
        caller = await caller_of(tmp_path, pid, surface)
        assert (caller.by, caller.classes) == (by, REPORTER)
        refusal = caller.refusal()
        assert refusal.code is Code.FROM_PANE
        assert f"process {pid} (python" in refusal.message
        assert f"set [control] from_panes = true in {tmp_path}/collie.toml" in refusal.message
        assert caller.told(refusal.message) == refusal.message


@pytest.mark.trio
async def test_the_configuration_opens_the_door(tmp_path: Path) -> None:
    with child(HERDR_PANE_ID="w1:p1") as pid:
        caller = await caller_of(tmp_path, pid, Surface.COMMAND_LINE, from_panes=True)
        assert MethodClass.APPROVAL in caller.classes


@pytest.mark.trio
async def test_the_kernel_says_who_connected() -> None:
    one, other = trio.socket.socketpair()
    with one, other:
        assert peer_of(one) == Peer(pid=os.getpid(), uid=os.geteuid())
        assert is_our_user(peer_of(other))
    assert not is_our_user(Peer(pid=1, uid=os.geteuid() + 1))
