"""The daemon's tree of nurseries, and its life: the lock first, the control socket last, and a clean end."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import trio

from collie.daemon.assembly import Parts, assemble
from collie.daemon.audit import AuditLog
from collie.daemon.clock import Clock
from collie.daemon.config import Config
from collie.daemon.control_socket import SOCKET_NAME, run_control_socket
from collie.daemon.embedded import ensure_embedded_host
from collie.daemon.hosting import Ensure
from collie.daemon.since import keep_since
from collie.errors import CollieError, sole_error
from collie.protocol.events import DaemonStopping
from collie.store import FileLock, LockHeld, private_dir, socket_path

log = logging.getLogger(__name__)

LOCK_NAME: Final = "daemon.lock"

LOCK_LOOK: Final = 1.0
"""Seconds between two looks at whether the lock still holds others off."""

ERRAND_SECONDS: Final = 3.0
"""How long, at the end, what writes to a pane is waited for."""

GOODBYE_SECONDS: Final = 1.0
"""How long, at the end, clients may take to read what waits for them."""


class AlreadyRunning(CollieError):
    """Another process is the daemon of this data directory; `pid` is its id where it is known."""

    def __init__(self, held: LockHeld) -> None:
        who = f"process {held.pid}" if held.pid else "another process"
        super().__init__(f"another collie is already running: {who} holds {held.path}")
        self.pid = held.pid


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """A daemon that is ready. `stop` ends it; it takes the reason and may be called once or often, in its thread."""

    control_socket: Path
    stop: Callable[[str], None]


async def run_daemon(
    config: Config,
    *,
    headless: bool,
    task_status: trio.TaskStatus[Running] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Be the daemon of a data directory until `Running.stop` is called or this is cancelled.

    Args:
        headless: no dashboard is in this process.

    Raises: AlreadyRunning, and CollieError when the data directory or a socket in it cannot be used, or the lock is
        lost.
    """
    private_dir(config.data_dir)
    try:
        lock = FileLock.take(config.data_dir / LOCK_NAME)
    except LockHeld as exc:
        raise AlreadyRunning(exc) from exc
    with lock:
        clock = Clock()
        audit_log = AuditLog.open(config.data_dir, clock.wall_ms())
        try:
            ensure = partial(ensure_embedded_host, config.data_dir, lifeline=config.lifeline)
            await _Life(config, headless, clock, audit_log, ensure).live(lock, task_status)
        finally:
            audit_log.close()


class _Life:
    """From the start of the services to their end."""

    def __init__(self, config: Config, headless: bool, clock: Clock, audit_log: AuditLog, ensure_host: Ensure) -> None:
        self._stop = trio.Event()
        self._reason = ""
        self._lost: CollieError | None = None
        self._data_dir = config.data_dir
        self._path = socket_path(config.data_dir, SOCKET_NAME)
        self._parts: Parts = assemble(
            config,
            headless=headless,
            clock=clock,
            audit_log=audit_log,
            stop_daemon=self.end,
            ensure_host=ensure_host,
        )

    def end(self, reason: str) -> None:
        """Begin to end; the first reason is the one that is told."""
        if not self._stop.is_set():
            self._reason = reason
            self._stop.set()

    async def live(self, lock: FileLock, task_status: trio.TaskStatus[Running]) -> None:
        parts = self._parts
        with sole_error():
            async with trio.open_nursery() as nursery:
                nursery.start_soon(parts.errands.run)
                nursery.start_soon(parts.looks.run)
                nursery.start_soon(keep_since, self._data_dir, parts.flock)
                nursery.start_soon(parts.reconciler.run)
                listen = partial(run_control_socket, may_bind=lock.stands)
                await nursery.start(listen, self._path, parts.reception.serve, parts.house.audit)
                nursery.start_soon(self._keep_lock, lock)
                task_status.started(Running(control_socket=self._path, stop=self.end))
                await self._stop.wait()
                await self._say_goodbye()
                nursery.cancel_scope.cancel()
        if self._lost is not None:
            raise self._lost

    async def _keep_lock(self, lock: FileLock) -> None:
        """End when the lock is lost: another daemon may run then, and two must not write the same files."""
        while lock.stands():  # noqa: ASYNC110 - the kernel tells nobody
            await trio.sleep(LOCK_LOOK)
        self._lost = CollieError(f"{lock.path} was removed or replaced: this daemon ends, as another may have begun")
        log.error("%s", self._lost)
        self.end("its lock was taken away")

    async def _say_goodbye(self) -> None:
        log.info("ending: %s", self._reason)
        hub = self._parts.house.hub
        hub.publish(DaemonStopping(reason=self._reason))
        with trio.move_on_after(ERRAND_SECONDS):
            await self._parts.errands.wait_idle()
        with trio.move_on_after(GOODBYE_SECONDS):
            await hub.dismiss()


class DaemonThread:
    """A daemon in a thread of its own, for the program that also is its dashboard."""

    def __init__(self, config: Config) -> None:
        self._ready: Future[tuple[Running, trio.lowlevel.TrioToken]] = Future()
        self._ended: Future[None] = Future()
        self._thread = threading.Thread(target=self._main, args=(config,), name="collie-daemon", daemon=True)
        self._thread.start()
        self._running, self._token = self._ready.result()

    @property
    def control_socket(self) -> Path:
        """Where it listens."""
        return self._running.control_socket

    @property
    def is_alive(self) -> bool:
        """Whether it still runs."""
        return self._thread.is_alive()

    def stop(self, reason: str) -> None:
        """Have it end; returns at once. One that has ended already is no error."""
        try:
            self._token.run_sync_soon(self._running.stop, reason)
        except trio.RunFinishedError:
            log.debug("the daemon had ended already")

    def join(self, timeout: float | None = None) -> None:
        """Wait until it has ended. Raises what it ended by, TimeoutError after so many seconds."""
        self._ended.result(timeout)
        self._thread.join(timeout)

    def _main(self, config: Config) -> None:
        try:
            trio.run(self._run, config)
        except BaseException as error:  # noqa: BLE001 - handed to whoever waits in the other thread
            if not self._ready.done():
                self._ready.set_exception(error)
            self._ended.set_exception(error)
        else:
            self._ended.set_result(None)

    async def _run(self, config: Config) -> None:
        with sole_error():
            async with trio.open_nursery() as nursery:
                running = await nursery.start(partial(run_daemon, config, headless=False))
                self._ready.set_result((running, trio.lowlevel.current_trio_token()))


def start_in_thread(config: Config) -> DaemonThread:
    """Start a daemon beside the dashboard; returns when it is ready.

    Raises: AlreadyRunning, and CollieError when it cannot start.
    """
    return DaemonThread(config)
