"""`collie keys`: press keys in an agent's terminal."""

import argparse

from collie.cli.asking import ask, call, new_op_id, target
from collie.client.connection import Connection
from collie.errors import UsageError
from collie.protocol import limits
from collie.protocol.ids import TerminalId
from collie.protocol.methods import AgentSendKeysParams, Ok
from collie.protocol.models import Key


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("target", metavar="TARGET", help="a terminal id or an agent's name")
    parser.add_argument(
        "keys", metavar="KEY", nargs="+", choices=[key.value for key in Key], help=" ".join(key.value for key in Key)
    )


def run(arguments: argparse.Namespace) -> int:
    if len(arguments.keys) > limits.KEYS_PER_CALL:
        raise UsageError(f"at most {limits.KEYS_PER_CALL} keys at once: {len(arguments.keys)} given")

    async def press(connection: Connection) -> Ok:
        agent = await target(connection, arguments.target)
        params = AgentSendKeysParams(
            op_id=new_op_id(),
            terminal_id=TerminalId(agent.terminal_id),
            keys=tuple(Key(name) for name in arguments.keys),
        )
        return await call(connection, "agent.send_keys", params, Ok)

    ask(press)
    return 0
