"""The embedded host is found where it runs, started where it does not, and says why when it cannot."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest
import trio

from collie.daemon import embedded
from collie.daemon.embedded import ensure_embedded_host
from collie.errors import CollieError
from collie.herdr.client import HostClient
from collie.host.run import LOCK, LOG, SOCKET
from collie.store import lock_holder


@pytest.fixture
def data_dir() -> Iterator[Path]:
    folder = Path(tempfile.mkdtemp(prefix="collie-"))
    try:
        yield folder / "data"
    finally:
        shutil.rmtree(folder)


def test_its_names_are_the_hosts() -> None:
    assert (embedded.SOCKET, embedded.LOCK, embedded.LOG) == (SOCKET, LOCK, LOG)


def prepare(data_dir: Path, *, mode: int = 0o700, socket: str | None = None) -> None:
    data_dir.mkdir(mode=mode)
    if socket is not None:
        (data_dir / "herdr").mkdir(mode=0o700)
        (data_dir / SOCKET).write_text(socket)


async def gone(path: Path) -> None:
    with trio.fail_after(5):
        while os.path.lexists(path):  # noqa: ASYNC110, ASYNC240 - another process removes it
            await trio.sleep(0.01)


async def stopped(client: HostClient) -> None:
    await client.server_stop()
    await gone(client.socket_path)


@pytest.mark.trio
async def test_it_is_started_once_and_found_again(data_dir: Path) -> None:
    path = await ensure_embedded_host(data_dir)
    assert path == data_dir / "herdr/herdr.sock"
    client = HostClient(path)
    try:
        assert (await client.ping()).conditional_input
        await client.workspace_create("/")
        assert await ensure_embedded_host(data_dir) == path
        assert len(await client.pane_list()) == 1
    finally:
        await stopped(client)


@pytest.mark.trio
async def test_one_whose_socket_was_removed_is_waited_for_and_not_started_again(data_dir: Path) -> None:
    path = await ensure_embedded_host(data_dir)
    client, holder = HostClient(path), lock_holder(data_dir / LOCK)
    try:
        await client.workspace_create("/")
        path.unlink()
        assert await ensure_embedded_host(data_dir) == path
        assert len(await client.pane_list()) == 1
        assert lock_holder(data_dir / LOCK) == holder
    finally:
        await stopped(client)


@pytest.mark.trio
async def test_one_that_is_ending_is_waited_for_and_followed_by_another(data_dir: Path) -> None:
    path = await ensure_embedded_host(data_dir)
    client = HostClient(path)
    first = lock_holder(data_dir / LOCK)
    await client.workspace_create("/", env={"ENV": "/dev/null"})
    await client.pane_send_text("w1:p1", "trap '' HUP; while :; do sleep 1; done\r")
    await trio.sleep(0.2)
    await client.server_stop()
    await gone(path)
    try:
        assert lock_holder(data_dir / LOCK) == first, "its pane is being ended"
        assert await ensure_embedded_host(data_dir) == path
        assert lock_holder(data_dir / LOCK) not in (first, None)
        assert await client.pane_list() == ()
    finally:
        await stopped(client)


@pytest.mark.trio
async def test_a_long_data_directory_gets_its_socket_elsewhere(data_dir: Path) -> None:
    path = await ensure_embedded_host(data_dir.with_name("x" * 120))
    assert data_dir.parent not in path.parents
    assert (await HostClient(path).ping()).version
    await stopped(HostClient(path))
    path.parent.rmdir()


@pytest.mark.trio
async def test_several_that_want_it_at_once_get_the_same(data_dir: Path) -> None:
    found: list[Path] = []

    async def ensure() -> None:
        found.append(await ensure_embedded_host(data_dir))

    async with trio.open_nursery() as nursery:
        for _ in range(3):
            nursery.start_soon(ensure)
    assert len(set(found)) == 1
    hosts = [each for each in psutil.Process().children() if each.status() != psutil.STATUS_ZOMBIE]
    assert len(hosts) == 1, "who came second does not wait for the first one's end"
    await stopped(HostClient(found[0]))


@pytest.mark.trio
async def test_it_is_in_a_session_of_its_own_and_ends_with_its_lifeline(data_dir: Path) -> None:
    reading, writing = os.pipe()
    path = await ensure_embedded_host(data_dir, lifeline=reading)
    os.close(reading)
    lock = int((data_dir / "herdr/host.lock").read_text())
    assert os.getsid(lock) == lock
    os.close(writing)
    await gone(path)


@pytest.mark.trio
async def test_it_outlives_who_started_it(data_dir: Path) -> None:
    code = (
        "import sys, trio; from pathlib import Path; from collie.daemon.embedded import ensure_embedded_host;"
        "print(trio.run(ensure_embedded_host, Path(sys.argv[1])), flush=True); sys.stdin.read()"
    )
    starter = await trio.lowlevel.open_process(
        [sys.executable, "-c", code, str(data_dir)], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert starter.stdout is not None
    path = Path((await starter.stdout.receive_some()).decode().strip())
    starter.kill()
    await starter.wait()
    assert (await HostClient(path).ping()).version
    await stopped(HostClient(path))


@pytest.mark.trio
async def test_why_it_does_not_start_is_said_in_one_line(data_dir: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "LOSER_WAIT", 0.1)
    prepare(data_dir, socket="precious")
    with pytest.raises(CollieError, match=r"did not start: collie: .* is no socket: move it away \(log: "):
        await ensure_embedded_host(data_dir)


@pytest.mark.trio
async def test_a_folder_that_others_can_read_is_refused(data_dir: Path) -> None:
    prepare(data_dir, mode=0o755)
    with pytest.raises(CollieError, match="chmod 700"):
        await ensure_embedded_host(data_dir)
    assert not (data_dir / "herdr").exists()
