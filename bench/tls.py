"""How fast TLS with raw keys is, beside Python's own `ssl` with certificates, in one run and as ratios.

    python bench/tls.py [--seconds N]

Both ends are in one thread, so each figure is for the work of two. The same twice: without I/O (connections joined in
memory), and as trio streams over a loopback TCP connection.
"""

import argparse
import datetime
import ssl
import tempfile
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

import trio
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

from collie.tls import stream as tls
from collie.tls.connection import TlsConnection
from collie.tls.keys import LocalKey

BLOCK = 65_536
SMALL = 4_096
MEBIBYTE = 1024 * 1024
TURNS = 3
"""How often the two take turns; of each the best turn counts, since others use the machine too."""


class End(Protocol):
    """One end without I/O."""

    done: bool

    def handshake(self) -> object: ...

    def feed(self, data: bytes, /) -> bytes: ...

    def write(self, data: bytes, /) -> None: ...

    def take(self) -> bytes: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Contender:
    """A TLS stack: how its two ends are made, without I/O and over a transport."""

    name: str
    ends: Callable[[], tuple[End, End]]
    streams: Callable[[trio.SocketStream, trio.SocketStream], tuple[trio.abc.Stream, trio.abc.Stream]]


class StdlibEnd:
    """Python's ssl between two buffers."""

    def __init__(self, context: ssl.SSLContext, *, server: bool) -> None:
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = context.wrap_bio(self._in, self._out, server_side=server)
        self.done = False

    def handshake(self) -> bool:
        """As far as the input allows."""
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            return False
        self.done = True
        return True

    def feed(self, data: bytes) -> bytes:
        """Bytes in, plaintext out."""
        self._in.write(data)
        if not self.done and not self.handshake():
            return b""
        plain = bytearray()
        try:
            while record := self._tls.read(BLOCK):
                plain += record
        except ssl.SSLWantReadError:
            pass
        return bytes(plain)

    def write(self, data: bytes) -> None:
        """Encrypt."""
        self._tls.write(data)

    def take(self) -> bytes:
        """Bytes out."""
        return self._out.read()


def raw_keys() -> Contender:
    """Collie's, both ends pinned."""
    client, server = LocalKey.generate(), LocalKey.generate()
    is_client, is_server = {client.pin}.__contains__, {server.pin}.__contains__
    return Contender(
        name="raw keys (GnuTLS)",
        ends=lambda: (
            TlsConnection(client, is_server, server=False),
            TlsConnection(server, is_client, server=True),
        ),
        streams=lambda ours, theirs: (tls.client(ours, client, {server.pin}), tls.server(theirs, server, is_client)),
    )


def certificates(folder: Path) -> Contender:
    """Python's ssl: TLS 1.3, P-256 certificates on both sides, each the other's trust anchor."""
    client, server = (ssl.SSLContext(kind) for kind in (ssl.PROTOCOL_TLS_CLIENT, ssl.PROTOCOL_TLS_SERVER))
    certificate, key = write_certificate(folder)
    for context in (client, server):
        context.check_hostname = False
        context.verify_mode = ssl.CERT_REQUIRED
        context.minimum_version = ssl.TLSVersion.TLSv1_3
        context.load_cert_chain(certificate, key)
        context.load_verify_locations(certificate)
    server.num_tickets = 0
    return Contender(
        name="certificates (ssl)",
        ends=lambda: (StdlibEnd(client, server=False), StdlibEnd(server, server=True)),
        streams=lambda ours, theirs: (
            trio.SSLStream(ours, client),
            trio.SSLStream(theirs, server, server_side=True),
        ),
    )


def write_certificate(folder: Path) -> tuple[Path, Path]:
    """A self-signed P-256 certificate and its key, as PEM files."""
    key = ec.generate_private_key(ec.SECP256R1())
    name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "bench")])
    now = datetime.datetime.now(datetime.UTC)
    certificate = (
        x509.CertificateBuilder(name, name, key.public_key(), 1, now, now + datetime.timedelta(days=1))
        .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        .sign(key, hashes.SHA256())
    )
    certificate_file, key_file = folder / "certificate.pem", folder / "key.pem"
    certificate_file.write_bytes(certificate.public_bytes(Encoding.PEM))
    key_file.write_bytes(key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    return certificate_file, key_file


def shake_hands(client: End, server: End) -> tuple[int, int]:
    """One handshake; the bytes that each end sent."""
    client.handshake()
    sent = [0, 0]
    while data := client.take():
        sent[0] += len(data)
        server.feed(data)
        if answer := server.take():
            sent[1] += len(answer)
            client.feed(answer)
    assert client.done
    assert server.done
    return sent[0], sent[1]


def rate(action: Callable[[], object], seconds: float) -> float:
    """How often a second the action can be done."""
    began, times = time.perf_counter(), 0
    while (spent := time.perf_counter() - began) < seconds:
        action()
        times += 1
    return times / spent


def handshakes(contender: Contender, seconds: float) -> float:
    """A second, without I/O."""
    return rate(lambda: shake_hands(*contender.ends()), seconds)


def throughput(contender: Contender, block: int, seconds: float) -> float:
    """MiB a second, without I/O."""
    client, server = contender.ends()
    shake_hands(client, server)
    data = bytes(block)

    def pass_on() -> None:
        client.write(data)
        assert len(server.feed(client.take())) == block

    return rate(pass_on, seconds) * block / MEBIBYTE


async def connect(contender: Contender, listener: trio.SocketListener) -> tuple[trio.abc.Stream, trio.abc.Stream]:
    """A connection over TCP, its first byte received at both ends."""
    ours = await trio.open_tcp_stream("127.0.0.1", listener.socket.getsockname()[1])
    client, server = contender.streams(ours, await listener.accept())
    async with trio.open_nursery() as nursery:
        nursery.start_soon(client.send_all, b"?")
        assert await server.receive_some() == b"?"
        nursery.start_soon(server.send_all, b"!")
        assert await client.receive_some() == b"!"
    return client, server


async def connections(contender: Contender, listener: trio.SocketListener, seconds: float) -> float:
    """A second, over TCP, from dialling to the first byte."""
    began, times = time.perf_counter(), 0
    while (spent := time.perf_counter() - began) < seconds:
        for stream in await connect(contender, listener):
            await trio.aclose_forcefully(stream)
        times += 1
    return times / spent


async def stream_throughput(contender: Contender, listener: trio.SocketListener, seconds: float) -> float:
    """MiB a second, over TCP."""
    client, server = await connect(contender, listener)
    received = 0
    began = time.perf_counter()
    with trio.move_on_after(seconds):
        async with trio.open_nursery() as nursery:
            nursery.start_soon(send_on, client)
            while True:
                received += len(await server.receive_some())
    spent = time.perf_counter() - began
    for stream in (client, server):
        await trio.aclose_forcefully(stream)
    return received / spent / MEBIBYTE


async def send_on(stream: trio.abc.SendStream) -> None:
    """Blocks without end."""
    data = bytes(BLOCK)
    while True:
        await stream.send_all(data)


async def compare(
    title: str, unit: str, contenders: tuple[Contender, Contender], measure: Callable[[Contender], Awaitable[float]]
) -> None:
    """A line: the first, the second, and their ratio."""
    best = {contender.name: 0.0 for contender in contenders}
    for _ in range(TURNS):
        for contender in contenders:
            best[contender.name] = max(best[contender.name], await measure(contender))
    ours, theirs = best.values()
    print(f"{title:34} {ours:8.0f} {theirs:8.0f} {unit:6} {ours / theirs:6.2f}x")


async def main(seconds: float) -> None:
    """All of it."""
    with tempfile.TemporaryDirectory(prefix="collie-bench-") as folder:
        both = raw_keys(), certificates(Path(folder))
    print(tls.library())
    print(f"{'':34} {'raw keys':>8} {'ssl':>8} {'':6} {'ratio':>7}")

    async def wait(value: float) -> float:
        await trio.lowlevel.checkpoint()
        return value

    await compare("handshakes", "/s", both, lambda it: wait(handshakes(it, seconds)))
    await compare("64 KiB writes", "MiB/s", both, lambda it: wait(throughput(it, BLOCK, seconds)))
    await compare("4 KiB writes", "MiB/s", both, lambda it: wait(throughput(it, SMALL, seconds)))
    async with (await trio.open_tcp_listeners(0, host="127.0.0.1"))[0] as listener:
        await compare("TCP: connections to the first byte", "/s", both, lambda it: connections(it, listener, seconds))
        await compare("TCP: 64 KiB sends", "MiB/s", both, lambda it: stream_throughput(it, listener, seconds))
    for contender in both:
        client, server = shake_hands(*contender.ends())
        print(f"{contender.name}: a handshake is {client} bytes from the client and {server} from the server")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--seconds", type=float, default=0.5, help="for each turn of each figure")
    trio.run(main, parser.parse_args().seconds)
