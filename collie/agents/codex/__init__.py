"""Codex: its dialogs are shown and answered by hand; no decision is offered from its screens."""

from functools import partial

from collie.agents.codex.detect import detect
from collie.agents.codex.read import read
from collie.agents.facts import State
from collie.agents.kind import AgentKind, Launch

NAME = "codex"


def argv(launch: Launch) -> tuple[str, ...]:
    """The command line: `codex resume ID` goes on with an earlier session."""
    resume = ("resume", launch.resume) if launch.resume else ()
    return (NAME, *resume, *launch.args)


KIND = AgentKind(
    name=NAME,
    title="Codex",
    executables=(NAME,),
    packages=("@openai/codex",),
    argv=argv,
    detect=detect,
    read=partial(read, kind=NAME),
    assumed_idle=State.UNKNOWN,
)
