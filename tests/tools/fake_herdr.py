"""A scripted host on a real Unix socket, with herdr's manners: what the client, the daemon and their tests talk to.

    with socket_folder() as folder:
        host = FakeHerdr(folder / "herdr.sock", manners="0.9")
        agent = host.add_agent("claude", screen="Do you want to proceed?", status="blocked")
        host.when(agent.pane_id, "1", screen="> ", status="working", after=0.05)
        await nursery.start(host.run)

Script it with what `FakeSession` has (`add_agent`, `set_screen`, `set_status`, `detect`, `release`, `close`, `when`,
`on_input`, `on_start`) and what is here (`fail`, `refuse`, `delay`, `answer`, `drop_streams`, `lose_events`); then look
at `sent` (each request) and `typed` (input that was written). Times are trio's, and an autojump clock works: bytes in
a Unix socket of the same process are there at once.
"""

import socket
import stat
import tempfile
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final

import trio
from tools.fake_feeds import LiveFeed, ReplayFeed, unknown_pane
from tools.fake_methods import METHODS
from tools.fake_session import FakeSession, Manners, Params, Reaction, Refused

from collie.herdr.models import Ok, Result, SubscriptionStarted
from collie.herdr.wire import (
    EVENTS_LOST,
    GLOBAL_SUBSCRIPTIONS,
    LINE_LIMIT,
    NOT_IMPLEMENTED,
    OUTPUT_SUBSCRIPTION,
    PANE_SUBSCRIPTIONS,
    Failure,
    Fault,
    LineBuffer,
    LineTooLong,
    Reply,
    Request,
    RequestRefused,
    Success,
    encode,
    invalid_request,
    parse_request,
)

FIRST_LINE: Final = 5.0
"""Seconds for the whole request line."""

TURN: Final = 0.1
"""Seconds of one turn of a 0.8.2 subscription."""

Answer = Callable[[Params], Result | Fault]


class Trouble(Enum):
    """How a call goes wrong."""

    SILENT = "no reply, and the connection stays"
    HANG_UP = "no reply, and the connection goes"
    GARBAGE = "a line that is no JSON"
    WRONG_ID = "the reply to another request"
    WRONG_TYPE = "a result of another kind"
    TOO_LONG = "a line without end"


@dataclass(frozen=True, slots=True, kw_only=True)
class _Step:
    """How one call of a method goes; by default, well."""

    delay: float = 0.0
    fault: Fault | None = None
    trouble: Trouble | None = None
    done: bool = True


@contextmanager
def socket_folder() -> Iterator[Path]:
    """A folder whose path is short enough for a socket in it."""
    with tempfile.TemporaryDirectory(prefix="collie-") as folder:
        yield Path(folder)


class FakeHerdr(FakeSession):
    """The host; `run` serves it, and can serve it again after it was cancelled.

    `rude` counts the connections on which a client wrote more than its one line.
    """

    def __init__(self, path: Path, *, manners: Manners = "0.9") -> None:
        super().__init__(manners)
        self.path = path
        self.rude = 0
        self._answers: dict[str, Answer] = {}
        self._steps: dict[str, deque[_Step]] = {}
        self._streams: set[trio.CancelScope] = set()
        self._news = trio.Event()

    # What a test sets up

    def fail(self, method: str, trouble: Trouble, *, times: int = 1, done: bool = False) -> None:
        """The next calls go wrong; with `done` the host does what was asked all the same."""
        self._plan(method, _Step(trouble=trouble, done=done), times)

    def refuse(self, method: str, code: str, message: str = "refused", *, times: int = 1) -> None:
        """The next calls are refused with this code."""
        self._plan(method, _Step(fault=Fault(code, message), done=False), times)

    def delay(self, method: str, seconds: float, *, times: int = 1) -> None:
        """The next calls are done, but only after so many seconds."""
        self._plan(method, _Step(delay=seconds), times)

    def answer(self, method: str, act: Answer) -> None:
        """Answer a method otherwise, or one that the fake does not have."""
        self._answers[method] = act

    def drop_streams(self) -> None:
        """Close all subscriptions, as a host does that ends."""
        for scope in self._streams:
            scope.cancel()

    def lose_events(self) -> None:
        """All subscriptions fall behind: 0.9 tells them so, 0.8.2 does not."""
        self.events_before += len(self.events) + 1
        self.events.clear()
        self._wake()

    @property
    def streams(self) -> int:
        """How many subscriptions are open."""
        return len(self._streams)

    def emit(self, subscription: str, **data: Any) -> None:
        super().emit(subscription, **data)
        self._wake()

    # The socket

    async def run(self, *, task_status: trio.TaskStatus[None] = trio.TASK_STATUS_IGNORED) -> None:
        """Serve until cancelled, or until server.stop."""
        with self._bound() as listening:
            try:
                async with trio.open_nursery() as nursery:
                    task_status.started()
                    while True:
                        connection, _ = await listening.accept()
                        nursery.start_soon(self._serve, trio.SocketStream(connection), nursery.cancel_scope)
            finally:
                self.path.unlink(missing_ok=True)

    def _bound(self) -> trio.socket.SocketType:
        """The listening socket; bound without trio, whose bind goes to a thread, so that a test's clock would jump."""
        self.path.unlink(missing_ok=True)
        listening = socket.socket(socket.AF_UNIX)
        listening.bind(str(self.path))
        self.path.chmod(stat.S_IRUSR | stat.S_IWUSR)
        listening.listen(64)
        return trio.socket.from_stdlib_socket(listening)

    async def _serve(self, stream: trio.SocketStream, whole: trio.CancelScope) -> None:
        reactions: list[Reaction] = []
        request = None
        async with stream:
            with suppress(trio.BrokenResourceError):  # the client has gone
                if request := await self._request(stream):
                    self.sent.append((request.method, request.params))
                    reactions = await self._attend(stream, request)
        for reaction in reactions:
            await trio.sleep(reaction.after)
            self.react(reaction)
        if request is not None and request.method == "server.stop":
            whole.cancel()

    async def _request(self, stream: trio.SocketStream) -> Request | None:
        lines, data = LineBuffer(), b""
        try:
            with trio.move_on_after(FIRST_LINE):
                while (line := lines.next_line()) is None:
                    data = await stream.receive_some(65_536)
                    if not data:
                        return None
                    lines.receive_data(data)
                self.rude += not data.endswith(b"\n")
                return parse_request(line)
        except LineTooLong:
            return None
        except RequestRefused as refused:
            if refused.reply is not None:
                await stream.send_all(encode(refused.reply))
        return None

    async def _attend(self, stream: trio.SocketStream, request: Request) -> list[Reaction]:
        """Serve one request; returns what its input sets off later."""
        queue = self._steps.get(request.method)
        step = queue.popleft() if queue else _Step()
        await trio.sleep(step.delay)
        if step.fault is not None:
            await stream.send_all(encode(Failure(request.id, step.fault)))
            return []
        if request.method == "events.subscribe" and step.trouble is None:
            await self._subscribe(stream, request)
            return []
        before = len(self.typed)
        reply: Reply = self._reply(request) if step.done else Success(request.id, Ok())
        reactions = self.reactions(self.typed[before:])
        for reaction in reactions:
            if not reaction.after:
                self.react(reaction)
        await self._send_reply(stream, reply, step.trouble)
        return sorted((each for each in reactions if each.after), key=lambda each: each.after)

    def _reply(self, request: Request) -> Reply:
        known = request.method.partition(".")[0] in ("worktree", "plugin", "integration", "layout", "notification")
        try:
            if request.method in self._answers:
                result = self._answers[request.method](request.params)
                return Failure(request.id, result) if isinstance(result, Fault) else Success(request.id, result)
            if request.method in METHODS:
                return Success(request.id, METHODS[request.method](self, request.params))
        except Refused as refused:
            return Failure(request.id, refused.fault)
        except KeyError as missing:
            return invalid_request(f"missing field `{missing.args[0]}`")
        if known:
            return Failure(request.id, Fault(NOT_IMPLEMENTED, f"{request.method} is not offered by this host"))
        return invalid_request(f"unknown variant `{request.method}`")

    async def _send_reply(self, stream: trio.SocketStream, reply: Reply, trouble: Trouble | None) -> None:
        match trouble:
            case Trouble.SILENT:
                await stream.receive_some(1)
            case Trouble.HANG_UP:
                pass
            case Trouble.GARBAGE:
                await stream.send_all(b"herdr: out of memory\n")
            case Trouble.WRONG_ID:
                await stream.send_all(encode(Success("another", Ok())))
            case Trouble.WRONG_TYPE:
                await stream.send_all(encode(Success(reply.id, SubscriptionStarted())))
            case Trouble.TOO_LONG:
                await stream.send_all(b" " * (LINE_LIMIT + 1))
            case None:
                await stream.send_all(encode(reply))

    # Subscriptions

    async def _subscribe(self, stream: trio.SocketStream, request: Request) -> None:
        offered = {*GLOBAL_SUBSCRIPTIONS, *PANE_SUBSCRIPTIONS}
        if self.manners == "embedded":
            offered.add(OUTPUT_SUBSCRIPTION)
        for entry in request.params["subscriptions"]:
            if entry["type"] not in offered:
                await stream.send_all(encode(invalid_request(f"unknown variant `{entry['type']}`")))
                return
        if refusal := unknown_pane(self, request):
            await stream.send_all(encode(refusal))
            return
        feed = ReplayFeed(self, request) if self.manners == "0.8.2" else LiveFeed(self, request)
        await stream.send_all(encode(Success(request.id, SubscriptionStarted())))
        async with trio.open_nursery() as nursery:
            self._streams.add(nursery.cancel_scope)
            nursery.start_soon(self._end_on_input, stream, nursery.cancel_scope)
            await self._hand_out(stream, request, feed)
            self._streams.discard(nursery.cancel_scope)
            nursery.cancel_scope.cancel()

    async def _end_on_input(self, stream: trio.SocketStream, scope: trio.CancelScope) -> None:
        """Any byte, and a half close too, is taken as the client's leaving."""
        with suppress(trio.BrokenResourceError):
            self.rude += bool(await stream.receive_some(1))
        self._streams.discard(scope)
        scope.cancel()

    async def _hand_out(self, stream: trio.SocketStream, request: Request, feed: LiveFeed | ReplayFeed) -> None:
        with suppress(trio.BrokenResourceError):
            while True:
                news = self._news
                batch = feed.take()
                if batch is None:
                    lost = Fault(EVENTS_LOST, "event subscription fell behind retained history")
                    await stream.send_all(encode(Failure(request.id, lost)))
                    return
                if batch:
                    await stream.send_all(b"".join(map(encode, batch)))
                if isinstance(feed, ReplayFeed):
                    await trio.sleep(TURN)
                elif not batch:
                    await news.wait()

    def _plan(self, method: str, step: _Step, times: int) -> None:
        self._steps.setdefault(method, deque()).extend([step] * times)

    def _wake(self) -> None:
        self._news.set()
        self._news = trio.Event()
