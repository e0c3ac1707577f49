"""Whether an agent's program is there, as a shell in a pane of the embedded host would find it."""

import os
import shutil
import sysconfig
from collections.abc import Mapping
from typing import Final

import trio

from collie.agents.kind import AgentKind

SHELL_SECONDS: Final = 5.0
"""How long the user's shell may take to say whether it knows a command."""


async def is_installed(kind: AgentKind, environ: Mapping[str, str]) -> bool:
    """Whether a pane's shell will find the program: in this PATH, among our own commands, or as its files say."""
    path = os.pathsep.join((environ.get("PATH", os.defpath), sysconfig.get_path("scripts")))
    if shutil.which(kind.executables[0], path=path):
        return True
    return await _shell_knows(environ.get("SHELL") or "/bin/sh", kind.executables[0])


async def _shell_knows(shell: str, program: str) -> bool:
    """Whether the user's shell, as it is in a pane, finds a program that our own PATH has not."""
    with trio.move_on_after(SHELL_SECONDS):
        try:
            done = await trio.run_process(
                [shell, "-i", "-c", f"command -v {program}"],
                capture_stdout=True,
                capture_stderr=True,
                check=False,
                start_new_session=True,
            )
        except OSError:
            return False
        return done.returncode == 0
    return False
