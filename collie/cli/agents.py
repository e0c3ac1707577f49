"""`collie agents`: the agents, one a line."""

import argparse

from collie.cli.asking import ask, call
from collie.cli.output import age, print_json, print_table
from collie.client.connection import Connection
from collie.protocol.methods import FlockResult, Nothing


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    flock = ask(_flock)
    if arguments.json:
        print_json({"agents": flock.agents})
    elif not flock.agents:
        print("no agents: start one with `collie start KIND`")
    else:
        print_table(
            ("STATUS", "SINCE", "KIND", "NAME", "TERMINAL", "FOLDER"),
            [
                (
                    agent.status.value,
                    age(agent.status_since_ms),
                    agent.kind or "?",
                    agent.name or "-",
                    agent.terminal_id,
                    agent.cwd or "-",
                )
                for agent in flock.agents
            ],
        )
    return 0


async def _flock(connection: Connection) -> FlockResult:
    return await call(connection, "flock.snapshot", Nothing(), FlockResult)
