"""A key that signs elsewhere."""

import hashlib
import threading

import pytest
import trio
import trio.lowlevel
import trio.testing
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from tools.tls_peers import Link, build_peer, our_client, our_server, private_of

from collie.tls.errors import TlsError
from collie.tls.keys import LocalKey
from collie.tls.stream import client, server

KEY, PEER = LocalKey.generate(), LocalKey.generate()


class Device:
    """Signs with the key; counts how often, and in which threads."""

    def __init__(self, key: LocalKey = KEY) -> None:
        self._private = private_of(key)
        self.threads: list[threading.Thread] = []

    def __call__(self, digest: bytes) -> bytes:
        self.threads.append(threading.current_thread())
        assert len(digest) == hashlib.sha256().digest_size
        return self._private.sign(digest, ec.ECDSA(utils.Prehashed(hashes.SHA256())))


class SlowDevice(Device):
    """Waits to be touched."""

    def __init__(self) -> None:
        super().__init__()
        self.asked, self.touched = threading.Event(), threading.Event()

    def __call__(self, digest: bytes) -> bytes:
        self.asked.set()
        assert self.touched.wait(10)
        return super().__call__(digest)


@pytest.mark.parametrize("stack", ["gnutls", "openssl", "python"])
@pytest.mark.parametrize("role", ["client", "server"])
def test_it_signs_once_for_a_handshake(role: str, stack: str) -> None:
    device = Device()
    key = LocalKey.external(KEY.spki, device)
    peer = build_peer(stack, PEER, pins=(KEY.pin,), server=role == "client")
    link = Link(our_client(key, PEER.spki), peer) if role == "client" else Link(peer, our_server(key, PEER.spki))
    assert link.shake_hands().both_done
    assert len(device.threads) == 1


def test_it_signs_nothing_before_there_is_a_handshake() -> None:
    device = Device()
    connection = our_client(LocalKey.external(KEY.spki, device))
    connection.handshake()
    connection.close()
    assert not device.threads


@pytest.mark.parametrize("signature", [b"", b"junk", bytes(72), b"\x30\x06\x02\x01\x01\x02\x01\x01"])
@pytest.mark.parametrize("role", ["client", "server"])
def test_a_wrong_signature_is_not_believed(role: str, signature: bytes) -> None:
    key = LocalKey.external(KEY.spki, lambda _: signature)
    link = Link(our_client(key), our_server(PEER)) if role == "client" else Link(our_client(PEER), our_server(key))
    link.shake_hands()
    assert not link.both_done
    assert isinstance(link.server_error, TlsError)


def test_another_keys_signature_is_not_believed() -> None:
    link = Link(our_client(LocalKey.external(KEY.spki, Device(PEER))), our_server(PEER)).shake_hands()
    assert isinstance(link.server_error, TlsError)
    assert "51" in str(link.client_error)


@pytest.mark.trio
async def test_the_loop_goes_on_while_it_waits_to_be_touched() -> None:
    device = SlowDevice()
    ours, theirs = trio.testing.memory_stream_pair()
    one = client(ours, LocalKey.external(KEY.spki, device), {PEER.pin})
    other = server(theirs, PEER, {KEY.pin}.__contains__)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.do_handshake)
        nursery.start_soon(other.do_handshake)
        await trio.to_thread.run_sync(device.asked.wait)
        await trio.lowlevel.checkpoint()
        device.touched.set()
    assert device.threads[0] is not threading.current_thread()
    await one.send_all(b"data")
    assert await other.receive_some() == b"data"


@pytest.mark.trio
async def test_who_does_not_want_to_wait_leaves_it_to_its_thread() -> None:
    device = SlowDevice()
    ours, theirs = trio.testing.memory_stream_pair()
    one = client(ours, LocalKey.external(KEY.spki, device), {PEER.pin})
    other = server(theirs, PEER, {KEY.pin}.__contains__)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_fails, other.do_handshake)
        with trio.CancelScope() as patience:
            async with trio.open_nursery() as waiting:
                waiting.start_soon(one.do_handshake)
                await trio.to_thread.run_sync(device.asked.wait)
                patience.cancel()
        with pytest.raises(TlsError, match="cancelled"):
            await one.do_handshake()
        await one.aclose()
        device.touched.set()
    with pytest.raises(trio.ClosedResourceError):
        await one.send_all(b"data")


async def _fails(handshake: object) -> None:
    assert callable(handshake)
    with pytest.raises(TlsError):
        await handshake()
