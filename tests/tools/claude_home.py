"""A home folder in which the real Claude Code starts straight into an idle input box, without a network.

Without these settings Claude Code 2.1.332 asks first: its onboarding (which needs the network), whether the folder is
trusted, whether an API key in the environment may be used, whether auto mode shall be the default.
"""

import json
import os
import shutil
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

CLAUDE_VARIABLE = "COLLIE_CLAUDE"
VERSION = "2.1.332"
API_KEY = "sk-ant-dummy-0000000000000000000000000000"
TEMPORARY = "tmp"
"""Within the home folder: Claude Code leaves sockets and the output of commands in its temporary folder."""

_APPROVED_TAIL = 20
"""Claude Code remembers an approved API key by its last characters."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeHome:
    """A prepared home folder, and the environment in which Claude Code is started."""

    home: Path
    environ: dict[str, str]


def claude_executable() -> str:
    """The real Claude Code; the test that asks is skipped, and says why, when there is none."""
    path = os.environ.get(CLAUDE_VARIABLE, "")
    if not path:
        pytest.skip(f"{CLAUDE_VARIABLE} does not name a Claude Code executable")
    return path


def build_claude_home(home: Path, model_url: str, trusted: Sequence[Path]) -> ClaudeHome:
    """Writes the settings of a user who is past every first question, in manual mode, who trusts these folders."""
    for folder in (".claude", TEMPORARY):
        (home / folder).mkdir(parents=True, exist_ok=True)
    (home / ".claude.json").write_text(json.dumps(_state(trusted)))
    (home / ".claude" / "settings.json").write_text(json.dumps({"permissions": {"defaultMode": "default"}}))
    return ClaudeHome(home=home, environ=_environ(home, model_url))


def _state(trusted: Sequence[Path]) -> dict[str, object]:
    return {
        "hasCompletedOnboarding": True,
        "lastOnboardingVersion": VERSION,
        "theme": "dark",
        "hasSeenAutoDefaultNudge": True,
        "customApiKeyResponses": {"approved": [API_KEY[-_APPROVED_TAIL:]], "rejected": []},
        "projects": {str(folder.resolve()): {"hasTrustDialogAccepted": True} for folder in trusted},
    }


def _environ(home: Path, model_url: str) -> dict[str, str]:
    return {
        "HOME": str(home),
        "USER": "alice",
        "PATH": os.environ["PATH"],
        "SHELL": shutil.which("bash") or "/bin/sh",
        "TMPDIR": str(home / TEMPORARY),
        "TERM": "xterm-256color",
        "COLORTERM": "truecolor",
        "LANG": "C.UTF-8",
        "ANTHROPIC_BASE_URL": model_url,
        "ANTHROPIC_API_KEY": API_KEY,
        "DISABLE_AUTOUPDATER": "1",
        "DISABLE_TELEMETRY": "1",
        "DISABLE_ERROR_REPORTING": "1",
        "CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC": "1",
    }
