"""How a dashboard hosts the daemon: in a thread of its own process, for as long as the window is open."""

import logging
import os
from pathlib import Path
from typing import TYPE_CHECKING

from collie.store import log_to, private_dir
from collie.tui.engine import StartDaemon

if TYPE_CHECKING:
    from collie.daemon.config import Config
    from collie.daemon.run import DaemonThread

STOP_SECONDS = 5.0

LOG_NAME = "daemon.log"
"""What a daemon says that has no stderr of its own: in a dashboard's process, or left running by one."""


class HostedDaemon:
    """The daemon's thread, as the dashboard sees it."""

    def __init__(self, thread: "DaemonThread") -> None:
        self._thread = thread

    def alive(self) -> bool:
        """Whether it still runs."""
        return self._thread.is_alive

    def stop(self) -> None:
        """End it and wait for that."""
        self._thread.stop("the dashboard that ran the daemon was closed")
        self._thread.join(STOP_SECONDS)


def daemon_starter(folder: Path) -> StartDaemon:
    """What starts the daemon of a data directory, with the configuration as it is then."""

    def start() -> HostedDaemon | None:
        from collie.daemon.config import load  # the daemon loads after the first paint

        return host_daemon(load(folder, dict(os.environ)))

    return start


def host_daemon(config: "Config") -> HostedDaemon | None:
    """Start a daemon here; None when another process is the daemon already. Raises CollieError."""
    from collie.daemon.run import AlreadyRunning, start_in_thread

    if not logging.getLogger().handlers:
        log_to(private_dir(config.data_dir) / LOG_NAME)
    try:
        return HostedDaemon(start_in_thread(config))
    except AlreadyRunning:
        return None
