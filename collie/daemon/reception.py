"""Lets clients of the control socket in: each is looked at once, takes a seat, and is served or told why not."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final, Protocol

import trio

from collie.daemon.caller import Caller
from collie.daemon.rejections import Rejections
from collie.daemon.seats import Seats
from collie.daemon.session import Carrier, House, Session
from collie.daemon.tripwire import Peer
from collie.protocol import frames
from collie.protocol.errors import WireError
from collie.protocol.methods import Surface

REFUSE_SECONDS: Final = 1.0
"""How long one that is not let in may take to read why."""


class Visitor(Protocol):
    """Who is at the door."""

    def caller(self, surface: Surface | None) -> Caller:
        """The caller that it is, given what it says of itself; None as long as it has said nothing."""


class Reception:
    """What stands between the socket and the sessions. `look` says who opened a session."""

    def __init__(
        self, *, house: House, look: Callable[[int, Peer], Awaitable[Visitor]], now: Callable[[], float]
    ) -> None:
        self._house = house
        self._look = look
        self._seats = Seats()
        self._reject = Rejections(house.audit, now)

    async def serve(self, number: int, carrier: Carrier, peer: Peer) -> None:
        """Serve one client until it has gone."""
        visitor = await self._look(number, peer)
        caller = visitor.caller(None)
        try:
            self._seats.sit(number, caller)
        except WireError as full:
            self._reject(caller.by if caller.is_guest else "control", caller.told(full.message))
            await _tell(carrier, full)
            return
        try:
            await Session(number, carrier, self._house, partial(self._identify, number, visitor)).run()
        finally:
            self._seats.leave(number)

    def _identify(self, number: int, visitor: Visitor, surface: Surface | None) -> Caller:
        caller = visitor.caller(surface)
        self._seats.sit(number, caller)
        return caller


async def _tell(carrier: Carrier, error: WireError) -> None:
    """Say why, and close."""
    try:
        with trio.move_on_after(REFUSE_SECONDS):
            await carrier.send(frames.encode_error(None, error))
    except trio.BrokenResourceError:
        return
    finally:
        carrier.close()
