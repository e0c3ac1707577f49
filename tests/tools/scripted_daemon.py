"""A daemon's end of a control connection, in memory, that answers as a script says."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import trio
import trio.testing

from collie.client.connection import Connection
from collie.errors import sole_error
from collie.protocol import frames, limits
from collie.protocol.errors import WireError
from collie.protocol.events import AnyEvent
from collie.protocol.frames import ClientFrame
from collie.protocol.ids import Label
from collie.protocol.lines import LineBuffer
from collie.protocol.methods import (
    AuditResult,
    FlockResult,
    Hello,
    HelloResult,
    HostResult,
    Params,
    Result,
    Surface,
)
from collie.protocol.models import HostState, HostStatus, MachineInfo

MACHINE = MachineInfo(name="orchard", node_id="local")

HELLO = Hello(protocol_version=limits.PROTOCOL_VERSION, app_version=Label("collie test"), surface=Surface.DASHBOARD)

Answer = Result | WireError | None
"""What a request gets; None for no answer at all."""


def build_answers() -> dict[str, Callable[[Params], Answer]]:
    """What a healthy daemon without agents answers."""
    hello = HelloResult(protocol_version=limits.PROTOCOL_VERSION, collied_version="0.0.0", machine=MACHINE)
    host = HostStatus(kind="embedded", state=HostState.UP)
    return {
        "hello": lambda _: hello,
        "host.status": lambda _: HostResult(host=host),
        "flock.snapshot": lambda _: FlockResult(seq=0, machine=MACHINE),
        "audit.tail": lambda _: AuditResult(),
    }


@dataclass
class ScriptedDaemon:
    """`answers` maps a method to what its request gets; `asked` lists what was asked; `dials` counts sessions."""

    answers: dict[str, Callable[[Params], Answer]] = field(default_factory=build_answers)
    asked: list[tuple[str, Params]] = field(default_factory=list)
    dials: int = 0
    sequence: int = 0
    stream: trio.abc.Stream | None = None

    @asynccontextmanager
    async def dial(self) -> AsyncIterator[Connection]:
        """What a supervisor dials: a greeted session with this daemon."""
        self.dials += 1
        ours, theirs = trio.testing.memory_stream_pair()
        self.stream, self.sequence = theirs, 0
        connection = Connection(ours)
        with sole_error():
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self._serve, theirs)
                nursery.start_soon(connection.run)
                hello = Hello(
                    protocol_version=limits.PROTOCOL_VERSION,
                    app_version=Label("collie test"),
                    surface=Surface.DASHBOARD,
                )
                answer = await connection.call("hello", hello)
                assert isinstance(answer, HelloResult)
                connection.hello = answer
                try:
                    yield connection
                finally:
                    nursery.cancel_scope.cancel()

    async def tell(self, event: AnyEvent) -> None:
        """Send an event."""
        assert self.stream is not None
        self.sequence += 1
        await self.stream.send_all(frames.encode_event(self.sequence, event) + b"\n")

    async def say(self, line: bytes) -> None:
        """Send bytes as they are."""
        assert self.stream is not None
        await self.stream.send_all(line)

    async def hang_up(self) -> None:
        """End the session from the daemon's side."""
        assert self.stream is not None
        await self.stream.aclose()

    async def _serve(self, stream: trio.abc.Stream) -> None:
        lines = LineBuffer(limits.CLIENT_FRAME_BYTES)
        try:
            async for data in stream:
                lines.receive_data(data)
                while (line := lines.next_line()) is not None:
                    await self._answer(stream, frames.decode_client(line))
        except (trio.ClosedResourceError, trio.BrokenResourceError):
            return

    async def _answer(self, stream: trio.abc.Stream, frame: ClientFrame) -> None:
        self.asked.append((frame.method.name, frame.params))
        answer = self.answers[frame.method.name](frame.params)
        if isinstance(answer, WireError):
            await stream.send_all(frames.encode_error(frame.id, answer) + b"\n")
        elif answer is not None:
            await stream.send_all(frames.encode_result(frame.id, answer) + b"\n")
