"""A terminal for a person's program: a tmux of its own, keys in, the screen out."""

import shlex
import shutil
import subprocess
import tempfile
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager

import pytest
from tools.processes import POLL_SECONDS, wait_for

PATIENCE = 30.0
"""Seconds that a screen may take to show something, on a machine with other work to do."""


SETTINGS = """\
set -g remain-on-exit on
set -g status off
"""


class Window:
    """One window, with a program in it; it stays when the program ends."""

    def __init__(self, server: str) -> None:
        self._server = server

    def press(self, *keys: str) -> None:
        """tmux's names of keys, or characters."""
        self._tmux("send-keys", *keys)

    def screen(self, *, styled: bool = False) -> str:
        """What is on it."""
        return self._tmux("capture-pane", "-p", *(["-e"] if styled else []))

    def shows(self, *texts: str) -> str:
        """Wait until all of the texts are on the screen; the screen."""

        def look() -> str | None:
            screen = self.screen()
            return screen if all(text in screen for text in texts) else None

        try:
            return wait_for(look, PATIENCE)
        except AssertionError:
            raise AssertionError(f"{texts} did not come; on the screen is:\n{self.screen()}") from None

    def shows_no_more(self, text: str) -> None:
        """Wait until a text has left the screen."""
        wait_for(lambda: text not in self.screen(), PATIENCE)

    def press_until(self, key: str, *texts: str) -> None:
        """Press a key, again each second, until the texts are on the screen: a card's keys count only once it has
        stood for a moment."""

        def look() -> bool:
            self.press(key)
            deadline = time.monotonic() + 1.0
            while time.monotonic() < deadline:
                screen = self.screen()
                if all(text in screen for text in texts):
                    return True
                time.sleep(POLL_SECONDS)
            return False

        try:
            wait_for(look, PATIENCE)
        except AssertionError:
            raise AssertionError(f"{key} brought no {texts}; on the screen is:\n{self.screen()}") from None

    def resize(self, columns: int, rows: int) -> None:
        """As when somebody drags the window's corner."""
        self._tmux("resize-window", "-x", str(columns), "-y", str(rows))

    def pid(self) -> int:
        """The program's process."""
        return int(self._tmux("display", "-p", "#{pane_pid}"))

    def ended(self) -> bool:
        """Whether the program has ended."""
        return self._tmux("display", "-p", "#{pane_dead}").strip() == "1"

    def _tmux(self, *arguments: str) -> str:
        return subprocess.run(
            ["tmux", "-L", self._server, *arguments], capture_output=True, text=True, check=True
        ).stdout


@contextmanager
def window(command: list[str], environ: Mapping[str, str], *, columns: int = 120, rows: int = 40) -> Iterator[Window]:
    """A program in a terminal of its own."""
    if shutil.which("tmux") is None:
        pytest.skip("tmux is not installed")
    server = f"collie-{uuid.uuid4().hex[:8]}"
    line = shlex.join(["env", "-i", *(f"{name}={value}" for name, value in environ.items()), *command])
    with tempfile.NamedTemporaryFile("w", suffix=".conf") as settings:
        settings.write(SETTINGS)
        settings.flush()
        tmux = ["tmux", "-L", server, "-f", settings.name]
        size = ["-x", str(columns), "-y", str(rows)]
        subprocess.run([*tmux, "new-session", "-d", *size, f"exec {line}"], check=True, env=environ)
    try:
        yield Window(server)
    finally:
        subprocess.run(["tmux", "-L", server, "kill-server"], check=False, stderr=subprocess.DEVNULL)
