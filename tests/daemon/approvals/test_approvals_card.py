"""What a card shows and offers, on captured screens and on made ones."""

from dataclasses import replace

import pytest
from tools.captures import Case, case, cases

from collie.agents.facts import DialogType, Option, Rows, State
from collie.daemon.approvals.card import Issue, agent_label, card
from collie.daemon.approvals.offer import Offer
from collie.daemon.approvals.sight import Sight
from collie.daemon.approvals.words import clean, snippet
from collie.herdr.models import AgentInfo
from collie.protocol.models import Approval, Decision

BLOCKED = [pytest.param(found, id=found.name) for found in cases() if found.read().state is State.BLOCKED]
CURSORS = [f"claude-2.1.332/bash-short-cursor-{number}" for number in (1, 2, 3, 4)]


def sight(found: Case) -> Sight:
    """The captured screen as a host without colours gives it."""
    return Sight(
        terminal_id="term_1", is_blocked=True, seq=7, session="", text=found.text("txt"), facts=found.read("txt")
    )


def issue(seen: Sight) -> Approval:
    return card(seen, Issue(approval_id="a1", nonce="n" * 43, at_ms=1_000), workspace_label="orchard")


def of(name: str) -> Approval:
    return issue(sight(case(name)))


@pytest.mark.parametrize("found", BLOCKED)
def test_what_is_not_wholly_known_offers_nothing(found: Case) -> None:
    seen = sight(found)
    approval = issue(seen)

    offers = bool(approval.options or approval.choices)
    assert offers == (approval.unreadable == "")
    assert seen.is_whole or not offers
    assert approval.body_complete or not offers
    assert approval.body.strip()


@pytest.mark.parametrize("found", BLOCKED)
def test_the_whole_dialog_is_in_the_card(found: Case) -> None:
    """Each row from the dialog's top to its options is in the body, frames and gutters aside."""
    seen = sight(found)
    approval = issue(seen)
    if seen.dialog is None or not approval.body_complete:
        return
    body = squeezed(approval.body)
    rows = seen.text.split("\n")[
        seen.dialog.region.first : seen.dialog.options[0].rows.first if not approval.unreadable else None
    ]
    for row in rows:
        assert squeezed(row) in body


def squeezed(text: str) -> str:
    return "".join(character for character in text if not character.isspace() and character not in "│┃❯╌─▔")


@pytest.mark.parametrize(
    ("name", "options", "choices"),
    [
        ("bash-short-cursor-1", "approve approve_always deny", (0, 1, 2, 3)),
        ("bash-compound", "approve deny", (0, 1, 2)),
        ("auto-mode-bash-prompt", "approve deny", (0, 1)),
        ("trust-folder-cursor-no", "approve deny", (0, 1)),
        ("ask-single", "", (0, 1, 2, 4)),
        ("plan", "", (0, 1)),
        ("api-key-question-cursor-no", "", (0, 1)),
        ("ask-multi", "", ()),
        ("ask-wizard-1", "", ()),
        ("bash-60lines", "", ()),
        ("bash-short-amend-yes-empty", "", ()),
    ],
)
def test_what_captured_dialogs_offer(name: str, options: str, choices: tuple[int, ...]) -> None:
    approval = of(f"claude-2.1.332/{name}")

    assert " ".join(approval.options) == options
    assert tuple(choice.index for choice in approval.choices) == choices


@pytest.mark.parametrize("name", ["codex-0.171.0/exec-approval", "opencode-1.18.33/bash-permission"])
def test_a_kind_that_is_not_read_yet_gets_a_card_without_decisions(name: str) -> None:
    approval = of(name)

    assert (approval.options, approval.choices) == ((), ())
    assert approval.unreadable == "the questions of this agent are not read yet"


def test_a_choice_says_which_decision_it_bears() -> None:
    choices = of("claude-2.1.332/bash-short-cursor-1").choices

    assert [choice.decision or None for choice in choices] == [
        Decision.APPROVE,
        Decision.APPROVE_ALWAYS,
        None,
        Decision.DENY,
    ]


@pytest.mark.parametrize("start", CURSORS)
def test_the_fingerprint_for_another_place_of_the_cursor_is_what_that_place_shows(start: str) -> None:
    shown = sight(case(start))
    offer = Offer(approval=issue(shown), sight=shown, first_seen=0.0, expires_at=600.0)

    assert [offer.with_cursor_on(index) for index in range(4)] == [sight(case(name)).fingerprint for name in CURSORS]


def test_only_a_readable_call_decides_about_lookalikes() -> None:
    """An agent's own prose has dashes that are none of ASCII's; in a command they would be something else."""
    seen = sight(case("claude-2.1.332/bash-short-cursor-1"))
    assert seen.dialog is not None
    disguised = replace(seen.dialog, command="rm ‐rf build", body=seen.dialog.body + "\u202e")

    assert issue(seen).flags == ()
    assert issue(replace(seen, facts=replace(seen.facts, dialog=disguised))).flags == ("bidi", "lookalike")


def test_a_label_that_a_choice_cannot_hold_is_in_the_body_whole() -> None:
    seen = sight(case("claude-2.1.332/bash-short-cursor-1"))
    assert seen.dialog is not None
    long = Option(label="Yes, and don't ask again for: " + "x" * 200, rows=Rows(first=35, last=37))
    options = (seen.dialog.options[0], long, *seen.dialog.options[2:])

    approval = issue(replace(seen, facts=replace(seen.facts, dialog=replace(seen.dialog, options=options))))

    assert approval.body.endswith(f"2. {long.label}")
    assert approval.choices[1].label == long.label[:119] + "…"
    assert approval.options


def test_a_dialog_longer_than_the_limit_is_cut_and_offers_nothing() -> None:
    seen = sight(case("claude-2.1.332/bash-short-cursor-1"))
    assert seen.dialog is not None
    huge = replace(seen.dialog, body="é" * 20_000)

    approval = issue(replace(seen, facts=replace(seen.facts, dialog=huge)))

    assert not approval.body_complete
    assert len(approval.body.encode()) == 32_768
    assert (approval.options, approval.choices) == ((), ())
    assert approval.unreadable == "the dialog is too long to be shown whole"


def test_a_denial_alone_is_not_offered() -> None:
    seen = sight(case("claude-2.1.332/bash-short-cursor-1"))
    assert seen.dialog is not None
    only_no = replace(seen.dialog, decisions=seen.dialog.decisions[-1:])

    approval = issue(replace(seen, facts=replace(seen.facts, dialog=only_no)))

    assert approval.options == ()
    assert not approval.supports_note


def test_a_picker_asks_nothing() -> None:
    found = case("claude-2.1.332/model-picker")
    seen = sight(found)

    assert seen.dialog is not None
    assert seen.dialog.type is DialogType.PICKER
    assert not seen.is_asking


def test_a_kind_that_nobody_knows_shows_its_screen() -> None:
    seen = sight(case("claude-2.1.332/bash-short-cursor-1"))
    unknown = replace(seen, facts=replace(seen.facts, kind="mystery", state=State.UNKNOWN, dialog=None))

    approval = issue(unknown)

    assert approval.body == "\n".join(line.rstrip() for line in seen.text.split("\n")).strip("\n")
    assert approval.options == ()
    assert not approval.body_complete


@pytest.mark.parametrize(
    ("fields", "label"),
    [
        ({"name": "pruner", "agent": "claude", "terminal_title_stripped": "prune"}, "pruner"),
        ({"agent": "claude", "terminal_title_stripped": "prune  apple\u202e rows\x1b"}, "prune apple rows"),
        ({"agent": "claude", "title": "t" * 80}, "t" * 63 + "…"),
        ({"agent": "claude", "title": " \u200b "}, "claude"),
        ({}, "agent"),
    ],
)
def test_an_agent_is_called_by_its_best_clean_name(fields: dict[str, str], label: str) -> None:
    agent = AgentInfo(terminal_id="term_1", workspace_id="w1", tab_id="w1:t1", pane_id="w1:p1", **fields)  # type: ignore[arg-type]

    assert agent_label(agent) == label


def test_a_snippet_holds_the_last_whole_lines_that_fit() -> None:
    body = "\n".join(["first " * 40, "╌╌╌", "│ rm -rf build", "", "Do you want to proceed?"])

    assert snippet(body) == "rm -rf build\nDo you want to proceed?"
    assert snippet("x" * 300) == "…" + "x" * 199
    assert clean("\ta\x07b \u200b c │") == "ab c"
