"""GitHub Copilot CLI: its dialogs are shown and answered by hand; no decision is offered from its screens."""

from functools import partial

from collie.agents.copilot.read import detect, read
from collie.agents.facts import State
from collie.agents.kind import AgentKind, Launch

NAME = "copilot"


def argv(launch: Launch) -> tuple[str, ...]:
    """The command line: `--resume ID` goes on with an earlier session."""
    resume = ("--resume", launch.resume) if launch.resume else ()
    return (NAME, *resume, *launch.args)


KIND = AgentKind(
    name=NAME,
    title="Copilot CLI",
    executables=(NAME, "github-copilot", "ghcs"),
    packages=("@github/copilot",),
    argv=argv,
    detect=detect,
    read=partial(read, kind=NAME),
    assumed_idle=State.UNKNOWN,
)
