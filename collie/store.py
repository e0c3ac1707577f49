"""Private files: the data directory, folders of mode 0700, files of mode 0600 that are replaced whole, locks.

Whatever is wrong with a folder or a file is said in one line: what, where, and what to do about it.
"""

import contextlib
import errno
import fcntl
import hashlib
import logging
import os
import stat
import tempfile
from collections.abc import Mapping
from io import TextIOWrapper
from logging.handlers import RotatingFileHandler
from pathlib import Path
from typing import Final, Self

import platformdirs

from collie.errors import CollieError

SOCKET_PATH_BYTES: Final = 104
"""The length that a socket's path must stay below: sun_path on macOS, its end mark counted (Linux has 108)."""

READ_LIMIT: Final = 16 * 1024 * 1024
"""The largest file that is read whole. Ours are a thousand times smaller."""

LOG_BYTES: Final = 256 * 1024
"""The size at which a log is set aside; one older log is kept."""

PID_BYTES: Final = 20
"""More than the digits of any process id."""

_REASONS: Final = {
    errno.ENOSPC: ("the disk is full", "free some space"),
    errno.EDQUOT: ("the disk quota is used up", "free some space"),
    errno.EROFS: ("the file system is read-only", "make it writable, or name another folder with COLLIE_DATA_DIR"),
    errno.EACCES: ("permission denied", "give it back to your user, or name another folder with COLLIE_DATA_DIR"),
    errno.EPERM: ("not permitted", "give it back to your user, or name another folder with COLLIE_DATA_DIR"),
    errno.ENOTDIR: ("a part of the path is no folder", "move that file away"),
    errno.ELOOP: ("it is a symbolic link", "replace the link by the file itself"),
}


class LockHeld(CollieError):
    """Another process holds the lock; `pid` is its id where it left one."""

    def __init__(self, path: Path, pid: int | None) -> None:
        holder = f"process {pid}" if pid else "another process"
        super().__init__(f"{holder} holds the lock {path}: end it first")
        self.path = path
        self.pid = pid


def data_dir(environ: Mapping[str, str]) -> Path:
    """The folder of everything Collie keeps: COLLIE_DATA_DIR, else the platform's place for user data.

    Raises: CollieError when COLLIE_DATA_DIR is no absolute path.
    """
    named = environ.get("COLLIE_DATA_DIR")
    if not named:
        return Path(platformdirs.user_data_dir("collie"))
    if not os.path.isabs(named):
        raise CollieError(f"COLLIE_DATA_DIR is {named!r}: it must be an absolute path")
    return Path(named)


def private_dir(path: Path) -> Path:
    """The folder, made with mode 0700 (missing parents too) unless it is there.

    Raises: CollieError when it cannot be made, or is not a real folder of this user that is closed to all others.
    """
    try:
        _make_dirs(path)
        found = os.lstat(path)
    except OSError as exc:
        raise failure("make the folder", path, exc) from exc
    if not stat.S_ISDIR(found.st_mode):
        raise CollieError(f"{path} is not a folder: move it away, or name another folder with COLLIE_DATA_DIR")
    _check_owner(path, found)
    if found.st_mode & 0o077:
        raise CollieError(f"{path} is open to other users (mode {stat.S_IMODE(found.st_mode):04o}): chmod 700 {path}")
    return path


def write_private(path: Path, data: bytes, *, durable: bool = True) -> None:
    """Replace the file by one of mode 0600 that holds `data`: wholly or not at all, and never through a link.

    Args:
        durable: wait until file and name are on the disk; without, a crash of the machine may bring the old one back.

    Raises: CollieError.
    """
    temporary = path.with_name(path.name + ".tmp")
    try:
        temporary.unlink(missing_ok=True)
        _write_new(temporary, data, durable)
        os.rename(temporary, path)
        if durable:
            _sync_dir(path.parent)
    except OSError as exc:
        with contextlib.suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise failure("write", path, exc) from exc


def read_private(path: Path) -> bytes | None:
    """What the file holds, or None when there is none.

    Raises: CollieError when it is not a regular file of this user that is closed to all others.
    """
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise failure("read", path, exc) from exc
    with open(fd, "rb") as file:
        check_private(path, fd)
        data = file.read(READ_LIMIT + 1)
    if len(data) > READ_LIMIT:
        raise CollieError(f"{path} is larger than {READ_LIMIT:,} bytes: it is not a file of Collie's; move it away")
    return data


def check_private(path: Path, fd: int) -> None:
    """Refuse an open file that is not regular, not this user's, or open to others.

    Raises: CollieError.
    """
    found = os.fstat(fd)
    if not stat.S_ISREG(found.st_mode):
        raise CollieError(f"{path} is not a regular file: move it away")
    _check_owner(path, found)
    if found.st_mode & 0o077:
        raise CollieError(f"{path} is open to other users (mode {stat.S_IMODE(found.st_mode):04o}): chmod 600 {path}")


def set_aside(path: Path) -> Path:
    """Give a file that cannot be understood another name, so that a new one can be begun; the name it has now.

    Raises: CollieError.
    """
    number = 1
    while os.path.lexists(aside := path.with_name(f"{path.name}.corrupt-{number}")):
        number += 1
    try:
        os.rename(path, aside)
    except OSError as exc:
        raise failure("set aside", path, exc) from exc
    return aside


def socket_path(directory: Path, name: str) -> Path:
    """Where the socket `name` (`control.sock`, `herdr/herdr.sock`) of a data directory is.

    In it, where the path is short enough for a socket, else in a folder right under the runtime directory, whose name
    follows from the data directory. Whoever binds the socket makes its folder with `private_dir`.
    """
    path = directory / name
    if len(os.fsencode(path)) < SOCKET_PATH_BYTES:
        return path
    digest = hashlib.sha256(os.fsencode(directory)).hexdigest()[:16]
    folders = ("collie", str(os.geteuid()), digest, *Path(name).parent.parts)
    return _runtime_dir() / "-".join(folders) / path.name


def log_to(path: Path) -> None:
    """Have this process log to a file of this user alone, rotated: its stderr is nobody's, or a picture.

    Raises: CollieError when the file cannot be written.
    """
    try:
        handler = _PrivateLog(path, maxBytes=LOG_BYTES, backupCount=1, encoding="utf-8")
    except OSError as exc:
        raise failure("write", path, exc) from exc
    handler.setFormatter(logging.Formatter("%(asctime)s %(process)d %(levelname)s %(name)s: %(message)s"))
    root = logging.getLogger()
    root.addHandler(handler)
    root.setLevel(logging.INFO)


class _PrivateLog(RotatingFileHandler):
    """Each file that it begins, the first one and those after a rotation, is this user's alone."""

    def _open(self) -> TextIOWrapper:
        return TextIOWrapper(open(self.baseFilename, "ab", opener=_open_private), encoding=self.encoding)


def _open_private(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)


def failure(doing: str, path: Path, error: OSError) -> CollieError:
    """The error to raise when `doing` something to `path` failed: what, where, and what to do."""
    why, advice = _REASONS.get(error.errno or 0, (error.strerror or type(error).__name__, ""))
    return CollieError(f"cannot {doing} {path}: {why}" + (f"; {advice}" if advice else ""))


class FileLock:
    """An exclusive lock between processes, held until `release` or the end of this process.

    The file stays; it holds the id of the process that has the lock, so that a refusal can name it.
    """

    def __init__(self, path: Path, fd: int) -> None:
        self.path = path
        self._fd = fd

    @classmethod
    def take(cls, path: Path) -> Self:
        """Take the lock at once.

        Raises: LockHeld when another has it, CollieError when the file cannot be used.
        """
        try:
            fd = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
        except OSError as exc:
            raise failure("open the lock", path, exc) from exc
        try:
            check_private(path, fd)
            _lock(path, fd)
        except BaseException:
            os.close(fd)
            raise
        return cls(path, fd)

    def stands(self) -> bool:
        """Whether the lock's file is still the one that others would lock: one that was removed or replaced holds
        nobody off."""
        try:
            return os.path.samestat(os.stat(self.path, follow_symlinks=False), os.fstat(self._fd))
        except OSError:
            return False

    def release(self) -> None:
        """Let another have it. A second call does nothing."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            with contextlib.suppress(OSError):
                os.ftruncate(fd, 0)
            os.close(fd)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.release()


def lock_holder(path: Path) -> int | None:
    """The process that holds the lock of this file, None when none does that left its id there.

    Raises: CollieError when the file cannot be used.
    """
    text = (read_private(path) or b"").strip()
    if not text.isdigit() or len(text) > PID_BYTES or not _is_alive(pid := int(text)):
        return None
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError as exc:
        raise failure("open the lock", path, exc) from exc
    try:
        fcntl.flock(fd, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return pid
    finally:
        os.close(fd)
    return None


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except PermissionError:
        return True
    return pid > 0


def _lock(path: Path, fd: int) -> None:
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError as exc:
        text = os.pread(fd, PID_BYTES, 0).strip()
        raise LockHeld(path, int(text) if text.isdigit() else None) from exc
    except OSError as exc:
        raise failure("lock", path, exc) from exc
    try:
        os.ftruncate(fd, 0)
        os.pwrite(fd, b"%d\n" % os.getpid(), 0)
    except OSError as exc:
        # The id is for people; a full disk must not keep a daemon from starting.
        if exc.errno not in (errno.ENOSPC, errno.EDQUOT):
            raise failure("write", path, exc) from exc


def _make_dirs(path: Path) -> None:
    missing = []
    while not os.path.lexists(path):
        missing.append(path)
        path = path.parent
    for folder in reversed(missing):
        try:
            os.mkdir(folder, 0o700)
        except FileExistsError:
            continue  # another process made it at this moment; whether it will do is looked at by the caller


def _write_new(path: Path, data: bytes, durable: bool) -> None:
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    with open(fd, "wb") as file:
        file.write(data)
        file.flush()
        if durable:
            os.fsync(fd)


def _sync_dir(path: Path) -> None:
    fd = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def _check_owner(path: Path, found: os.stat_result) -> None:
    if found.st_uid != os.geteuid():
        raise CollieError(
            f"{path} belongs to user {found.st_uid}, not to you ({os.geteuid()}): give it back with chown, "
            "or name another folder with COLLIE_DATA_DIR"
        )


def _runtime_dir() -> Path:
    """A folder with a short path where no other user can put what this user's processes look for."""
    for candidate in (os.environ.get("XDG_RUNTIME_DIR", ""), f"/run/user/{os.geteuid()}"):
        if os.path.isabs(candidate) and os.path.isdir(candidate):
            return Path(candidate)
    return Path(tempfile.gettempdir())
