"""The command line as typed: what it prints, where, and its exit status."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from collie import __version__
from collie.cli.main import COMMANDS, run
from collie.cli.output import printable

HEAVY = ("textual", "trio", "msgspec", "rich", "argparse")


def collie(*arguments: str, stdin: int = subprocess.DEVNULL, **environ: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "collie", *arguments],
        capture_output=True,
        text=True,
        stdin=stdin,
        env=os.environ | environ,
        timeout=30,
    )


def test_the_version_is_printed_without_a_heavy_import() -> None:
    assert collie("--version").stdout == f"collie {__version__}\n"
    code = f"import sys; sys.argv[1:] = ['--version']; import collie.__main__ as m; m.main(); \
assert not set({HEAVY!r}) & set(sys.modules), set({HEAVY!r}) & set(sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).returncode == 0


def test_help_names_every_command_and_imports_none() -> None:
    shown = collie("--help")
    assert shown.returncode == 0
    assert all(f"  {command.name} " in shown.stdout for command in COMMANDS)


@pytest.mark.parametrize("command", [command.name for command in COMMANDS])
def test_every_command_has_help(command: str) -> None:
    shown = collie(command, "--help")
    assert (shown.returncode, shown.stderr) == (0, "")
    assert shown.stdout.startswith(f"usage: collie {command}")


@pytest.mark.parametrize(
    "arguments",
    [
        ["frobnicate"],
        ["--frobnicate"],
        ["decide"],
        ["decide", "a", "maybe"],
        ["decide", "a", "choose"],
        ["decide", "a", "approve", "--choice", "1"],
        ["decide", "a", "approve-always", "--note", "x"],
        ["decide", "a/b", "approve"],
        ["start", "practice", "--cwd", "/tmp/\udcff"],
        ["prompt", "apple", "say \udcff"],
        ["prompt", "apple", "x" * 40_000],
        ["start", "Claude"],
        ["start", "claude", "--name", "My Agent"],
        ["read", "x", "--lines", "0"],
        ["keys", "x", "ctrl+d"],
        ["explain", "--columns", "80"],
        ["explain", "--kind", "claude"],
    ],
)
def test_wrong_usage_is_status_2_and_says_so_on_stderr(arguments: list[str]) -> None:
    done = collie(*arguments)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_a_wrong_argument_is_shown_short_with_what_is_allowed() -> None:
    told = collie("prompt", "apple", "x" * 40_000).stderr
    assert len(told) < 300
    assert "32 KiB" in told


def test_a_folder_that_is_gone_is_one_line(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    steps = f"import os; os.chdir({str(gone)!r}); os.rmdir({str(gone)!r})"
    script = f"{steps}; from collie.cli.main import run; run(['start', 'practice'])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stderr.count("\n") == 1
    assert "--cwd" in done.stderr


@pytest.mark.parametrize("command", [["status"], ["agents"], ["approvals", "--json"], ["decide", "a", "deny"]])
def test_without_a_daemon_one_line_says_what_to_do(command: list[str], tmp_path: object) -> None:
    done = collie(*command, COLLIE_DATA_DIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "collie --serve" in done.stderr


def test_status_as_json_says_that_nothing_runs(tmp_path: object) -> None:
    done = collie("status", "--json", COLLIE_DATA_DIR=str(tmp_path))
    assert (done.returncode, done.stdout) == (1, '{"running":false}\n')


def test_the_dashboard_without_a_terminal_names_what_works_there() -> None:
    done = collie()
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.count("\n") == 1
    assert "--serve" in done.stderr
    assert "status" in done.stderr


def test_a_file_that_is_no_screen_is_one_line(tmp_path: object, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "--kind", "claude", "--columns", "80", f"{tmp_path}/nothing"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


def test_what_a_terminal_would_obey_is_printed_as_text() -> None:
    assert printable("plain ünïcode") == "plain ünïcode"
    assert printable("a\x1b[2Jb\u202ec\n") == "a\\u{1b}[2Jb\\u{202e}c\\u{a}"
