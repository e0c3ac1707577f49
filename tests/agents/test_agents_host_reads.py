"""What our own host gives for a pane is read as the capture itself is."""

import pytest
from tools.captures import Case, cases

from collie.agents.explain import to_json
from collie.agents.facts import State
from collie.agents.kind import Seen
from collie.host.terminal.reads import read
from collie.host.terminal.screen import Terminal
from collie.screen.ansi import parse


def has_cut_cursor(found: Case) -> bool:
    """Whether the capture left out the blank under the text cursor, as tmux does at a row's end."""
    return any(row.runs and not row.runs[-1].text for row in found.screen().rows)


CASES = [pytest.param(found, id=found.name) for found in cases() if not has_cut_cursor(found)]


@pytest.mark.parametrize("found", CASES)
def test_the_hosts_reads_give_the_facts(found: Case) -> None:
    terminal = Terminal(columns=found.meta["columns"], rows=found.meta["rows"])
    terminal.feed("\r\n".join(found.text("ansi").removesuffix("\n").split("\n")).encode())
    screen = parse(read(terminal, "visible", format="ansi").text, columns=terminal.columns)
    assert to_json(found.kind.read(screen)) == found.expected
    seen = Seen(text=read(terminal, "detection").text)
    assert (found.kind.detect(seen).state is State.BLOCKED) == (found.expected["state"] == "blocked")
