"""`collie`: the dashboard. It attaches to the daemon of this data directory, or hosts one when none runs."""

import argparse
import os
import subprocess
import sys
from pathlib import Path

from collie.cli.terminal import require_terminal
from collie.errors import CollieError
from collie.store import data_dir, failure, private_dir, socket_path

READY_BYTES = 4_096


def configure(parser: argparse.ArgumentParser) -> None:
    del parser  # it takes no arguments


def run(arguments: argparse.Namespace) -> int:
    del arguments
    require_terminal("collie")
    folder = private_dir(data_dir(os.environ))
    _check_config(folder)

    from collie.cli.hosting import daemon_starter
    from collie.tui.app import run as run_app

    run_app(
        control_socket=socket_path(folder, "control.sock"),
        start_daemon=daemon_starter(folder),
        leave_headless=lambda: _leave_headless(folder),
    )
    return 0


def _check_config(folder: Path) -> None:
    """A mistake in the configuration is told before the dashboard takes the screen."""
    if not (folder / "collie.toml").exists():
        return
    from collie.daemon.config import load  # its parser is heavy, and most people have no such file

    load(folder, os.environ)


def _leave_headless(folder: Path) -> None:
    """Start a daemon that outlives this terminal, and say where it is."""
    from collie.cli.hosting import LOG_NAME

    log = folder / LOG_NAME
    try:
        descriptor = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as error:
        raise failure("write", log, error) from error
    with os.fdopen(descriptor, "a") as stderr:
        daemon = subprocess.Popen(
            [sys.executable, "-P", "-m", "collie", "--serve"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=stderr,
            start_new_session=True,
        )
    assert daemon.stdout is not None
    ready = daemon.stdout.readline(READY_BYTES)
    daemon.stdout.close()
    if not ready:
        raise CollieError(f"no daemon could be left running: see {log}")
    print(f"collie goes on without a window (process {daemon.pid}); `collie` shows it again")
