"""`collie prompt`: say something to an agent."""

import argparse

from collie.cli.asking import ask, call, checked, new_op_id, target
from collie.client.connection import Connection
from collie.protocol.ids import PromptText, TerminalId
from collie.protocol.methods import AgentPromptParams, Ok


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", help="a terminal id or an agent's name")
    parser.add_argument("text", metavar="TEXT", help="what to say")


def run(arguments: argparse.Namespace) -> int:
    text = checked(PromptText, arguments.text, "TEXT")

    async def prompt(connection: Connection) -> Ok:
        agent = await target(connection, arguments.target)
        params = AgentPromptParams(op_id=new_op_id(), terminal_id=TerminalId(agent.terminal_id), text=text)
        return await call(connection, "agent.prompt", params, Ok)

    ask(prompt)
    return 0
