"""What may stand between, before and instead of the records of a well-behaved peer."""

import time
from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tools import tls13
from tools.hostile_peer import AlertSeen, HostileClient, HostilePeer, HostileServer
from tools.openssl_peer import OpensslPeer
from tools.tls_peers import Link, build_peer, needs_openssl, our_client, our_server

from collie.tls.connection import TlsConnection
from collie.tls.errors import KeyRefused, TlsError
from collie.tls.keys import LocalKey

KEY, PEER = LocalKey.generate(), LocalKey.generate()

HARMLESS: dict[str, Callable[[HostilePeer], None]] = {
    "an empty record": lambda peer: peer.send_record(tls13.APPLICATION, b""),
    "an empty padded record": lambda peer: peer.send_record(tls13.APPLICATION, b"", 500),
    "a thousand empty records": lambda peer: _repeat(1000, lambda: peer.send_record(tls13.APPLICATION, b"")),
    "a key update": lambda peer: peer.update_key(request=False),
    "a key update that asks for one": lambda peer: peer.update_key(request=True),
    "three key updates": lambda peer: _repeat(3, lambda: peer.update_key(request=True)),
}

FAULTY: dict[str, Callable[[HostilePeer], None]] = {
    "a record too large": lambda peer: peer.send_record(tls13.APPLICATION, bytes(16_385)),
    "a record too large by its padding": lambda peer: peer.send_record(tls13.APPLICATION, bytes(16_384), 1),
    "a record of nothing": lambda peer: peer.send_record(0, b""),
    "a record of no known kind": lambda peer: peer.send_record(99, b"?"),
    "a thousand key updates": lambda peer: _repeat(1000, lambda: peer.update_key(request=True)),
    "a key update that is none": lambda peer: _post_handshake(peer, tls13.KEY_UPDATE, b"\x05"),
    "a second Finished": lambda peer: _post_handshake(peer, tls13.FINISHED, bytes(32)),
    "a second ServerHello": lambda peer: _post_handshake(peer, tls13.SERVER_HELLO, bytes(40)),
    "a second Certificate": lambda peer: peer.send_record(tls13.HANDSHAKE, peer.certificate()),
    "a request for another key": lambda peer: _post_handshake(peer, tls13.CERTIFICATE_REQUEST, bytes(3)),
    "a large message": lambda peer: _post_handshake(peer, tls13.CERTIFICATE, bytes(16_000)),
    "half an alert": lambda peer: peer.send_record(tls13.ALERT, b"\x02"),
}


def build_link(role: str) -> tuple[Link, HostilePeer, TlsConnection]:
    """A hostile peer in that role, that has shaken hands with us."""
    theirs: HostilePeer
    if role == "client":
        theirs, ours = HostileClient(), our_server(KEY)
        link = Link(theirs, ours)
    else:
        ours, theirs = our_client(KEY), HostileServer()
        link = Link(ours, theirs)
    link.shake_hands()
    assert link.both_done
    return link, theirs, ours


@pytest.mark.parametrize("what", HARMLESS)
@pytest.mark.parametrize("role", ["client", "server"])
def test_data_after_something_harmless_in_one_flight(role: str, what: str) -> None:
    _, theirs, ours = build_link(role)
    HARMLESS[what](theirs)
    assert ours.feed(theirs.take()) == b""
    HARMLESS[what](theirs)
    theirs.write(b"data")
    assert ours.feed(theirs.take()) == b"data"
    ours.write(b"answer")
    assert theirs.feed(ours.take()) == b"answer"
    assert ours.failure is None


@pytest.mark.parametrize("what", FAULTY)
@pytest.mark.parametrize("role", ["client", "server"])
def test_something_faulty_ends_it(role: str, what: str) -> None:
    _, theirs, ours = build_link(role)
    FAULTY[what](theirs)
    theirs.write(b"data")
    with pytest.raises(TlsError) as failure:
        ours.feed(theirs.take())
    assert not isinstance(failure.value, KeyRefused)
    with pytest.raises(AlertSeen):
        theirs.feed(ours.take())
    with pytest.raises(TlsError):
        ours.write(b"more")


def test_tickets_and_data_in_one_flight() -> None:
    _, theirs, ours = build_link("server")
    assert isinstance(theirs, HostileServer)
    for _ in range(2):
        theirs.send_record(tls13.HANDSHAKE, theirs.ticket())
    theirs.write(b"data")
    theirs.close_notify()
    assert ours.feed(theirs.take()) == b"data"
    assert ours.peer_closed


def test_openssls_tickets_and_data_in_one_flight() -> None:
    needs_openssl()
    server = OpensslPeer(PEER.pkcs8(), server=True, tickets=2)
    link = Link(our_client(KEY), server)
    link.client.handshake()
    link.to_server(link.client.take())
    link.to_client(server.take())
    link.to_server(link.client.take())
    server.write(b"data")
    link.to_client(server.take())
    assert link.at_client == b"data"


@pytest.mark.parametrize("request_one", [True, False])
@pytest.mark.parametrize("role", ["client", "server"])
def test_openssls_key_updates(role: str, request_one: bool) -> None:
    needs_openssl()
    theirs = OpensslPeer(PEER.pkcs8(), server=role == "server")
    link = Link(our_client(KEY), theirs) if role == "server" else Link(theirs, our_server(KEY))
    ours = link.client if role == "server" else link.server
    link.shake_hands()
    for _ in range(4):
        theirs.update_key(request=request_one)
        theirs.write(b"data")
        ours.write(b"answer")
        link.run()
    assert {link.at_client, link.at_server} == {b"data" * 4, b"answer" * 4}


def test_a_client_that_must_say_hello_again() -> None:
    needs_openssl()
    client = OpensslPeer(PEER.pkcs8(), server=False, groups=b"P-384:P-256")
    link = Link(client, our_server(KEY, PEER.spki))
    client.handshake()
    link.to_server(client.take())
    retry = link.server.take()
    assert tls13.RETRY_RANDOM in retry
    link.to_client(retry)
    assert link.run().both_done


@pytest.mark.parametrize("cookie", [None, b"crumbs"])
def test_we_say_hello_again_when_asked_to(cookie: bytes | None) -> None:
    server = HostileServer()
    server.retry = {tls13.KEY_SHARE: tls13.P256.to_bytes(2, "big")}
    if cookie:
        server.retry[tls13.COOKIE] = tls13.vector(2, cookie)
    assert Link(our_client(KEY, server.spki), server).shake_hands().both_done


def test_we_do_not_for_a_group_that_we_did_not_offer() -> None:
    server = HostileServer()
    server.retry = {tls13.KEY_SHARE: b"\x00\x18"}
    link = Link(our_client(KEY), server).shake_hands()
    assert isinstance(link.client_error, TlsError)


def test_our_server_has_nothing_more_to_say_after_the_handshake() -> None:
    """No ticket, so nothing to resume, so no session that skips the look at the key."""
    client = HostileClient()
    link = Link(client, our_server(KEY))
    client.handshake()
    link.to_server(client.take())
    link.to_client(link.server.take())
    link.to_server(client.take())
    assert link.both_done
    assert link.server.take() == b""


def test_our_hello_offers_the_profile_and_nothing_else() -> None:
    client = our_client(KEY)
    client.handshake()
    offered = tls13.hello_extensions(client.take()[5:])
    assert set(offered) == {10, 11, 13, 19, 20, 28, 43, 51, 65281}
    assert offered[tls13.VERSIONS] == b"\x02\x03\x04"
    assert offered[tls13.SIGNATURES] == b"\x00\x02\x04\x03"
    assert offered[tls13.GROUPS] == b"\x00\x04\x00\x17\x00\x1d"
    assert offered[tls13.CLIENT_CERTIFICATE_TYPE] == offered[tls13.SERVER_CERTIFICATE_TYPE] == b"\x01\x02"


@pytest.mark.parametrize("alert", [42, 46, 49, 116, 80])
@pytest.mark.parametrize("when", ["before the server's hello", "amid the handshake", "after it"])
def test_an_alert_that_anyone_could_have_put_there_is_no_refusal(when: str, alert: int) -> None:
    """A client that is refused stops for good, so it believes it only from the server whose key it knows."""
    link = Link(our_client(KEY, PEER.spki), build_peer("python", PEER, pins=(KEY.pin,), server=True))
    link.client.handshake()
    if when != "before the server's hello":
        link.to_server(link.client.take())
        flight = link.server.take()
        link.to_client(flight if when == "after it" else flight[: 5 + int.from_bytes(flight[3:5], "big")])
    link.to_client(tls13.clear_record(tls13.ALERT, bytes([2, alert])))
    assert isinstance(link.client_error, TlsError)
    assert not isinstance(link.client_error, KeyRefused)


@pytest.mark.parametrize("ours", ["client", "server"])
@pytest.mark.parametrize("change", ["tampered", "replayed", "dropped", "swapped", "shortened"])
def test_records_that_were_changed_on_the_way(ours: str, change: str) -> None:
    _, theirs, connection = build_link("server" if ours == "client" else "client")
    theirs.write(b"first")
    first = theirs.take()
    theirs.write(b"second")
    second = theirs.take()
    changed, arrives = {
        "tampered": (first[:-1] + bytes([first[-1] ^ 1]), b""),
        "replayed": (first + first, b"first"),
        "dropped": (second, b""),
        "swapped": (second + first, b""),
        "shortened": (first[:3] + b"\x00\x14" + first[5:25] + second, b""),
    }[change]
    if arrives:
        assert connection.feed(changed) == arrives
    with pytest.raises(TlsError):
        connection.feed(b"" if arrives else changed)
    assert connection.failure is not None


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(["client", "server"]), st.integers(0, 10_000), st.integers(1, 255), st.binary(max_size=3))
def test_a_handshake_that_was_changed_on_the_way(role: str, where: int, flip: int, extra: bytes) -> None:
    """It may fail or wait for more; done is our end only if it has the right key all the same."""
    theirs: HostilePeer = HostileServer() if role == "server" else HostileClient()
    ours = our_client(KEY) if role == "server" else our_server(KEY)
    link = Link(ours, theirs) if role == "server" else Link(theirs, ours)
    link.client.handshake()
    hello = link.client.take()
    where %= len(hello) + 600
    link.to_server(_changed(hello, where, flip, extra))
    link.to_client(_changed(link.server.take(), where - len(hello), flip, extra))
    link.to_server(link.client.take())
    assert ours.peer_spki == (theirs.spki if ours.done else None)


@pytest.mark.parametrize("role", ["client", "server"])
@given(st.binary(max_size=200))
@settings(max_examples=100, deadline=None)
def test_anything_at_all_instead_of_tls(role: str, junk: bytes) -> None:
    connection = our_client(KEY) if role == "client" else our_server(KEY)
    connection.handshake()
    for data in (junk, b""):
        try:
            connection.feed(data)
        except TlsError:
            break
    assert connection.failure is not None
    assert not connection.done
    assert connection.head == junk[:12]


def test_input_without_end_costs_no_more_than_its_reading() -> None:
    _, theirs, ours = build_link("server")
    for _ in range(20_000):
        theirs.send_record(tls13.APPLICATION, b"")
    flood = theirs.take()
    begin = time.process_time()
    assert ours.feed(flood) == b""
    assert time.process_time() - begin < 5


def _repeat(times: int, action: Callable[[], None]) -> None:
    for _ in range(times):
        action()


def _post_handshake(peer: HostilePeer, kind: int, body: bytes) -> None:
    peer.send_record(tls13.HANDSHAKE, tls13.message(kind, body))


def _changed(data: bytes, where: int, flip: int, extra: bytes) -> bytes:
    if not 0 <= where < len(data):
        return data
    return data[:where] + bytes([data[where] ^ flip]) + extra + data[where + 1 :]
