"""Times of statuses over a restart, and a file that cannot be had."""

import os
from pathlib import Path

import pytest
import trio
from trio.testing import MockClock

from collie.daemon.flock import Flock, Since
from collie.daemon.since import keep_since, load_since

KNOWN = {"t1": Since(status="blocked", seq=7, since_ms=1_000), "t2": Since(status="idle", seq=0, since_ms=2_000)}


async def keep(folder: Path, flock: Flock, seconds: float) -> None:
    with trio.move_on_after(seconds):
        await keep_since(folder, flock)


@pytest.mark.trio
async def test_what_changed_is_there_again(tmp_path: Path, autojump_clock: MockClock) -> None:
    flock = Flock()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(keep, tmp_path, flock, 10.0)
        await trio.sleep(1)
        flock.since = dict(KNOWN)
    assert load_since(tmp_path) == KNOWN
    assert (tmp_path / "status.json").read_text().endswith("}\n")
    assert os.stat(tmp_path / "status.json").st_mode & 0o077 == 0


@pytest.mark.trio
async def test_what_does_not_change_is_not_written(tmp_path: Path, autojump_clock: MockClock) -> None:
    await keep(tmp_path, Flock(KNOWN), 60.0)
    assert os.listdir(tmp_path) == []


@pytest.mark.trio
async def test_a_folder_that_cannot_be_written_is_told_once(
    tmp_path: Path, autojump_clock: MockClock, caplog: pytest.LogCaptureFixture
) -> None:
    flock = Flock()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(keep, tmp_path / "nowhere", flock, 20.0)
        for number in range(5):
            await trio.sleep(3)
            flock.since = {"t1": Since(status="idle", seq=number, since_ms=number)}
    assert len(caplog.records) == 1


@pytest.mark.parametrize("text", ["", "{", "[]", '{"t1": 1}', '{"t1": ["idle", "x", 1]}', '{"t1": ["idle"]}'])
def test_what_is_not_understood_is_set_aside(tmp_path: Path, text: str) -> None:
    path = tmp_path / "status.json"
    path.touch(0o600)
    path.write_text(text)
    assert load_since(tmp_path) == {}
    assert os.listdir(tmp_path) == ["status.json.corrupt-1"]


def test_a_file_that_others_can_read_is_left_alone(tmp_path: Path) -> None:
    (tmp_path / "status.json").touch(0o644)
    assert load_since(tmp_path) == {}
    assert os.listdir(tmp_path) == ["status.json"]
