"""The host as a process: one at a time in a data directory, from the lock to the last pane.

The process has one thread, and must keep it that way: a fork from a second one could deadlock in the child.
"""

import logging
import os
import signal
import socket
import stat
import sysconfig
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import trio

from collie import store
from collie.agents import registry
from collie.errors import CollieError, sole_error
from collie.host.host import Host, Setup
from collie.host.kinds import Kinds
from collie.host.pane import Pane
from collie.host.panes import run_panes
from collie.host.server import serve

SOCKET: Final = "herdr/herdr.sock"
LOCK: Final = "herdr/host.lock"
LOG: Final = "herdr/host.log"

BACKLOG: Final = 128

log = logging.getLogger(__name__)


class HostRunning(CollieError):
    """Another host has this data directory."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Paths:
    """Where a host keeps its things."""

    socket: Path
    lock: Path
    log: Path

    @classmethod
    def of(cls, data_dir: Path) -> "Paths":
        """Those of a data directory."""
        return cls(socket=store.socket_path(data_dir, SOCKET), lock=data_dir / LOCK, log=data_dir / LOG)


KINDS: Final = Kinds(all=registry.ALL_KINDS, named=registry.kind_named, of_process=registry.kind_of_process)


def run_process(data_dir: Path, environ: Mapping[str, str], *, lifeline: int | None = None) -> None:
    """Be the host of a data directory until `server.stop`, a signal, or the end of the lifeline.

    Args:
        lifeline: the reading end of a pipe; when its other end is closed, by whatever end of its owner, the host ends.

    Raises: HostRunning, CollieError.
    """
    paths = Paths.of(data_dir)
    store.private_dir(data_dir)
    store.private_dir(paths.log.parent)
    store.log_to(paths.log)
    os.chdir("/")
    with sole_error():
        trio.run(_run_process, paths, environ, lifeline)


async def _run_process(paths: Paths, environ: Mapping[str, str], lifeline: int | None) -> None:
    async with trio.open_nursery() as watchers:
        async with trio.open_nursery() as running:
            host: Host = await running.start(run_host, paths, environ, KINDS)
            watchers.start_soon(_stop_on_signal, host)
            if lifeline is not None:
                watchers.start_soon(_stop_with, lifeline, host)
        watchers.cancel_scope.cancel()


async def run_host(
    paths: Paths,
    environ: Mapping[str, str],
    kinds: Kinds,
    *,
    task_status: "trio.TaskStatus[Host]" = trio.TASK_STATUS_IGNORED,
) -> None:
    """Listen and answer until the host is told to stop; then close the socket first and the panes last.

    Raises: HostRunning, CollieError.
    """
    for folder in {paths.lock.parent, paths.socket.parent}:
        store.private_dir(folder)
    with _sole(paths.lock), _Listener(paths.socket) as listener:
        send_born, receive_born = trio.open_memory_channel[Pane](float("inf"))
        setup = Setup(
            socket=paths.socket,
            kinds=kinds,
            environ=environ,
            scripts=_scripts(),
            started_us=time.time_ns() // 1000,
        )
        host = Host(setup, send_born)
        async with trio.open_nursery() as panes:
            panes.start_soon(run_panes, host, receive_born)
            async with trio.open_nursery() as serving:
                serving.start_soon(serve, host, listener.socket)
                log.info("listening on %s", paths.socket)
                task_status.started(host)
                await host.stopping.wait()
                serving.cancel_scope.cancel()
            listener.close()
            panes.cancel_scope.cancel()
    log.info("stopped")


def _sole(lock: Path) -> store.FileLock:
    try:
        return store.FileLock.take(lock)
    except store.LockHeld as exc:
        raise HostRunning(f"a host runs already (process {exc.pid or 'unknown'}): see `collie host status`") from exc


class _Listener:
    """The bound socket; at its end the file goes, if it is still the one that was bound."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._bound: tuple[int, int] | None = None

    def __enter__(self) -> "_Listener":
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
        self.socket = trio.socket.from_stdlib_socket(bound)
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Take no more connections. A second call does nothing."""
        self.socket.close()
        if self._bound is not None and _identity(self._path) == self._bound:
            self._path.unlink()
        self._bound = None


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


async def _stop_on_signal(host: Host) -> None:
    with trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT, signal.SIGHUP) as signals:
        async for number in signals:
            log.info("told to stop by %s", signal.Signals(number).name)
            host.stopping.set()


async def _stop_with(lifeline: int, host: Host) -> None:
    os.set_blocking(lifeline, False)
    os.set_inheritable(lifeline, False)
    while True:
        await trio.lowlevel.wait_readable(lifeline)
        if not os.read(lifeline, 1024):
            log.info("the lifeline ended")
            host.stopping.set()
            return


def _scripts() -> str | None:
    """The folder of Collie's own commands, for the PATH of panes."""
    folder = sysconfig.get_path("scripts")
    return folder if os.path.exists(os.path.join(folder, "collie")) else None
