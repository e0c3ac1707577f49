"""Event streams: what a client subscribes to, and the task that tells it."""

from collections.abc import Iterable
from typing import Final

import msgspec
import trio

from collie.herdr.models import SubscriptionStarted
from collie.herdr.wire import (
    EVENTS_LOST,
    GLOBAL_SUBSCRIPTIONS,
    NOT_IMPLEMENTED,
    OUTPUT_SUBSCRIPTION,
    PANE_NOT_FOUND,
    REFUSED_SUBSCRIPTION,
    Event,
    Failure,
    Fault,
    Request,
    Success,
    invalid_request,
)
from collie.host import narrate, said
from collie.host.connection import Connection
from collie.host.events import STATUS_SUBSCRIPTION, EventsLost, StatusWatch, Subscription, shown_in
from collie.host.params import Subscribe, Wanted
from collie.host.refused import Refused
from collie.host.session import Session

SUBSCRIBE: Final = "events.subscribe"
SCROLL_SUBSCRIPTION: Final = "pane.scroll_changed"
"""Taken, and never told: nobody scrolls the panes of this host."""

MATCH_SUBSCRIPTION: Final = "pane.output_matched"

_GLOBALS: Final = frozenset(GLOBAL_SUBSCRIPTIONS) | {OUTPUT_SUBSCRIPTION, REFUSED_SUBSCRIPTION}
_KNOWN: Final = _GLOBALS | {STATUS_SUBSCRIPTION, SCROLL_SUBSCRIPTION, MATCH_SUBSCRIPTION}


async def run_stream(session: Session, connection: Connection, request: Request) -> None:
    """Acknowledge a subscription, then tell its events until the client goes or falls behind.

    Raises: OSError, trio.TooSlowError.
    """
    try:
        wanted = msgspec.convert(request.params, Subscribe).subscriptions
    except msgspec.ValidationError as exc:
        await connection.send(invalid_request(said.message(str(exc))))
        return
    unknown = [each.type for each in wanted if each.type not in _KNOWN]
    if unknown:
        await connection.send(invalid_request(said.message(f"unknown subscription `{unknown[0]}`")))
        return
    try:
        subscription, first = _subscribe(session, wanted)
    except Refused as refused:
        await connection.send(Failure(request.id, Fault(refused.code, said.message(str(refused)))))
        return
    connection.keep_short()
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_cancel_when_gone, connection, nursery.cancel_scope)
        await connection.send(Success(request.id, SubscriptionStarted()), *first)
        await _tell(session, connection, request.id, subscription)
        nursery.cancel_scope.cancel()


def _subscribe(session: Session, wanted: Iterable[Wanted]) -> tuple[Subscription, list[Event]]:
    """The subscription, and what it is told before anything happens: statuses that are already the awaited ones."""
    watches: dict[str, StatusWatch] = {}
    first: list[Event] = []
    for each in wanted:
        if each.type in _GLOBALS:
            continue
        if each.type == MATCH_SUBSCRIPTION:
            raise Refused(NOT_IMPLEMENTED, f"{MATCH_SUBSCRIPTION} is not offered by this host")
        pane = session.pane(each.pane_id or "")
        if pane is None:
            raise Refused(PANE_NOT_FOUND, f"pane {each.pane_id} not found")
        if each.type == STATUS_SUBSCRIPTION:
            event = narrate.status_event(pane)
            watches[pane.pane_id] = StatusWatch(shown=shown_in(event), only=each.agent_status)
            if each.agent_status == event.data["agent_status"]:
                first.append(event)
    types = frozenset(each.type for each in wanted)
    return session.hub.subscribe(types & _GLOBALS, watches), first


async def _tell(session: Session, connection: Connection, request_id: str, subscription: Subscription) -> None:
    while True:
        try:
            events, subscription = session.hub.pending(subscription)
        except EventsLost as exc:
            await connection.send(Failure(request_id, Fault(EVENTS_LOST, str(exc))))
            return
        if events:
            await connection.send(*events)
        else:
            await session.bell.park()


async def _cancel_when_gone(connection: Connection, scope: trio.CancelScope) -> None:
    await connection.wait_hang_up()
    scope.cancel()
