"""GnuTLS's own command-line tools as peers, where they are installed (package gnutls-bin)."""

import shutil
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest
import trio
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat, PublicFormat
from tools.tls_peers import private_of

from collie.tls._gnutls import PRIORITY
from collie.tls.errors import PinViolation, TlsError
from collie.tls.keys import LocalKey
from collie.tls.stream import client, server

CLIENT, SERVER, STRANGER = (LocalKey.generate() for _ in range(3))

needs_cli = pytest.mark.skipif(not shutil.which("gnutls-cli"), reason="gnutls-cli is not installed")
needs_serv = pytest.mark.skipif(not shutil.which("gnutls-serv"), reason="gnutls-serv is not installed")


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="collie-tls-") as name:
        yield Path(name)


def key_options(key: LocalKey, folder: Path) -> list[str]:
    private, public = folder / "private.pem", folder / "public.pem"
    secret = private_of(key)
    private.write_bytes(secret.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()))
    public.write_bytes(secret.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo))
    return ["--rawpkkeyfile", str(private), "--rawpkfile", str(public), "--priority", PRIORITY]


async def run_cli(port: int, folder: Path) -> subprocess.CompletedProcess[bytes]:
    command = ["gnutls-cli", *key_options(CLIENT, folder), "--no-ca-verification", "-p", str(port), "127.0.0.1"]
    with trio.fail_after(10):
        return await trio.run_process(command, stdin=b"hello\n", capture_stdout=True, capture_stderr=True, check=False)


@needs_cli
@pytest.mark.trio
@pytest.mark.parametrize("expected", [CLIENT, STRANGER], ids=["right key", "wrong key"])
async def test_gnutls_cli_calls_us(expected: LocalKey, folder: Path) -> None:
    outcome: list[bytes | Exception] = []

    async def serve(transport: trio.SocketStream) -> None:
        stream = server(transport, SERVER, {expected.pin}.__contains__)
        try:
            outcome.append(await stream.receive_some())
            await stream.send_all(b"and hello to you\n")
            await stream.aclose()
        except TlsError as error:
            outcome.append(error)
            await stream.aclose()

    async with trio.open_nursery() as nursery:
        listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
        nursery.start_soon(trio.serve_listeners, serve, listeners)
        finished = await run_cli(listeners[0].socket.getsockname()[1], folder)
        nursery.cancel_scope.cancel()
    if expected is CLIENT:
        assert outcome == [b"hello\n"]
        assert b"and hello to you" in finished.stdout
    else:
        assert isinstance(outcome[0], PinViolation)
        assert finished.returncode != 0
        assert b"Access was denied" in finished.stdout + finished.stderr


@needs_serv
@pytest.mark.trio
@pytest.mark.parametrize("expected", [SERVER, STRANGER], ids=["right key", "wrong key"])
async def test_we_call_gnutls_serv(expected: LocalKey, folder: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = ["gnutls-serv", "--echo", "--require-client-cert", *key_options(SERVER, folder), "-p", str(port)]
    async with trio.open_nursery() as nursery:
        quiet = partial(trio.run_process, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False)
        process = await nursery.start(quiet, command)
        stream = client(await _reach(port), CLIENT, {expected.pin})
        if expected is SERVER:
            await stream.send_all(b"hello\n")
            assert await stream.receive_some() == b"hello\n"
        else:
            with pytest.raises(PinViolation):
                await stream.do_handshake()
        await stream.aclose()
        process.terminate()


async def _reach(port: int) -> trio.SocketStream:
    """The tool says nowhere that it listens."""
    with trio.fail_after(10):
        while True:
            try:
                return await trio.open_tcp_stream("127.0.0.1", port)
            except OSError:
                await trio.sleep(0.02)
