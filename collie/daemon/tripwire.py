"""Who is at the other end of the control socket, and whether it stands inside a pane.

An agent is not the operator: what runs in a pane may report, and nothing else (design, section 5). This is a tripwire
and no wall. A process of the same user can leave its pane's process tree and clear its environment, and is then taken
for the operator.
"""

import os
import socket
import struct
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

import psutil
import trio

PANE_VARIABLE: Final = "HERDR_PANE_ID"
"""Set for every process in a pane, by herdr and by the embedded host (specs: herdr-api section 9.1)."""

ANCESTORS: Final = 64
"""The longest line of parents that is walked; a real one has a dozen."""

# <sys/un.h> and <sys/ucred.h> on macOS: struct xucred begins with a version and the effective uid.
_SOL_LOCAL: Final = 0
_LOCAL_PEERCRED: Final = 1
_LOCAL_PEERPID: Final = 2
_XUCRED_BYTES: Final = 76


@dataclass(frozen=True, slots=True, kw_only=True)
class Peer:
    """The process that opened a connection, as the kernel says; `pid` is 0 when it cannot be seen from here."""

    pid: int
    uid: int


@dataclass(frozen=True, slots=True, kw_only=True)
class InsidePane:
    """A caller that stands inside a pane: its process, its program's name, and what gave it away.

    `pane` is the pane's first process, by which all that stand in it are told from others; 0 when only an environment
    says that there is a pane.
    """

    pid: int
    program: str
    witness: str
    pane: int = 0


def peer_of(sock: trio.socket.SocketType) -> Peer:
    """Who connected this Unix socket. Raises OSError when the kernel does not say."""
    if sys.platform == "darwin":
        _version, uid = struct.unpack_from("II", sock.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES))
        return Peer(pid=sock.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID), uid=uid)
    pid, uid, _gid = struct.unpack("iii", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return Peer(pid=pid, uid=uid)


def inside_pane(pid: int, shells: Collection[int], host: int = 0) -> InsidePane | None:
    """Whether the process stands inside a pane, and what says so.

    It does when it, one of its ancestors, or the leader of the session of one of these is a pane's shell, comes from
    the host, or has a pane's environment: what was put into the background and has lost its parent is still in the
    session of its pane.

    Args:
        shells: the shells of the panes that are known.
        host: the process of the host, which starts the shells of all panes; 0 when it is not known.

    A process that cannot be looked at (gone, or of another process space) is taken to be inside.
    """
    unseen = InsidePane(pid=pid, program="unknown", witness="it cannot be seen")
    if pid <= 0:
        return unseen
    try:
        program = program_of(pid)
        lines = list(_lines(pid))
    except psutil.Error:
        return unseen
    for line in lines:
        for place, each in enumerate(line):
            if each in shells:
                return InsidePane(pid=pid, program=program, witness=f"process {each} is a pane's", pane=each)
            if each == host:
                shell = line[max(place - 1, 0)]
                return InsidePane(pid=pid, program=program, witness=f"process {each} is the host", pane=shell)
    for each in dict.fromkeys(each for line in lines for each in line):
        if _names_a_pane(each):
            return InsidePane(pid=pid, program=program, witness=f"process {each} has {PANE_VARIABLE}")
    return None


def program_of(pid: int) -> str:
    """What a process calls its program, which may be anything. Raises psutil.Error when it cannot be seen."""
    return "".join(each if each.isprintable() else "?" for each in psutil.Process(pid).name())


def _lines(pid: int) -> Iterator[list[int]]:
    """The process and its ancestors, from the inside out; then the same of the leader of each session among them."""
    line = _line(pid)
    yield line
    seen = set(line)
    for each in line:
        leader = _leader(each)
        if leader and leader not in seen:
            seen.add(leader)
            yield _line(leader) if psutil.pid_exists(leader) else [leader]


def _line(pid: int) -> list[int]:
    """The process and its ancestors; of those that end meanwhile, what could still be seen."""
    line = [pid]
    try:
        while len(line) < ANCESTORS and (parent := psutil.Process(line[-1]).ppid()):
            line.append(parent)
    except psutil.Error:
        if len(line) == 1:
            raise
    return line


def _leader(pid: int) -> int:
    """The leader of the process's session, which may have ended; 0 when it is of another process space."""
    try:
        return os.getsid(pid)
    except OSError:
        return 0


def _names_a_pane(pid: int) -> bool:
    """Whether the environment it was started with names a pane; one that may not be read names none."""
    try:
        return PANE_VARIABLE in psutil.Process(pid).environ()
    except (psutil.Error, OSError):
        return False


def is_our_user(peer: Peer) -> bool:
    """Whether the peer runs as the user that the daemon runs as."""
    return peer.uid == os.geteuid()
