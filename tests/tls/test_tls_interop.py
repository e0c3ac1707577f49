"""Three stacks of different make, each with each, in both roles."""

import os

import pytest
from tools.tls_peers import Link, Peer, build_peer

from collie.tls.errors import TlsTruncated
from collie.tls.keys import LocalKey

CLIENT, SERVER = LocalKey.generate(), LocalKey.generate()

PAIRS = [(client, server) for client in ("gnutls", "openssl", "python") for server in ("gnutls", "openssl", "python")]
OURS = [pair for pair in PAIRS if "gnutls" in pair]

LONG = (pytest.mark.soak, pytest.mark.skipif(not os.environ.get("COLLIE_SOAK"), reason="long; COLLIE_SOAK=1 runs it"))


def build_link(client: str, server: str, *, piece: int = 1 << 30) -> Link:
    return Link(
        build_peer(client, CLIENT, pins=(SERVER.pin,), server=False),
        build_peer(server, SERVER, pins=(CLIENT.pin,), server=True),
        piece,
    )


@pytest.mark.parametrize(("client", "server"), PAIRS)
def test_both_prove_their_keys_and_talk(client: str, server: str) -> None:
    link = build_link(client, server).shake_hands()
    assert link.both_done, (link.client_error, link.server_error)
    question, answer = os.urandom(300_000), os.urandom(200_000)
    link.client.write(question)
    link.server.write(answer)
    link.run()
    assert (link.at_server, link.at_client) == (question, answer)


@pytest.mark.parametrize(("client", "server"), OURS)
def test_each_learns_the_others_key(client: str, server: str) -> None:
    link = build_link(client, server).shake_hands()
    assert link.client.peer_spki == SERVER.spki
    assert link.server.peer_spki == CLIENT.spki


@pytest.mark.parametrize(("client", "server"), OURS)
def test_one_byte_at_a_time(client: str, server: str) -> None:
    link = build_link(client, server, piece=1).shake_hands()
    assert link.both_done, (link.client_error, link.server_error)
    link.client.write(b"question")
    link.server.write(b"answer")
    link.run()
    assert (link.at_server, link.at_client) == (b"question", b"answer")


@pytest.mark.parametrize("client", ["gnutls", "openssl", "python"])
def test_the_clients_last_flight_and_its_data_in_one_feed(client: str) -> None:
    link = build_link(client, "gnutls")
    link.client.handshake()
    link.to_server(link.client.take())
    link.to_client(link.server.take())
    link.client.write(b"at once")
    link.client.close_notify()
    link.to_server(link.client.take())
    assert link.at_server == b"at once"
    assert link.server.peer_closed


@pytest.mark.parametrize(("client", "server"), OURS)
def test_one_direction_ends_and_the_other_goes_on(client: str, server: str) -> None:
    link = build_link(client, server).shake_hands()
    link.client.close_notify()
    link.run()
    assert link.server.peer_closed
    assert not link.client.peer_closed
    link.server.write(b"still here")
    link.server.close_notify()
    link.run()
    assert link.at_client == b"still here"
    assert link.client.peer_closed


@pytest.mark.parametrize(("client", "server"), OURS)
def test_an_end_between_records_is_no_goodbye(client: str, server: str) -> None:
    link = build_link(client, server).shake_hands()
    for ours, error in _after_cut_off(link, client, server):
        assert not ours.peer_closed
        assert isinstance(error, TlsTruncated)


@pytest.mark.parametrize(("client", "server"), OURS)
def test_an_end_inside_a_record_is_no_goodbye(client: str, server: str) -> None:
    link = build_link(client, server).shake_hands()
    link.client.write(b"x" * 1000)
    link.server.write(b"y" * 1000)
    link.to_server(link.client.take()[:-1])
    link.to_client(link.server.take()[:500])
    for ours, error in _after_cut_off(link, client, server):
        assert not ours.peer_closed
        assert isinstance(error, TlsTruncated)
    assert not link.at_client + link.at_server


@pytest.mark.parametrize(("client", "server"), OURS)
def test_a_goodbye_before_the_end_is_one(client: str, server: str) -> None:
    link = build_link(client, server).shake_hands()
    link.client.close_notify()
    link.server.close_notify()
    link.run()
    for ours, error in _after_cut_off(link, client, server):
        assert ours.peer_closed
        assert error is None


@pytest.mark.parametrize("cut", [0, 3, 5, 60, 200, 400, 530])
@pytest.mark.parametrize("role", ["client", "server"])
def test_an_end_during_the_handshake(role: str, cut: int) -> None:
    link = build_link("gnutls", "gnutls")
    link.client.handshake()
    if role == "server":
        link.to_server(link.client.take()[:cut])
    else:
        link.to_server(link.client.take())
        link.to_client(link.server.take()[:cut])
    link.cut_off()
    error = link.server_error if role == "server" else link.client_error
    assert isinstance(error, TlsTruncated)
    assert "during the handshake" in str(error)


@pytest.mark.parametrize(("client", "server"), PAIRS)
@pytest.mark.parametrize("blocks", [16, pytest.param(1600, marks=LONG)])
def test_blocks_each_way(client: str, server: str, blocks: int) -> None:
    """One mebibyte, and a hundred."""
    link = build_link(client, server).shake_hands()
    block = os.urandom(65_536)
    for _ in range(blocks):
        link.client.write(block)
        link.server.write(block)
        link.run()
        assert link.at_server == link.at_client == block
        link.at_server = link.at_client = b""


def _after_cut_off(link: Link, client: str, server: str) -> list[tuple[Peer, BaseException | None]]:
    """Each end that is ours, with what it failed with once the transport has ended."""
    link.cut_off()
    ends = [(client, link.client, link.client_error), (server, link.server, link.server_error)]
    return [(end, error) for stack, end, error in ends if stack == "gnutls"]
