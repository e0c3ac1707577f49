"""All agent kinds, a line each, and which kind a name or a process is."""

from collections.abc import Sequence

from collie.agents import claude, codex, copilot, gemini, opencode, practice
from collie.agents.kind import AgentKind
from collie.agents.process import program_name, program_path

ALL_KINDS: tuple[AgentKind, ...] = (
    claude.KIND,
    codex.KIND,
    copilot.KIND,
    opencode.KIND,
    gemini.KIND,
    practice.KIND,
)


def kind_named(name: str) -> AgentKind | None:
    """The kind whose wire name is `name`, or None."""
    return next((kind for kind in ALL_KINDS if kind.name == name), None)


def kind_of_process(argv: Sequence[str]) -> AgentKind | None:
    """The kind that a process with these arguments is, or None for anything else."""
    path = program_path(argv)
    if path is None:
        return None
    name = program_name(path)
    for kind in ALL_KINDS:
        if name in kind.executables or any(package in path for package in kind.packages):
            return kind
    return None
