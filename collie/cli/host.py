"""`collie host`: the embedded host, which owns the terminals of the agents."""

import argparse
import os
import shutil
import signal
import sys
import time
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import trio

from collie import store
from collie.cli.output import print_json, print_table
from collie.daemon.embedded import ensure_embedded_host
from collie.errors import CollieError
from collie.herdr.client import HostClient
from collie.herdr.errors import HostUnavailable
from collie.herdr.models import AgentInfo, SessionSnapshot
from collie.host.attach import attach
from collie.host.caller import owner_of
from collie.host.run import Paths, run_process

END_SECONDS: Final = 6.0
"""How long a host that was sent a signal is waited for; what runs in it has half of that to end by itself."""

END_EVERY: Final = 0.05


def configure(parser: argparse.ArgumentParser) -> None:
    commands = parser.add_subparsers(dest="action", required=True, metavar="start|stop|status|attach")
    commands.add_parser("start", help="start it, unless it runs")
    stop = commands.add_parser("stop", help="end it, and everything in its panes")
    stop.add_argument("--yes", action="store_true", help="do not ask, even when agents run")
    status = commands.add_parser("status", help="whether it runs, and what runs in it")
    status.add_argument("--json", action="store_true", help="print one JSON document")
    draw = commands.add_parser("attach", help="show one pane in this terminal (ctrl+\\ leaves it)")
    draw.add_argument("target", metavar="TARGET", help="a terminal id, a pane id, or an agent's name")
    run_ = commands.add_parser("run")
    run_.add_argument(
        "--lifeline", type=int, metavar="FD", help="end when this pipe ends, and remove the data directory"
    )


def run(arguments: argparse.Namespace) -> int:
    data_dir = store.data_dir(os.environ)
    paths = Paths.of(data_dir)
    match arguments.action:
        case "run":
            run_process(data_dir, os.environ, lifeline=arguments.lifeline)
            if arguments.lifeline is not None:
                shutil.rmtree(data_dir, ignore_errors=True)
        case "start":
            return _start(data_dir)
        case "stop":
            return _stop(paths, sure=arguments.yes)
        case "status":
            return _status(paths, as_json=arguments.json)
        case "attach":
            attach(paths.socket, arguments.target, os.environ)
    return 0


def _start(data_dir: Path) -> int:
    socket = trio.run(ensure_embedded_host, data_dir)
    print(f"the host runs (process {owner_of(socket)}): {socket}")
    return 0


def _stop(paths: Paths, *, sure: bool) -> int:
    snapshot = trio.run(_snapshot, paths.socket)
    if snapshot is None:
        return _stop_silent(paths, sure=sure)
    if snapshot.agents and not sure and not _is_sure(snapshot.agents):
        raise CollieError("the host goes on")
    trio.run(HostClient(paths.socket).server_stop)
    print("the host ends, and what runs in it")
    return 0


def _stop_silent(paths: Paths, *, sure: bool) -> int:
    """End a host that does not answer, as its lock names it."""
    pid = store.lock_holder(paths.lock)
    if pid is None:
        print("no host runs")
        return 0
    if not sure:
        raise CollieError(
            f"the host (process {pid}) does not answer, so what runs in it is not known: "
            "`collie host stop --yes` ends it all"
        )
    with suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
    deadline = time.monotonic() + END_SECONDS
    while store.lock_holder(paths.lock) == pid:
        if time.monotonic() > deadline:
            raise CollieError(
                f"process {pid} was told to end, and goes on: `kill -9 {pid}` ends it, and what runs in it"
            )
        time.sleep(END_EVERY)
    print("the host has ended, and what ran in it")
    return 0


def _is_sure(agents: tuple[AgentInfo, ...]) -> bool:
    names = ", ".join(each.name or each.agent or each.pane_id for each in agents)
    if not sys.stdin.isatty():
        raise CollieError(f"agents run in the host ({names}): `collie host stop --yes` ends them too")
    print(f"These agents end with the host: {names}", file=sys.stderr)
    print("End it? [y/N] ", end="", file=sys.stderr, flush=True)
    return sys.stdin.readline().strip().lower() in ("y", "yes")


def _status(paths: Paths, *, as_json: bool) -> int:
    socket = paths.socket
    snapshot = trio.run(_snapshot, socket)
    if snapshot is None:
        return _silent_status(paths, as_json=as_json)
    if as_json:
        print_json(_document(snapshot, socket))
        return 0
    print(f"host {snapshot.version}, process {owner_of(socket)}, {len(snapshot.panes)} panes: {socket}")
    if snapshot.agents:
        rows = [(each.terminal_id, each.agent or "", each.name or "", each.agent_status) for each in snapshot.agents]
        print_table(("TERMINAL", "KIND", "NAME", "STATUS"), rows)
    return 0


def _silent_status(paths: Paths, *, as_json: bool) -> int:
    pid = store.lock_holder(paths.lock)
    if as_json:
        print_json({"running": False} if pid is None else {"running": True, "answers": False, "pid": pid})
    elif pid is None:
        print("no host runs; `collie host start` starts one, and so does the first agent")
    else:
        print(f"the host (process {pid}) runs, but does not answer at {paths.socket}; its log: {paths.log}")
    return 1


def _document(snapshot: SessionSnapshot, socket: Path) -> dict[str, Any]:
    return {
        "running": True,
        "version": snapshot.version,
        "pid": owner_of(socket),
        "socket": str(socket),
        "workspaces": len(snapshot.workspaces),
        "panes": len(snapshot.panes),
        "agents": [
            {
                "terminal_id": each.terminal_id,
                "pane_id": each.pane_id,
                "kind": each.agent,
                "name": each.name,
                "status": each.agent_status,
                "cwd": each.cwd,
            }
            for each in snapshot.agents
        ],
    }


async def _snapshot(socket: Path) -> SessionSnapshot | None:
    """Everything in the host, or None when none answers."""
    try:
        return await HostClient(socket).snapshot()
    except HostUnavailable:
        return None
