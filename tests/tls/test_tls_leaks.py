"""Whatever becomes of connections: nothing of them stays. A small number here, the full one as soak."""

import gc
import os
import random
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest
import trio
import trio.testing
from tools.tls_peers import Link, our_client, our_server

from collie.tls._gnutls import gnutls
from collie.tls.errors import TlsError
from collie.tls.keys import LocalKey
from collie.tls.stream import client, server

CLIENT, SERVER, STRANGER = (LocalKey.generate() for _ in range(3))

MEBIBYTE = 1024 * 1024
CHANCE = random.Random(3)

LONG = (pytest.mark.soak, pytest.mark.skipif(not os.environ.get("COLLIE_SOAK"), reason="long; COLLIE_SOAK=1 runs it"))


def accepted() -> None:
    link = Link(our_client(CLIENT, SERVER.spki), our_server(SERVER, CLIENT.spki)).shake_hands()
    assert link.both_done


def closed() -> None:
    link = Link(our_client(CLIENT, SERVER.spki), our_server(SERVER, CLIENT.spki))
    link.shake_hands()
    for end in (link.client, link.server):
        end.close_notify()
    link.run()
    for end in (link.client, link.server):
        end.close()  # type: ignore[attr-defined]


def refused_by_the_server() -> None:
    link = Link(our_client(CLIENT, SERVER.spki), our_server(SERVER, STRANGER.spki)).shake_hands()
    assert isinstance(link.client_error, TlsError)


def refused_by_the_client() -> None:
    link = Link(our_client(CLIENT, STRANGER.spki), our_server(SERVER, CLIENT.spki)).shake_hands()
    assert isinstance(link.server_error, TlsError)


def left_half_way() -> None:
    link = Link(our_client(CLIENT, SERVER.spki), our_server(SERVER, CLIENT.spki))
    link.client.handshake()
    link.to_server(link.client.take())


def signed_elsewhere() -> None:
    key = LocalKey.external(CLIENT.spki, lambda _: b"junk")
    Link(our_client(key, SERVER.spki), our_server(SERVER, CLIENT.spki)).shake_hands()


def changed_on_the_way() -> None:
    """Either end's flights, with some bytes changed, added or taken away."""
    link = Link(our_client(CLIENT, SERVER.spki), our_server(SERVER, CLIENT.spki))
    link.client.handshake()
    for _ in range(3):
        if data := _changed(link.client.take()):
            link.to_server(data)
        if data := _changed(link.server.take()):
            link.to_client(data)
    for end, key in ((link.client, SERVER), (link.server, CLIENT)):
        assert not end.done or end.peer_spki == key.spki


def _changed(data: bytes) -> bytes:
    if CHANCE.random() < 0.5 or not data:
        return data
    where, length = CHANCE.randrange(len(data)), CHANCE.randrange(4)
    return data[:where] + CHANCE.randbytes(CHANCE.randrange(4)) + data[where + length :]


FATES = [
    accepted,
    closed,
    refused_by_the_server,
    refused_by_the_client,
    left_half_way,
    signed_elsewhere,
    changed_on_the_way,
]


def held() -> set[int]:
    """The sessions and external keys that are known; those of a test before this one may still be among them."""
    gc.collect()
    return set(gnutls().sessions) | set(gnutls().signers)


def memory() -> int:
    """Bytes of this process in memory."""
    gc.collect()
    return int(psutil.Process().memory_info().rss)


def open_files() -> int:
    return len(list(Path("/dev/fd").iterdir()))


@pytest.mark.parametrize("fate", FATES, ids=lambda fate: fate.__name__)
def test_no_session_is_left_behind(fate: Callable[[], None]) -> None:
    before = held()
    for _ in range(5):
        fate()
    assert held() <= before


def test_none_waits_for_the_garbage_collector() -> None:
    before = held()
    gc.disable()
    try:
        accepted()
        left_half_way()
        assert set(gnutls().sessions) <= before
    finally:
        gc.enable()


@pytest.mark.parametrize("fate", FATES, ids=lambda fate: fate.__name__)
@pytest.mark.parametrize(("warm", "rounds"), [(60, 120), pytest.param(500, 2000, marks=LONG)])
def test_memory_stays_flat(fate: Callable[[], None], warm: int, rounds: int) -> None:
    for _ in range(warm):
        fate()
    before = memory()
    for _ in range(rounds):
        fate()
    assert memory() - before < 2 * MEBIBYTE


@pytest.mark.soak
@pytest.mark.skipif(not os.environ.get("COLLIE_SOAK"), reason="long; COLLIE_SOAK=1 runs it")
def test_fifty_thousand_changed_handshakes() -> None:
    """No crash, no hang, no key let in that is not the right one."""
    for _ in range(50_000):
        changed_on_the_way()


@pytest.mark.parametrize("rounds", [40, pytest.param(1000, marks=LONG)])
def test_cancelled_in_the_midst(rounds: int) -> None:
    """At every checkpoint of the handshake in turn. In a loop of its own: trio keeps the task that ran last."""
    before = held()
    trio.run(_cancelled_often, rounds)
    assert held() <= before


async def _cancelled_often(rounds: int) -> None:
    for number in range(rounds):
        await _cancelled_after(number % 20)


async def _cancelled_after(checkpoints: int) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    one, other = client(ours, CLIENT, {SERVER.pin}), server(theirs, SERVER, {CLIENT.pin}.__contains__)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.do_handshake)
        nursery.start_soon(other.do_handshake)
        for _ in range(checkpoints):
            await trio.lowlevel.checkpoint()
        nursery.cancel_scope.cancel()
    await trio.aclose_forcefully(one)
    await trio.aclose_forcefully(other)


@pytest.mark.trio
@pytest.mark.parametrize(("warm", "rounds"), [(10, 40), pytest.param(200, 2000, marks=LONG)])
async def test_real_sockets_that_end_badly(warm: int, rounds: int) -> None:
    """Refusals and hard closes: files and memory stay flat."""
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    port = listeners[0].socket.getsockname()[1]
    async with trio.open_nursery() as nursery:
        nursery.start_soon(trio.serve_listeners, _serve, listeners)
        await _call(port, warm)
        memory_before, files_before = memory(), open_files()
        await _call(port, rounds)
        await trio.testing.wait_all_tasks_blocked(0.05)
        assert open_files() <= files_before + 1
        assert memory() - memory_before < 2 * MEBIBYTE
        nursery.cancel_scope.cancel()


async def _serve(transport: trio.SocketStream) -> None:
    stream = server(transport, SERVER, {CLIENT.pin}.__contains__)
    try:
        await stream.do_handshake()
        await stream.send_all(await stream.receive_some())
    except TlsError:
        pass
    finally:
        await trio.aclose_forcefully(stream)


async def _call(port: int, times: int) -> None:
    for number in range(times):
        key = (CLIENT, STRANGER)[number % 2]
        stream = client(await trio.open_tcp_stream("127.0.0.1", port), key, {SERVER.pin})
        try:
            await stream.send_all(b"data")
            if number % 4 < 2:
                await stream.receive_some()
        except TlsError:
            pass
        finally:
            await trio.aclose_forcefully(stream)
