"""What is raised inside a callback from C: it reaches the caller, and the connection fails; it never succeeds."""

import itertools
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

import pytest
from tools.hostile_peer import AlertSeen, HostileClient, HostilePeer, HostileServer
from tools.tls13 import BadRecord
from tools.tls_peers import Link, our_client, our_server

from collie.tls._gnutls import gnutls
from collie.tls._session import Session
from collie.tls.connection import TlsConnection
from collie.tls.errors import TlsError
from collie.tls.keys import LocalKey

KEY, PEER = LocalKey.generate(), LocalKey.generate()


class Mishap(Exception):
    """Something unforeseen."""


RAISED = [Mishap, KeyboardInterrupt, SystemExit, MemoryError]


def raiser(kind: type[BaseException]) -> Callable[[object], bool]:
    def raises(_: object) -> bool:
        raise kind

    return raises


def interrupt(_: str) -> bool:
    """Ctrl-C at the worst moment."""
    signal.raise_signal(signal.SIGINT)
    return True


@contextmanager
def real_ctrl_c() -> Iterator[None]:
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


def shake_hands(ours: TlsConnection, *, server: bool) -> Link:
    """Like Link.shake_hands, but what our end raises comes out, also what is no Exception."""
    link = Link(HostileClient(), ours) if server else Link(ours, HostileServer())
    link.client.handshake()
    return link.run()


@pytest.mark.parametrize("kind", RAISED)
@pytest.mark.parametrize("server", [True, False])
def test_the_look_at_the_key_raises(kind: type[BaseException], server: bool) -> None:
    ours = TlsConnection(KEY, raiser(kind), server=server)
    if issubclass(kind, Exception):
        link = shake_hands(ours, server=server)
        assert isinstance(link.server_error if server else link.client_error, kind)
    else:
        with pytest.raises(kind):
            shake_hands(ours, server=server)
    assert_dead(ours)


@pytest.mark.parametrize("server", [True, False])
def test_an_interrupt_while_the_key_is_looked_at(server: bool) -> None:
    ours = TlsConnection(KEY, interrupt, server=server)
    with real_ctrl_c(), pytest.raises(KeyboardInterrupt):
        shake_hands(ours, server=server)
    assert_dead(ours)


@pytest.mark.parametrize("server", [True, False])
def test_the_peer_is_told_of_an_internal_error(server: bool) -> None:
    ours = TlsConnection(KEY, raiser(Mishap), server=server)
    link = shake_hands(ours, server=server).run()
    assert "80" in str(link.client_error if server else link.server_error)


@pytest.mark.parametrize("kind", RAISED)
@pytest.mark.parametrize("server", [True, False])
def test_the_signer_raises(kind: type[BaseException], server: bool) -> None:
    def sign(_: bytes) -> bytes:
        raise kind

    key = LocalKey.external(KEY.spki, sign)
    ours = our_server(key) if server else our_client(key)
    if issubclass(kind, Exception):
        link = shake_hands(ours, server=server)
        assert isinstance(link.server_error if server else link.client_error, kind)
    else:
        with pytest.raises(kind):
            shake_hands(ours, server=server)
    assert_dead(ours)


class Faulty(Session):
    """A session whose side of the transport raises, from the given call on."""

    fault: type[BaseException] = Mishap
    pulls = pushes = 1_000

    def pull(self, size: int) -> bytes:
        self.pulls -= 1
        if self.pulls < 0:
            raise self.fault
        return super().pull(size)

    def push(self, data: bytes) -> int:
        self.pushes -= 1
        if self.pushes < 0:
            raise self.fault
        return super().push(data)


@pytest.mark.parametrize("fault", [Mishap, KeyboardInterrupt])
@pytest.mark.parametrize("call", range(12))
@pytest.mark.parametrize("direction", ["pulls", "pushes"])
def test_the_transport_raises(direction: str, call: int, fault: type[BaseException]) -> None:
    """At each call that the handshake makes, until none is left to fail."""
    session = Faulty(gnutls(), KEY, lambda _raw, _keys: True, server=True)
    session.fault = fault
    setattr(session, direction, call)
    client = HostileClient()
    client.handshake()
    try:
        while not session.handshake():
            client.feed(bytes(session.outgoing))
            session.outgoing.clear()
            session.feed(client.take())
    except fault:
        return
    assert (direction == "pushes" and call >= 6) or (direction == "pulls" and call >= 10), "the fault was swallowed"


@pytest.mark.parametrize("direction", ["pull", "push"])
def test_an_interrupt_between_records_loses_none_of_them_in_silence(
    direction: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, theirs = our_client(KEY), HostileServer()
    assert Link(ours, theirs).shake_hands().both_done
    theirs.write(b"one")
    theirs.write(b"two")
    monkeypatch.setattr(ours._session, direction, raiser(KeyboardInterrupt))
    with pytest.raises(KeyboardInterrupt):
        ours.feed(theirs.take()) if direction == "pull" else ours.write(b"three")
    monkeypatch.undo()
    with pytest.raises(TlsError, match="interrupted"):
        ours.feed(b"")


def test_a_yes_that_nobody_said() -> None:
    """C is told "accepted" without the judge having been asked, as by an interrupt before a callback's first line."""
    ours = our_client(KEY, PEER.spki)
    ours._session.judged = lambda: True  # type: ignore[method-assign]
    link = Link(ours, HostileServer()).shake_hands()
    assert isinstance(link.client_error, TlsError)
    assert_dead(ours)


class InterruptAt:
    """Raises KeyboardInterrupt at the given line or call of Python code from now on, callbacks from C included."""

    def __init__(self, moment: int) -> None:
        self.left = moment

    def __call__(self, _frame: FrameType, _event: str, _argument: object) -> "InterruptAt":
        self.left -= 1
        if not self.left:
            raise KeyboardInterrupt
        return self


@pytest.mark.parametrize("server", [True, False])
def test_an_interrupt_at_any_line_lets_nobody_in(server: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """Some come before the first line of a callback: ctypes prints those, and C is told "accepted"."""
    printed: list[object] = []
    monkeypatch.setattr(sys, "unraisablehook", printed.append)
    for moment in itertools.count(1):
        interrupt = InterruptAt(moment)
        ours = our_server(KEY, PEER.spki) if server else our_client(KEY, PEER.spki)
        theirs: HostilePeer = HostileClient() if server else HostileServer()
        link = Link(theirs, ours) if server else Link(ours, theirs)
        with suppress(KeyboardInterrupt, TlsError, AlertSeen, BadRecord):
            _shake_hands_under(interrupt, link, ours)
        assert not ours.done
        assert ours.peer_spki is None
        if interrupt.left > 0:
            break
    assert moment > 100
    assert printed


def _shake_hands_under(trace: InterruptAt, link: Link, ours: TlsConnection) -> None:
    theirs = link.server if ours is link.client else link.client
    theirs.handshake()
    for _ in range(3):
        sys.settrace(trace)
        try:
            ours.feed(theirs.take()) if theirs.pending else ours.handshake()
        finally:
            sys.settrace(None)
        theirs.feed(ours.take())


def assert_dead(ours: TlsConnection) -> None:
    assert not ours.done
    assert ours.peer_spki is None
    assert ours.failure is not None
    for attempt in (ours.handshake, ours.close_notify, lambda: ours.feed(b""), lambda: ours.write(b"data")):
        with pytest.raises(TlsError):
            attempt()
