"""The host's socket and its lock: taken at the start, and again when somebody removed them.

A socket whose file is gone is there, and nobody can reach it: what runs in the host would be lost to all. So the host
looks after both files.
"""

import logging
import os
import socket
import stat
from pathlib import Path
from typing import Final

import trio

from collie import store
from collie.errors import CollieError

BACKLOG: Final = 128

LOOK_EVERY: Final = 0.2
"""Seconds between two looks at the files. What is missing at two of them is made again: whoever removes the whole
folder shall not find a new file in it."""

log = logging.getLogger(__name__)


class HostRunning(CollieError):
    """Another host has this data directory."""


class Listener:
    """The bound socket, under the lock; a context manager that takes both, and lets them go.

    At its end the socket's file goes, if it is still the one that was bound.
    """

    def __init__(self, path: Path, lock: Path) -> None:
        self._path = path
        self._lock_path = lock
        self._bound: tuple[int, int] | None = None
        self._is_closed = False
        self._was_missing = False
        self._said = ""

    def __enter__(self) -> "Listener":
        """Raises: HostRunning, CollieError."""
        self._lock = _sole(self._lock_path)
        try:
            self._socket = self._bind()
        except BaseException:
            self._lock.release()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self._lock.release()

    def close(self) -> None:
        """Take no more connections. A second call does nothing."""
        self._is_closed = True
        self._socket.close()
        if self._bound is not None and _identity(self._path) == self._bound:
            self._path.unlink()
        self._bound = None

    async def accept(self) -> trio.socket.SocketType:
        """The next connection.

        Raises: OSError.
        """
        while True:
            listening = self._socket
            try:
                return (await listening.accept())[0]
            except trio.ClosedResourceError:
                if self._is_closed:
                    raise
                # else another socket was bound in its place

    async def keep(self) -> None:
        """Look after both files, until the data directory itself is gone."""
        while self._lock_path.parent.parent.exists():
            await trio.sleep(LOOK_EVERY)
            self._look()

    def _look(self) -> None:
        try:
            if self._has_lock():
                self._look_at_socket()
        except CollieError as exc:
            self._say(str(exc))

    def _has_lock(self) -> bool:
        """Whether the lock is still ours, or ours again.

        Raises: CollieError.
        """
        if self._lock.stands():
            return True
        _make_folder(self._lock_path)
        lost, self._lock = self._lock, _sole(self._lock_path)
        lost.release()
        log.warning("the lock's file had been removed; it was made again")
        return True

    def _look_at_socket(self) -> None:
        is_missing = _identity(self._path) != self._bound
        if is_missing and self._was_missing:
            _make_folder(self._path)
            lost, self._socket = self._socket, self._bind()
            lost.close()
            log.warning("the socket's file had been removed; it was made again")
            is_missing = False
        self._was_missing = is_missing
        self._said = ""

    def _say(self, why: str) -> None:
        """Log what keeps us from being reached, once."""
        if why != self._said:
            log.error("this host cannot be reached: %s", why)
        self._said = why

    def _bind(self) -> trio.socket.SocketType:
        _clear_stale(self._path)
        bound = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        mask = os.umask(0o177)
        try:
            bound.bind(os.fspath(self._path))
            bound.listen(BACKLOG)
        except OSError as exc:
            bound.close()
            raise store.failure("listen on", self._path, exc) from exc
        finally:
            os.umask(mask)
        self._bound = _identity(self._path)
        return trio.socket.from_stdlib_socket(bound)


def _sole(lock: Path) -> store.FileLock:
    try:
        return store.FileLock.take(lock)
    except store.LockHeld as exc:
        raise HostRunning(f"a host runs already (process {exc.pid or 'unknown'}): see `collie host status`") from exc


def _make_folder(path: Path) -> None:
    """The folder that a file was in, where the one above it is still there."""
    if path.parent.parent.exists():
        store.private_dir(path.parent)


def _clear_stale(path: Path) -> None:
    """Remove a socket that nobody answers on; the lock says that it can be no host of ours.

    Raises: HostRunning, CollieError.
    """
    if _identity(path) is None:
        return
    if not stat.S_ISSOCK(os.lstat(path).st_mode):
        raise CollieError(f"{path} is no socket: move it away")
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(os.fspath(path))
        except OSError:
            path.unlink(missing_ok=True)
            return
    raise HostRunning(f"something else answers on {path}: end it first")


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        found = os.lstat(path)
    except FileNotFoundError:
        return None
    return found.st_dev, found.st_ino
