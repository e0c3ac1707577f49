"""Every captured screen gives exactly the facts that a person put down for it."""

import json

import pytest
from tools.captures import FIXTURES, Case, cases, plain_differences

from collie.agents.explain import to_json, to_text
from collie.agents.facts import State
from collie.agents.kind import Seen
from collie.agents.registry import ALL_KINDS

CASES = [pytest.param(found, id=found.name) for found in cases()]


@pytest.mark.parametrize("found", CASES)
def test_a_screen_with_colours_gives_its_facts(found: Case) -> None:
    assert to_json(found.read()) == found.expected


@pytest.mark.parametrize("found", CASES)
def test_plain_text_gives_the_same_but_for_what_colour_alone_shows(found: Case) -> None:
    assert plain_differences(found.expected, to_json(found.read("txt"))) == []


@pytest.mark.parametrize("found", CASES)
def test_the_status_for_the_host_agrees_about_blocked(found: Case) -> None:
    seen = Seen(text="\n".join(found.screen("txt").lines))
    assert (found.kind.detect(seen).state is State.BLOCKED) == (found.read().state is State.BLOCKED)


@pytest.mark.parametrize("found", CASES)
def test_a_dialog_wins_over_a_working_title(found: Case) -> None:
    seen = Seen(text=found.text("txt"), title="◐ Claude Code")
    if found.expected["state"] == "blocked":
        assert found.kind.detect(seen).state is State.BLOCKED


@pytest.mark.parametrize("found", CASES)
def test_it_can_be_explained_to_people(found: Case) -> None:
    facts = found.read()
    text = to_text(found.screen(), facts)
    assert f"state     {facts.state}" in text
    assert all(option.label in text for option in (facts.dialog.options if facts.dialog else ()))


def test_every_kind_has_captures() -> None:
    for kind in ALL_KINDS:
        assert list(FIXTURES.glob(f"{kind.name}-*/*/screen.ansi")), f"no captures of {kind.name}"


def test_every_capture_is_complete() -> None:
    for found in cases():
        names = {path.name for path in found.folder.iterdir()}
        assert names == {"screen.ansi", "screen.txt", "meta.json", "facts.json"}, found.name
        assert json.loads((found.folder / "meta.json").read_text("utf-8"))["columns"] > 0
