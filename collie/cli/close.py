"""`collie close`: close an agent's pane, which ends the agent."""

import argparse

from collie.cli.asking import ask, call, target
from collie.client.connection import Connection
from collie.protocol.ids import TerminalId
from collie.protocol.methods import CloseParams, Ok


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", help="a terminal id or an agent's name")


def run(arguments: argparse.Namespace) -> int:
    async def close(connection: Connection) -> str:
        agent = await target(connection, arguments.target)
        params = CloseParams(terminal_id=TerminalId(agent.terminal_id), confirm=True)
        await call(connection, "pane.close", params, Ok)
        return agent.name or agent.terminal_id

    print(f"closed {ask(close)}")
    return 0
