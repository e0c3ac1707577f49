"""Which agent kind a name or a process is."""

import pytest

from collie.agents.kind import Launch
from collie.agents.registry import ALL_KINDS, kind_named, kind_of_process


def test_kinds_are_found_by_their_names() -> None:
    assert [kind.name for kind in ALL_KINDS] == ["claude", "codex", "copilot", "opencode", "gemini", "practice"]
    assert all(kind_named(kind.name) is kind for kind in ALL_KINDS)
    assert kind_named("vim") is None


def test_decisions_are_offered_for_claude_and_practice_alone() -> None:
    assert [kind.name for kind in ALL_KINDS if kind.reads_dialogs] == ["claude", "practice"]


@pytest.mark.parametrize(
    ("argv", "name"),
    [
        (["claude"], "claude"),
        (["/home/ana/.local/bin/claude", "--resume", "x"], "claude"),
        (["/home/ana/.local/share/claude/versions/2.1.332"], "claude"),
        (["node", "/usr/lib/node_modules/@anthropic-ai/claude-code/cli.js", "-p"], "claude"),
        (["node", "--max-old-space-size=4096", "--require", "./x.js", "/usr/bin/claude"], "claude"),
        (["C:\\Users\\ana\\node.exe", "C:\\npm\\claude.cmd"], "claude"),
        (["bun", "run", "/opt/claude.js"], "claude"),
        (["/bin/bash", "/usr/local/bin/claude", "-c"], "claude"),
        (["codex"], "codex"),
        (["node", "/usr/lib/node_modules/@openai/codex/bin/codex.js"], "codex"),
        (["copilot"], "copilot"),
        (["node", "/usr/lib/node_modules/@github/copilot/index.js"], "copilot"),
        (["opencode"], "opencode"),
        (["node", "/usr/bin/gemini"], "gemini"),
        (["python3", "-X", "dev", "/srv/venv/bin/collie-practice"], "practice"),
        (["collie-practice"], "practice"),
    ],
)
def test_a_process_is_known_through_its_launcher(argv: list[str], name: str) -> None:
    kind = kind_of_process(argv)
    assert kind is not None
    assert kind.name == name


@pytest.mark.parametrize(
    "argv",
    [
        [],
        [""],
        ["-zsh"],
        ["bash", "-lc", "claude"],
        ["sh", "-c", "claude"],
        ["python3", "-m", "claude"],
        ["python3", "-c", "print('claude')"],
        ["node", "-e", "require('claude')"],
        ["vim", "claude"],
        ["grep", "-r", "claude"],
        ["claude-squad"],
        ["node"],
        ["bash", "-o"],
    ],
)
def test_anything_else_is_no_agent(argv: list[str]) -> None:
    assert kind_of_process(argv) is None


@pytest.mark.parametrize(
    ("name", "argv"),
    [
        ("claude", ("claude", "--resume", "id", "--model", "opus")),
        ("codex", ("codex", "resume", "id", "--model", "opus")),
        ("copilot", ("copilot", "--resume", "id", "--model", "opus")),
        ("opencode", ("opencode", "--session", "id", "--model", "opus")),
        ("gemini", ("gemini", "--resume", "id", "--model", "opus")),
        ("practice", ("collie-practice", "--model", "opus")),
    ],
)
def test_a_session_is_resumed_in_each_kinds_own_way(name: str, argv: tuple[str, ...]) -> None:
    kind = kind_named(name)
    assert kind is not None
    assert kind.argv(Launch(args=("--model", "opus"), resume="id")) == argv
    assert kind.argv(Launch()) == (kind.executables[0],)
