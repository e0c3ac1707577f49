"""What happened, and who still has to hear of it. No I/O: a subscription is a value that `pending` moves on.

A subscription begins at the moment it was asked for; nothing older is sent (herdr 0.9). Events wait in a ring; who
lets it turn past its place is told so and has to begin anew. Output has no place in the ring: of each pane only the
newest counter is kept, so that no flood of it can push out what must not be missed.
"""

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any, Final

from collie.errors import CollieError
from collie.herdr.models import AgentStatus
from collie.herdr.wire import OUTPUT_SUBSCRIPTION, Event

RING: Final = 512
"""Events that are kept for slow subscribers (herdr's number)."""

STATUS_SUBSCRIPTION: Final = "pane.agent_status_changed"


_SHOWN: Final = ("agent_status", "title", "display_agent", "state_labels")


class EventsLost(CollieError):
    """The subscriber was too slow: events that it has not had have left the ring."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StatusWatch:
    """A subscription's interest in one pane: what it was told last, and the only status it wants (None: all)."""

    shown: Mapping[str, Any]
    only: AgentStatus | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Subscription:
    """What one subscriber wants, and what it has had: events below `next`, and each terminal's output `counters`."""

    next: int
    globals: frozenset[str]
    watches: Mapping[str, StatusWatch]
    counters: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Output:
    pane_id: str
    counter: int


class Hub:
    """The ring of a host."""

    def __init__(self) -> None:
        self._ring: deque[Event] = deque(maxlen=RING)
        self._next = 0
        self._outputs: dict[str, _Output] = {}

    def publish(self, event: Event) -> None:
        """Add an event; that of an agent's status goes to those who watch its pane."""
        self._ring.append(event)
        self._next += 1

    def output(self, terminal_id: str, pane_id: str, counter: int) -> None:
        """A terminal's output has come to `counter`."""
        self._outputs[terminal_id] = _Output(pane_id=pane_id, counter=counter)

    def forget(self, terminal_id: str) -> None:
        """A terminal is gone."""
        self._outputs.pop(terminal_id, None)

    def subscribe(self, types: frozenset[str], watches: Mapping[str, StatusWatch]) -> Subscription:
        """A subscription that begins now."""
        counters = {terminal: output.counter for terminal, output in self._outputs.items()}
        return Subscription(
            next=self._next,
            globals=types,
            watches=MappingProxyType(dict(watches)),
            counters=MappingProxyType(counters),
        )

    def pending(self, subscription: Subscription) -> tuple[tuple[Event, ...], Subscription]:
        """What the subscriber has to be told now, in the order it happened, and the subscription after that.

        Raises: EventsLost.
        """
        missed = self._next - subscription.next
        if missed > len(self._ring):
            raise EventsLost(
                "event subscription fell behind retained history; resubscribe and resync with session.snapshot"
            )
        watches = dict(subscription.watches)
        events = [
            event
            for index in range(len(self._ring) - missed, len(self._ring))
            if _is_wanted(event := self._ring[index], subscription.globals, watches)
        ]
        counters = subscription.counters
        if OUTPUT_SUBSCRIPTION in subscription.globals:
            outputs, counters = self._outputs_since(counters)
            events += outputs
        after = replace(subscription, next=self._next, watches=MappingProxyType(watches), counters=counters)
        return tuple(events), after

    def _outputs_since(self, had: Mapping[str, int]) -> tuple[list[Event], Mapping[str, int]]:
        fresh = [each for each in self._outputs.items() if had.get(each[0]) != each[1].counter]
        if not fresh:
            return [], had
        events = [
            Event.of(OUTPUT_SUBSCRIPTION, pane_id=output.pane_id, terminal_id=terminal, counter=output.counter)
            for terminal, output in fresh
        ]
        return events, MappingProxyType({terminal: output.counter for terminal, output in self._outputs.items()})


def shown_in(event: Event) -> Mapping[str, Any]:
    """What an event of status says that people see; when only the rest of it differs, it need not be told again."""
    return {key: event.data[key] for key in _SHOWN if key in event.data}


def _is_wanted(event: Event, types: frozenset[str], watches: dict[str, StatusWatch]) -> bool:
    """Whether to send it; the watch that an event of status is for takes note of what it says."""
    if event.event != STATUS_SUBSCRIPTION:
        return event.subscription in types
    watch = watches.get(event.data["pane_id"])
    if watch is None or watch.shown == (shown := shown_in(event)):
        return False
    watches[event.data["pane_id"]] = replace(watch, shown=shown)
    return watch.only in (None, event.data["agent_status"])
