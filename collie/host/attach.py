"""One pane, drawn in the operator's terminal from its cells; what is typed there goes to the pane.

The pane keeps its size: a terminal that is smaller sees a part of it. Nothing of the pane reaches the terminal but what
`paint` makes of its cells, and nothing of the terminal reaches the pane but what was typed.
"""

import os
import signal
import sys
import termios
import tty
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Final

import trio

from collie.errors import CollieError, sole_error
from collie.herdr.models import Ok, PaneInfo, SessionSnapshot, SessionSnapshotResult
from collie.herdr.wire import OUTPUT_SUBSCRIPTION, Event
from collie.host.ask import HostGone, ask, opened
from collie.host.caller import PANE_VARIABLE, SOCKET_VARIABLE
from collie.host.paint import Frame, Size, describe, difference, frame
from collie.host.refused import Refused
from collie.host.typed import FLUSH_AFTER, Keyboard, Typed
from collie.host.view import PaneView
from collie.screen import ansi

DRAW_EVERY: Final = 1 / 30
"""Seconds between two frames, at least."""

CHUNK: Final = 4096
ENTER: Final = "\x1b[?1049h\x1b[2J"
LEAVE: Final = "\x1b[?2026l\x1b[0m\x1b[?25h\x1b[?1049l"

WATCHED: Final = (OUTPUT_SUBSCRIPTION, "pane.exited", "pane.closed", "tab.closed", "workspace.closed", "layout.updated")
"""What may change the picture, or end it."""


def attach(socket: Path, target: str, environ: Mapping[str, str]) -> None:
    """Show a pane until the operator leaves it or it ends.

    Raises: CollieError.
    """
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CollieError("attach draws in a terminal, and this is none: `collie read` prints what a pane shows")
    with sole_error():
        trio.run(_attach, socket, target, environ)


async def _attach(socket: Path, target: str, environ: Mapping[str, str]) -> None:
    pane, name = _chosen((await ask(socket, SessionSnapshotResult, "session.snapshot")).snapshot, target)
    if environ.get(SOCKET_VARIABLE) == str(socket) and environ.get(PANE_VARIABLE) == pane.pane_id:
        raise CollieError(f"this is {name}: a pane cannot show itself")
    with _own_screen(sys.stdin.fileno()):
        attached = _Attached(socket, pane.pane_id, name)
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_leave_on_signal, nursery.cancel_scope)
            nursery.start_soon(attached.follow)
            nursery.start_soon(attached.redraw_on_resize)
            nursery.start_soon(attached.draw, nursery.cancel_scope)
            await attached.type()
            nursery.cancel_scope.cancel()
    if attached.ended:
        print(f"{name} has ended")


def _chosen(snapshot: SessionSnapshot, target: str) -> tuple[PaneInfo, str]:
    """The pane that is meant, by the id of its terminal or its own, or by its agent's name; and what to call it."""
    names = {each.pane_id: each.name for each in snapshot.agents if each.name}
    found = [each for each in snapshot.panes if target in (each.terminal_id, each.pane_id, names.get(each.pane_id))]
    if not found:
        known = ", ".join(names.get(each.pane_id, each.pane_id) for each in snapshot.panes) or "there is none"
        raise CollieError(f"no pane is called {target}: {known}")
    return found[0], names.get(found[0].pane_id) or found[0].pane_id


class _Attached:
    """The state of one attachment: `stale` is set when the picture is not the newest."""

    def __init__(self, socket: Path, pane_id: str, name: str) -> None:
        self.ended = False
        self._socket = socket
        self._pane_id = pane_id
        self._name = name
        self._stale = trio.Event()
        self._stale.set()
        self._shown: Frame | None = None
        self._note = ""

    async def follow(self) -> None:
        """Take note of whatever may have changed the picture, until the host is gone, which drawing finds out too."""
        subscriptions = [{"type": each} for each in WATCHED]
        with suppress(HostGone):
            async with opened(self._socket, "events.subscribe", subscriptions=subscriptions) as line:
                while True:
                    happened = await line.receive()
                    others = (
                        isinstance(happened, Event) and happened.data.get("pane_id", self._pane_id) != self._pane_id
                    )
                    if not others:
                        self._stale.set()
        self._stale.set()

    async def redraw_on_resize(self) -> None:
        """Draw anew when the operator's window has another size."""
        with trio.open_signal_receiver(signal.SIGWINCH) as resized:
            async for _ in resized:
                self._shown = None
                self._stale.set()

    async def draw(self, scope: trio.CancelScope) -> None:
        """Draw whenever the picture is stale; leave when there is nothing to draw any more.

        Raises: HostGone.
        """
        while True:
            await self._stale.wait()
            self._stale = trio.Event()
            try:
                view = await ask(self._socket, PaneView, "pane.view", pane_id=self._pane_id)
            except Refused:
                self.ended = True
                scope.cancel()
                return
            self._show(view)
            await trio.sleep(DRAW_EVERY)

    def _show(self, view: PaneView) -> None:
        columns, rows = os.get_terminal_size(sys.stdout.fileno())
        window = Size(columns=columns, rows=rows)
        pane = Size(columns=view.columns, rows=view.rows)
        cursor = (view.cursor.row, view.cursor.column) if view.cursor.visible else None
        note = self._note or describe(self._name, pane, window)
        new = frame(ansi.parse(view.text, view.columns), pane, window, cursor=cursor, note=note)
        _write(difference(self._shown, new))
        self._shown = new

    async def type(self) -> None:
        """Send what is typed, until the operator leaves.

        Raises: HostGone.
        """
        keyboard = Keyboard()
        while True:
            typed = await _next_typed(keyboard)
            if typed.text:
                await self._send(typed.text)
            if typed.leave:
                return

    async def _send(self, text: str) -> None:
        try:
            await ask(self._socket, Ok, "pane.send_text", pane_id=self._pane_id, text=text)
            self._note = ""
        except Refused as refused:
            self._note = f" {refused} "
            self._stale.set()


async def _next_typed(keyboard: Keyboard) -> Typed:
    """What is typed next; the end of the terminal is the operator's leaving."""
    stdin = sys.stdin.fileno()
    with trio.move_on_after(FLUSH_AFTER if keyboard.is_waiting else float("inf")) as patience:
        await trio.lowlevel.wait_readable(stdin)
    if patience.cancelled_caught:
        return keyboard.flush()
    try:
        data = os.read(stdin, CHUNK)
    except OSError:
        data = b""
    return keyboard.receive(data) if data else Typed(text="", leave=True)


async def _leave_on_signal(scope: trio.CancelScope) -> None:
    with trio.open_signal_receiver(signal.SIGHUP, signal.SIGTERM) as signals:
        async for _ in signals:
            scope.cancel()


@contextmanager
def _own_screen(stdin: int) -> Iterator[None]:
    """The terminal in raw mode on its other screen; whatever happens inside, it is as before afterwards."""
    before = termios.tcgetattr(stdin)
    try:
        tty.setraw(stdin)
        _write(ENTER)
        yield
    finally:
        with suppress(OSError, termios.error):  # where the terminal itself is gone there is nothing to restore
            _write(LEAVE)
            termios.tcsetattr(stdin, termios.TCSAFLUSH, before)


def _write(text: str) -> None:
    rest = memoryview(text.encode(errors="replace"))
    while rest:
        rest = rest[os.write(sys.stdout.fileno(), rest) :]
