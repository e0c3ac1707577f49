"""The status for the embedded host: which witness wins, and what it costs."""

import time

import pytest
from tools.captures import case, claude

from collie.agents.facts import State
from collie.agents.kind import Detection, Seen
from collie.agents.registry import kind_named

BUDGET_MS = 1.0


def detect(text: str, *, kind: str = "claude", title: str = "", progress: str = "") -> Detection:
    found = kind_named(kind)
    assert found is not None
    return found.detect(Seen(text=text, title=title, progress=progress))


@pytest.mark.parametrize(
    ("name", "rule"),
    [
        ("bash-short-cursor-1", "bash_permission_prompt"),
        ("edit", "generic_permission_prompt"),
        ("renamed-bash-prompt", "bash_permission_prompt"),
        ("ask-single", "live_blocked_form"),
        ("trust-folder-cursor-no", "live_blocked_form"),
        ("plan", "legacy_no_prompt_blocker"),
        ("scrolled-up-waiting-for-answer", "scrolled_up_waiting"),
        ("working-spinner", "live_turn_working"),
        ("agents-parallel-running", "background_agents_working"),
        ("idle-manual-mode", "live_prompt_box"),
        ("model-picker", "settings_picker"),
    ],
)
def test_the_rule_that_decided_is_named(name: str, rule: str) -> None:
    assert detect(claude(name).text("txt")).rule == rule


def test_a_question_in_a_named_session_has_its_own_rule() -> None:
    text = claude("ask-single").text("txt").rstrip("\n") + "\n" + "─" * 86 + " payment-fix ─\n"
    assert detect(text).rule == "live_blocked_form_named_session"


def test_a_title_counts_where_the_screen_does_not_show_a_dialog() -> None:
    idle = claude("idle-manual-mode").text("txt")
    assert detect(idle, title="⠂ Fixing").rule == "osc_title_working"
    assert detect(idle, title="◑ Claude Code").state is State.WORKING
    assert detect(claude("edit").text("txt"), title="◑ Claude Code").state is State.BLOCKED
    assert detect("", title="✳ Claude Code").rule == "osc_title_idle"
    assert detect("", progress="4;0").rule == "osc_progress_idle"


def test_an_unknown_screen_is_unknown_not_idle() -> None:
    assert detect("Welcome\n\nto something new\n") == Detection(state=State.UNKNOWN)
    assert detect("") == Detection(state=State.UNKNOWN)


def test_a_viewer_over_everything_keeps_the_state_before() -> None:
    assert detect(claude("transcript-view").text("txt")).skip


def test_only_a_seen_input_box_is_visible_idle() -> None:
    assert detect(claude("idle-manual-mode").text("txt")).visible_idle
    assert not detect(claude("model-picker").text("txt")).visible_idle


def test_codex_is_blocked_by_its_title_when_the_screen_shows_no_composer() -> None:
    title = "[ ! ] Action Required | demo-app"
    composer = case("codex-0.171.0/idle").text("txt")
    assert detect("something new", kind="codex", title=title).rule == "osc_title_blocked"
    assert detect(composer, kind="codex", title=title).state is State.IDLE
    assert detect(composer, kind="codex", title="⠸ demo-app").rule == "osc_title_working"
    assert detect("", kind="codex", title="demo-app").rule == "osc_title_idle"


def test_gemini_is_idle_by_its_title_alone() -> None:
    assert detect("", kind="gemini", title="◇  Ready (demo-app)").state is State.IDLE
    trust = case("gemini-0.61.0/first-screen").text("txt")
    assert detect(trust, kind="gemini", title="◇  Ready (demo-app)").state is State.BLOCKED


def test_prose_that_asks_is_not_blocked() -> None:
    rule = "─" * 100
    text = f"● Would you like me to go on?\n\n  1. Yes\n  2. No\n\n{rule}\n❯\u00a0\n{rule}\n  ⏸ manual mode on\n"
    assert detect(text).state is State.IDLE


def test_it_costs_less_than_a_millisecond() -> None:
    text = claude("bash-60lines-160").text("txt")
    runs = 10
    best = min(_seconds(text, runs) for _ in range(10))
    assert best / runs * 1000 < BUDGET_MS


def _seconds(text: str, runs: int) -> float:
    start = time.process_time()
    for _ in range(runs):
        detect(text)
    return time.process_time() - start
