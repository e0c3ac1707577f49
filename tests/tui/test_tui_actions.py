"""Every action exists once, can be done where it is listed, and has words for footer, help and palette."""

from itertools import combinations

import pytest

from collie.tui.actions import ACTIONS, Action, Place, bindings_of, rows_of
from collie.tui.app import CollieApp
from collie.tui.lines import line_text, line_width
from collie.tui.screens.agent import AgentScreen
from collie.tui.screens.dashboard import DashboardScreen
from collie.tui.screens.help import help_lines
from collie.tui.widgets.lines_view import LinesView

TOGETHER = (
    (Place.CARD, Place.DASHBOARD, Place.EVERYWHERE, Place.LIST),
    (Place.AGENTS, Place.DASHBOARD, Place.EVERYWHERE, Place.LIST),
    (Place.CARD, Place.AGENT, Place.EVERYWHERE),
)
"""Places whose keys work at the same time."""


def owners_of(action: Action) -> tuple[type, ...]:
    if action.name.startswith("app."):
        return (CollieApp,)
    if not action.name.startswith("screen."):
        return (LinesView,)
    by_place = {
        Place.AGENT: (AgentScreen,),
        Place.SENDING_KEYS: (AgentScreen,),
        Place.CARD: (AgentScreen, DashboardScreen),
    }
    return by_place.get(action.place, (DashboardScreen,))


@pytest.mark.parametrize("action", ACTIONS, ids=lambda action: f"{action.place.name}-{action.shown}")
def test_an_action_can_be_done_where_it_is_listed(action: Action) -> None:
    method = f"action_{action.name.rpartition('.')[2].partition('(')[0]}"
    assert all(hasattr(owner, method) for owner in owners_of(action))
    assert action.tells
    assert action.words


@pytest.mark.parametrize("places", TOGETHER)
def test_no_key_means_two_things_in_one_place(places: tuple[Place, ...]) -> None:
    for one, other in combinations(rows_of(*places), 2):
        shared = set(one.keys) & set(other.keys)
        assert not shared or {one.place, other.place} == {Place.CARD, Place.AGENT}, (one, other)


def test_a_digit_chooses_the_option_of_its_number() -> None:
    actions = {binding.key: binding.action for binding in bindings_of(Place.CARD)}
    assert actions["1"] == "screen.choose(1)"
    assert actions["9"] == "screen.choose(9)"


def test_help_lists_every_action_of_its_places_once() -> None:
    lines = help_lines((Place.AGENTS, Place.DASHBOARD, Place.EVERYWHERE), 60)
    text = " ".join(" ".join(map(line_text, lines)).split())
    for action in rows_of(Place.AGENTS, Place.DASHBOARD, Place.EVERYWHERE, Place.LIST):
        assert text.count(" ".join(action.tells.split())) >= 1
    assert all(line_width(line) <= 60 for line in lines)
