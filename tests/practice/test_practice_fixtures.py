"""The captured screens of the practice agent: they are what it still draws, and Collie reads on them what is there."""

import json
from pathlib import Path
from typing import Any

import pytest
from tools.practice_stage import CTRL_C, DOWN, ENTER, ESCAPE, TAB, UP, build_stage, pasted

from collie.agents.explain import to_json
from collie.agents.kind import Seen
from collie.agents.registry import kind_named
from collie.screen.ansi import parse

FOLDER = Path(__file__).parents[2] / "fixtures" / "practice-1"
CASES = sorted(case.name for case in FOLDER.iterdir())
KEYS = {"Enter": ENTER, "Escape": ESCAPE, "Tab": TAB, "Up": UP, "Down": DOWN, "C-c": CTRL_C}
MOVING = {"working", "queued", "working-draft"}
BLINKING = ("● Asking for permission", "  Asking for permission")


def meta_of(case: str) -> dict[str, Any]:
    meta: dict[str, Any] = json.loads((FOLDER / case / "meta.json").read_text())
    return meta


def played(keys: list[str]) -> list[bytes | float]:
    script: list[bytes | float] = []
    for key in keys:
        kind, _, value = key.partition(":")
        match kind:
            case "text":
                script.append(value.encode())
            case "paste":
                script.append(pasted(value))
            case "wait":
                script.append(float(value))
            case _:
                script += [KEYS[kind], 0.65] if kind == "Enter" else [KEYS[kind]]
    return script


@pytest.mark.parametrize("case", CASES)
def test_what_is_read_on_a_screen(case: str) -> None:
    kind = kind_named("practice")
    assert kind is not None
    screen = parse((FOLDER / case / "screen.ansi").read_text(), columns=meta_of(case)["columns"])
    assert to_json(kind.read(screen)) == json.loads((FOLDER / case / "facts.json").read_text())


@pytest.mark.parametrize("case", CASES)
def test_the_status_is_detected(case: str) -> None:
    kind = kind_named("practice")
    assert kind is not None
    seen = Seen(text=(FOLDER / case / "screen.txt").read_text(), title=meta_of(case)["pane_title"])
    assert kind.detect(seen).state == json.loads((FOLDER / case / "facts.json").read_text())["state"]


@pytest.mark.parametrize("case", [case for case in CASES if case not in MOVING])
def test_the_agent_still_draws_what_was_captured(case: str) -> None:
    meta = meta_of(case)
    stage = build_stage(meta["columns"], meta["rows"]).play(*played(meta["keys_sent_since_start"]))
    captured = (FOLDER / case / "screen.txt").read_text().split("\n")[: meta["rows"]]
    steady = [line.replace(*BLINKING[::-1]) for line in stage.lines]
    assert steady == [line.rstrip(" ").replace(*BLINKING[::-1]) for line in captured]
    assert stage.title == meta["pane_title"]


@pytest.mark.parametrize("prompt", ["ask rm -rf build", "ask-edit src/app.py", "question"])
@pytest.mark.parametrize("rows", range(5, 18))
def test_a_screen_too_low_for_every_choice_is_not_read_as_a_whole_dialog(prompt: str, rows: int) -> None:
    kind = kind_named("practice")
    assert kind is not None
    stage = build_stage(80, rows).prompt(prompt)
    found = kind.read(parse(stage.screen, columns=80)).dialog
    asked = stage.session.dialog
    assert asked is not None
    if found is not None and found.readable and found.complete:
        assert len(found.options) == len(asked.choices)
    else:
        assert found is None or found.decisions == ()
