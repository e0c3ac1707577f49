"""Who hears of what: nothing older than the subscription, all of it in order, or a word that some was lost."""

import pytest

from collie.herdr.models import AgentStatus
from collie.herdr.wire import Event
from collie.host.events import RING, STATUS_SUBSCRIPTION, EventsLost, Hub, StatusWatch, Subscription, shown_in


def opened(number: int) -> Event:
    return Event.of("workspace.focused", workspace_id=f"w{number}")


def status(name: str, **data: str) -> Event:
    return Event.of(STATUS_SUBSCRIPTION, pane_id="w1:p1", workspace_id="w1", agent_status=AgentStatus(name), **data)


def watching(hub: Hub, *types: str, only: str | None = None) -> Subscription:
    watch = StatusWatch(shown=shown_in(status("unknown")), only=AgentStatus(only) if only else None)
    return hub.subscribe(frozenset(types), {"w1:p1": watch})


def test_nothing_older_and_all_that_is_newer() -> None:
    hub = Hub()
    hub.publish(opened(1))
    subscription = hub.subscribe(frozenset({"workspace.focused"}), {})
    assert hub.pending(subscription)[0] == ()
    hub.publish(opened(2))
    hub.publish(Event.of("tab.focused", tab_id="w1:t1", workspace_id="w1"))
    hub.publish(opened(3))
    events, subscription = hub.pending(subscription)
    assert events == (opened(2), opened(3))
    assert hub.pending(subscription)[0] == ()


def test_a_subscriber_may_be_a_whole_ring_behind_and_no_more() -> None:
    hub = Hub()
    subscription = hub.subscribe(frozenset({"workspace.focused"}), {})
    for number in range(RING):
        hub.publish(opened(number))
    assert len(hub.pending(subscription)[0]) == RING
    hub.publish(opened(RING))
    with pytest.raises(EventsLost):
        hub.pending(subscription)


def test_statuses_come_in_their_place_among_other_events() -> None:
    hub = Hub()
    subscription = watching(hub, "workspace.focused")
    for event in (opened(1), status("working"), opened(2), status("idle")):
        hub.publish(event)
    events, _ = hub.pending(subscription)
    assert events == (opened(1), status("working"), opened(2), status("idle"))


def test_what_is_shown_already_is_not_told_again() -> None:
    hub = Hub()
    subscription = watching(hub)
    hub.publish(status("unknown", agent="claude"))
    hub.publish(status("working", agent="claude"))
    hub.publish(status("working"))
    hub.publish(status("working", title="pruning"))
    events, subscription = hub.pending(subscription)
    assert events == (status("working", agent="claude"), status("working", title="pruning"))
    hub.publish(status("working", title="pruning"))
    assert hub.pending(subscription)[0] == ()


def test_one_status_alone_can_be_wanted() -> None:
    hub = Hub()
    subscription = watching(hub, only="blocked")
    for name in ("working", "blocked", "idle", "blocked"):
        hub.publish(status(name))
    assert hub.pending(subscription)[0] == (status("blocked"), status("blocked"))


def test_other_panes_are_not_told_of() -> None:
    hub = Hub()
    subscription = watching(hub)
    hub.publish(Event.of(STATUS_SUBSCRIPTION, pane_id="w2:p1", workspace_id="w2", agent_status=AgentStatus.IDLE))
    assert hub.pending(subscription)[0] == ()


def test_of_output_only_the_newest_counter_counts_and_it_fills_no_ring() -> None:
    hub = Hub()
    hub.output("term_1", "w1:p1", 1)
    subscription = hub.subscribe(frozenset({"pane.output"}), {})
    assert hub.pending(subscription)[0] == ()
    for counter in range(2, 2 * RING):
        hub.output("term_1", "w1:p1", counter)
    hub.output("term_2", "w2:p1", 1)
    events, subscription = hub.pending(subscription)
    assert [(each.data["terminal_id"], each.data["counter"]) for each in events] == [
        ("term_1", 2 * RING - 1),
        ("term_2", 1),
    ]
    hub.forget("term_1")
    assert hub.pending(subscription)[0] == ()
