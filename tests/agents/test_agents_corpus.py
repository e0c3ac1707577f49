"""The same over a folder of captures from elsewhere: what is read of them, and that nothing is read wrongly."""

import os
from pathlib import Path

import pytest
from tools.captures import Case, cases, plain_differences

from collie.agents.explain import to_json
from collie.agents.facts import State

FOLDER = os.environ.get("COLLIE_CORPUS", "")
needs_corpus = pytest.mark.skipif(not FOLDER, reason="COLLIE_CORPUS names no folder of captures")


def captured() -> list[Case]:
    return [found for found in cases(Path(FOLDER)) if (found.folder / "facts.json").exists()]


@pytest.mark.corpus
@needs_corpus
def test_the_facts_of_every_capture(capsys: pytest.CaptureFixture[str]) -> None:
    found = captured()
    exact = [case for case in found if to_json(case.read()) == case.expected]
    wrong_maps = [case.name for case in found if not is_map_right(case, "ansi") or not is_map_right(case, "txt")]
    false_blocks = [case.name for case in found if case.read().state is State.BLOCKED != case.expected["state"]]
    with capsys.disabled():
        print(f"\n{len(exact)} of {len(found)} captures read exactly (recall {len(exact) / max(len(found), 1):.1%});")
        print(f"wrong option maps: {len(wrong_maps)}; false blocked: {len(false_blocks)}")
    assert (wrong_maps, false_blocks) == ([], [])
    assert [case.name for case in found if case not in exact] == []


@pytest.mark.corpus
@needs_corpus
def test_plain_text_of_every_capture() -> None:
    assert {
        case.name: wrong
        for case in captured()
        if (wrong := plain_differences(case.expected, to_json(case.read("txt"))))
    } == {}


def is_map_right(case: Case, form: str) -> bool:
    """Whether each decision that is offered is the one that the facts give for that option."""
    expected = case.expected.get("dialog", {})
    dialog = case.read(form).dialog
    if dialog is None or not dialog.options or dialog.type == "picker":
        return True
    labels = [option.label for option in dialog.options]
    known = expected.get("decisions", {})
    return labels == expected["options"] and all(known.get(name) == option for name, option in dialog.decisions)
