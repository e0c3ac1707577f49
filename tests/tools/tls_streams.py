"""Ends of TLS over trio streams, for tests."""

import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
import trio
import trio.testing
from tools.hostile_peer import HostileServer, Refused

from collie.tls.keys import LocalKey
from collie.tls.pins import pin_of
from collie.tls.stream import TlsStream, client, server

CLIENT, SERVER, STRANGER = (LocalKey.generate() for _ in range(3))

Pair = tuple[TlsStream, TlsStream]


def over(ours: trio.abc.Stream, theirs: trio.abc.Stream) -> Pair:
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


async def against_hostile() -> tuple[TlsStream, trio.abc.Stream, HostileServer]:
    """Our client after its handshake, the far end of its transport, and who sits there."""
    ours, theirs = trio.testing.memory_stream_pair()
    hostile = HostileServer()
    one = client(ours, CLIENT, {pin_of(hostile.spki)})
    async with trio.open_nursery() as nursery:
        nursery.start_soon(serve_hostile, theirs, hostile)
        await one.do_handshake()
    return one, theirs, hostile


async def serve_hostile(transport: trio.abc.Stream, hostile: HostileServer) -> None:
    """The hostile server's handshake; if it refuses, it says so and hangs up."""
    while not hostile.done:
        try:
            hostile.feed(bytes(await transport.receive_some()))
        except Refused:
            await transport.send_all(hostile.take())
            await transport.aclose()
            return
        await transport.send_all(hostile.take())


async def refuses(stream: TlsStream, kind: type[Exception]) -> None:
    with pytest.raises(kind):
        await stream.do_handshake()
    await stream.aclose()
