"""`collie start`: start an agent in a folder, and give it its first prompt."""

import argparse
import os
from pathlib import Path

from collie.cli.asking import ask, call, checked, new_op_id
from collie.cli.output import print_json
from collie.client.connection import Connection
from collie.errors import CollieError
from collie.protocol.ids import AgentKindName, AgentName, Cwd, PromptText
from collie.protocol.methods import AgentStartedResult, AgentStartParams


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("kind", metavar="KIND", help="claude, codex, copilot, opencode, gemini or practice")
    parser.add_argument("--cwd", metavar="DIR", default=".", help="the folder it works in (default: this one)")
    parser.add_argument("--name", metavar="NAME", help="what to call it")
    parser.add_argument("--prompt", metavar="TEXT", help="what to say to it first")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    params = AgentStartParams(
        op_id=new_op_id(),
        kind=checked(AgentKindName, arguments.kind, "KIND"),
        cwd=checked(Cwd, _absolute(arguments.cwd), "--cwd"),
        name=checked(AgentName, arguments.name, "--name") if arguments.name is not None else None,
        prompt=checked(PromptText, arguments.prompt, "--prompt") if arguments.prompt is not None else None,
        search_path=_search_path(),
    )

    async def start(connection: Connection) -> AgentStartedResult:
        return await call(connection, "agent.start", params, AgentStartedResult)

    started = ask(start)
    if arguments.json:
        print_json({name: getattr(started, name) for name in ("terminal_id", "kind", "name", "cwd")})
    else:
        print(f"started {started.name} ({started.kind}) in {started.cwd}: {started.terminal_id}")
    return 0


def _absolute(folder: str) -> str:
    try:
        return str(Path(folder).expanduser().absolute())
    except FileNotFoundError as error:
        raise CollieError("the folder this shell stands in is gone: name one with --cwd") from error


def _search_path() -> str | None:
    """The PATH of this shell, unless it is in an encoding that the wire cannot carry."""
    path = os.environ.get("PATH", "")
    return path if path and path.isprintable() else None
