"""Real processes of Collie over a data directory of their own, and nothing left behind."""

import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar

Found = TypeVar("Found")

READY_SECONDS = 15.0
SETTLE_SECONDS = 10.0
POLL_SECONDS = 0.02


class Machine:
    """A data directory, and the commands, daemon and host that live in it."""

    def __init__(self, folder: Path, environ: dict[str, str] | None = None) -> None:
        self.data = folder / "data"
        self.work = folder / "work"
        self.work.mkdir()
        self.environ = {**_clean_environ(), **(environ or {}), "COLLIE_DATA_DIR": str(self.data)}
        self.daemon: subprocess.Popen[str] | None = None

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """One command, to its end."""
        return subprocess.run(
            [sys.executable, "-m", "collie", *arguments],
            capture_output=True,
            text=True,
            stdin=subprocess.DEVNULL,
            env=self.environ,
            cwd=self.work,
            timeout=120,
        )

    def begin(self, *arguments: str) -> subprocess.Popen[str]:
        """One command that is not waited for."""
        return subprocess.Popen(
            [sys.executable, "-m", "collie", *arguments],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            stdin=subprocess.DEVNULL,
            env=self.environ,
            cwd=self.work,
        )

    def json(self, *arguments: str) -> Any:
        """One command with `--json`, which must succeed."""
        done = self.run(*arguments, "--json")
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    def serve(self) -> str:
        """Start the headless daemon; its ready line."""
        self.daemon = subprocess.Popen(
            [sys.executable, "-m", "collie", "--serve"],
            stdout=subprocess.PIPE,
            stderr=(self.data.parent / "daemon.log").open("a"),
            text=True,
            stdin=subprocess.DEVNULL,
            env=self.environ,
            cwd=self.work,
        )
        assert self.daemon.stdout is not None
        return self.daemon.stdout.readline()

    def kill_daemon(self) -> None:
        """As a crash would."""
        assert self.daemon is not None
        self.daemon.kill()
        self.daemon.wait()

    def host_pid(self) -> int:
        """The embedded host's process."""
        return int(self.json("host", "status")["pid"])

    def approvals(self) -> list[dict[str, Any]]:
        """What waits for an answer."""
        found: list[dict[str, Any]] = self.json("approvals")["approvals"]
        return found

    def approval(self, of: str | None = None) -> dict[str, Any]:
        """The one approval (of one terminal), once it is there."""

        def look() -> dict[str, Any] | None:
            found = [each for each in self.approvals() if of in (None, each["terminal_id"])]
            return found[0] if found else None

        return wait_for(look)

    def audit(self) -> list[dict[str, Any]]:
        """The audit log's lines, oldest first."""
        return [json.loads(line) for line in (self.data / "audit.log").read_text().splitlines()]

    def close(self) -> None:
        """End the daemon and the host."""
        if self.daemon is not None:
            self.daemon.send_signal(signal.SIGTERM)
            try:
                self.daemon.wait(SETTLE_SECONDS)
            except subprocess.TimeoutExpired:
                self.daemon.kill()
                self.daemon.wait()
        self.run("host", "stop", "--yes")


@contextmanager
def machine(environ: dict[str, str] | None = None, *, serving: bool = True) -> Iterator[Machine]:
    """A machine for one test; its folder's path is short, so that sockets fit in it."""
    folder = Path(tempfile.mkdtemp(prefix="collie-"))
    built = Machine(folder, environ)
    try:
        if serving:
            ready = built.serve()
            assert "ready" in ready, (folder / "daemon.log").read_text()
        yield built
    finally:
        built.close()
        shutil.rmtree(folder, ignore_errors=True)


def wait_for(look: Callable[[], Found | None], seconds: float = SETTLE_SECONDS) -> Found:
    """What `look` finds, as soon as it finds something."""
    deadline = time.monotonic() + seconds
    while (found := look()) is None or found is False:
        assert time.monotonic() < deadline, f"nothing within {seconds} s: {look}"
        time.sleep(POLL_SECONDS)
    return found


def _clean_environ() -> dict[str, str]:
    """The environment without what an outer pane, host, terminal multiplexer or agent left in it.

    Panes get a plain shell: what a person's own start-up files do, and for how long, is none of the tests' business.
    """
    left = ("HERDR_", "COLLIE_DATA", "TMUX", "STY", "CLAUDE", "ANTHROPIC_", "ENV", "BASH_ENV", "COLUMNS", "LINES")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(left)}
    return kept | {"SHELL": "/bin/sh"}
