"""A daemon without its socket and lock, over a scripted host: asked through its dispatcher, heard through an outbox."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import trio
import trio.testing
from tools.control_house import short_folder
from tools.fake_herdr import FakeHerdr
from tools.fake_session import Manners

from collie.daemon.assembly import Parts, assemble
from collie.daemon.audit import AuditLog
from collie.daemon.caller import DESK, Caller
from collie.daemon.clock import Clock
from collie.daemon.config import Config, HostKind
from collie.daemon.handler import Request
from collie.daemon.outbox import Outbox
from collie.daemon.watched import Watched
from collie.herdr.errors import HostUnavailable
from collie.protocol.events import AnyEvent
from collie.protocol.frames import ClientFrame, EventFrame, decode_server
from collie.protocol.methods import METHODS, FlockResult, HostResult, MethodClass, Nothing, Params, Result

Found = TypeVar("Found", bound=Result)


@dataclass
class Ear:
    """A session that only listens, and asks for the test."""

    caller: Caller = field(default_factory=lambda: Caller(device="control", by=DESK, classes=frozenset(MethodClass)))
    outbox: Outbox = field(default_factory=Outbox)
    watched: Watched = field(default_factory=Watched)
    follows_audit: bool = False

    async def next_event(self) -> AnyEvent:
        """What it is told next."""
        data = await self.outbox.take()
        assert data is not None
        frame = decode_server(data)
        assert isinstance(frame, EventFrame)
        assert frame.event is not None
        return frame.event

    async def hear(self, kind: type[Result] | type[AnyEvent], seconds: float = 60.0) -> AnyEvent:
        """The next event of this kind; others before it are passed over."""
        with trio.fail_after(seconds):
            while not isinstance(event := await self.next_event(), kind):
                pass
            return event

    async def silence(self, seconds: float) -> list[AnyEvent]:
        """What it is told in this time."""
        heard: list[AnyEvent] = []
        with trio.move_on_after(seconds):
            while True:
                heard.append(await self.next_event())
        return heard


@dataclass
class DaemonWorld:
    """The parts, the host they talk to, and one ear. `stop_host` and `start_host` act as a crash and a restart do."""

    config: Config
    host: FakeHerdr
    parts: Parts
    ear: Ear
    nursery: trio.Nursery
    audit_log: AuditLog
    _host_scope: trio.CancelScope | None = None

    async def ask(self, method: str, params: Params, answer: type[Found]) -> Found:
        """What a client would be answered. Raises WireError."""
        frame = ClientFrame(id=1, method=METHODS[method], params=params)
        result = await self.parts.house.dispatcher.answer(frame, Request(caller=self.ear.caller, session=self.ear))
        assert isinstance(result, answer)
        return result

    async def flock(self) -> FlockResult:
        """The snapshot. Raises WireError."""
        return await self.ask("flock.snapshot", Nothing(), FlockResult)

    async def host_status(self) -> HostResult:
        """How the host does."""
        return await self.ask("host.status", Nothing(), HostResult)

    async def start_host(self) -> None:
        """Have the host listen."""
        scope = trio.CancelScope()

        async def run(*, task_status: trio.TaskStatus[None]) -> None:
            with scope:
                await self.host.run(task_status=task_status)

        await self.nursery.start(run)
        self._host_scope = scope

    def stop_host(self, *, leaves_socket: bool = False) -> None:
        """End it: nobody listens any more, and the streams break. One that was killed leaves its socket behind."""
        assert self._host_scope is not None
        path = self.host.path
        if leaves_socket:
            self.host.path = path.with_name("nothing")
            self.nursery.start_soon(self._put_back, path)
        self._host_scope.cancel()
        self.host.drop_streams()

    async def _put_back(self, path: Path) -> None:
        await trio.testing.wait_all_tasks_blocked()
        self.host.path = path


@asynccontextmanager
async def daemon_world(
    manners: Manners = "0.9",
    *,
    ensure: Callable[["DaemonWorld"], Awaitable[Path]] | None = None,
    prepare: Callable[[FakeHerdr], object] = lambda _: None,
    starts_host: bool = True,
    programs: Sequence[str] = (),
    kind: HostKind | None = None,
) -> AsyncIterator[DaemonWorld]:
    """A daemon that runs; `prepare` sets up the host before, `ensure` stands for starting an embedded one, `programs`
    are the agents that are installed, `kind` is what the configuration says of the host."""
    worlds: list[DaemonWorld] = []

    async def ensure_host() -> Path:
        if ensure is None and starts_host:
            return worlds[0].host.path
        if ensure is None:
            raise HostUnavailable("this test starts no host", sent=False)
        return await ensure(worlds[0])

    with short_folder() as folder:
        data_dir = folder / "data"
        data_dir.mkdir(mode=0o700)
        embedded = manners == "embedded"
        config = Config(
            data_dir=data_dir,
            host_kind=kind or (HostKind.EMBEDDED if embedded else HostKind.HERDR),
            environ={
                "HOME": str(folder),
                "HERDR_SOCKET_PATH": str(folder / "herdr.sock"),
                "PATH": str(_installed(folder, programs)),
            },
        )
        path = data_dir / "herdr/herdr.sock" if embedded else folder / "herdr.sock"
        path.parent.mkdir(mode=0o700, exist_ok=True)
        host = FakeHerdr(path, manners=manners)
        prepare(host)
        log = AuditLog.open(data_dir, 0)
        parts = assemble(
            config, headless=True, clock=Clock(), audit_log=log, stop_daemon=lambda _: None, ensure_host=ensure_host
        )
        async with trio.open_nursery() as nursery:
            world = DaemonWorld(config=config, host=host, parts=parts, ear=Ear(), nursery=nursery, audit_log=log)
            worlds.append(world)
            parts.house.hub.add(0, world.ear)
            if starts_host:
                await world.start_host()
            nursery.start_soon(parts.errands.run)
            nursery.start_soon(parts.looks.run)
            nursery.start_soon(parts.reconciler.run)
            await parts.reconciler.settled()
            await world.ear.silence(0.0)
            yield world
            nursery.cancel_scope.cancel()
        log.close()


def _installed(folder: Path, programs: Sequence[str]) -> Path:
    scripts = folder / "bin"
    scripts.mkdir()
    for name in programs:
        (scripts / name).touch(0o700)
    return scripts
