"""`collie status`: the daemon, its host, its agents."""

import argparse

from collie.cli.asking import ask, call
from collie.cli.output import age, print_json, printable
from collie.client.connection import Connection, NotRunning
from collie.protocol.methods import DaemonStatusResult, Nothing
from collie.protocol.models import HostStatus


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    try:
        status = ask(_status)
    except NotRunning:
        if not arguments.json:
            raise
        print_json({"running": False})
        return 1
    if arguments.json:
        print_json({"running": True} | {name: getattr(status, name) for name in status.__struct_fields__})
    else:
        print("\n".join(printable(line) for line in _lines(status)))
    return 0


async def _status(connection: Connection) -> DaemonStatusResult:
    return await call(connection, "daemon.status", Nothing(), DaemonStatusResult)


def _lines(status: DaemonStatusResult) -> list[str]:
    agents = ", ".join(f"{count} {name}" for name, count in sorted(status.agents.items()) if count) or "none"
    return [
        f"daemon    collie {status.version}, pid {status.pid}, up {age(status.started_ms)}"
        f"{'' if status.headless else ', in a dashboard'}",
        f"data      {status.data_dir}",
        f"host      {_host(status.host)}",
        *([f"lost      {', '.join(status.host.lost)}: gone with the host"] if status.host.lost else []),
        f"tailnet   {status.tailnet}",
        f"sessions  {status.sessions}",
        f"agents    {agents}",
        f"approvals {status.approvals} waiting",
        *(f"trouble   {trouble}" for trouble in status.troubles),
    ]


def _host(host: HostStatus) -> str:
    words = [f"{host.kind} {host.version}".strip(), host.state.value, host.detail, host.other]
    return ", ".join(word for word in words if word)
