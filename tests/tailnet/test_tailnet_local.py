"""The node over a Unix socket: who is believed to be who, and what a caller cannot do to the others."""

import os
import socket
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
import trio.testing
from tools.control_house import short_folder

from collie.tailnet.local import PLACE_LOOK, PREAMBLE_SECONDS, LocalNode, node_id_for
from collie.tailnet.node import LOCAL_USER, Accepted, Node, NodeState, WhoIsFailed
from collie.tailnet.preamble import PREAMBLE_BYTES, Preamble

pytestmark = pytest.mark.trio


@asynccontextmanager
async def listening(*, allow_claims: bool = False) -> AsyncIterator[tuple[LocalNode, Path]]:
    """A node that is up, and its path."""
    with short_folder() as folder:
        path = folder / "peer.sock"
        node = LocalNode("nORCHARD", path, allow_claims=allow_claims)
        await node.up()
        try:
            yield node, path
        finally:
            await node.aclose()


async def accept_raw(node: LocalNode, path: Path, said: bytes) -> tuple[Accepted, trio.SocketStream]:
    """A caller that says just this, and its connection at the node."""
    caller = await trio.open_unix_socket(str(path))
    await caller.send_all(said)
    return await node.accept(), caller


async def test_a_caller_is_the_node_it_says_it_is_and_this_machines_user() -> None:
    async with listening() as (node, path):
        stream = await LocalNode("nPHONE").dial(str(path), 8457)
        accepted = await node.accept()
        found = await node.whois(accepted.address)

        assert (found.node_id, found.user_id, found.tags, found.shared_in) == ("nPHONE", LOCAL_USER, (), False)
        assert found.name == f"process {os.getpid()}"
        assert found.login
        await stream.aclose()


async def test_what_follows_the_preamble_is_left_for_whoever_reads_next() -> None:
    async with listening() as (node, path):
        accepted, caller = await accept_raw(node, path, b'{"node":"nPHONE"}\n\x16\x03\x01\n\n')
        await node.whois(accepted.address)

        assert await accepted.stream.receive_some(100) == b"\x16\x03\x01\n\n"
        await accepted.stream.send_all(b"HTTP/1.1 403 Forbidden")
        assert await caller.receive_some(100) == b"HTTP/1.1 403 Forbidden"


async def test_a_preamble_may_come_byte_by_byte() -> None:
    async with listening() as (node, path):
        accepted, caller = await accept_raw(node, path, b"")

        async def dribble() -> None:
            for byte in b'{"node":"nPHONE"}\nrest':
                await caller.send_all(bytes([byte]))
                await trio.testing.wait_all_tasks_blocked()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(dribble)
            assert (await node.whois(accepted.address)).node_id == "nPHONE"
        assert await accepted.stream.receive_some(100) == b"rest"


async def test_a_silent_caller_has_two_seconds_and_holds_nobody_up(autojump_clock: trio.testing.MockClock) -> None:
    async with listening() as (node, path):
        silent, _open = await accept_raw(node, path, b'{"node":')
        began = trio.current_time()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(expect_refusal, node, silent.address, "no preamble in time")
            quick, _also_open = await accept_raw(node, path, b'{"node":"nQUICK"}\n')
            assert (await node.whois(quick.address)).node_id == "nQUICK"
            assert trio.current_time() == began
        assert trio.current_time() - began == pytest.approx(PREAMBLE_SECONDS)


async def expect_refusal(node: LocalNode, address: str, why: str) -> None:
    with pytest.raises(WhoIsFailed, match=why):
        await node.whois(address)


@pytest.mark.parametrize(
    ("said", "why"),
    [
        (b"\x16\x03\x01\x02\x00\n", "not a preamble"),
        (b'{"node":"n-1"}\n', "not a node id"),
        (b'{"node":"nPHONE","user":7}\n', "claims more than its node id"),
        (b'{"node":"nPHONE","tags":["tag:collie"]}\n', "claims more than its node id"),
        (b"n" * PREAMBLE_BYTES + b"\n", "too long a preamble"),
        (b" " * (PREAMBLE_BYTES - 17) + b'{"node":"nPHONE"}\n', "too long a preamble"),
    ],
)
async def test_what_is_no_preamble_is_refused(said: bytes, why: str) -> None:
    async with listening() as (node, path):
        accepted, _open = await accept_raw(node, path, said)
        await expect_refusal(node, accepted.address, why)


async def test_one_that_hangs_up_is_nobody() -> None:
    async with listening() as (node, path):
        accepted, caller = await accept_raw(node, path, b'{"node":"nPHONE"}')
        await caller.aclose()
        await expect_refusal(node, accepted.address, "closed before it said who it is")


async def test_another_user_is_nobody_and_nothing_it_says_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    async with listening() as (node, path):
        accepted, _open = await accept_raw(node, path, b'{"node":"nPHONE"}\n')
        monkeypatch.setattr(os, "geteuid", lambda: os.getuid() + 1)
        await expect_refusal(node, accepted.address, "foreign uid")
        assert await accepted.stream.receive_some(100) == b'{"node":"nPHONE"}\n'


async def test_a_listener_of_a_test_believes_all_that_is_claimed() -> None:
    claims = Preamble(node="nPHONE", tags=("tag:server",), sharer=9, user=7)
    async with listening(allow_claims=True) as (node, path):
        stream = await LocalNode("nPHONE", preamble=claims).dial(str(path), 0)
        accepted = await node.accept()
        found = await node.whois(accepted.address)
        assert (found.node_id, found.user_id, found.tags, found.shared_in) == ("nPHONE", 7, ("tag:server",), True)
        await stream.aclose()


async def test_each_connection_has_an_address_of_its_own_that_is_asked_about_once() -> None:
    async with listening() as (node, path):
        first, _one = await accept_raw(node, path, b'{"node":"nONE"}\n')
        second, _two = await accept_raw(node, path, b'{"node":"nTWO"}\n')

        assert first.address.rpartition(":")[0] == second.address.rpartition(":")[0] == "local"
        assert (await node.whois(second.address)).node_id == "nTWO"
        assert (await node.whois(first.address)).node_id == "nONE"
        await expect_refusal(node, first.address, "no such connection")


async def test_a_connection_that_nobody_asks_about_is_not_kept() -> None:
    async with listening() as (node, path):
        accepted, _open = await accept_raw(node, path, b"")
        address = accepted.address
        await accepted.stream.aclose()
        del accepted
        await expect_refusal(node, address, "no such connection")


async def test_a_removed_socket_is_made_again(autojump_clock: trio.testing.MockClock) -> None:
    async with listening() as (node, path):
        path.unlink()

        async def dial_later() -> None:
            await trio.sleep(PLACE_LOOK * 1.5)
            (await LocalNode("nPHONE").dial(str(path), 0)).socket.close()

        async with trio.open_nursery() as nursery:
            nursery.start_soon(dial_later)
            accepted = await node.accept()
            assert (await node.whois(accepted.address)).node_id == "nPHONE"


async def test_it_says_how_it_stands_and_up_twice_is_once() -> None:
    with short_folder() as folder:
        node: Node = LocalNode("nORCHARD", folder / "peer.sock")
        assert (await node.status()).state is NodeState.STOPPED
        with pytest.raises(trio.ClosedResourceError):
            await node.accept()
        for _ in range(2):
            status = await node.up()
            assert (status.state, status.node_id) == (NodeState.RUNNING, "nORCHARD")
        await node.aclose()
        assert (await node.status()).state is NodeState.STOPPED
        assert list(folder.iterdir()) == []
        await node.aclose()


async def test_closing_it_ends_who_waits_for_a_connection() -> None:
    async with listening() as (node, _), trio.open_nursery() as nursery:

        async def wait() -> None:
            with pytest.raises(trio.ClosedResourceError):
                await node.accept()

        nursery.start_soon(wait)
        await trio.testing.wait_all_tasks_blocked()
        await node.aclose()


async def test_dialling_where_nobody_listens_fails_at_once() -> None:
    with short_folder() as folder:
        with pytest.raises(OSError, match="No such file"):
            await LocalNode("nPHONE").dial(str(folder / "peer.sock"), 0)
        with socket.socket(socket.AF_UNIX) as stale:
            stale.bind(str(folder / "peer.sock"))
        with pytest.raises(ConnectionRefusedError):
            await LocalNode("nPHONE").dial(str(folder / "peer.sock"), 0)


async def test_a_key_gives_the_same_node_id_each_time_and_another_key_another_one() -> None:
    ours, others = node_id_for("a" * 43), node_id_for("b" * 43)

    assert ours == node_id_for("a" * 43) != others
    assert ours.isalnum()
