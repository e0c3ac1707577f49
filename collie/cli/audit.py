"""`collie audit`: who did what; asked of the daemon, or read from the file when none runs."""

import argparse
import os
import sys
import time
from collections.abc import Callable

from collie.cli.asking import ask, call
from collie.cli.output import print_json, printable
from collie.client.connection import Connection, NotRunning
from collie.daemon.audit import read_tail
from collie.errors import UsageError
from collie.protocol.events import AuditAppended
from collie.protocol.methods import AuditResult, AuditTailParams
from collie.protocol.models import AuditLine
from collie.store import data_dir

DEFAULT_LINES = 20
MOST_LINES = 10_000


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("-n", "--lines", type=int, metavar="N", default=DEFAULT_LINES, help="the newest N lines (20)")
    parser.add_argument("-f", "--follow", action="store_true", help="go on with each later line")
    parser.add_argument("--json", action="store_true", help="one JSON record a line")


def run(arguments: argparse.Namespace) -> int:
    if not 0 <= arguments.lines <= MOST_LINES:
        raise UsageError(f"-n takes 0 to {MOST_LINES}: {arguments.lines}")
    show: Callable[[AuditLine], None] = print_json if arguments.json else _print_line

    async def tail(connection: Connection) -> None:
        params = AuditTailParams(lines=arguments.lines, follow=arguments.follow)
        for line in (await call(connection, "audit.tail", params, AuditResult)).lines:
            show(line)
        if arguments.follow:
            await _follow(connection, show)

    try:
        ask(tail)
    except NotRunning:
        if arguments.follow:
            raise
        for line in read_tail(data_dir(os.environ), arguments.lines):
            show(line)
    return 0


async def _follow(connection: Connection, show: Callable[[AuditLine], None]) -> None:
    sys.stdout.flush()
    async for frame in connection.events:
        if isinstance(frame.event, AuditAppended):
            show(frame.event.line)
            sys.stdout.flush()


def _print_line(line: AuditLine) -> None:
    when = time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(line.ts / 1000))
    print(printable(f"{when}  {line.peer}  {line.method}  {line.target or '-'}  {line.result}"))
