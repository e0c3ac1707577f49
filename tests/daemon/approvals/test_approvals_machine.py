"""The life of an approval as scripts: what comes in, what is to be done."""

from dataclasses import replace

import pytest
from msgspec import UNSET
from tools.approval_sights import NONCE
from tools.approval_sights import build_dialog as dialog
from tools.approval_sights import build_machine as build
from tools.approval_sights import build_sight as sight

from collie.agents.facts import Dialog, DialogType, State, TextField
from collie.daemon.approvals.events import (
    Abandoned,
    Audit,
    Changed,
    Command,
    Decide,
    Failed,
    Greet,
    Greeted,
    Overdue,
    PressKeys,
    Publish,
    ReadScreen,
    Refuse,
    Reply,
    Revoked,
    Saw,
    TypeText,
    Wait,
    Withdraw,
)
from collie.daemon.approvals.machine import TRANSITIONS, Impossible, Machine
from collie.daemon.approvals.progress import State as Stage
from collie.daemon.approvals.sight import Sight
from collie.protocol.errors import Code, WireError
from collie.protocol.models import Decision, Key, Outcome, OutcomeKind

LOST = WireError(Code.HERDR_UNAVAILABLE, "herdr unavailable")
LOOK = (Wait(seconds=0.03), ReadScreen())
OPENED = ("Yes, and tell Claude what to do next", "No")


def decide(decision: Decision = Decision.APPROVE, *, note: str | None = None, nonce: str = NONCE) -> Decide:
    return Decide(decision=decision, nonce=nonce, by="desk", note=note)


def keys(*pressed: Key, shown: Dialog | None = None) -> PressKeys:
    return PressKeys(keys=pressed, expect=sight(shown or dialog()).expectation())


def begin(machine: Machine, attempt: Decide, *, ties_input: bool = True) -> None:
    """A decision that is accepted, at a host that ties keys to the picture or does not."""
    assert machine.handle(attempt, 10.0) == (Greet(),)
    assert machine.handle(Greeted(ties_input=ties_input), 10.0) == (ReadScreen(),)


def sending(words: str) -> Audit:
    """What the audit log is told before the first key."""
    return Audit(result=f"{words}: sending terminal=term_1")


def ended(commands: tuple[Command, ...]) -> tuple[OutcomeKind, str]:
    """Outcome and audit line of an end."""
    assert isinstance(commands[0], Publish)
    assert isinstance(commands[-1], Audit)
    assert commands[1] == Reply(outcome=commands[0].outcome) or isinstance(commands[1], Refuse)
    return commands[0].outcome.outcome, commands[-1].result


def test_approving_the_option_under_the_cursor_takes_one_look_and_enter() -> None:
    machine = build()

    begin(machine, decide())
    assert machine.handle(Saw(sight=sight(dialog())), 10.01) == (sending("approve"), keys(Key.ENTER), *LOOK)
    assert machine.handle(Saw(sight=sight(dialog())), 10.05) == LOOK
    assert machine.handle(Saw(sight=sight(is_blocked=False, seq=8)), 10.09) == LOOK
    assert ended(machine.handle(Saw(sight=sight(is_blocked=False, seq=8)), 10.12)) == (
        OutcomeKind.APPLIED,
        "approve: applied terminal=term_1 keys=enter",
    )


def test_denying_goes_down_looks_and_then_presses_enter() -> None:
    machine = build()

    begin(machine, decide(Decision.DENY))
    assert machine.handle(Saw(sight=sight(dialog())), 10.01) == (sending("deny"), keys(Key.DOWN), *LOOK)
    assert machine.handle(Saw(sight=sight(dialog())), 10.04) == LOOK, "the cursor has not moved yet"
    there = dialog(cursor=1)
    assert machine.handle(Saw(sight=sight(there)), 10.08) == (keys(Key.ENTER, shown=there), *LOOK)
    machine.handle(Saw(sight=sight(is_blocked=False, seq=8)), 10.12)
    gone = machine.handle(Saw(sight=sight(is_blocked=False, seq=8)), 10.15)
    assert gone[0] == Publish(outcome=Outcome(outcome=OutcomeKind.APPLIED, decision=Decision.DENY, by="desk"))
    assert ended(gone)[1] == "deny: applied terminal=term_1 keys=down,enter"


def test_an_option_that_names_escape_is_chosen_by_it_alone() -> None:
    shown = dialog(labels=("Yes", "No, and tell Claude what to do differently (esc)"))
    machine = build(shown)

    begin(machine, decide(Decision.DENY))

    assert machine.handle(Saw(sight=sight(shown)), 10.01) == (
        sending("deny"),
        keys(Key.ESC, shown=shown),
        *LOOK,
    )


def test_trust_is_denied_by_escape_whatever_the_label_says() -> None:
    shown = replace(dialog(cursor=1, labels=("Yes, I trust this folder", "No, exit")), type=DialogType.TRUST)
    machine = build(shown)

    begin(machine, decide(Decision.DENY))

    assert machine.handle(Saw(sight=sight(shown)), 10.01) == (
        sending("deny"),
        keys(Key.ESC, shown=shown),
        *LOOK,
    )


def test_a_note_opens_the_field_is_typed_read_back_and_then_sent() -> None:
    machine = build()
    opened = replace(dialog(labels=OPENED), field=TextField(option=0, text=""))
    typed = dialog(labels=("Yes, look first", "No"))

    begin(machine, decide(note="look first"))
    first = (sending("approve with note"), keys(Key.TAB), *LOOK)
    assert machine.handle(Saw(sight=sight(dialog())), 10.01) == first
    assert machine.handle(Saw(sight=sight(dialog())), 10.03) == LOOK
    text = TypeText(text="look first", expect=sight(opened).expectation())
    assert machine.handle(Saw(sight=sight(opened)), 10.05) == (text, *LOOK)
    assert machine.handle(Saw(sight=sight(opened)), 10.07) == LOOK
    assert machine.handle(Saw(sight=sight(typed)), 10.09) == (keys(Key.ENTER, shown=typed), *LOOK)
    machine.handle(Saw(sight=sight(is_blocked=False)), 10.15)
    assert ended(machine.handle(Saw(sight=sight(is_blocked=False)), 10.2)) == (
        OutcomeKind.APPLIED,
        "approve with note: applied terminal=term_1 keys=tab,note,enter",
    )


def test_a_note_that_reads_otherwise_is_not_sent() -> None:
    machine = build()
    opened = replace(dialog(labels=OPENED), field=TextField(option=0, text=""))

    begin(machine, decide(note="look first"))
    machine.handle(Saw(sight=sight(dialog())), 10.01)
    machine.handle(Saw(sight=sight(opened)), 10.05)
    other = dialog(labels=("Yes, lock first", "No"))

    assert machine.handle(Saw(sight=sight(other)), 10.5) == LOOK
    kind, line = ended(machine.handle(Saw(sight=sight(other)), 11.2))
    assert kind is OutcomeKind.SUPERSEDED
    assert line == "approve with note: superseded: note not shown terminal=term_1 keys=tab,note"


def test_enter_waits_until_the_dialog_has_been_there_for_300_ms_and_looks_again() -> None:
    machine = build(first_seen=10.0)

    machine.handle(decide(), 10.1)
    machine.handle(Greeted(ties_input=True), 10.11)
    wait, read = machine.handle(Saw(sight=sight(dialog())), 10.12)
    assert isinstance(wait, Wait)
    assert wait.seconds == pytest.approx(0.18)
    assert read == ReadScreen()
    other = machine.handle(Saw(sight=sight(dialog(command="rm -rf /"))), 10.3)
    assert ended(other)[0] is OutcomeKind.SUPERSEDED


@pytest.mark.parametrize(
    "seen",
    [
        sight(dialog(command="rm -rf /")),
        sight(dialog(cursor=1)),
        sight(dialog(labels=("Yes", "Perhaps", "No"))),
        sight(dialog(), seq=8),
        sight(dialog(), is_blocked=False),
        replace(sight(dialog()), session="another"),
    ],
)
def test_anything_else_on_the_screen_supersedes_and_sends_nothing(seen: Sight) -> None:
    machine = build()
    begin(machine, decide())

    kind, line = ended(machine.handle(Saw(sight=seen), 10.01))

    assert kind is OutcomeKind.SUPERSEDED
    assert line == "approve: superseded: fingerprint mismatch"


def test_a_picture_that_is_just_being_drawn_is_looked_at_again() -> None:
    machine = build()
    begin(machine, decide())
    half = sight(replace(dialog(), readable=False, options=(), cursor=None, decisions=()))

    assert machine.handle(Saw(sight=half), 10.01) == LOOK
    assert machine.handle(Saw(sight=sight(dialog())), 10.05) == (sending("approve"), keys(Key.ENTER), *LOOK)


def test_a_question_that_replaced_it_during_the_arrows_supersedes_at_once() -> None:
    machine = build()
    begin(machine, decide(Decision.DENY))
    machine.handle(Saw(sight=sight(dialog())), 10.01)

    kind, line = ended(machine.handle(Saw(sight=sight(dialog(cursor=1, command="rm -rf /"))), 10.05))

    assert (kind, line) == (
        OutcomeKind.SUPERSEDED,
        "deny: superseded: fingerprint mismatch terminal=term_1 keys=down",
    )


@pytest.mark.parametrize(
    ("event", "kind", "result"),
    [
        (Changed(), OutcomeKind.SUPERSEDED, "superseded: fingerprint mismatch terminal=term_1 keys=enter"),
        (Revoked(), OutcomeKind.SUPERSEDED, "rejected: peer is no longer authorized"),
        (Failed(error=LOST, is_write=True, is_certain=True), OutcomeKind.SUPERSEDED, "failed: herdr unavailable"),
        (Failed(error=LOST, is_write=True, is_certain=False), OutcomeKind.UNCONFIRMED, None),
        (Failed(error=LOST, is_write=False, is_certain=False), OutcomeKind.UNCONFIRMED, None),
        (Overdue(), OutcomeKind.UNCONFIRMED, None),
        (Abandoned(), OutcomeKind.UNCONFIRMED, None),
    ],
)
def test_what_can_happen_to_the_confirming_key(event: object, kind: OutcomeKind, result: str | None) -> None:
    machine = build()
    begin(machine, decide())
    machine.handle(Saw(sight=sight(dialog())), 10.01)

    found = ended(machine.handle(event, 10.1))  # type: ignore[arg-type]

    assert found == (kind, f"approve: {result or 'unconfirmed terminal=term_1 keys=enter'}")


@pytest.mark.parametrize("event", [Overdue(), Abandoned(), Failed(error=LOST, is_write=False, is_certain=False)])
def test_before_the_confirming_key_every_trouble_means_that_no_answer_was_sent(event: object) -> None:
    machine = build()
    begin(machine, decide(Decision.DENY))
    machine.handle(Saw(sight=sight(dialog())), 10.01)

    assert ended(machine.handle(event, 10.1))[0] is OutcomeKind.SUPERSEDED  # type: ignore[arg-type]


def test_no_key_is_pressed_when_too_little_time_is_left_to_see_what_it_does() -> None:
    machine = build()
    begin(machine, decide())

    assert ended(machine.handle(Saw(sight=sight(dialog())), 12.4)) == (
        OutcomeKind.SUPERSEDED,
        "approve: superseded: herdr too slow",
    )


def test_another_whole_question_proves_it_only_when_it_is_seen_twice() -> None:
    machine = build()
    begin(machine, decide())
    machine.handle(Saw(sight=sight(dialog())), 10.01)
    successor = Saw(sight=sight(dialog(command="ls")))

    assert machine.handle(successor, 10.05) == LOOK
    assert ended(machine.handle(successor, 10.09))[0] is OutcomeKind.APPLIED


@pytest.mark.parametrize(("is_seen_again", "kind"), [(True, OutcomeKind.APPLIED), (False, OutcomeKind.UNCONFIRMED)])
def test_where_keys_are_not_tied_the_answered_question_must_be_seen_once_more(
    is_seen_again: bool, kind: OutcomeKind
) -> None:
    machine = build()
    begin(machine, decide(), ties_input=False)
    at_once = (sending("approve"), keys(Key.ENTER), Wait(seconds=0.0), ReadScreen())
    assert machine.handle(Saw(sight=sight(dialog())), 10.01) == at_once

    if is_seen_again:
        assert machine.handle(Saw(sight=sight(dialog())), 10.01) == LOOK
    assert machine.handle(Saw(sight=sight()), 10.05) == LOOK
    assert ended(machine.handle(Saw(sight=sight()), 10.09))[0] is kind


def test_a_dialog_that_is_scrolled_out_of_sight_is_not_gone() -> None:
    machine = build()
    begin(machine, decide())
    machine.handle(Saw(sight=sight(dialog())), 10.01)
    hidden = sight()
    hidden = replace(hidden, facts=replace(hidden.facts, banner="Waiting for your answer"))

    for moment in (10.05, 10.1, 10.2):
        assert machine.handle(Saw(sight=hidden), moment) == LOOK


def test_a_decision_after_the_end_of_the_time_to_live_is_refused_and_ends_it() -> None:
    machine = build()

    published, refused, line = machine.handle(decide(), 600.0)

    assert published == Publish(outcome=Outcome(outcome=OutcomeKind.EXPIRED, reason="approval expired"))
    assert refused == Refuse(code=Code.APPROVAL_EXPIRED, message="approval expired")
    assert line == Audit(result="approve: rejected: expired")


def test_a_viewer_over_the_dialog_does_not_prove_anything_either() -> None:
    machine = build()
    begin(machine, decide())
    machine.handle(Saw(sight=sight(dialog())), 10.01)
    covered = sight()
    covered = replace(covered, facts=replace(covered.facts, state=State.IDLE))
    box = replace(covered, facts=replace(covered.facts, draft=""))

    for moment in (10.05, 10.1):
        assert machine.handle(Saw(sight=covered), moment) == LOOK
    assert machine.handle(Saw(sight=box), 10.15) == LOOK
    assert ended(machine.handle(Saw(sight=box), 10.2))[0] is OutcomeKind.APPLIED


@pytest.mark.parametrize(
    ("attempt", "code", "message"),
    [
        (decide(nonce="x" * 43), Code.APPROVAL_NONCE_MISMATCH, "nonce mismatch"),
        (decide(Decision.APPROVE_ALWAYS), Code.INVALID_PARAMS, "decision not offered"),
        (replace(decide(Decision.CHOOSE), choice=0), Code.INVALID_PARAMS, "choice not offered"),
    ],
)
def test_a_refused_decision_burns_the_approval(attempt: Decide, code: Code, message: str) -> None:
    machine = build()

    commands = machine.handle(attempt, 10.0)

    assert commands[1] == Refuse(code=code, message=message)
    assert ended(commands)[0] is OutcomeKind.SUPERSEDED
    assert machine.state is Stage.ENDED


def test_a_note_is_refused_where_the_dialog_takes_none() -> None:
    machine = build(replace(dialog(), note=False))

    assert machine.handle(decide(note="look"), 10.0)[1] == Refuse(code=Code.INVALID_PARAMS, message="note not offered")


def test_the_second_decider_is_told_who_is_answering_and_changes_nothing() -> None:
    machine = build()
    begin(machine, decide())
    before = machine.progress

    refused, line = machine.handle(replace(decide(Decision.DENY), by="phone"), 10.01)

    first = Outcome(
        outcome=OutcomeKind.OTHER, decision=Decision.APPROVE, by="desk", reason="being answered by desk: approve"
    )
    assert refused == Refuse(code=Code.APPROVAL_ALREADY_RESOLVED, message="approval already used", outcome=first)
    assert line == Audit(result="deny: rejected: replayed")
    assert machine.progress is before


def test_a_withdrawn_approval_is_only_published() -> None:
    machine = build()
    outcome = Outcome(outcome=OutcomeKind.SUPERSEDED, by="terminal")

    assert machine.handle(Withdraw(outcome=outcome), 10.0) == (Publish(outcome=outcome),)


def test_what_the_table_does_not_have_raises_and_changes_nothing() -> None:
    machine = build()
    pending = machine.progress

    for event in (Saw(sight=sight(dialog())), Overdue(), Abandoned(), Changed(), Revoked()):
        with pytest.raises(Impossible):
            machine.handle(event, 10.0)
    assert machine.progress is pending


def test_no_row_leads_back_to_pending_and_each_state_can_end() -> None:
    leads = {state: set[Stage]() for state in Stage}
    for (state, _), (_, allowed) in TRANSITIONS.items():
        leads[state] |= allowed

    assert not any(Stage.PENDING in allowed for allowed in leads.values())
    assert all(Stage.ENDED in leads[state] for state in Stage if state is not Stage.ENDED)
    assert leads[Stage.ENDED] == set()


def test_unset_parts_of_an_outcome_stay_off_the_wire() -> None:
    machine = build()
    begin(machine, decide())

    outcome = machine.handle(Saw(sight=sight(dialog(), seq=8)), 10.01)[0]

    assert isinstance(outcome, Publish)
    assert outcome.outcome.decision is UNSET
    assert outcome.outcome.by is UNSET
