"""How a fake host hands out its events: what one subscription gets next. No sockets."""

from typing import Any

from tools.fake_session import FakeSession

from collie.herdr.wire import PANE_NOT_FOUND, PANE_SUBSCRIPTIONS, Event, Failure, Fault, Request


class LiveFeed:
    """herdr 0.9 and the embedded host: what happens from now on, all of it at once, in its order."""

    def __init__(self, session: FakeSession, request: Request) -> None:
        self._session = session
        wanted = request.params["subscriptions"]
        self._wanted = {(entry["type"], entry.get("pane_id")) for entry in wanted}
        self._next = session.events_before + len(session.events)

    def take(self) -> list[Event] | None:
        """The new events, or None: some have been lost."""
        at = self._next - self._session.events_before
        if at < 0:
            return None
        new = self._session.events[at:]
        self._next += len(new)
        return [event for event in new if key_of(event) in self._wanted]


class ReplayFeed:
    """herdr 0.8.2: from the oldest event that is kept, in each turn at most one for each entry of the request.

    An entry for a pane's status begins with the status at the time of the request, and is told what a look finds.
    """

    def __init__(self, session: FakeSession, request: Request) -> None:
        self._session = session
        self._entries = request.params["subscriptions"]
        self._next = [0] * len(self._entries)
        self._shown = [self._status(entry) for entry in self._entries]

    def take(self) -> list[Event]:
        """The events of one turn."""
        taken = (self._take(at, entry) for at, entry in enumerate(self._entries))
        return [event for event in taken if event is not None]

    def _take(self, at: int, entry: dict[str, Any]) -> Event | None:
        if entry["type"] in PANE_SUBSCRIPTIONS:
            return self._take_status(at, entry)
        kept, before = self._session.events, self._session.events_before
        for number in range(max(self._next[at], before), before + len(kept)):
            self._next[at] = number + 1
            if kept[number - before].subscription == entry["type"]:
                return kept[number - before]
        return None

    def _take_status(self, at: int, entry: dict[str, Any]) -> Event | None:
        now = self._status(entry)
        if now is None or now == self._shown[at]:
            return None
        self._shown[at] = now
        return Event("pane.agent_status_changed", now)

    def _status(self, entry: dict[str, Any]) -> dict[str, Any] | None:
        pane = self._session.panes.get(entry.get("pane_id", ""))
        return None if pane is None else pane.status_data()


def key_of(event: Event) -> tuple[str, str | None]:
    """The entry that an event belongs to: a subscription, with its pane where it is to one."""
    own = event.subscription in PANE_SUBSCRIPTIONS
    return event.subscription, event.data["pane_id"] if own else None


def unknown_pane(session: FakeSession, request: Request) -> Failure | None:
    """The refusal for an entry whose pane does not exist; its id is made from the request's."""
    for at, entry in enumerate(request.params["subscriptions"]):
        pane_id = entry.get("pane_id")
        if pane_id is not None and pane_id not in session.panes:
            return Failure(f"{request.id}:sub:{at}:probe", Fault(PANE_NOT_FOUND, f"pane {pane_id} not found"))
    return None
