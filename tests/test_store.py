"""Private folders and files, locks, and the errors a person reads when a data directory cannot be used."""

import errno
import logging
import os
import resource
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collie import store
from collie.errors import CollieError
from collie.store import FileLock, LockHeld, lock_holder

as_root = pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")


def mode(path: Path) -> int:
    return stat.S_IMODE(os.lstat(path).st_mode)


# Where


def test_the_environment_names_the_data_directory(tmp_path: Path) -> None:
    assert store.data_dir({"COLLIE_DATA_DIR": str(tmp_path)}) == tmp_path


def test_a_relative_data_directory_is_refused() -> None:
    with pytest.raises(CollieError, match="must be an absolute path"):
        store.data_dir({"COLLIE_DATA_DIR": "here"})


def test_without_it_the_platform_decides() -> None:
    assert store.data_dir({}).name == "collie"


def test_a_short_socket_path_is_in_the_data_directory() -> None:
    assert store.socket_path(Path("/srv/c"), "control.sock") == Path("/srv/c/control.sock")


@given(st.integers(min_value=1, max_value=300))
def test_no_socket_path_is_too_long(length: int) -> None:
    directory = Path("/" + "d" * length)
    path = store.socket_path(directory, "herdr/herdr.sock")
    assert len(os.fsencode(path)) < store.SOCKET_PATH_BYTES
    assert str(path).endswith("herdr/herdr.sock")


def test_long_data_directories_have_sockets_of_their_own() -> None:
    one, other = (store.socket_path(Path("/" + "d" * 200 + end), "control.sock") for end in "ab")
    assert one != other
    assert one.parent.parent == other.parent.parent


# Folders


def test_a_folder_is_made_closed_with_its_parents(tmp_path: Path) -> None:
    made = store.private_dir(tmp_path / "a" / "b")
    assert (mode(made), mode(made.parent)) == (0o700, 0o700)
    assert store.private_dir(made) == made


@pytest.mark.parametrize("bits", [0o750, 0o701, 0o777])
def test_a_folder_that_is_open_to_others_is_refused(tmp_path: Path, bits: int) -> None:
    folder = tmp_path / "open"
    folder.mkdir()
    folder.chmod(bits)
    with pytest.raises(CollieError, match=rf"{folder} is open to other users \(mode {bits:04o}\): chmod 700 {folder}"):
        store.private_dir(folder)


def test_neither_a_link_nor_a_file_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir(mode=0o700)
    (tmp_path / "link").symlink_to(tmp_path / "real")
    (tmp_path / "file").touch()
    for name in ("link", "file"):
        with pytest.raises(CollieError, match="is not a folder"):
            store.private_dir(tmp_path / name)


@as_root
def test_another_users_folder_is_refused(tmp_path: Path) -> None:
    folder = tmp_path / "theirs"
    folder.mkdir(mode=0o700)
    os.chown(folder, 12345, 12345)
    with pytest.raises(CollieError, match="belongs to user 12345, not to you"):
        store.private_dir(folder)


# Files


def test_a_file_is_written_closed_and_read_back(tmp_path: Path) -> None:
    path = tmp_path / "key"
    store.write_private(path, b"one")
    store.write_private(path, b"two", durable=False)
    assert store.read_private(path) == b"two"
    assert mode(path) == 0o600
    assert os.listdir(tmp_path) == ["key"]


def test_what_is_not_there_is_none(tmp_path: Path) -> None:
    assert store.read_private(tmp_path / "nothing") is None


def test_writing_never_goes_through_a_link(tmp_path: Path) -> None:
    target, path = tmp_path / "target", tmp_path / "key"
    target.write_text("theirs")
    path.symlink_to(target)
    (tmp_path / "key.tmp").symlink_to(target)
    store.write_private(path, b"ours")
    assert target.read_text() == "theirs"
    assert not path.is_symlink()


def test_reading_never_goes_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "target")
    with pytest.raises(CollieError, match="it is a symbolic link"):
        store.read_private(tmp_path / "link")


def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe", 0o600)
    with pytest.raises(CollieError, match="is not a regular file"):
        store.read_private(tmp_path / "pipe")


def test_a_file_that_is_open_to_others_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key"
    store.write_private(path, b"x")
    path.chmod(0o640)
    with pytest.raises(CollieError, match=rf"\(mode 0640\): chmod 600 {path}"):
        store.read_private(path)


@as_root
def test_another_users_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "key"
    store.write_private(path, b"x")
    os.chown(path, 12345, 12345)
    with pytest.raises(CollieError, match="belongs to user 12345"):
        store.read_private(path)


def test_a_corrupt_file_is_set_aside_beside_older_ones(tmp_path: Path) -> None:
    path = tmp_path / "stars.json"
    names = []
    for text in ("a", "b"):
        path.write_text(text)
        names.append(store.set_aside(path).name)
    assert names == ["stars.json.corrupt-1", "stars.json.corrupt-2"]
    assert (tmp_path / names[0]).read_text() == "a"


# Faults


@pytest.mark.parametrize(
    ("code", "words"),
    [
        (errno.ENOSPC, "the disk is full; free some space"),
        (errno.EDQUOT, "quota"),
        (errno.EROFS, "the file system is read-only; make it writable, or name another folder with COLLIE_DATA_DIR"),
        (errno.EACCES, "permission denied; give it back"),
        (errno.EIO, os.strerror(errno.EIO)),
    ],
)
@pytest.mark.parametrize("call", ["open", "fsync", "rename"])
def test_a_failed_write_leaves_the_old_file_and_says_why(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: str, code: int, words: str
) -> None:
    path = tmp_path / "peers.json"
    store.write_private(path, b"old")

    def fail(*_: object, **__: object) -> None:
        raise OSError(code, os.strerror(code))

    with monkeypatch.context() as patched:
        patched.setattr(os, call, fail)
        with pytest.raises(CollieError) as refused:
            store.write_private(path, b"new")
    assert str(refused.value).startswith(f"cannot write {path}: ")
    assert words in str(refused.value)
    assert "\n" not in str(refused.value)
    assert store.read_private(path) == b"old"
    assert os.listdir(tmp_path) == ["peers.json"]


def test_a_disk_that_fills_up_in_the_middle_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "peers.json"
    store.write_private(path, b"old")
    with file_size_limit(4_096), pytest.raises(CollieError, match="cannot write"):
        store.write_private(path, b"n" * 10_000)
    assert store.read_private(path) == b"old"
    assert os.listdir(tmp_path) == ["peers.json"]


@contextmanager
def file_size_limit(size: int) -> Iterator[None]:
    """Writes past so many bytes of a file fail, after those before it."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def test_a_folder_on_a_read_only_disk_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(os, "mkdir", fail)
    with pytest.raises(CollieError, match=r"cannot make the folder .* the file system is read-only"):
        store.private_dir(tmp_path / "new")


# Locks

HOLD = """
import sys, pathlib, collie.store
lock = collie.store.FileLock.take(pathlib.Path(sys.argv[1]))
print("held", flush=True)
input()
"""


def test_a_refused_lock_names_its_holder(tmp_path: Path) -> None:
    path = tmp_path / "daemon.lock"
    with subprocess.Popen([sys.executable, "-c", HOLD, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as holder:
        assert holder.stdout is not None
        holder.stdout.readline()
        with pytest.raises(LockHeld, match=f"process {holder.pid} holds the lock") as held:
            FileLock.take(path)
        assert held.value.pid == holder.pid
        holder.kill()
        holder.wait()
        FileLock.take(path).release()


def test_who_holds_a_lock_is_known_while_it_is_held(tmp_path: Path) -> None:
    path = tmp_path / "daemon.lock"
    assert lock_holder(path) is None
    with FileLock.take(path):
        assert lock_holder(path) == os.getpid()
    assert lock_holder(path) is None
    for left in (b"%d\n" % os.getpid(), b"999999999\n", b"0\n", b"9" * 30, b"x"):
        path.write_bytes(left)
        assert lock_holder(path) is None, "an id that is left is no holder"


def test_a_lock_can_be_taken_again_when_it_was_let_go(tmp_path: Path) -> None:
    path = tmp_path / "daemon.lock"
    with FileLock.take(path) as lock:
        assert path.read_text() == f"{os.getpid()}\n"
        with pytest.raises(LockHeld):
            FileLock.take(path)
    lock.release()
    with FileLock.take(path):
        assert mode(path) == 0o600


def test_a_lock_is_not_taken_through_a_link(tmp_path: Path) -> None:
    (tmp_path / "target").touch(0o600)
    (tmp_path / "daemon.lock").symlink_to(tmp_path / "target")
    with pytest.raises(CollieError, match="symbolic link"):
        FileLock.take(tmp_path / "daemon.lock")


def test_a_full_disk_keeps_nobody_from_the_lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "pwrite", full)
    path = tmp_path / "daemon.lock"
    with FileLock.take(path), pytest.raises(LockHeld, match="another process holds"):
        FileLock.take(path)


def test_a_socket_in_the_place_of_a_lock_is_refused(tmp_path: Path) -> None:
    path = Path(os.path.relpath(tmp_path / "daemon.lock"))
    with socket.socket(socket.AF_UNIX) as sock:
        sock.bind(str(path))
        with pytest.raises(CollieError, match="cannot open the lock"):
            FileLock.take(path)


def test_a_log_is_private_also_after_it_was_rotated(tmp_path: Path) -> None:
    root, before = logging.getLogger(), list(logging.getLogger().handlers)
    try:
        store.log_to(tmp_path / "a.log")
        for _ in range(2 * store.LOG_BYTES // 1000):
            root.error("x" * 1000)
        logs = sorted(tmp_path.iterdir())
        assert [path.name for path in logs] == ["a.log", "a.log.1"]
        assert {stat.S_IMODE(path.stat().st_mode) for path in logs} == {0o600}
    finally:
        for handler in set(root.handlers) - set(before):
            root.removeHandler(handler)
            handler.close()
