"""`collie explain`: what is read on a screen, and why not more: of a live agent, or of a file."""

import argparse
from pathlib import Path

from collie.agents.explain import to_json, to_text
from collie.agents.registry import ALL_KINDS, kind_named
from collie.cli.asking import ask, call, target
from collie.cli.output import print_json
from collie.client.connection import Connection
from collie.errors import CollieError, UsageError
from collie.protocol.ids import TerminalId
from collie.protocol.methods import AgentExplainParams, ExplainResult, FlockResult, Nothing
from collie.screen.ansi import parse


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("what", metavar="TARGET|FILE", nargs="?", help="an agent (default: the only one), or a file")
    parser.add_argument("--kind", choices=[kind.name for kind in ALL_KINDS], help="read FILE as a screen of this kind")
    parser.add_argument("--columns", type=int, metavar="N", help="with --kind: how wide the screen was")
    parser.add_argument("--json", action="store_true", help="print the facts as one JSON document")


def run(arguments: argparse.Namespace) -> int:
    if arguments.kind is None and arguments.columns is not None:
        raise UsageError("--columns goes with --kind and a FILE")
    facts, text = _of_file(arguments) if arguments.kind is not None else _of_agent(arguments.what)
    if arguments.json:
        print_json(facts)
    else:
        print(text)
    return 0


def _of_file(arguments: argparse.Namespace) -> tuple[object, str]:
    if arguments.what is None:
        raise UsageError("--kind needs a FILE with a screen in it")
    if arguments.columns is not None and arguments.columns < 1:
        raise UsageError(f"--columns takes a width in cells: {arguments.columns}")
    path = Path(arguments.what)
    try:
        text = path.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise CollieError(f"{path} cannot be read as a screen: {error}") from error
    kind = kind_named(arguments.kind)
    assert kind is not None
    screen = parse(text, columns=arguments.columns)
    facts = kind.read(screen)
    return to_json(facts), to_text(screen, facts)


def _of_agent(named: str | None) -> tuple[object, str]:
    async def explain(connection: Connection) -> ExplainResult:
        terminal_id = (await target(connection, named)).terminal_id if named else await _only_one(connection)
        return await call(
            connection, "agent.explain", AgentExplainParams(terminal_id=TerminalId(terminal_id)), ExplainResult
        )

    result = ask(explain)
    return result.facts, result.text


async def _only_one(connection: Connection) -> str:
    agents = (await call(connection, "flock.snapshot", Nothing(), FlockResult)).agents
    if len(agents) != 1:
        names = ", ".join(agent.name or agent.terminal_id for agent in agents) or "none is running"
        raise UsageError(f"which agent? {names}")
    return agents[0].terminal_id
