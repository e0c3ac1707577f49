"""`collie stop`: end the daemon; the agents go on in their host."""

import argparse

from collie.cli.asking import ask, call
from collie.client.connection import Connection
from collie.protocol.methods import DaemonStatusResult, Nothing, Ok


def configure(parser: argparse.ArgumentParser) -> None:
    del parser  # it takes no arguments


def run(arguments: argparse.Namespace) -> int:
    del arguments
    status = ask(_stop)
    where = "" if status.headless else "; it ran in a dashboard, which may start another"
    print(f"the daemon ends (process {status.pid}){where}; the agents go on")
    return 0


async def _stop(connection: Connection) -> DaemonStatusResult:
    status = await call(connection, "daemon.status", Nothing(), DaemonStatusResult)
    await call(connection, "daemon.stop", Nothing(), Ok)
    return status
