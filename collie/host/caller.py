"""Who is at the other end of a connection, and whether it stands inside a pane.

A tripwire, not a wall: an agent that answers its own question through the socket is caught, code that sets out to
hide its descent is not.
"""

import os
import socket
import struct
import sys
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import psutil
import trio

from collie.host import processes, said

ANCESTORS: Final = 64
"""The longest line of ancestors that is followed."""

PANE_VARIABLE: Final = "HERDR_PANE_ID"
SOCKET_VARIABLE: Final = "HERDR_SOCKET_PATH"

_LOCAL_PEERCRED, _LOCAL_PEERPID, _SOL_LOCAL = 1, 2, 0
"""sys/un.h of macOS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Caller:
    """The process that connected."""

    uid: int
    pid: int | None


def caller_of(connection: "socket.socket | trio.socket.SocketType") -> Caller:
    """The process that connected, as the kernel knows it.

    Raises: OSError.
    """
    if sys.platform == "linux":
        packed = connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, struct.calcsize("3i"))
        pid, uid, _ = struct.unpack("3i", packed)
        return Caller(uid=uid, pid=pid or None)
    else:  # noqa: RET505 - mypy tells platforms apart by branch
        credentials = connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, 76)
        (pid,) = struct.unpack("i", connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID, 4))
        return Caller(uid=struct.unpack_from("2I", credentials)[1], pid=pid or None)


def owner_of(path: Path) -> int | None:
    """The process that listens on a socket, None when none does."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        try:
            probe.connect(os.fspath(path))
            return caller_of(probe).pid
        except OSError:
            return None


def stands_in(caller: Caller, panes: Mapping[str, int], socket_path: str) -> bool:
    """Whether the caller is the shell of one of these panes, comes from it, or belongs to its session.

    A process that has ended meanwhile cannot be judged, and did not wait for its answer: it counts as inside.

    Args:
        panes: the shells, by the id of their pane.
    """
    if caller.pid is None:
        return True
    try:
        return _descends(caller.pid, frozenset(panes.values())) or _says_so(caller.pid, panes.keys(), socket_path)
    except (psutil.NoSuchProcess, ProcessLookupError):
        return True


def program_of(caller: Caller) -> str:
    """The name of the caller's program."""
    try:
        return said.label(said.in_unicode(psutil.Process(caller.pid).name())) or "unknown"
    except psutil.Error:
        return "unknown"


def _descends(pid: int, shells: Collection[int]) -> bool:
    return any(each in shells or _session(each) in shells for each in _line_of(pid))


def _line_of(pid: int) -> Iterator[int]:
    """The process and its ancestors."""
    for _ in range(ANCESTORS):
        yield pid
        parent = psutil.Process(pid).ppid()
        if parent <= 1:
            return
        pid = parent


def _session(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except PermissionError:
        return None


def _says_so(pid: int, pane_ids: Collection[str], socket_path: str) -> bool:
    """What was detached from its pane (its parent gone, a session of its own) still has the pane's environment."""
    try:
        variables = processes.variables(pid, (PANE_VARIABLE, SOCKET_VARIABLE))
    except psutil.AccessDenied:
        return False
    return variables.get(PANE_VARIABLE) in pane_ids and variables.get(SOCKET_VARIABLE) == socket_path
