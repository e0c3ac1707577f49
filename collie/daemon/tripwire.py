"""Who is at the other end of the control socket, and whether it stands inside a pane.

An agent is not the operator: what runs in a pane may report, and nothing else (design, section 5). This is a tripwire
and no wall. A process of the same user can leave its pane's process tree and clear its environment, and is then taken
for the operator.
"""

import os
import socket
import struct
import sys
from collections.abc import Collection
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
    """A caller that stands inside a pane: its process, its program's name, and what gave it away."""

    pid: int
    program: str
    witness: str


def peer_of(sock: trio.socket.SocketType) -> Peer:
    """Who connected this Unix socket. Raises OSError when the kernel does not say."""
    if sys.platform == "darwin":
        _version, uid = struct.unpack_from("II", sock.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES))
        return Peer(pid=sock.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID), uid=uid)
    pid, uid, _gid = struct.unpack("iii", sock.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return Peer(pid=pid, uid=uid)


def inside_pane(pid: int, pane_pids: Collection[int]) -> InsidePane | None:
    """Whether the process stands inside a pane, and what says so.

    Args:
        pane_pids: processes whose descendants are inside: the shells of the panes, the host that started them.

    A process that cannot be looked at (gone, or of another process space) is taken to be inside.
    """
    unseen = InsidePane(pid=pid, program="unknown", witness="it cannot be seen")
    if pid <= 0:
        return unseen
    try:
        process = psutil.Process(pid)
        program = process.name()
        line = [process, *process.parents()][:ANCESTORS]
    except psutil.Error:
        return unseen
    for each in line:
        if each.pid in pane_pids:
            return InsidePane(pid=pid, program=program, witness=f"process {each.pid} is a pane's")
        if _names_a_pane(each):
            return InsidePane(pid=pid, program=program, witness=f"process {each.pid} has {PANE_VARIABLE}")
    return None


def _names_a_pane(process: psutil.Process) -> bool:
    """Whether the environment it was started with names a pane; one that may not be read names none."""
    try:
        return PANE_VARIABLE in process.environ()
    except (psutil.Error, OSError):
        return False


def is_our_user(peer: Peer) -> bool:
    """Whether the peer runs as the user that the daemon runs as."""
    return peer.uid == os.geteuid()
