"""A node over a Unix socket: two Collies on one machine, `ssh -L`, and tests (design, section 5).

Who connects runs as this machine's own user, as the kernel says, or is nobody; which node it is it says itself, in one
line before all else. That word alone lets nobody in: the TLS key that belongs to the node does.
"""

import os
import pwd
import socket
from hashlib import sha256
from itertools import count
from pathlib import Path
from typing import Final
from weakref import WeakValueDictionary

import trio
from msgspec import UNSET

from collie.tailnet.credentials import Credentials, credentials_of
from collie.tailnet.node import LOCAL_USER, Accepted, NodeState, NodeStatus, WhoIs, WhoIsFailed
from collie.tailnet.preamble import PREAMBLE_BYTES, Preamble, decode, encode
from collie.tailnet.socket_file import SocketFile

PREAMBLE_SECONDS: Final = 2.0
"""How long a caller may take to say which node it is."""

PLACE_LOOK: Final = 1.0
"""Seconds between two looks at whether the socket is still where callers look for it."""

SOURCE: Final = "local"
"""The source in the addresses of all callers."""


def node_id_for(key_pin: str) -> str:
    """A node id for the holder of a key, where there is no network that gives them out."""
    return f"local{sha256(key_pin.encode()).hexdigest()[:24]}"


class LocalNode:
    """A `Node`. `dial` takes the path of the other's socket as its host, and no notice of the port."""

    def __init__(
        self,
        node_id: str,
        path: Path | None = None,
        *,
        preamble: Preamble | None = None,
        allow_claims: bool = False,
    ) -> None:
        """
        Args:
            path: the socket to listen at, in a private folder; None for a node that only dials
            preamble: what it says of itself when it dials, if that is not its node id alone
            allow_claims: believe what callers claim, for tests
        """
        self._node_id = node_id
        self._path = path
        self._preamble = preamble or Preamble(node=node_id)
        self._allow_claims = allow_claims
        self._is_up = False
        self._place: SocketFile | None = None
        self._numbers = count(1)
        self._callers: WeakValueDictionary[str, trio.SocketStream] = WeakValueDictionary()

    async def up(self) -> NodeStatus:
        """Listen, if it has a path. Raises CollieError when the socket cannot be made."""
        if self._place is None and self._path is not None:
            self._place = await SocketFile.make(self._path)
        self._is_up = True
        return await self.status()

    async def status(self) -> NodeStatus:
        """How it stands."""
        await trio.lowlevel.checkpoint()
        state = NodeState.RUNNING if self._is_up else NodeState.STOPPED
        return NodeStatus(state=state, node_id=self._node_id, name=str(self._path or ""))

    async def accept(self) -> Accepted:
        """The next connection. A socket whose name was removed or replaced is made again first.

        Raises: OSError, CollieError, trio.ClosedResourceError.
        """
        while (place := self._place) is not None:
            with trio.move_on_after(PLACE_LOOK):
                connection, _ = await place.listener.accept()
                return self._took(connection)
            if not place.is_in_place():
                self._place = await SocketFile.make(place.path)
                place.close()
        raise trio.ClosedResourceError("this node does not listen")

    async def whois(self, address: str) -> WhoIs:
        """Who is behind the connection from `address`; reads its preamble, and nothing after it. Raises WhoIsFailed."""
        caller = self._callers.pop(address, None)
        if caller is None:
            raise WhoIsFailed("no such connection")
        process = _process(caller.socket)
        with trio.move_on_after(PREAMBLE_SECONDS):
            said = decode(await _read_line(caller.socket), allow_claims=self._allow_claims)
            return WhoIs(
                node_id=said.node,
                user_id=LOCAL_USER if said.user is UNSET else said.user,
                login=_login(process.uid),
                name=f"process {process.pid}",
                tags=() if said.tags is UNSET else said.tags,
                shared_in=said.sharer is not UNSET and said.sharer != 0,
            )
        raise WhoIsFailed("no preamble in time")

    async def dial(self, host: str, port: int) -> trio.SocketStream:
        """A connection to the node that listens at the path `host`. Raises OSError, trio.BrokenResourceError."""
        stream = await trio.open_unix_socket(host)
        try:
            await stream.send_all(encode(self._preamble))
        except BaseException:
            await trio.aclose_forcefully(stream)
            raise
        return stream

    async def aclose(self) -> None:
        """Listen no more. Connections that were taken stay."""
        self._is_up = False
        place, self._place = self._place, None
        if place is not None:
            place.close()
        await trio.lowlevel.checkpoint()

    def _took(self, connection: trio.socket.SocketType) -> Accepted:
        stream = trio.SocketStream(connection)
        address = f"{SOURCE}:{next(self._numbers)}"
        self._callers[address] = stream
        return Accepted(stream=stream, address=address)


def _process(connection: trio.socket.SocketType) -> Credentials:
    try:
        process = credentials_of(connection)
    except OSError as error:
        raise WhoIsFailed("the kernel does not say who connected") from error
    if process.uid != os.geteuid():
        raise WhoIsFailed("foreign uid")
    return process


async def _read_line(connection: trio.socket.SocketType) -> bytes:
    """One line; what follows it stays in the socket for whoever reads next."""
    line = b""
    while len(line) < PREAMBLE_BYTES:
        try:
            seen = await connection.recv(PREAMBLE_BYTES - len(line), socket.MSG_PEEK)
            end = seen.find(b"\n") + 1
            line += await connection.recv(end or len(seen)) if seen else b""
        except OSError as error:
            raise WhoIsFailed("the connection broke") from error
        if not seen:
            raise WhoIsFailed("closed before it said who it is")
        if end:
            return line
    raise WhoIsFailed("too long a preamble")


def _login(uid: int) -> str:
    try:
        return pwd.getpwuid(uid).pw_name
    except KeyError:
        return str(uid)
