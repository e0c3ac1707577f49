"""Gemini CLI: its dialogs are shown and answered by hand; no decision is offered from its screens."""

from functools import partial

from collie.agents.facts import State
from collie.agents.gemini.read import detect, read
from collie.agents.kind import AgentKind, Launch

NAME = "gemini"


def argv(launch: Launch) -> tuple[str, ...]:
    """The command line: `--resume ID` goes on with an earlier session."""
    resume = ("--resume", launch.resume) if launch.resume else ()
    return (NAME, *resume, *launch.args)


KIND = AgentKind(
    name=NAME,
    title="Gemini CLI",
    executables=(NAME, "gemini-cli"),
    packages=("@google/gemini-cli",),
    argv=argv,
    detect=detect,
    read=partial(read, kind=NAME),
    assumed_idle=State.UNKNOWN,
)
