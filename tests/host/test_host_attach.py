"""Attach, in a terminal of the project's own emulator: what it draws, what it forwards, what it leaves behind."""

import os
import signal
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest
import trio
from tools.live_host import PATIENCE, LiveHost, live_host

from collie.host.pty import Command, Pty, PtyClosed
from collie.host.terminal.reads import read
from collie.host.terminal.screen import Terminal

pytestmark = pytest.mark.trio


class Desk:
    """An operator's terminal with `collie host attach` in it. `printed` is every byte that reached it."""

    def __init__(self, pty: Pty, columns: int, rows: int) -> None:
        self.pty = pty
        self.terminal = Terminal(columns, rows, 100)
        self.printed = b""
        self.ended = False

    async def run(self) -> None:
        try:
            while True:
                await self.pty.wait_readable()
                while data := self.pty.read():
                    self.printed += data
                    self.terminal.feed(data)
                    self.terminal.take_replies()
        except PtyClosed:
            self.ended = True

    @property
    def rows(self) -> list[str]:
        return read(self.terminal, "visible").text.split("\n")

    async def until_shown(self, text: str) -> None:
        await self._until(lambda: any(text in row for row in self.rows))

    async def until_ended(self) -> None:
        await self._until(lambda: self.ended)

    async def _until(self, holds: Callable[[], bool]) -> None:
        with trio.fail_after(PATIENCE):
            while not holds():  # noqa: ASYNC110 - another process draws
                await trio.sleep(0.01)


@asynccontextmanager
async def attached(live: LiveHost, target: str, columns: int = 130, rows: int = 45) -> AsyncIterator[Desk]:
    env = {**live.host.setup.environ, "COLLIE_DATA_DIR": str(live.folder / "data"), "TERM": "xterm-256color"}
    argv = [sys.executable, "-m", "collie", "host", "attach", target]
    pty = Pty.spawn(Command(argv=argv, cwd="/", env=env, columns=columns, rows=rows, open_files=256))
    desk = Desk(pty, columns, rows)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(desk.run)
        try:
            yield desk
        finally:
            with trio.CancelScope(shield=True):
                nursery.cancel_scope.cancel()
                await pty.end(1.0)


async def test_a_pane_is_drawn_typed_into_and_left() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        async with attached(live, live.pane("w1:p1").terminal_id) as desk:
            await desk.until_shown("ctrl+\\ leaves  w1:p1  120×40")
            shown = desk.terminal.alternate
            desk.pty.write(b"echo o''ne; stty size\r")
            await desk.until_shown("one")
            await desk.until_shown("40 120")
            assert desk.terminal.cursor_visible
            assert desk.terminal.cursor == live.pane("w1:p1").terminal.cursor
            desk.pty.write(b"\x1c")
            await desk.until_ended()
            assert (shown, desk.terminal.alternate) == (True, False)
            assert desk.terminal.cursor_visible


async def test_a_small_terminal_sees_a_part_and_the_pane_keeps_its_size() -> None:
    async with live_host() as live:
        pane = live.pane(await live.agent("b", launch=True))
        async with attached(live, "fake", 50, 8) as desk:
            await desk.until_shown("120×40, 50×7 shown")
            desk.pty.write(b"d")
            await live.until(lambda: "other" in pane.text())
            assert (pane.terminal.columns, pane.terminal.rows) == (120, 40)
            desk.pty.resize(80, 20)
            desk.terminal.resize(80, 20)
            os.kill(desk.pty.pid, signal.SIGWINCH)
            await desk.until_shown("80×19 shown")


async def test_nothing_a_pane_prints_reaches_the_terminal_raw_and_no_answer_reaches_a_pane() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        async with attached(live, "w1:p1") as desk:
            await desk.until_shown("$")
            await live.type("w1:p1", "stty -echo; cat -v\r")
            await live.until(lambda: live.pane("w1:p1").pty.foreground() != live.pane("w1:p1").pty.pid)
            desk.pty.write(b"a\x1b[?62;22c\x1b]11;rgb:0/0/0\x1b\\\x1b[24;80R\x1b[Ib\r")
            await desk.until_shown("ab")
            await live.type("w1:p1", "\x03")
            await live.until(lambda: live.pane("w1:p1").text().endswith("\n$"))
            await live.type("w1:p1", "printf '\\033]52;c;aGk=\\007\\033[6n\\033[31mred\\033]0;title\\007'\r")
            await desk.until_shown("red")
        allowed = (b"\x1b[?2026", b"\x1b[?25", b"\x1b[?1049", b"\x1b[2J")
        for sequence in desk.printed.split(b"\x1b")[1:]:
            start = b"\x1b" + sequence
            assert start.startswith(allowed) or start[2:].lstrip(b"0123456789;")[:1] in b"mHK", start
        assert b"\x1b]" not in desk.printed


async def test_the_end_of_the_pane_is_told() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        async with attached(live, "w1:p1") as desk:
            await desk.until_shown("$")
            desk.pty.write(b"exit\r")
            await desk.until_ended()
            assert "w1:p1 has ended" in desk.rows
            assert not desk.terminal.alternate


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_the_terminal_is_as_before_after_a_signal(number: signal.Signals) -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        async with attached(live, "w1:p1") as desk:
            await desk.until_shown("$")
            assert not desk.pty.edits_lines()
            os.kill(desk.pty.pid, number)
            await desk.until_ended()
            assert not desk.terminal.alternate
            assert desk.terminal.cursor_visible


async def test_who_is_not_there_cannot_be_shown() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        async with attached(live, "nobody") as desk:
            await desk.until_ended()
            assert "collie: no pane is called nobody: w1:p1" in desk.rows


async def test_a_pane_does_not_show_itself() -> None:
    async with live_host() as live:
        await live.call("workspace.create", env={"COLLIE_DATA_DIR": str(live.folder / "data")})
        await live.type("w1:p1", f"{sys.executable} -m collie host attach w1:p1\r")
        await live.until(lambda: "a pane cannot show itself" in live.pane("w1:p1").text())


async def test_the_end_of_the_host_is_told() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        async with attached(live, "w1:p1") as desk:
            await desk.until_shown("$")
            await live.call("server.stop")
            await desk.until_ended()
            assert any("no host runs" in row or "the host is gone" in row or "has ended" in row for row in desk.rows)
