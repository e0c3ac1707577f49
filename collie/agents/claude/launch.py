"""How Claude Code is started."""

from collie.agents.kind import Launch

EXECUTABLES = ("claude", "claude-code")
"""File names in a process list; the first is what is started."""

PACKAGES = ("@anthropic-ai/claude-code", "/claude/versions/")
"""The npm package's scripts and platform packages; the folder of native installs, whose files are version numbers."""


def argv(launch: Launch) -> tuple[str, ...]:
    """The command line: `--resume ID` goes on with an earlier session."""
    resume = ("--resume", launch.resume) if launch.resume else ()
    return (EXECUTABLES[0], *resume, *launch.args)
