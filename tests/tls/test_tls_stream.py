"""TLS over trio streams."""

import os
from collections.abc import Awaitable, Callable

import pytest
import trio
import trio.testing
from tools.tls_streams import CLIENT, SERVER, Pair, against_hostile, build_pair, over, shake_hands, tcp_pair

from collie.tls.errors import TlsError
from collie.tls.stream import LAST_WORDS_SECONDS, TlsStream


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
    one, theirs, hostile = await against_hostile()
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


async def _drain(stream: TlsStream, size: int) -> None:
    while size > 0:
        size -= len(await stream.receive_some())


async def _is_closed(call: Callable[[], Awaitable[object]]) -> None:
    with pytest.raises(trio.ClosedResourceError):
        await call()
