"""TLS streams that end badly: what each side learns, and when."""

import socket

import pytest
import trio
import trio.testing
from tools import tls13
from tools.hostile_peer import AlertSeen, HostileServer
from tools.tls_streams import (
    CLIENT,
    SERVER,
    STRANGER,
    against_hostile,
    over,
    refuses,
    serve_hostile,
    shake_hands,
    tcp_pair,
    unix_pair,
)

from collie.tls.errors import KeyRefused, PinViolation, TlsError, TlsTruncated
from collie.tls.pins import pin_of
from collie.tls.stream import LAST_WORDS_SECONDS, TlsStream, client, server


@pytest.mark.trio
async def test_a_refused_client_hears_it_when_it_first_receives() -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    one, other = client(ours, STRANGER, {SERVER.pin}), server(theirs, SERVER, {CLIENT.pin}.__contains__)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(refuses, other, PinViolation)
        await one.do_handshake()
        with pytest.raises(KeyRefused) as refusal:
            await one.receive_some()
        await one.aclose()
    assert refusal.value.alert == 49
    assert one.failure is refusal.value
    assert isinstance(refusal.value, trio.BrokenResourceError)


@pytest.mark.trio
@pytest.mark.parametrize("kind", ["unix", "tcp"])
async def test_a_refused_client_hears_it_when_it_talks_first(kind: str) -> None:
    """What it said lies unread at the server: to hang up on it at once would reset the connection, and lose why."""
    async with tcp_pair() as pair:
        ours, theirs = pair if kind == "tcp" else unix_pair()
        one, other = client(ours, STRANGER, {SERVER.pin}), server(theirs, SERVER, {CLIENT.pin}.__contains__)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(refuses, other, PinViolation)
            with pytest.raises(KeyRefused):
                await _ask(one)
            await one.aclose()


@pytest.mark.trio
@pytest.mark.parametrize("hangs_up", [True, False])
async def test_a_server_that_refused_reads_on_for_a_moment(
    hangs_up: bool, autojump_clock: trio.testing.MockClock
) -> None:
    """Until the client hangs up, or has had the time to read why."""
    ours, theirs = trio.testing.memory_stream_pair()
    one, other = client(ours, STRANGER, {SERVER.pin}), server(theirs, SERVER, {CLIENT.pin}.__contains__)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(refuses, other, PinViolation)
        await one.do_handshake()
        await one.send_all(b"what nobody reads")
        if hangs_up:
            await trio.aclose_forcefully(one)
    assert trio.current_time() == pytest.approx(0 if hangs_up else LAST_WORDS_SECONDS)


@pytest.mark.trio
async def test_a_server_that_is_cancelled_as_it_refuses_says_so_all_the_same() -> None:
    def says_no(_: str) -> bool:
        nursery.cancel_scope.cancel()
        return False

    ours, theirs = trio.testing.memory_stream_pair()
    one, other = client(ours, CLIENT, {SERVER.pin}), server(theirs, SERVER, says_no)
    async with trio.open_nursery() as outer:
        outer.start_soon(one.do_handshake)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(refuses, other, PinViolation)
    with pytest.raises(KeyRefused):
        await one.receive_some()


@pytest.mark.trio
async def test_a_refused_client_hears_it_when_it_only_sends() -> None:
    ours, theirs = unix_pair()
    hostile = HostileServer(accept=lambda _: False)
    one = client(ours, CLIENT, {pin_of(hostile.spki)})
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_hostile, theirs, hostile)
        await one.do_handshake()
    with pytest.raises(KeyRefused):
        await one.send_all(b"data")
    await one.aclose()


@pytest.mark.trio
async def test_a_server_that_is_not_the_pinned_one() -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    one, other = client(ours, CLIENT, {STRANGER.pin}), server(theirs, SERVER, {CLIENT.pin}.__contains__)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(refuses, other, KeyRefused)
        with pytest.raises(PinViolation) as violation:
            await one.do_handshake()
        await one.aclose()
    assert violation.value.pin == SERVER.pin


@pytest.mark.trio
async def test_a_gate_that_answers_in_clear(autojump_clock: trio.testing.MockClock) -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    one = client(ours, CLIENT, {SERVER.pin})
    await theirs.send_all(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
    await theirs.aclose()
    with pytest.raises(TlsError) as error:
        await one.do_handshake()
    assert not isinstance(error.value, KeyRefused | PinViolation)
    assert one.head == b"HTTP/1.1 403"


@pytest.mark.trio
async def test_a_gate_that_hangs_up_before_we_say_hello() -> None:
    ours, theirs = unix_pair()
    await theirs.send_all(b"HTTP/1.1 403 Forbidden\r\n\r\n")
    await theirs.aclose()
    one = client(ours, CLIENT, {SERVER.pin})
    with pytest.raises(TlsError):
        await one.do_handshake()
    assert one.head == b"HTTP/1.1 403"
    await one.aclose()


@pytest.mark.trio
async def test_a_peer_that_vanishes_is_not_one_that_says_goodbye() -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    one, other = over(ours, theirs)
    await shake_hands(one, other)
    await other.send_all(b"data")
    await theirs.aclose()
    assert await one.receive_some() == b"data"
    for _ in range(2):
        with pytest.raises(TlsTruncated):
            await one.receive_some()


@pytest.mark.trio
async def test_a_connection_that_is_reset() -> None:
    async with tcp_pair() as (ours, theirs):
        one, other = over(ours, theirs)
        await shake_hands(one, other)
        theirs.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\x01\0\0\0\0\0\0\0")
        await trio.aclose_forcefully(other)
        with pytest.raises(TlsTruncated) as broken:
            await one.receive_some()
        assert one.failure is broken.value
        with pytest.raises(TlsError):
            await _ask(one)


@pytest.mark.trio
async def test_a_peer_that_vanishes_during_the_handshake() -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    one = client(ours, CLIENT, {SERVER.pin})
    async with trio.open_nursery() as nursery:
        nursery.start_soon(refuses, one, TlsTruncated)
        await theirs.receive_some(10)
        await theirs.aclose()


@pytest.mark.trio
async def test_what_came_before_a_failure_is_received_first() -> None:
    one, theirs, hostile = await against_hostile()
    hostile.write(b"data")
    hostile.send_alert(49)
    await theirs.send_all(hostile.take())
    assert await one.receive_some(2) == b"da"
    assert await one.receive_some() == b"ta"
    with pytest.raises(KeyRefused):
        await one.receive_some()


@pytest.mark.trio
async def test_the_peer_is_told_what_was_wrong() -> None:
    one, theirs, hostile = await against_hostile()
    hostile.send_record(tls13.APPLICATION, bytes(16_385))
    await theirs.send_all(hostile.take())
    with pytest.raises(TlsError):
        await one.receive_some()
    with pytest.raises(AlertSeen):
        hostile.feed(bytes(await theirs.receive_some()))


@pytest.mark.trio
async def test_to_tell_it_does_not_wait_for_ever(autojump_clock: trio.testing.MockClock) -> None:
    ours, theirs = trio.testing.lockstep_stream_pair()
    one = client(ours, CLIENT, {SERVER.pin})
    async with trio.open_nursery() as nursery:
        nursery.start_soon(refuses, one, TlsError)
        await theirs.receive_some()
        await theirs.send_all(b"junk, and then nothing is read any more")
    assert trio.current_time() >= LAST_WORDS_SECONDS


@pytest.mark.trio
async def test_what_raises_inside_the_look_at_the_key_comes_out() -> None:
    class Mishap(Exception):
        pass

    def raises(_: str) -> bool:
        raise Mishap

    ours, theirs = trio.testing.memory_stream_pair()
    one, other = client(ours, CLIENT, {SERVER.pin}), server(theirs, SERVER, raises)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(refuses, other, Mishap)
        with pytest.raises(TlsError, match="80"):
            await one.receive_some()
        await one.aclose()


async def _ask(stream: TlsStream) -> bytes:
    await stream.send_all(bytes(300_000))
    return await stream.receive_some()
