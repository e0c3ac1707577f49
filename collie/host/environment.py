"""The environment of what runs in a pane. No I/O (specs: embedded-host section 5)."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

_DROPPED: Final = frozenset(
    {
        "CODEX_THREAD_ID",
        "STY",
        "WINDOW",
        "LINES",
        "COLUMNS",
        "TERMCAP",
        "TERMINFO",
        "COLORFGBG",
        "VTE_VERSION",
        "WT_SESSION",
        "WINDOWID",
        "OLDPWD",
    }
)
"""What an outer terminal or multiplexer left that is not true in here."""

_DROPPED_PREFIXES: Final = (
    "HERDR_",
    "TMUX",
    "ZELLIJ",
    "TERM_PROGRAM",
    "TERM_SESSION",
    "KITTY_",
    "WEZTERM_",
    "ITERM_",
    "LC_TERMINAL",
    "GHOSTTY_",
    "ALACRITTY_",
    "KONSOLE_",
)
"""The same, by how it begins. A program that believed it would use what our emulator does not have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Place:
    """Where a pane is, for the programs in it."""

    socket: str
    workspace_id: str
    tab_id: str
    pane_id: str


def env_fault(env: Mapping[str, str]) -> str | None:
    """Why a caller's `env` cannot be given to a process, or None."""
    for key, value in env.items():
        if not key:
            return "an env key must not be empty"
        if "=" in key:
            return f"env key {key} must not contain '='"
        if "\0" in key or "\0" in value:
            return "env must not contain NUL"
    return None


def pane_environment(
    inherited: Mapping[str, str], asked: Mapping[str, str], place: Place, *, cwd: str, scripts: str | None
) -> dict[str, str]:
    """The variables of a pane's shell.

    Args:
        inherited: the host's own.
        asked: the caller's, which may override all but HERDR_*.
        scripts: the folder of Collie's own commands; last in PATH, so that it hides nothing.
    """
    env = {key: value for key, value in inherited.items() if not _is_dropped(key)}
    env |= {"TERM": "xterm-256color", "COLORTERM": "truecolor", "PWD": cwd}
    env |= asked
    if scripts is not None:
        env["PATH"] = _with_folder(env.get("PATH", ""), scripts)
    return env | {
        "HERDR_ENV": "1",
        "HERDR_SOCKET_PATH": place.socket,
        "HERDR_WORKSPACE_ID": place.workspace_id,
        "HERDR_TAB_ID": place.tab_id,
        "HERDR_PANE_ID": place.pane_id,
    }


def _is_dropped(key: str) -> bool:
    return key in _DROPPED or key.startswith(_DROPPED_PREFIXES)


def _with_folder(path: str, folder: str) -> str:
    folders = [each for each in path.split(":") if each]
    return path if folder in folders else ":".join([*folders, folder])
