"""`collie read`: print what an agent's terminal shows."""

import argparse
import re

from collie.cli.asking import ask, call, target
from collie.cli.output import printable
from collie.client.connection import Connection
from collie.errors import UsageError
from collie.protocol import limits
from collie.protocol.ids import TerminalId
from collie.protocol.methods import AgentReadParams, TerminalResult
from collie.protocol.models import ReadSource

SGR = re.compile(r"\x1b\[[\d;:]*m")


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", help="a terminal id or an agent's name")
    parser.add_argument("--lines", type=int, metavar="N", help="the newest N lines (default: what is on the screen)")
    parser.add_argument("--ansi", action="store_true", help="keep the colours")


def run(arguments: argparse.Namespace) -> int:
    if arguments.lines is not None and not 1 <= arguments.lines <= limits.READ_LINES:
        raise UsageError(f"--lines takes 1 to {limits.READ_LINES}: {arguments.lines}")

    async def read(connection: Connection) -> TerminalResult:
        agent = await target(connection, arguments.target)
        params = AgentReadParams(
            terminal_id=TerminalId(agent.terminal_id),
            source=ReadSource.VISIBLE if arguments.lines is None else ReadSource.RECENT,
            lines=arguments.lines,
        )
        return await call(connection, "agent.read", params, TerminalResult)

    lines = ask(read).ansi.replace("\r\n", "\n").split("\n")
    print("\n".join(lines if arguments.ansi else (printable(SGR.sub("", line).rstrip()) for line in lines)))
    return 0
