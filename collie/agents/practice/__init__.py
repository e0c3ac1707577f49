"""The practice agent: it draws Claude Code's shape, so Claude Code's readers read it, under its own name."""

from functools import partial

from collie.agents.claude.detect import detect
from collie.agents.claude.read import read
from collie.agents.facts import State
from collie.agents.kind import AgentKind, Launch

NAME = "practice"
EXECUTABLES = ("collie-practice",)


def argv(launch: Launch) -> tuple[str, ...]:
    """The command line; the practice agent keeps no sessions, so `resume` means nothing to it."""
    return (EXECUTABLES[0], *launch.args)


KIND = AgentKind(
    name=NAME,
    title="Practice agent",
    executables=EXECUTABLES,
    argv=argv,
    detect=detect,
    read=partial(read, kind=NAME),
    reads_dialogs=True,
    assumed_idle=State.UNKNOWN,
)
