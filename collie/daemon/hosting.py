"""Which host owns the panes, herdr or the embedded one, and how the daemon stands with it.

One host a daemon: the other one is only named. In `auto` it is herdr if that answers, else the embedded host, which is
started when it is first needed. The choice is made again only while the chosen host is not there and no agents are
known, so never under an agent.
"""

import logging
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import trio

from collie.daemon.config import Config, HostKind
from collie.daemon.tripwire import peer_of
from collie.errors import CollieError
from collie.herdr.client import HostClient
from collie.herdr.discovery import answers, herdr_socket
from collie.herdr.models import Pong
from collie.protocol.errors import Code, WireError
from collie.protocol.models import HostState, HostStatus
from collie.store import socket_path

log = logging.getLogger(__name__)

EMBEDDED_SOCKET: Final = "herdr/herdr.sock"

EMBEDDED_VERSION: Final = "+collie"
"""What the version of every embedded host holds, and no herdr's (specs: embedded-host section 2)."""

OTHER_SECONDS: Final = 0.2

GONE_LOOK: Final = 0.05
"""Seconds between two looks at whether a host that was asked to end has ended."""

Ensure = Callable[[], Awaitable[Path]]
"""Finds the embedded host or starts it; its socket. Raises CollieError."""


class Hosting:
    """The chosen host. `client` is the same object for good; the socket it talks to follows the choice."""

    def __init__(self, config: Config, ensure: Ensure) -> None:
        home = Path(config.environ.get("HOME") or Path.home())
        self._sockets = {
            HostKind.HERDR: herdr_socket(config.environ, home, session=config.herdr_session),
            HostKind.EMBEDDED: socket_path(config.data_dir, EMBEDDED_SOCKET),
        }
        self._config = config
        self._ensure = ensure
        self.kind: HostKind = HostKind.EMBEDDED if config.host_kind is HostKind.AUTO else config.host_kind
        self.client = HostClient(self._sockets[self.kind])
        self.state = HostState.STARTING
        self.version = ""
        self.detail = ""
        self.lost: tuple[str, ...] = ()
        self.other = ""
        self.pid = 0
        """The host's process, 0 while it is not known."""
        self.is_stopping = False
        """It is being ended on purpose: that it goes is no loss."""
        self._greeted: tuple[int, int, int] | None = None

    @property
    def is_embedded(self) -> bool:
        """Whether it is Collie's own."""
        return self.kind is HostKind.EMBEDDED

    @property
    def status(self) -> HostStatus:
        """How things stand, for people."""
        return HostStatus(
            kind=self.kind.value,
            state=self.state,
            version=self.version,
            socket=str(self.client.socket_path),
            detail=self.detail or self._waiting_for(),
            lost=self.lost,
            other=self.other,
        )

    @property
    def may_choose(self) -> bool:
        """Whether the configuration leaves the choice to us."""
        return self._config.host_kind is HostKind.AUTO

    async def choose(self) -> None:
        """Look who is there, and take one. Only for when the daemon knows of no agents."""
        herdr = await self._herdr()
        if self.may_choose:
            self._take(HostKind.HERDR if herdr else HostKind.EMBEDDED)
        self.other = await self._other(herdr)

    async def note_other(self) -> None:
        """Look whether the other host runs too; one that does not answer at once is not waited for."""
        with trio.move_on_after(OTHER_SECONDS):
            self.other = await self._other(await self._herdr() if self.is_embedded else None)

    async def greet(self) -> None:
        """Ask the host who it is. Raises HostUnavailable, HostRefused."""
        identity = self.socket_identity()
        self.version = (await self.client.ping()).version
        self.pid = await _pid_behind(self.client.socket_path)
        self._greeted = identity

    def came_up(self, detail: str = "") -> None:
        """It answers, and what it says can be relied on."""
        self.state, self.detail = HostState.UP, detail

    def went(self, why: str, lost: tuple[str, ...]) -> None:
        """It does not answer any more; `lost` are the agents that were there."""
        self.state, self.detail, self.pid = HostState.LOST, why, 0
        self.lost = lost or self.lost

    @property
    def is_past_a_loss(self) -> bool:
        """Whether it is up, and a loss before that is still told."""
        return self.state is HostState.UP and bool(self.lost or self.detail)

    def forget_loss(self) -> None:
        """There are agents again, so what was lost is old news."""
        self.lost, self.detail = (), ""

    def stopped(self) -> None:
        """The embedded host was ended on purpose, and is started again when it is needed."""
        self.state, self.detail, self.lost, self.pid, self.version = HostState.STARTING, "", (), 0, ""

    @property
    def was_replaced(self) -> bool:
        """Whether another process listens at the socket than the one that was greeted."""
        return self.socket_identity() != self._greeted

    async def process(self) -> int:
        """The host's process, asked of the kernel where another may listen than the one that was greeted; 0 when it
        is not known."""
        if self.pid and not self.was_replaced:
            return self.pid
        with trio.move_on_after(OTHER_SECONDS):
            return await _pid_behind(self.client.socket_path) or self.pid
        return self.pid

    def socket_identity(self) -> tuple[int, int, int] | None:
        """What changes when another process listens at the socket's path; None when there is none."""
        try:
            found = os.stat(self.client.socket_path)
        except OSError:
            return None
        return found.st_dev, found.st_ino, found.st_mtime_ns

    async def ensure(self) -> None:
        """Have a host: the embedded one is started, herdr is not. Raises WireError when there is none then."""
        if not self.is_embedded:
            if self.state is not HostState.UP:
                raise WireError(Code.HERDR_UNAVAILABLE, self.unavailable())
            return
        try:
            self.client.socket_path = await self._ensure()
        except CollieError as exc:
            self.detail = str(exc)
            raise WireError(Code.HERDR_UNAVAILABLE, f"the embedded host does not start: {exc}") from exc

    async def is_gone(self) -> bool:
        """Whether nobody listens at the socket any more, rather than being slow to answer."""
        try:
            stream = await trio.open_unix_socket(str(self.client.socket_path))
        except OSError:
            return True
        await trio.aclose_forcefully(stream)
        return False

    async def wait_gone(self) -> None:
        """Until nobody listens at the socket."""
        while True:
            if await self.is_gone():
                return
            await trio.sleep(GONE_LOOK)

    def unavailable(self) -> str:
        """Why a request that needs the host is refused."""
        return f"the host is not available: {self.detail or self._waiting_for() or 'it does not answer'}"

    def _take(self, kind: HostKind) -> None:
        if kind is not self.kind:
            self.kind = kind
            self.client.socket_path = self._sockets[kind]
            self.state, self.version, self.detail, self.lost = HostState.STARTING, "", "", ()

    async def _herdr(self) -> Pong | None:
        """A herdr that answers. In a pane of an embedded host, the environment names that host as if it were one."""
        pong = await answers(self._sockets[HostKind.HERDR])
        return None if pong is None or EMBEDDED_VERSION in pong.version else pong

    async def _other(self, herdr: Pong | None) -> str:
        """A host that is there too, but not used."""
        if self.kind is HostKind.EMBEDDED:
            return f"herdr {herdr.version} runs too, and is not used" if herdr else ""
        embedded = await answers(self._sockets[HostKind.EMBEDDED])
        return f"the embedded host ({embedded.version}) runs too, and is not used" if embedded else ""

    def _waiting_for(self) -> str:
        if self.state is not HostState.STARTING:
            return ""
        if self.is_embedded:
            return "starts with the first agent"
        return f"no herdr answers at {self.client.socket_path}"


async def _pid_behind(path: Path) -> int:
    """The process that listens at a Unix socket, 0 when the kernel does not say."""
    try:
        async with await trio.open_unix_socket(str(path)) as stream:
            return peer_of(stream.socket).pid
    except OSError:
        return 0
