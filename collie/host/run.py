"""The host as a process: one at a time in a data directory, from the lock to the last pane.

The process has one thread, and must keep it that way: a fork from a second one could deadlock in the child.
"""

import gc
import logging
import os
import signal
import sysconfig
import time
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import trio

from collie import store
from collie.agents import registry
from collie.errors import sole_error
from collie.host import descriptors
from collie.host.host import Host, Setup
from collie.host.kinds import Kinds
from collie.host.listener import Listener
from collie.host.pane import Pane
from collie.host.panes import run_panes
from collie.host.server import serve

SOCKET: Final = "herdr/herdr.sock"
LOCK: Final = "herdr/host.lock"
LOG: Final = "herdr/host.log"

log = logging.getLogger(__name__)


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
    open_files = descriptors.raise_limit()
    gc.freeze()  # what was imported stays, and need not be looked through each time
    with sole_error():
        trio.run(_run_process, paths, environ, open_files, lifeline)


async def _run_process(paths: Paths, environ: Mapping[str, str], open_files: int, lifeline: int | None) -> None:
    async with trio.open_nursery() as watchers:
        async with trio.open_nursery() as running:
            host: Host = await running.start(partial(run_host, open_files=open_files), paths, environ, KINDS)
            watchers.start_soon(_stop_on_signal, host)
            if lifeline is not None:
                watchers.start_soon(_stop_with, lifeline, host)
        watchers.cancel_scope.cancel()


async def run_host(
    paths: Paths,
    environ: Mapping[str, str],
    kinds: Kinds,
    *,
    open_files: int | None = None,
    task_status: "trio.TaskStatus[Host]" = trio.TASK_STATUS_IGNORED,
) -> None:
    """Listen and answer until the host is told to stop; then close the socket first and the panes last.

    Args:
        open_files: how many files a program in a pane may have open; None: as many as the host.

    Raises: HostRunning, CollieError.
    """
    for folder in {paths.lock.parent, paths.socket.parent}:
        store.private_dir(folder)
    with Listener(paths.socket, paths.lock) as listener:
        send_born, receive_born = trio.open_memory_channel[Pane](float("inf"))
        setup = Setup(
            socket=paths.socket,
            kinds=kinds,
            environ=environ,
            scripts=_scripts(),
            open_files=descriptors.limit() if open_files is None else open_files,
            started_us=time.time_ns() // 1000,
        )
        host = Host(setup, send_born)
        async with trio.open_nursery() as panes:
            panes.start_soon(run_panes, host, receive_born)
            async with trio.open_nursery() as serving:
                serving.start_soon(serve, host, listener)
                serving.start_soon(_keep, host, listener)
                log.info("listening on %s", paths.socket)
                task_status.started(host)
                await host.stopping.wait()
                serving.cancel_scope.cancel()
            listener.close()
            panes.cancel_scope.cancel()
    log.info("stopped")


async def _keep(host: Host, listener: Listener) -> None:
    """Stay within reach; where nothing is left of the data directory, end with the last pane."""
    await listener.keep()
    log.error("the data directory was removed; the host ends when nothing runs in it")
    while host.session.panes_by_age():
        await host.session.bell.park()
    host.stopping.set()


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
