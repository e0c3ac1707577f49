"""A control socket with the handlers of a test, and a client that speaks raw lines to it."""

import json
import tempfile
from collections.abc import AsyncIterator, Iterator, Mapping
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import trio

from collie.daemon.caller import REPORTER, Caller
from collie.daemon.control_socket import run_control_socket
from collie.daemon.dispatch import Dispatcher
from collie.daemon.drive.operations import Operations
from collie.daemon.errands import Errands
from collie.daemon.handler import Handler
from collie.daemon.hub import Hub
from collie.daemon.outbox import Outbox
from collie.daemon.pace import OPERATOR_PACE, WIRE_PACE, FrameRates
from collie.daemon.reception import Reception
from collie.daemon.session import House
from collie.daemon.tripwire import Peer
from collie.daemon.watched import Watched
from collie.protocol import limits
from collie.protocol.methods import HelloResult, MethodClass, Surface
from collie.protocol.models import MachineInfo

HELLO = {"protocol_version": limits.PROTOCOL_VERSION, "app_version": "test", "surface": "dashboard"}


@contextmanager
def short_folder() -> Iterator[Path]:
    """A folder whose sockets have short paths."""
    with tempfile.TemporaryDirectory(prefix="collie-") as name:
        yield Path(name)


class RawClient:
    """Sends what it is told to, frame or not."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.stream = stream
        self._data = b""
        self._id = 0

    async def send(self, frame: bytes | Mapping[str, Any]) -> None:
        """One line."""
        data = frame if isinstance(frame, bytes) else json.dumps(frame).encode()
        await self.stream.send_all(data + b"\n")

    async def receive(self) -> dict[str, Any] | None:
        """The next frame, None when the session has ended."""
        while b"\n" not in self._data:
            try:
                data = await self.stream.receive_some(65_536)
            except trio.BrokenResourceError:
                return None
            if not data:
                return None
            self._data += data
        line, _, self._data = self._data.partition(b"\n")
        frame: dict[str, Any] = json.loads(line)
        return frame

    async def ask(self, method: str, params: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """A request, and the reply to it; events in between are passed over."""
        self._id += 1
        await self.send({"id": self._id, "method": method, "params": params or {}})
        while (frame := await self.receive()) is not None:
            if frame.get("id") == self._id:
                return frame
        raise EOFError(f"the session ended before {method} was answered")

    async def greet(self, surface: str = "dashboard") -> dict[str, Any]:
        """Say hello."""
        return await self.ask("hello", HELLO | {"surface": surface})


@dataclass
class ControlHouse:
    """What runs; `audited` are the lines, as peer, method, target, result; an outbox for each session there was."""

    path: Path
    hub: Hub = field(default_factory=Hub)
    errands: Errands = field(default_factory=Errands)
    audited: list[tuple[str, str, str | None, str]] = field(default_factory=list)
    outboxes: list[Outbox] = field(default_factory=list)

    def audit(self, peer: str, method: str, target: str | None, result: str) -> None:
        """Remember a line."""
        self.audited.append((peer, method, target, result))

    async def watch(self, _watched: Watched, outbox: Outbox) -> None:
        """Remember where a session is told things."""
        self.outboxes.append(outbox)
        await trio.sleep_forever()

    @asynccontextmanager
    async def client(self) -> AsyncIterator[RawClient]:
        """A connection of its own."""
        async with await trio.open_unix_socket(str(self.path)) as stream:
            yield RawClient(stream)


OPERATOR = Caller(device="control", by="desk", classes=frozenset(MethodClass), pace=OPERATOR_PACE)


@dataclass(frozen=True)
class Guest:
    """Somebody at the door who is this caller, whatever it says of itself but a hook."""

    usually: Caller

    def caller(self, surface: Surface | None) -> Caller:
        """As a hook it may only report."""
        if surface is Surface.HOOK:
            return replace(self.usually, device="hooks", by="hook", classes=REPORTER, pace=WIRE_PACE)
        return self.usually


@asynccontextmanager
async def control_house(handlers: Mapping[str, Handler], *callers: Caller) -> AsyncIterator[ControlHouse]:
    """A control socket where clients are these callers in turn, and then the last one again and again."""
    with short_folder() as folder:
        running = ControlHouse(path=folder / "control.sock")
        house = House(
            hub=running.hub,
            dispatcher=Dispatcher(handlers, running.audit, Operations(now=trio.current_time)),
            errands=running.errands,
            audit=running.audit,
            rates=FrameRates(trio.current_time),
            welcome=_welcome,
            watch=running.watch,
        )

        async def look(number: int, _peer: Peer) -> Guest:
            return Guest(callers[min(number, len(callers)) - 1] if callers else OPERATOR)

        reception = Reception(house=house, look=look, now=trio.current_time)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(running.errands.run)
            await nursery.start(run_control_socket, running.path, reception.serve, running.audit)
            yield running
            nursery.cancel_scope.cancel()


def _welcome() -> HelloResult:
    machine = MachineInfo(name="orchard", node_id="local")
    return HelloResult(protocol_version=limits.PROTOCOL_VERSION, collied_version="0.0.0", machine=machine)
