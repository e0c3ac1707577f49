"""Which process is at the other end of a Unix socket, as the kernel says."""

import socket
import struct
import sys
from dataclasses import dataclass
from typing import Final

import trio

# <sys/un.h> and <sys/ucred.h> on macOS: struct xucred begins with a version and the effective uid.
_SOL_LOCAL: Final = 0
_LOCAL_PEERCRED: Final = 1
_LOCAL_PEERPID: Final = 2
_XUCRED_BYTES: Final = 76


@dataclass(frozen=True, slots=True, kw_only=True)
class Credentials:
    """The process that connected; `pid` is 0 when it cannot be seen from here."""

    uid: int
    pid: int


def credentials_of(connection: trio.socket.SocketType) -> Credentials:
    """Who connected.

    Raises: OSError when the kernel does not say.
    """
    if sys.platform == "darwin":
        _version, uid = struct.unpack_from("II", connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERCRED, _XUCRED_BYTES))
        return Credentials(uid=uid, pid=connection.getsockopt(_SOL_LOCAL, _LOCAL_PEERPID))
    pid, uid, _gid = struct.unpack("iii", connection.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, 12))
    return Credentials(uid=uid, pid=pid)
