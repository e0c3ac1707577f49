"""The commands, the parser, the exit status: 0 done, 1 refused or failed, 2 wrong usage."""

import argparse
import os
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib import import_module
from typing import Protocol, cast

from collie.errors import CollieError, UsageError


class CommandModule(Protocol):
    """What a command's module offers."""

    def configure(self, parser: argparse.ArgumentParser) -> None:
        """Add the command's arguments."""

    def run(self, arguments: argparse.Namespace) -> int:
        """Do it; the exit status."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """One command: its module is imported when it is typed, not before."""

    name: str
    summary: str
    module: str


COMMANDS = (
    Command(name="status", summary="the daemon, its host, its agents", module="collie.cli.status"),
    Command(name="start", summary="start an agent", module="collie.cli.start"),
    Command(name="agents", summary="list the agents", module="collie.cli.agents"),
    Command(name="read", summary="print what an agent's terminal shows", module="collie.cli.read"),
    Command(name="prompt", summary="say something to an agent", module="collie.cli.prompt"),
    Command(name="keys", summary="press keys in an agent's terminal", module="collie.cli.keys"),
    Command(name="close", summary="close an agent's pane", module="collie.cli.close"),
    Command(name="approvals", summary="list what waits for an answer", module="collie.cli.approvals"),
    Command(name="decide", summary="answer an approval", module="collie.cli.decide"),
    Command(name="explain", summary="what is read on a screen, and why not more", module="collie.cli.explain"),
    Command(name="audit", summary="who did what", module="collie.cli.audit"),
    Command(name="host", summary="the embedded host: start, stop, status, attach", module="collie.cli.host"),
    Command(name="stop", summary="end the daemon; the agents go on", module="collie.cli.stop"),
    Command(name="demo", summary="learn it in two minutes, with practice agents", module="collie.cli.demo"),
)

SERVE = Command(name="--serve", summary="run the daemon without a dashboard", module="collie.cli.serve")
DASHBOARD = Command(name="collie", summary="the dashboard", module="collie.cli.dashboard")

DESCRIPTION = "One terminal window to watch, approve and drive the coding agents on a machine."


def run(argv: Sequence[str]) -> int:
    """Run one command line. Prints what a person must know of a failure as one line on stderr."""
    command, rest = _command_of(argv)
    try:
        parser, module = _prepare(command)
        status: int = module.run(parser.parse_args(rest))
        sys.stdout.flush()
        return status
    except UsageError as error:
        print(f"collie: {error}", file=sys.stderr)
        return 2
    except CollieError as error:
        print(f"collie: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of our output went away; what is still buffered must not be tried again at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1


def _command_of(argv: Sequence[str]) -> tuple[Command, Sequence[str]]:
    if not argv:
        return DASHBOARD, argv
    if argv[0] == SERVE.name:
        return SERVE, argv[1:]
    by_name = {command.name: command for command in COMMANDS}
    if argv[0] in by_name:
        return by_name[argv[0]], argv[1:]
    _overview().parse_args(argv)
    return DASHBOARD, argv


def _prepare(command: Command) -> tuple[argparse.ArgumentParser, CommandModule]:
    program = "collie" if command is DASHBOARD else f"collie {command.name}"
    parser = argparse.ArgumentParser(prog=program, description=f"{command.summary[0].upper()}{command.summary[1:]}.")
    module = cast("CommandModule", import_module(command.module))
    module.configure(parser)
    return parser, module


def _overview() -> argparse.ArgumentParser:
    """The parser of `--help`, and of what is no command: it exits with a usage message."""
    width = max(len(command.name) for command in COMMANDS)
    lines = "\n".join(f"  {command.name:<{width}}  {command.summary}" for command in COMMANDS)
    parser = argparse.ArgumentParser(
        prog="collie",
        usage="collie [COMMAND ...]",
        description=f"{DESCRIPTION}\nWithout a command: the dashboard.",
        epilog=f"commands (collie COMMAND --help tells more):\n{lines}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="store_true", help="print the version")
    parser.add_argument("--serve", action="store_true", help=SERVE.summary)
    parser.add_argument(
        "command", nargs="?", choices=[command.name for command in COMMANDS], help=argparse.SUPPRESS, metavar="COMMAND"
    )
    return parser
