"""OpenCode: its dialogs are shown and answered by hand; no decision is offered from its screens."""

from functools import partial

from collie.agents.facts import State
from collie.agents.kind import AgentKind, Launch
from collie.agents.opencode.read import detect, read

NAME = "opencode"


def argv(launch: Launch) -> tuple[str, ...]:
    """The command line: `--session ID` goes on with an earlier session."""
    resume = ("--session", launch.resume) if launch.resume else ()
    return (NAME, *resume, *launch.args)


KIND = AgentKind(
    name=NAME,
    title="OpenCode",
    executables=(NAME, "open-code"),
    packages=("opencode-ai",),
    argv=argv,
    detect=detect,
    read=partial(read, kind=NAME),
    assumed_idle=State.UNKNOWN,
)
