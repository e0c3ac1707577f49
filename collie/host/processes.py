"""What runs in the foreground of a terminal, and which agent that is (specs: herdr-api section 10.1)."""

import os
import sys
from collections.abc import Iterator
from typing import Final

import psutil

from collie.herdr.models import Process
from collie.host.foreground import Foreground
from collie.host.kinds import Kinds

SHELLS: Final = frozenset(
    {
        *("sh", "ash", "bash", "dash", "zsh", "fish", "ksh", "mksh", "yash", "rbash"),
        *("csh", "tcsh", "elvish", "xonsh", "nu", "pwsh"),
    }
)
"""Programs that wait for a command line, by name."""

KIND_VARIABLE: Final = "HERDR_AGENT"
"""A process with this variable in its environment is an agent of the kind that it names."""


def classify(group: int | None, kinds: Kinds) -> Foreground:
    """Look at the processes of a group, its leader first."""
    if group is None:
        return Foreground(group=None)
    for pid in _leader_first(group):
        kind = _kind_of(pid, kinds)
        if kind is not None:
            return Foreground(group=group, kind=kind, pid=pid)
    return Foreground(group=group)


def is_alive(pid: int) -> bool:
    """Whether the process is there."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def is_shell(pid: int, named: str) -> bool:
    """Whether a process is a shell that waits for a command line: one of the known, or the user's (`named`)."""
    argv = _argv(pid)
    return bool(argv) and os.path.basename(argv[0]).removeprefix("-") in SHELLS | {os.path.basename(named)}


def describe(group: int) -> tuple[Process, ...]:
    """The processes of a group, for people; its leader first."""
    members = sorted(group_members(group), key=lambda pid: (pid != group, pid))
    return tuple(each for pid in members if (each := _described(pid)) is not None)


def folder(pid: int) -> str | None:
    """The working directory of a process."""
    try:
        if sys.platform == "linux":
            return os.readlink(f"/proc/{pid}/cwd")
        else:  # noqa: RET505 - mypy tells platforms apart by branch
            return psutil.Process(pid).cwd() or None
    except (OSError, psutil.Error):
        return None


def group_members(group: int) -> Iterator[int]:
    """The processes of a group."""
    for pid in psutil.pids():
        try:
            if os.getpgid(pid) == group:
                yield pid
        except OSError:
            continue  # it ended meanwhile


def _leader_first(group: int) -> Iterator[int]:
    """The members of a group; they are not even counted while the leader is enough."""
    yield group
    yield from (pid for pid in group_members(group) if pid != group)


def _kind_of(pid: int, kinds: Kinds) -> str | None:
    argv = _argv(pid)
    if not argv:
        return None
    named = _variables(pid).get(KIND_VARIABLE)
    kind = kinds.named(named) if named else None
    kind = kind or kinds.of_process(argv)
    return kind.name if kind else None


def _argv(pid: int) -> tuple[str, ...]:
    try:
        return tuple(psutil.Process(pid).cmdline())
    except psutil.Error:
        return ()


def _variables(pid: int) -> dict[str, str]:
    try:
        return psutil.Process(pid).environ()
    except (psutil.Error, OSError):
        return {}


def _described(pid: int) -> Process | None:
    try:
        process = psutil.Process(pid)
        argv = tuple(process.cmdline())
        return Process(
            pid=pid,
            name=process.name(),
            argv0=argv[0] if argv else None,
            argv=argv or None,
            cmdline=" ".join(argv) or None,
            cwd=folder(pid),
        )
    except psutil.Error:
        return None
