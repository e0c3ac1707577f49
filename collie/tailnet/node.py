"""What a node of the private network must give, whatever carries it (design, sections 3 and 5)."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final, Protocol

import trio

from collie.errors import CollieError

LOCAL_USER: Final = 0
"""`user_id` of whoever runs as this machine's own user, whom no network had to vouch for; none has a user 0."""


class WhoIsFailed(CollieError):
    """Nobody vouches for a caller; the message says why, in words for the audit log."""


class NodeState(StrEnum):
    """How the node stands; only RUNNING can be reached."""

    STOPPED = "stopped"
    STARTING = "starting"
    NEEDS_LOGIN = "needs_login"
    RUNNING = "running"


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeStatus:
    """The node's own view: its stable id and name ("" until it has one), and the URL to log in at, if it waits."""

    state: NodeState
    node_id: str = ""
    name: str = ""
    login_url: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class WhoIs:
    """Who is behind a connection, as the network vouches for it.

    `tags` is empty for a person's node, `shared_in` true for one that another tailnet lent.
    """

    node_id: str
    user_id: int
    login: str
    name: str
    tags: tuple[str, ...] = ()
    shared_in: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Accepted:
    """A connection and its caller's address, delivered together so that identities are never mixed up.

    An address is a source and, after its last colon, what tells this connection from others of that source.
    """

    stream: trio.abc.Stream
    address: str


class Node(Protocol):
    """One identity on the private network."""

    async def up(self) -> NodeStatus:
        """Join, and return once the node is running or needs a login. Raises CollieError."""

    async def status(self) -> NodeStatus:
        """How it stands now."""

    async def accept(self) -> Accepted:
        """The next connection.

        Raises: OSError or CollieError when none can be taken just now, trio.ClosedResourceError when the node is not
        up.
        """

    async def whois(self, address: str) -> WhoIs:
        """Who calls from `address`; asked once for each connection, before anything is read from it.

        Raises: WhoIsFailed.
        """

    async def dial(self, host: str, port: int) -> trio.abc.Stream:
        """A connection to another node.

        Raises: OSError or trio.BrokenResourceError when there is none.
        """

    async def aclose(self) -> None:
        """Leave, and release what is held."""
