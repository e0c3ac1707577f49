"""`collie --serve`: the daemon alone, in the foreground, for systemd, launchd and for leaving it running."""

import argparse
import logging
import os
import signal
import sys
from collections.abc import AsyncIterator
from functools import partial
from typing import Final

import trio

from collie.daemon.config import Config, load
from collie.daemon.run import Running, run_daemon
from collie.errors import UsageError, sole_error
from collie.store import data_dir

LEVELS: Final = ("debug", "info", "warning", "error")

END_SECONDS: Final = 4.5
"""How long a daemon may take to end after a signal."""


def configure(parser: argparse.ArgumentParser) -> None:
    parser.epilog = "COLLIE_LOG names how much is logged on stderr: debug, info (as it is), warning, error."


def run(arguments: argparse.Namespace) -> int:
    logging.basicConfig(
        stream=sys.stderr, level=_level(), format="%(asctime)s %(levelname)s %(name)s: %(message)s", force=True
    )
    trio.run(_serve)
    return 0


def _level() -> int:
    name = os.environ.get("COLLIE_LOG") or "info"
    if name.lower() not in LEVELS:
        raise UsageError(f"COLLIE_LOG is {name!r}: it is one of {', '.join(LEVELS)}")
    return logging.getLevelNamesMapping()[name.upper()]


async def _serve() -> None:
    config = load(data_dir(os.environ), dict(os.environ))
    with sole_error(), trio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
        async with trio.open_nursery() as nursery:
            ready: list[Running] = []
            nursery.start_soon(_end_on, signals, ready, nursery.cancel_scope)
            await nursery.start(_daemon, config, ready)
            nursery.cancel_scope.cancel()


async def _daemon(config: Config, ready: list[Running], *, task_status: trio.TaskStatus[None]) -> None:
    """The daemon to its end; reports started only then, so that whoever waits for it waits for all of it."""
    async with trio.open_nursery() as nursery:
        running = await nursery.start(partial(run_daemon, config, headless=True))
        ready.append(running)
        print(f"collie: ready, pid {os.getpid()}, control socket {running.control_socket}", flush=True)
    task_status.started()


async def _end_on(signals: AsyncIterator[int], ready: list[Running], scope: trio.CancelScope) -> None:
    """The first signal ends the daemon in good order; a second one, or too long a goodbye, ends it at once."""
    async for number in signals:
        if not ready:
            break
        ready[0].stop(f"the daemon got {signal.Signals(number).name}")
        with trio.move_on_after(END_SECONDS):
            await anext(signals)
        break
    scope.cancel()
