"""The subscription to the host's events: opened, rebuilt when agents come and go, opened again when it breaks.

A host has no subscription to the status of all panes, so each agent has an entry of its own, and other agents need
another stream. The order is stream first, snapshot second: herdr 0.9 tells only what happens after the subscription,
and 0.8.2 replays what happened before.
"""

from typing import Final

import trio

from collie.herdr.client import REPLY_TIMEOUT, HostClient
from collie.herdr.connection import Connection, connect, refusal
from collie.herdr.errors import HostRefused, HostUnavailable
from collie.herdr.hints import Hint, Lost, Rebuilt, read_hint, subscriptions, unsettles
from collie.herdr.models import AgentInfo
from collie.herdr.wire import EVENTS_LOST, PANE_NOT_FOUND, Event, Failure, Success

REBUILD_PAUSE: Final = 0.25
"""Seconds between two streams, and between two looks at the list of agents: a burst of events makes one of each."""

CHECK_EVERY: Final = 5.0
"""Seconds after which the list is looked at without any event: herdr 0.8.2 drops events, or has a backlog to replay."""

FIRST_PAUSE: Final = 0.25
LAST_PAUSE: Final = 2.0
"""Seconds before a broken stream is opened again: doubled from the first to the last."""


async def run_events(
    client: HostClient,
    send: trio.MemorySendChannel[Hint],
    *,
    task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED,
) -> None:
    """Send hints until cancelled, or until nobody receives them any more.

    `Rebuilt` says that a stream is open: the receiver takes a snapshot then. Reports started when the first attempt to
    open one has been made, whatever came of it. The receiver should have room for some hints: while it takes none,
    they wait at the host, which gives up on a slow reader (and `Rebuilt` follows).
    """
    watch = _Watch(client, send, task_status)
    async with send:
        try:
            await watch.run()
        except trio.BrokenResourceError:
            return


class _Watch:
    """What one `run_events` remembers between its streams."""

    def __init__(
        self, client: HostClient, send: trio.MemorySendChannel[Hint], task_status: trio.TaskStatus[None]
    ) -> None:
        self._client = client
        self._send = send
        self._task_status: trio.TaskStatus[None] | None = task_status
        self._agents: dict[str, AgentInfo] | None = None  # for the next stream, when they are known already
        self._checked = self._opened = -REBUILD_PAUSE
        self._pause = FIRST_PAUSE
        self._lost = False

    async def run(self) -> None:
        while True:
            try:
                await self._follow_one_stream()
            except (HostUnavailable, HostRefused) as exc:
                await self._failed(exc)
            except trio.TooSlowError:
                await self._failed(HostUnavailable(f"no subscription within {REPLY_TIMEOUT:g} s", sent=True))

    async def _follow_one_stream(self) -> None:
        """Returns when another stream is needed."""
        await trio.sleep_until(self._opened + REBUILD_PAUSE)
        pong = await self._client.ping()
        watched, self._agents = self._agents if self._agents is not None else await self._list(), None
        async with await self._open(watched, output=pong.conditional_input) as connection:
            await self._acknowledged(connection)
            self._lost = False
            await self._say(Rebuilt(output=pong.conditional_input))
            try:
                await self._follow(connection, watched)
            finally:
                if trio.current_time() - self._opened > LAST_PAUSE:
                    self._pause = FIRST_PAUSE

    async def _open(self, watched: dict[str, AgentInfo], *, output: bool) -> Connection:
        self._opened = trio.current_time()
        request = self._client.request("events.subscribe", subscriptions=subscriptions(watched, output=output))
        with trio.fail_after(REPLY_TIMEOUT):
            return await connect(self._client.socket_path, request)

    async def _acknowledged(self, connection: Connection) -> None:
        """The first line; not matched by id, as an entry is refused under an id made from ours (herdr 0.8.2)."""
        with trio.fail_after(REPLY_TIMEOUT):
            reply = await connection.receive()
        if isinstance(reply, Failure):
            raise refusal(reply.error)
        if not isinstance(reply, Success):
            raise HostUnavailable("the host sent events before it took the subscription", sent=True)

    async def _follow(self, connection: Connection, watched: dict[str, AgentInfo]) -> None:
        """Hand on what the stream says, and look at the list once at the start: it may be older than the stream."""
        unsettled = True
        while True:
            due = self._checked + (REBUILD_PAUSE if unsettled else CHECK_EVERY)
            line = None
            with trio.move_on_at(due):
                line = await connection.receive()
            if isinstance(line, Event):
                unsettled = unsettled or unsettles(line, watched)
                if hint := read_hint(line):
                    await self._say(hint)
            elif isinstance(line, Failure):
                if line.error.code == EVENTS_LOST:
                    return
                raise refusal(line.error)
            elif line is None:
                listed = await self._list()
                if listed.keys() != watched.keys():
                    self._agents = listed
                    return
                watched, unsettled = listed, False

    async def _list(self) -> dict[str, AgentInfo]:
        agents = await self._client.agent_list()
        self._checked = trio.current_time()
        return {agent.pane_id: agent for agent in agents}

    async def _failed(self, error: HostUnavailable | HostRefused) -> None:
        """Say so, and wait. A pane that went just before it was subscribed to is no news, unless it stays so."""
        self._agents = None
        vanished = isinstance(error, HostRefused) and error.code == PANE_NOT_FOUND
        if not self._lost and not (vanished and self._pause == FIRST_PAUSE):
            self._lost = True
            await self._say(Lost(why=str(error)))
        await trio.sleep(self._pause)
        self._pause = min(self._pause * 2, LAST_PAUSE)

    async def _say(self, hint: Hint) -> None:
        if self._task_status is not None:
            self._task_status.started()
            self._task_status = None
        await self._send.send(hint)
