"""What runs in the foreground of a terminal, and which agent that is (specs: herdr-api section 10.1)."""

import os
import sys
from collections.abc import Collection, Iterator
from itertools import islice
from typing import Final

import psutil

from collie.herdr.models import Process
from collie.host import said
from collie.host.foreground import Foreground
from collie.host.kinds import Kinds

SHELLS: Final = frozenset(
    {
        *("sh", "ash", "bash", "dash", "zsh", "fish", "ksh", "mksh", "yash", "rbash"),
        *("csh", "tcsh", "elvish", "xonsh", "nu", "pwsh"),
    }
)
"""Programs that wait for a command line, by name."""

LOOKED_AT: Final = 64
TOLD: Final = 32
"""Processes of one group that an agent is looked for in, and that are told. A program may start any number."""

ARGUMENT_BYTES: Final = 16_384
ARGUMENTS: Final = 64
"""What is read of a command line, which may have two megabytes."""

TOLD_CHARACTERS: Final = 1000
"""What is told of it."""

ENVIRONMENT_BYTES: Final = 4 * 1024 * 1024
"""More than the system lets a process be started with, as a rule."""

KIND_VARIABLE: Final = "HERDR_AGENT"
"""A process with this variable in its environment is an agent of the kind that it names."""


def classify(group: int | None, kinds: Kinds) -> Foreground:
    """Look at the processes of a group, its leader first."""
    if group is None:
        return Foreground(group=None)
    for pid in islice(_leader_first(group), LOOKED_AT):
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
    members = sorted(group_members(group), key=lambda pid: (pid != group, pid))[:TOLD]
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
    named = _kind_variable(pid)
    kind = kinds.named(named) if named else None
    kind = kind or kinds.of_process(argv)
    return kind.name if kind else None


def variables(pid: int, names: Collection[str]) -> dict[str, str]:
    """Those of the variables that a process was started with; it may have any number of others.

    Raises: psutil.Error when they cannot be seen.
    """
    if sys.platform == "linux":
        block = b"\0" + _read_of(pid, "environ", ENVIRONMENT_BYTES)
        return {name: value for name in names if (value := _value(block, name)) is not None}
    else:  # noqa: RET505 - mypy tells platforms apart by branch
        found = psutil.Process(pid).environ()
        return {name: found[name] for name in names if name in found}


def _value(block: bytes, name: str) -> str | None:
    """The value of a variable in `\\0NAME=value\\0…`, the first of that name, as the C library finds it."""
    _, found, rest = block.partition(f"\0{name}=".encode())
    return rest.partition(b"\0")[0].decode(errors="replace") if found else None


def _argv(pid: int) -> tuple[str, ...]:
    """The beginning of a command line; () when there is none."""
    try:
        if sys.platform == "linux":
            parts = _read_of(pid, "cmdline", ARGUMENT_BYTES).rstrip(b"\0").split(b"\0", ARGUMENTS)[:ARGUMENTS]
            if len(parts) == 1:  # what a program wrote over its arguments (setproctitle) has blanks between its words
                parts = parts[0].split(b" ", ARGUMENTS)[:ARGUMENTS]
            return tuple(os.fsdecode(part) for part in parts) if parts[0] else ()
        else:  # noqa: RET505 - mypy tells platforms apart by branch
            return tuple(psutil.Process(pid).cmdline()[:ARGUMENTS])
    except psutil.Error:
        return ()


def _read_of(pid: int, name: str, most: int) -> bytes:
    """A file that Linux has of a process.

    Raises: psutil.NoSuchProcess, psutil.AccessDenied.
    """
    try:
        with open(f"/proc/{pid}/{name}", "rb") as file:
            return file.read(most)
    except (FileNotFoundError, ProcessLookupError) as exc:
        raise psutil.NoSuchProcess(pid) from exc
    except OSError as exc:
        raise psutil.AccessDenied(pid) from exc


def _kind_variable(pid: int) -> str | None:
    try:
        return variables(pid, (KIND_VARIABLE,)).get(KIND_VARIABLE)
    except psutil.Error:
        return None


def _described(pid: int) -> Process | None:
    try:
        name = said.label(said.in_unicode(psutil.Process(pid).name())) or ""
    except psutil.Error:
        return None
    argv = tuple(_cut(_argv(pid)))
    return Process(
        pid=pid,
        name=name,
        argv0=argv[0] if argv else None,
        argv=argv or None,
        cmdline=" ".join(argv) or None,
        cwd=said.path(folder(pid)),
    )


def _cut(argv: tuple[str, ...]) -> Iterator[str]:
    """As many arguments, and as much of the last of them, as are told."""
    left = TOLD_CHARACTERS
    for argument in argv:
        if left <= 0:
            return
        yield said.in_unicode(argument)[:left]
        left -= len(argument) + 1
