"""`collie demo`: the dashboard over a throwaway data directory, with three practice agents in it.

Nothing of it is left behind: the host of that directory lives on a lifeline to this process, whatever ends it, and
takes the directory along.
"""

import argparse
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from collie.cli.hosting import HostedDaemon, host_daemon
from collie.cli.terminal import require_terminal

if TYPE_CHECKING:
    from collie.client.connection import Connection
    from collie.daemon.config import Config

AGENTS = (
    ("asker", "ask rm -rf build"),
    ("worker", "work 600"),
    ("reader", "say Hello. I wait for you: press s to say something to me, enter to look at my screen."),
)
"""The practice agents' names, and what each is told first."""

HINT = "A demo, nothing is run: press a to approve what asker asks, q to leave"

GONE_SECONDS = 5.0


def configure(parser: argparse.ArgumentParser) -> None:
    del parser  # it takes no arguments


def run(arguments: argparse.Namespace) -> int:
    del arguments
    require_terminal("collie demo")

    from collie.daemon.config import Config, HostKind
    from collie.store import socket_path
    from collie.tui.app import run as run_app

    with _throwaway() as (folder, lifeline):
        config = Config(
            data_dir=folder, host_kind=HostKind.EMBEDDED, from_panes=True, lifeline=lifeline, environ=dict(os.environ)
        )
        control_socket = socket_path(folder, "control.sock")
        run_app(
            control_socket=control_socket,
            start_daemon=lambda: _start(config, control_socket),
            hint=HINT,
            throwaway=True,
        )
    return 0


@contextmanager
def _throwaway() -> Iterator[tuple[Path, int]]:
    """A data directory, and the end of a pipe that its host is to hold; both are gone after the block."""
    folder = Path(tempfile.mkdtemp(prefix="collie-demo-"))
    host_end, our_end = os.pipe()
    try:
        yield folder, host_end
    finally:
        os.close(our_end)
        os.close(host_end)
        _wait_gone(folder)
        shutil.rmtree(folder, ignore_errors=True)


def _wait_gone(folder: Path) -> None:
    """Until the host has taken the directory along, so that it finds nothing missing while its panes end."""
    deadline = time.monotonic() + GONE_SECONDS
    while (folder / "herdr" / "host.log").exists() and time.monotonic() < deadline:
        time.sleep(0.02)


def _start(config: "Config", control_socket: Path) -> HostedDaemon | None:
    hosted = host_daemon(config)
    threading.Thread(target=_populate, args=(control_socket, config.data_dir), daemon=True).start()
    return hosted


def _populate(control_socket: Path, folder: Path) -> None:
    """Start the agents that are not there yet; what cannot be started is in the audit pane with its reason."""
    import trio

    from collie.client.connection import connect_control
    from collie.errors import CollieError
    from collie.protocol.methods import Surface

    async def populate() -> None:
        async with connect_control(control_socket, Surface.COMMAND_LINE) as connection, trio.open_nursery() as nursery:
            for name, prompt in AGENTS:
                nursery.start_soon(start, connection, name, prompt)

    async def start(connection: "Connection", name: str, prompt: str) -> None:
        from contextlib import suppress

        from collie.cli.asking import new_op_id
        from collie.protocol.ids import AgentKindName, AgentName, Cwd, PromptText
        from collie.protocol.methods import AgentStartParams

        params = AgentStartParams(
            op_id=new_op_id(),
            kind=AgentKindName("practice"),
            cwd=Cwd(str(folder)),
            name=AgentName(name),
            prompt=PromptText(prompt),
        )
        with suppress(CollieError):
            await connection.call("agent.start", params)

    trio.run(populate)
