"""Every action once: its keys, its words, where it works. Key bindings, footer, `?` and palette read these rows.

An action's name is Textual's: `screen.` actions are methods of the screen, bare ones of the focused widget.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from typing import Final

from textual.binding import Binding


class Place(Enum):
    """Where an action works; the value is the heading under which help lists it."""

    CARD = "A question"
    AGENTS = "Agents"
    AGENT = "An agent's screen"
    SENDING_KEYS = "While keys go to the agent"
    DASHBOARD = "The dashboard"
    LIST = "Moving"
    EVERYWHERE = "Everywhere"


@dataclass(frozen=True, slots=True, kw_only=True)
class Action:
    """One thing a person can do. `shown` is the key as it is printed, `words` what the footer says, `tells` what help
    and palette say; `footer` whether the footer has room for it."""

    name: str
    keys: tuple[str, ...]
    shown: str
    words: str
    tells: str
    place: Place
    footer: bool = True

    def bindings(self) -> Iterable[Binding]:
        """Textual's bindings of the keys; a name with `{key}` gets the key that was pressed."""
        return [Binding(key, self.name.format(key=key), self.words, show=False) for key in self.keys]


def _row(place: Place, name: str, keys: str, shown: str, words: str, tells: str, *, footer: bool = True) -> Action:
    return Action(
        name=name, keys=tuple(keys.split()), shown=shown, words=words, tells=tells, place=place, footer=footer
    )


ACTIONS: Final = (
    _row(
        Place.CARD,
        "screen.decide('approve')",
        "a",
        "a",
        "approve",
        "Approve: answer yes to the question shown",
        footer=False,
    ),
    _row(
        Place.CARD,
        "screen.decide('approve_always')",
        "A",
        "A",
        "always",
        "Approve always: yes, and do not ask again for what the option says",
        footer=False,
    ),
    _row(Place.CARD, "screen.decide('deny')", "d", "d", "deny", "Deny: answer no", footer=False),
    _row(Place.CARD, "screen.amend", "e", "e", "note", "Approve or deny with a note to the agent", footer=False),
    _row(
        Place.CARD,
        "screen.choose({key})",
        "1 2 3 4 5 6 7 8 9",
        "1-9",
        "choose",
        "Choose an option by its number",
        footer=False,
    ),
    _row(Place.CARD, "screen.step(1)", "right_square_bracket right", "]", "next", "The next question"),
    _row(
        Place.CARD,
        "screen.step(-1)",
        "left_square_bracket left",
        "[",
        "previous",
        "The question before",
        footer=False,
    ),
    _row(Place.CARD, "screen.open", "enter", "enter", "screen", "Open the live screen of the agent that asks"),
    _row(Place.AGENTS, "screen.open", "enter", "enter", "screen", "Open the agent's live screen"),
    _row(Place.AGENTS, "screen.speak", "s", "s", "speak", "Say something to the agent"),
    _row(Place.AGENTS, "screen.close_agent", "x", "x", "close", "Close the agent's pane, after a question"),
    _row(Place.AGENTS, "screen.filter", "slash", "/", "filter", "Show only agents that match some words"),
    _row(Place.DASHBOARD, "screen.new_agent", "n", "n", "new agent", "Start an agent"),
    _row(Place.DASHBOARD, "screen.next_pane", "tab", "tab", "next pane", "The next pane"),
    _row(
        Place.DASHBOARD, "screen.previous_pane", "shift+tab", "shift+tab", "last pane", "The pane before", footer=False
    ),
    _row(Place.DASHBOARD, "screen.zoom", "z", "z", "zoom", "Show this pane alone, or all of them again"),
    _row(Place.DASHBOARD, "screen.back", "escape", "esc", "back", "Close the filter, or end the zoom", footer=False),
    _row(Place.AGENT, "screen.speak", "s", "s", "speak", "Say something to the agent"),
    _row(Place.AGENT, "screen.close_agent", "x", "x", "close", "Close the agent's pane, after a question"),
    _row(
        Place.AGENT,
        "screen.send_keys",
        "i",
        "i",
        "send keys",
        "Send keys to the agent: arrows, enter, esc, tab, backspace and the like",
    ),
    _row(
        Place.SENDING_KEYS,
        "screen.send_keys",
        "ctrl+right_square_bracket",
        "ctrl+]",
        "send no more keys",
        "Have the keys back",
    ),
    _row(Place.AGENT, "screen.back", "escape", "esc", "back", "Back to the dashboard"),
    _row(Place.LIST, "line_up", "up k", "↑ k", "up", "Up", footer=False),
    _row(Place.LIST, "line_down", "down j", "↓ j", "down", "Down", footer=False),
    _row(Place.LIST, "a_page_up", "pageup b", "pgup b", "page up", "A page up", footer=False),
    _row(Place.LIST, "a_page_down", "pagedown space", "pgdn space", "page down", "A page down", footer=False),
    _row(Place.LIST, "to_top", "home g", "home g", "top", "To the top", footer=False),
    _row(Place.LIST, "to_end", "end G", "end G", "end", "To the end", footer=False),
    _row(Place.EVERYWHERE, "app.help", "question_mark f1", "?", "help", "The keys of this place"),
    _row(Place.EVERYWHERE, "app.command_palette", "ctrl+p", "ctrl+p", "all actions", "Find any action", footer=False),
    _row(Place.EVERYWHERE, "app.light_or_dark", "ctrl+t", "ctrl+t", "light or dark", "Light or dark", footer=False),
    _row(Place.EVERYWHERE, "app.leave", "q ctrl+q ctrl+c", "q", "quit", "Quit the dashboard; the agents go on"),
)


def bindings_of(*places: Place) -> list[Binding]:
    """The key bindings of some places."""
    return [binding for row in rows_of(*places) for binding in row.bindings()]


def rows_of(*places: Place) -> tuple[Action, ...]:
    """The rows of some places, in the order of `places`."""
    return tuple(row for place in places for row in ACTIONS if row.place is place)
