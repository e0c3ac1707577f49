"""Which pictures prove that a question is gone: captured ones, and what time and windows make of a question's own."""

import os
from collections.abc import Iterator
from dataclasses import replace

import pytest
from tools.approval_sights import NONCE
from tools.captures import Case, case, cases

from collie.agents.facts import State
from collie.daemon.approvals.card import Issue, card
from collie.daemon.approvals.offer import Offer
from collie.daemon.approvals.proof import ENDED, SUSPENDED, ended_elsewhere, is_gone, why_unprovable
from collie.daemon.approvals.sight import Sight
from collie.host.terminal.reads import detection_rows
from collie.host.terminal.screen import Terminal
from collie.protocol.models import Decision
from collie.screen.ansi import parse

ROWS = 40
CLAUDE = "claude-2.1.332/"
ASKED = (
    "bash-short-80",
    "edit",
    "webfetch",
    "bash-two",
    "ask-single",
    "named-ask1-100",
    "plan",
    "trust-folder-cursor-no",
)


def seen(found: Case, text: str | None = None, columns: int | None = None, *, is_blocked: bool = True) -> Sight:
    """What a daemon sees where a screen like this one stands, or has come to this text and width."""
    shown = found.text("txt") if text is None else text
    facts = found.kind.read(parse(shown, columns or found.meta["columns"]))
    return Sight(terminal_id="term_1", is_blocked=is_blocked, seq=7, session="", text=shown, facts=facts)


def offered(name: str) -> Offer:
    sight = seen(case(CLAUDE + name))
    approval = card(sight, Issue(approval_id="a1", nonce=NONCE, at_ms=0), workspace_label="orchard")
    assert approval.options or approval.choices
    return Offer(approval=approval, sight=sight, first_seen=0.0, expires_at=600.0)


@pytest.mark.parametrize(
    "name",
    [
        *("idle-manual-mode", "idle-plan-mode", "idle-auto-mode-first-start", "renamed-idle", "inline-idle"),
        *("working-spinner", "working-streaming", "queued-message", "inline-working", "bash-running"),
        *("draft-single", "draft-multiline", "interrupted", "after-amend-no-submitted", "bash-two-second"),
    ],
)
def test_an_agent_at_its_box_at_work_or_at_its_next_question_has_left_the_one_before(name: str) -> None:
    offer, sight = offered("bash-two"), seen(case(CLAUDE + name))

    assert is_gone(offer, sight)


@pytest.mark.parametrize(
    "name",
    [
        *("transcript-view", "scrolled-up-waiting-for-answer", "scrolled-up-idle", "scrolled-up-while-streaming"),
        *("model-picker", "memory-picker", "resume-picker", "panel-config-60", "rewind"),
        *("trust-folder-cursor-no", "mcp-json-question", "bypass-permissions-warning", "onboarding-no-network"),
        *("bash-two", "after-exit", "bash-60lines-60", "bash-mode-empty", "draft-pasted-placeholder"),
    ],
)
def test_what_may_cover_a_question_or_be_it_does_not_prove_that_it_is_gone(name: str) -> None:
    sight = seen(case(CLAUDE + name))

    for is_blocked in (True, False):
        assert not is_gone(offered("bash-two"), replace(sight, is_blocked=is_blocked, seq=9))


def test_a_form_of_the_start_follows_a_form_of_the_start() -> None:
    assert is_gone(offered("trust-folder-cursor-no"), seen(case(CLAUDE + "mcp-json-question")))
    assert not is_gone(offered("trust-folder-cursor-no"), seen(case(CLAUDE + "bash-two")))


def garbled(found: Case) -> Iterator[tuple[str, int]]:
    """What a program may have drawn of this screen so far, and what a window of another size leaves of it."""
    columns, rows = found.meta["columns"], found.text("txt").rstrip("\n").split("\n")
    for at in range(len(rows) + 1):
        yield from (("\n".join(part), columns) for part in (rows[:at], rows[at:], [""] * at + rows[at:]))
        yield from (
            ("\n".join([*rows[:at], *gap, *rows[at + 1 :]]), columns) for gap in ([], [""], [*rows[at : at + 1]] * 2)
        )
    for width in range(20, columns + 12, 6):
        yield "\n".join(row[:width].rstrip() for row in rows), width
        for screen in (b"", b"\x1b[?1049h"):
            terminal = Terminal(columns, ROWS, 100)
            terminal.feed(screen + "\r\n".join(rows).encode())
            terminal.resize(width, ROWS)
            yield from (("\n".join(detection_rows(terminal)), known) for known in (width, columns))


def read_or_not(found: Case, text: str, columns: int) -> Sight:
    """As the daemon reads: a reader that fails has seen nothing."""
    try:
        return seen(found, text, columns)
    except Exception:  # noqa: BLE001 - any fault of any reader
        sight = seen(found)
        return replace(sight, facts=replace(sight.facts, dialog=None, state=State.UNKNOWN))


@pytest.mark.parametrize("name", ASKED)
def test_no_part_of_a_questions_own_picture_proves_it_gone(name: str) -> None:
    found, offer = case(CLAUDE + name), offered(name)

    for text, columns in garbled(found):
        assert not is_gone(offer, read_or_not(found, text, columns)), text


@pytest.mark.soak
@pytest.mark.skipif(not os.environ.get("COLLIE_SOAK"), reason="long; COLLIE_SOAK=1 runs it")
def test_no_part_of_any_captured_question_proves_it_gone() -> None:
    for found in cases():
        sight = seen(found)
        if found.kind.reads_dialogs and sight.is_whole and sight.is_asking:
            approval = card(sight, Issue(approval_id="a1", nonce=NONCE, at_ms=0), workspace_label="orchard")
            offer = Offer(approval=approval, sight=sight, first_seen=0.0, expires_at=600.0)
            for text, columns in garbled(found):
                assert not is_gone(offer, read_or_not(found, text, columns)), (found.name, text)


def test_another_agent_or_another_session_at_its_box_proves_nothing() -> None:
    offer, idle = offered("bash-two"), seen(case(CLAUDE + "idle-manual-mode"), is_blocked=False)
    known = replace(offer, sight=replace(offer.sight, session="5b0e6f0a"))

    assert not is_gone(offer, replace(idle, facts=replace(idle.facts, kind="codex")))
    assert not is_gone(known, replace(idle, session="6c1f7a1b"))
    assert is_gone(known, replace(idle, session="5b0e6f0a"))
    assert is_gone(known, idle), "an unknown session may be the same"
    assert is_gone(offer, replace(idle, session="5b0e6f0a"))


def test_a_plan_that_is_taken_up_may_begin_another_session() -> None:
    offer = offered("plan")
    known = replace(offer, sight=replace(offer.sight, session="5b0e6f0a"))

    assert is_gone(known, replace(seen(case(CLAUDE + "working-spinner")), session="6c1f7a1b"))


def test_an_agent_that_ended_has_taken_only_the_answer_that_ends_it() -> None:
    offer = offered("trust-folder-cursor-no")
    gone = replace(seen(case(CLAUDE + "trust-folder-cursor-no"), is_blocked=False), seq=None)
    ended = replace(gone, has_ended=True)
    plans = [offer.plan(decision) for decision in (Decision.DENY, Decision.APPROVE)]

    assert [not isinstance(plan, str) and plan.ends_agent for plan in plans] == [True, False]
    assert is_gone(offer, ended, ends_agent=True), "whatever it leaves on the screen"
    assert not is_gone(offer, gone, ends_agent=True)
    assert not is_gone(offer, ended)
    assert (why_unprovable(offer, ended), why_unprovable(offer, gone)) == (ENDED, SUSPENDED)


def test_no_answer_of_a_command_ends_the_agent_whatever_the_command_says() -> None:
    plan = offered("bash-two").plan(Decision.DENY)

    assert not isinstance(plan, str)
    assert not plan.ends_agent


@pytest.mark.parametrize(
    ("name", "is_blocked", "seq", "reason"),
    [
        ("idle-manual-mode", True, 7, "it was answered in the agent itself"),
        ("working-spinner", False, 8, "it was answered in the agent itself"),
        ("transcript-view", False, 8, "the question went away"),
        ("bash-two", False, 8, "the question went away"),
        ("bash-two", True, 8, "the question went away, and the agent asks again"),
        ("idle-manual-mode", False, None, SUSPENDED),
        ("bash-two", True, 7, None),
        ("bash-two-second", True, 7, None),
    ],
)
def test_what_is_said_of_a_question_that_nobody_answered_here(
    name: str, is_blocked: bool, seq: int | None, reason: str | None
) -> None:
    ended = ended_elsewhere(offered("bash-two"), replace(seen(case(CLAUDE + name)), is_blocked=is_blocked, seq=seq))

    assert (ended and ended.reason) == reason
    assert (ended is not None and ended.by == "terminal") == (reason == "it was answered in the agent itself")
