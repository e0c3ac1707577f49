"""From a stranger to a peer: node, gate, TLS and pairing together, over a real socket and through a forwarded one."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest
import trio
import trio.testing
from tools.control_house import short_folder
from tools.pairing import RecordedDesk

from collie.daemon.clock import Clock
from collie.daemon.device import Device
from collie.daemon.gate import Decision, Full, PairingOnly, Refused, admits, decide
from collie.daemon.pairing.window import Applicant, PairingWindow
from collie.daemon.peers import PeersFile
from collie.protocol import invite
from collie.protocol.ids import Label
from collie.protocol.invite import HostName, Invite, KeyPin, NodeId, PairingCode
from collie.tailnet.local import LocalNode, node_id_for
from collie.tailnet.node import Accepted, WhoIs
from collie.tls import stream as tls
from collie.tls.keys import LocalKey

pytestmark = pytest.mark.trio

REFUSAL = b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n"
SERVER_KEY, CLIENT_KEY, OTHER_KEY = LocalKey.generate(), LocalKey.generate(), LocalKey.generate()
CLIENT = node_id_for(CLIENT_KEY.pin)


@dataclass
class Door:
    """A machine that lets callers in as a daemon does; what follows is one line each way: a code, then an answer."""

    path: Path
    node: LocalNode
    peers: PeersFile
    desk: RecordedDesk = field(default_factory=RecordedDesk)
    decisions: list[Decision] = field(default_factory=list)
    window: PairingWindow = field(init=False)

    def __post_init__(self) -> None:
        self.window = PairingWindow(
            peers=self.peers,
            configured_owner=None,
            invite_for=self.invite_for,
            end_sessions=lambda window, keep: None,
            audit=lambda *line: None,
            clock=Clock(),
        )

    def invite_for(self, code: PairingCode) -> Invite:
        """The invite to this machine."""
        key, node = KeyPin(SERVER_KEY.pin), NodeId(node_id_for(SERVER_KEY.pin))
        return Invite(host=HostName("localhost"), port=8457, node_id=node, key_pin=key, code=code)

    def judge(self, caller: WhoIs) -> Decision:
        """The gate, as things stand now."""
        return decide(caller, Device(node_id=caller.node_id), self.peers.peers, window=self.window.number())

    async def run(self) -> None:
        """Let callers in."""
        async with trio.open_nursery() as nursery:
            while True:
                nursery.start_soon(self.serve, await self.node.accept())

    async def serve(self, accepted: Accepted) -> None:
        """One caller."""
        async with accepted.stream as transport:
            caller = await self.node.whois(accepted.address)
            before = self.judge(caller)
            self.decisions.append(before)
            if isinstance(before, Refused):
                await transport.send_all(REFUSAL)
                return
            stream = tls.server(transport, SERVER_KEY, before.accepts)
            try:
                await stream.do_handshake()
            except tls.TlsError:
                return
            if admits(before, self.judge(caller), stream.peer_pin):
                await stream.send_all(await self.answer(stream, caller, before))
                await stream.aclose()

    async def answer(self, stream: tls.TlsStream, caller: WhoIs, decision: Decision) -> bytes:
        """What a session says: hello, or whether it is paired."""
        if not isinstance(decision, PairingOnly):
            return b"hello"
        applicant = Applicant(
            device=Device(node_id=caller.node_id),
            caller=caller,
            tls_key=stream.peer_pin,
            session=1,
            window=decision.window,
            by=caller.node_id,
        )
        code = PairingCode((await stream.receive_some(100)).decode())
        await self.window.complete(applicant, code, Label("Ana's desk"))
        return b"paired"


@asynccontextmanager
async def door() -> AsyncIterator[Door]:
    """A machine nobody is paired with."""
    with short_folder() as folder:
        path = folder / "peer.sock"
        made = Door(path=path, node=LocalNode(node_id_for(SERVER_KEY.pin), path), peers=PeersFile.open(folder))
        await made.node.up()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(made.window.run)
            nursery.start_soon(made.run)
            yield made
            nursery.cancel_scope.cancel()
        await made.node.aclose()


async def call(path: Path, said: bytes = b"", *, key: LocalKey = CLIENT_KEY, node: str = CLIENT) -> bytes:
    """What the machine says to a client, which says this first; its first twelve bytes where it is not TLS."""
    transport = await LocalNode(node).dial(str(path), 8457)
    stream = tls.client(transport, key, [SERVER_KEY.pin])
    async with stream:
        try:
            if said:
                await stream.send_all(said)
            return bytes(await stream.receive_some(100))
        except tls.KeyRefused:
            return b"key refused"
        except tls.TlsError:
            return stream.head


async def pair(made: Door, path: Path) -> None:
    """Open a window, try its code, and say yes."""
    code = invite.parse(made.window.open(made.desk).uri).code
    said: list[bytes] = []

    async def try_code() -> None:
        said.append(await call(path, code.encode()))

    async with trio.open_nursery() as nursery:
        nursery.start_soon(try_code)
        while not made.desk.asked:
            await trio.testing.wait_all_tasks_blocked(0.01)
        made.window.confirm(made.desk, 1, True)
    assert said == [b"paired"]


async def test_a_stranger_gets_the_fixed_refusal_in_clear() -> None:
    async with door() as made:
        assert await call(made.path) == b"HTTP/1.1 403"


async def test_a_stranger_is_paired_and_is_a_peer_from_then_on() -> None:
    async with door() as made:
        await pair(made, made.path)

        assert await call(made.path) == b"hello"
        assert await call(made.path, key=OTHER_KEY) == b"key refused"
        assert await call(made.path, node="nOTHER") == b"HTTP/1.1 403"
        assert [type(each) for each in made.decisions] == [PairingOnly, Full, Full, Refused]


async def test_one_that_was_unpaired_is_a_stranger_again() -> None:
    async with door() as made:
        await pair(made, made.path)
        made.peers.save(made.peers.peers.removing("Ana's desk")[0])

        assert await call(made.path) == b"HTTP/1.1 403"


async def test_a_forwarded_socket_is_as_good() -> None:
    """As `ssh -L near.sock:peer.sock` does it."""
    async with door() as made, trio.open_nursery() as nursery:
        near = made.path.with_name("near.sock")
        listener = trio.socket.socket(trio.socket.AF_UNIX)
        await listener.bind(str(near))
        listener.listen()
        nursery.start_soon(forward, listener, made.path)

        await pair(made, near)
        assert await call(near) == b"hello"
        assert await call(near, key=OTHER_KEY) == b"key refused"
        nursery.cancel_scope.cancel()


async def forward(listener: trio.socket.SocketType, path: Path) -> None:
    """Hand on whatever comes, both ways."""
    async with trio.open_nursery() as nursery:
        while True:
            connection, _ = await listener.accept()
            there = await trio.open_unix_socket(str(path))
            nursery.start_soon(copy, trio.SocketStream(connection), there)
            nursery.start_soon(copy, there, trio.SocketStream(connection))


async def copy(source: trio.SocketStream, sink: trio.SocketStream) -> None:
    """Until there is no more."""
    try:
        async for data in source:
            await sink.send_all(data)
        await sink.send_eof()
    except trio.BrokenResourceError:
        sink.socket.close()
