"""TLS over trio streams."""

import os
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing
from tools import tls13
from tools.hostile_peer import AlertSeen, HostileServer, Refused

from collie.tls.errors import KeyRefused, PinViolation, TlsError, TlsTruncated
from collie.tls.keys import LocalKey
from collie.tls.pins import pin_of
from collie.tls.stream import LAST_WORDS_SECONDS, TlsStream, client, server

CLIENT, SERVER, STRANGER = (LocalKey.generate() for _ in range(3))

Transport = trio.abc.HalfCloseableStream
Pair = tuple[TlsStream, TlsStream]


def over(ours: Transport, theirs: Transport) -> Pair:
    """Two ends that accept each other."""
    return client(ours, CLIENT, {SERVER.pin}), server(theirs, SERVER, {CLIENT.pin}.__contains__)


def build_pair() -> Pair:
    return over(*trio.testing.memory_stream_pair())


async def shake_hands(*streams: TlsStream) -> None:
    async with trio.open_nursery() as nursery:
        for stream in streams:
            nursery.start_soon(stream.do_handshake)


def unix_pair() -> tuple[trio.SocketStream, trio.SocketStream]:
    one, other = trio.socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    return trio.SocketStream(one), trio.SocketStream(other)


@asynccontextmanager
async def tcp_pair() -> AsyncIterator[tuple[trio.SocketStream, trio.SocketStream]]:
    listeners = await trio.open_tcp_listeners(0, host="127.0.0.1")
    async with listeners[0]:
        one = await trio.open_tcp_stream("127.0.0.1", listeners[0].socket.getsockname()[1])
        other = await listeners[0].accept()
        async with one, other:
            yield one, other


@pytest.mark.trio
async def test_it_is_a_stream_as_trio_wants_them(autojump_clock: trio.testing.MockClock) -> None:
    async def shaken_pair() -> Pair:
        pair = build_pair()
        await shake_hands(*pair)
        return pair

    async def clogged_pair() -> Pair:
        pair = over(*trio.testing.lockstep_stream_pair())
        await shake_hands(*pair)
        return pair

    await trio.testing.check_half_closeable_stream(shaken_pair, clogged_pair)


@pytest.mark.trio
async def test_the_first_send_and_receive_shake_hands() -> None:
    one, other = build_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(one.send_all, b"data")
        assert await other.receive_some() == b"data"
    assert (one.peer_pin, other.peer_pin) == (SERVER.pin, CLIENT.pin)
    assert (one.peer_spki, other.peer_spki) == (SERVER.spki, CLIENT.spki)


@pytest.mark.trio
async def test_who_the_peer_is_shows_after_the_handshake() -> None:
    one, _ = build_pair()
    with pytest.raises(trio.NeedHandshakeError):
        _ = one.peer_spki
    with pytest.raises(trio.NeedHandshakeError):
        _ = one.peer_pin


@pytest.mark.trio
async def test_much_in_both_directions_at_once() -> None:
    question, answer = os.urandom(3_000_000), os.urandom(2_000_000)
    async with tcp_pair() as pair:
        one, other = over(*pair)
        heard: dict[TlsStream, bytes] = {}

        async def hear(stream: TlsStream, size: int) -> None:
            data = bytearray()
            while len(data) < size:
                data += await stream.receive_some()
            heard[stream] = bytes(data)

        async with trio.open_nursery() as nursery:
            nursery.start_soon(one.send_all, question)
            nursery.start_soon(other.send_all, answer)
            nursery.start_soon(hear, one, len(answer))
            nursery.start_soon(hear, other, len(question))
    assert heard == {one: answer, other: question}


@pytest.mark.trio
async def test_many_tasks_that_ask_for_the_handshake_get_one() -> None:
    one, other = build_pair()
    await shake_hands(one, one, other, other, one)
    await shake_hands(one, other)
    assert one.peer_pin == SERVER.pin


@pytest.mark.trio
async def test_a_slow_reader_holds_the_writer_back(autojump_clock: trio.testing.MockClock) -> None:
    one, other = over(*trio.testing.lockstep_stream_pair())
    await shake_hands(one, other)
    with trio.move_on_after(1) as patience:
        await one.send_all(bytes(10_000_000))
    assert patience.cancelled_caught


@pytest.mark.trio
async def test_a_refused_client_hears_it_when_it_first_receives() -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    one, other = client(ours, STRANGER, {SERVER.pin}), server(theirs, SERVER, {CLIENT.pin}.__contains__)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_refuses, other, PinViolation)
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
            nursery.start_soon(_refuses, other, PinViolation)
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
        nursery.start_soon(_refuses, other, PinViolation)
        await one.do_handshake()
        await one.send_all(b"what nobody reads")
        if hangs_up:
            await trio.aclose_forcefully(one)
    assert trio.current_time() == pytest.approx(0 if hangs_up else LAST_WORDS_SECONDS)


@pytest.mark.trio
async def test_a_server_that_is_cancelled_as_it_refuses_says_so_all_the_same() -> None:
    def refuses(_: str) -> bool:
        nursery.cancel_scope.cancel()
        return False

    ours, theirs = trio.testing.memory_stream_pair()
    one, other = client(ours, CLIENT, {SERVER.pin}), server(theirs, SERVER, refuses)
    async with trio.open_nursery() as outer:
        outer.start_soon(one.do_handshake)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_refuses, other, PinViolation)
    with pytest.raises(KeyRefused):
        await one.receive_some()


@pytest.mark.trio
async def test_a_refused_client_hears_it_when_it_only_sends() -> None:
    ours, theirs = unix_pair()
    hostile = HostileServer(accept=lambda _: False)
    one = client(ours, CLIENT, {pin_of(hostile.spki)})
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_serve, theirs, hostile)
        await one.do_handshake()
    with pytest.raises(KeyRefused):
        await one.send_all(b"data")
    await one.aclose()


@pytest.mark.trio
async def test_a_server_that_is_not_the_pinned_one() -> None:
    ours, theirs = trio.testing.memory_stream_pair()
    one, other = client(ours, CLIENT, {STRANGER.pin}), server(theirs, SERVER, {CLIENT.pin}.__contains__)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_refuses, other, KeyRefused)
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
        nursery.start_soon(_refuses, one, TlsTruncated)
        await theirs.receive_some(10)
        await theirs.aclose()


@pytest.mark.trio
async def test_what_came_before_a_failure_is_received_first() -> None:
    one, theirs, hostile = await _against_hostile()
    hostile.write(b"data")
    hostile.send_alert(49)
    await theirs.send_all(hostile.take())
    assert await one.receive_some(2) == b"da"
    assert await one.receive_some() == b"ta"
    with pytest.raises(KeyRefused):
        await one.receive_some()


@pytest.mark.trio
async def test_the_peer_is_told_what_was_wrong() -> None:
    one, theirs, hostile = await _against_hostile()
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
        nursery.start_soon(_refuses, one, TlsError)
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
        nursery.start_soon(_refuses, other, Mishap)
        with pytest.raises(TlsError, match="80"):
            await one.receive_some()
        await one.aclose()


@pytest.mark.trio
async def test_a_cancelled_receive_loses_nothing() -> None:
    one, other = build_pair()
    await shake_hands(one, other)
    for number in range(20):
        with trio.CancelScope() as impatient:
            impatient.cancel()
            await one.receive_some()
        await other.send_all(bytes([number]))
        assert await one.receive_some() == bytes([number])


@pytest.mark.trio
async def test_a_send_that_was_cut_off_is_the_last() -> None:
    one, other = over(*trio.testing.lockstep_stream_pair())
    await shake_hands(one, other)
    with trio.CancelScope() as impatient:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(one.send_all, b"data")
            await trio.testing.wait_all_tasks_blocked()
            impatient.cancel()
    with pytest.raises(TlsError, match="cut off"):
        await one.send_all(b"more")
    await one.aclose()


@pytest.mark.trio
async def test_a_handshake_that_was_cancelled_goes_on_later() -> None:
    one, other = build_pair()
    with trio.CancelScope() as impatient:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(one.do_handshake)
            await trio.testing.wait_all_tasks_blocked()
            impatient.cancel()
    await shake_hands(one, other)
    assert one.peer_pin == SERVER.pin


@pytest.mark.trio
async def test_both_full_of_what_the_other_does_not_read(autojump_clock: trio.testing.MockClock) -> None:
    """A receive must not wait for a send: neither end would ever read."""
    one, other = over(*trio.testing.lockstep_stream_pair())
    await shake_hands(one, other)
    with trio.fail_after(5):
        async with trio.open_nursery() as nursery:
            for stream in (one, other):
                nursery.start_soon(stream.send_all, bytes(500_000))
            for stream in (one, other):
                nursery.start_soon(_drain, stream, 500_000)


@pytest.mark.trio
async def test_two_tasks_may_not_do_the_same() -> None:
    one, other = build_pair()
    await shake_hands(one, other)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_drain, one, 1)
        await trio.testing.wait_all_tasks_blocked()
        with pytest.raises(trio.BusyResourceError, match="receiving"):
            await one.receive_some()
        await other.send_all(b"x")


@pytest.mark.trio
async def test_closing_wakes_whoever_waits() -> None:
    one, other = build_pair()
    await shake_hands(one, other)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_is_closed, one.receive_some)
        await trio.testing.wait_all_tasks_blocked()
        await one.aclose()
    assert await other.receive_some() == b""
    for call in (one.receive_some, one.do_handshake, one.send_eof, one.wait_send_all_might_not_block):
        await _is_closed(call)


@pytest.mark.trio
async def test_closing_during_the_handshake() -> None:
    one, _ = build_pair()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_is_closed, one.do_handshake)
        await trio.testing.wait_all_tasks_blocked()
        await one.aclose()


@pytest.mark.trio
async def test_closing_does_not_wait_for_a_peer_that_does_not_read(autojump_clock: trio.testing.MockClock) -> None:
    one, other = over(*trio.testing.lockstep_stream_pair())
    await shake_hands(one, other)
    await one.aclose()
    assert trio.current_time() <= LAST_WORDS_SECONDS + 0.1


@pytest.mark.trio
async def test_a_key_update_is_answered_with_the_next_send() -> None:
    one, theirs, hostile = await _against_hostile()
    hostile.update_key(request=True)
    hostile.write(b"data")
    await theirs.send_all(hostile.take())
    assert await one.receive_some() == b"data"
    await one.send_all(b"answer")
    assert hostile.feed(bytes(await theirs.receive_some())) == b"answer"


@pytest.mark.trio
async def test_no_bytes_is_no_mistake() -> None:
    one, other = build_pair()
    await shake_hands(one, other)
    await one.send_all(b"")
    await one.send_all(memoryview(b"data"))
    assert await other.receive_some() == b"data"
    with pytest.raises(ValueError):
        await other.receive_some(0)


async def _against_hostile() -> tuple[TlsStream, trio.abc.Stream, HostileServer]:
    """Our client after its handshake, the far end of its transport, and who sits there."""
    ours, theirs = trio.testing.memory_stream_pair()
    hostile = HostileServer()
    one = client(ours, CLIENT, {pin_of(hostile.spki)})
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_serve, theirs, hostile)
        await one.do_handshake()
    return one, theirs, hostile


async def _serve(transport: trio.abc.Stream, hostile: HostileServer) -> None:
    """The hostile server's handshake; if it refuses, it says so and hangs up."""
    while not hostile.done:
        try:
            hostile.feed(bytes(await transport.receive_some()))
        except Refused:
            await transport.send_all(hostile.take())
            await transport.aclose()
            return
        await transport.send_all(hostile.take())


async def _refuses(stream: TlsStream, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        await stream.do_handshake()
    await stream.aclose()


async def _drain(stream: TlsStream, size: int) -> None:
    while size > 0:
        size -= len(await stream.receive_some())


async def _ask(stream: TlsStream) -> bytes:
    await stream.send_all(bytes(300_000))
    return await stream.receive_some()


async def _is_closed(call: Callable[[], Awaitable[object]]) -> None:
    with pytest.raises(trio.ClosedResourceError):
        await call()
