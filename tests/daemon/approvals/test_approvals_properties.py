"""Whatever is seen in whatever order: what may be typed, and when."""

from dataclasses import replace
from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st
from tools.approval_sights import NONCE
from tools.approval_sights import build_dialog as dialog
from tools.approval_sights import build_machine as build
from tools.approval_sights import build_sight as sight

from collie.agents.facts import State as AgentState
from collie.agents.facts import TextField
from collie.daemon.approvals.events import (
    Abandoned,
    Changed,
    Command,
    Decide,
    Greeted,
    Overdue,
    PressKeys,
    Revoked,
    Saw,
    TypeText,
)
from collie.daemon.approvals.machine import TRANSITIONS
from collie.daemon.approvals.progress import State
from collie.daemon.approvals.sight import Sight
from collie.protocol.models import Decision, Key, OutcomeKind

LABELS = ("Yes", "No")
OPENED = ("Yes, and tell Claude what to do next", "No, and tell Claude what to do differently")
NOTED = ("Yes, look first", "No, look first")
ARROWS, CONFIRMING = {Key.UP, Key.DOWN}, {Key.ENTER, Key.ESC}


def shows(facts_state: AgentState, draft: str | None = None) -> Sight:
    """A screen without a dialog."""
    return replace(sight(), facts=replace(sight().facts, state=facts_state, draft=draft))


QUESTION, WORKS, RESTS = sight(dialog()), shows(AgentState.WORKING), shows(AgentState.IDLE, "")
NEXT = sight(dialog(command="git push"))
PROOFS = (WORKS, RESTS, NEXT)
AFTERWARDS = (
    *(QUESTION, QUESTION, *PROOFS, *PROOFS),
    *(shows(AgentState.UNKNOWN), shows(AgentState.IDLE), shows(AgentState.BLOCKED)),
    *(sight(dialog(command="rm -rf")), replace(RESTS, facts=replace(RESTS.facts, banner="Jump to bottom"))),
    *(replace(RESTS, seq=None), replace(RESTS, facts=replace(RESTS.facts, kind="codex"))),
)
"""What may be seen after the key, whatever the host says of the agent."""


@st.composite
def sights(draw: st.DrawFn) -> Sight:
    """What a terminal may show: the question, the cursor, its field, another question, nothing."""
    cursor = draw(st.sampled_from((0, 1)))
    labels = list(LABELS)
    shape = draw(st.sampled_from(("plain", "plain", "plain", "opened", "noted")))
    if shape != "plain":
        labels[cursor] = (OPENED if shape == "opened" else NOTED)[cursor]
    command = draw(st.sampled_from(("rm -rf build", "rm -rf build", "rm -rf build", "rm -rf /")))
    shown = dialog(cursor=cursor, command=command, labels=(labels[0], labels[1]))
    if shape == "opened":
        shown = replace(shown, field=TextField(option=cursor, text=""))
    if draw(st.integers(0, 9)) == 0:
        shown = replace(shown, readable=False)
    whole = None if draw(st.integers(0, 9)) == 0 else shown
    return sight(whole, seq=draw(st.sampled_from((7, 7, 7, 7, 8))), is_blocked=draw(st.integers(0, 9)) > 0)


attempts = st.builds(
    Decide,
    decision=st.sampled_from((Decision.APPROVE, Decision.DENY)),
    nonce=st.just(NONCE),
    by=st.just("desk"),
    note=st.sampled_from((None, "look first")),
)
happenings = st.one_of(
    sights().map(lambda seen: Saw(sight=seen)),
    sights().map(lambda seen: Saw(sight=seen)),
    sights().map(lambda seen: Saw(sight=seen)),
    st.sampled_from((Changed(), Revoked(), Overdue(), Abandoned())),
)


@given(attempts, st.booleans(), st.lists(st.tuples(happenings, st.floats(0.0, 0.5)), max_size=20))
def test_nothing_is_typed_but_at_the_picture_that_was_offered(
    attempt: Decide, ties_input: bool, story: list[tuple[Saw | Changed | Revoked | Overdue | Abandoned, float]]
) -> None:
    machine = build()
    target = 0 if attempt.decision is Decision.APPROVE else 1
    machine.handle(attempt, now := 10.0)
    machine.handle(Greeted(ties_input=ties_input), now)
    sent: list[Command] = []
    for happening, passed in story:
        now += passed
        if (machine.state, type(happening)) not in TRANSITIONS:
            continue
        was = machine.state
        for command in machine.handle(happening, now):
            if isinstance(command, PressKeys | TypeText):
                assert isinstance(happening, Saw)
                check(command, happening.sight, was, target)
                sent.append(command)
    keys = [key for command in sent if isinstance(command, PressKeys) for key in command.keys]
    assert sum(key in CONFIRMING for key in keys) <= 1
    assert not CONFIRMING.intersection(keys[:-1])
    assert sum(isinstance(command, TypeText) for command in sent) <= (attempt.note is not None)


@given(st.booleans(), st.lists(st.tuples(st.sampled_from(AFTERWARDS), st.booleans()), max_size=12))
def test_applied_is_said_only_after_two_looks_in_a_row_that_prove_it(
    ties_input: bool, looks: list[tuple[Sight, bool]]
) -> None:
    machine = build()
    machine.handle(Decide(decision=Decision.APPROVE, nonce=NONCE, by="desk"), 10.0)
    machine.handle(Greeted(ties_input=ties_input), 10.0)
    machine.handle(Saw(sight=QUESTION), 10.0)
    done: list[Sight] = []
    for seen, is_blocked in looks:
        if machine.state is State.SETTLING:
            done.append(seen)
            machine.handle(Saw(sight=replace(seen, is_blocked=is_blocked)), 10.1)
    ended = machine.progress.outcome
    if ended is not None and ended.outcome is OutcomeKind.APPLIED:
        assert all(seen in PROOFS for seen in done[-2:])
        assert ties_input or QUESTION in done
    else:
        assert not any(one in PROOFS and two in PROOFS for one, two in pairwise(done)) or not ties_input


def check(command: PressKeys | TypeText, seen: Sight, was: State, target: int) -> None:
    """What one write may be, given the picture that it answers."""
    assert seen.dialog is not None
    assert seen.is_whole
    assert (seen.is_blocked, seen.seq, seen.dialog.command) == (True, 7, "rm -rf build")
    assert command.expect == seen.expectation()
    if isinstance(command, TypeText):
        assert seen.dialog.field == TextField(option=target, text="")
        return
    if ARROWS.intersection(command.keys):
        assert was is State.CHECKING
        assert set(command.keys) <= ARROWS
        return
    assert len(command.keys) == 1
    assert seen.dialog.cursor == target
