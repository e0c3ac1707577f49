"""The embedded host, run inside a test: real sockets, real terminals, real processes, in a folder of its own.

async with live_host() as live:
    await live.call("workspace.create", cwd="/")
    async with live.stream("pane.exited") as stream:
        await live.type("w1:p1", "exit\\r")
        assert (await stream.event())["event"] == "pane_exited"
"""

import json
import os
import shutil
import sys
import tempfile
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import trio

from collie.host.host import Host
from collie.host.pane import Pane
from collie.host.run import KINDS, Paths, run_host

PATIENCE = 10.0
"""Seconds after which what is waited for will not come."""

QUIET = 0.15
"""Seconds without an event after which none will come."""

AGENT = r"""#!{python} -SE
# An agent of Claude Code's shape, driven by single keys; it notes the others.
import os, sys, termios, tty
if sys.argv[1:] == ["--fail"]:
    sys.exit(1)
RULE = "\u2500" * 60
HOME = "\x1b[2J\x1b[H"
DIALOG = [RULE, " Bash command", "", "   rm -rf {{}}", "", " Do you want to proceed?", " \u276f 1. Yes", "   2. No"]
DIALOG += ["", " Esc to cancel \u00b7 Tab to amend"]
IDLE = ["", RULE, "\u276f\u00a0", RULE, "  ? for shortcuts"]
SCREENS = {{
    "i": "\x1b]0;\u2733 Fake\x07" + HOME + "\r\n".join(IDLE),
    "w": "\x1b]0;\u2802 Fake\x07" + HOME + "\r\n".join(["\u00b7 Pruning\u2026 (1s \u00b7 esc to interrupt)", *IDLE]),
    "b": "\x1b]0;\u2733 Fake\x07" + HOME + "\r\n".join(DIALOG).format("build"),
    "d": "\x1b]0;\u2733 Fake\x07" + HOME + "\r\n".join(DIALOG).format("other"),
}}
def show(key):
    os.write(1, SCREENS[key].encode())
before = termios.tcgetattr(0)
tty.setraw(0)
notes = open(os.environ["NOTES"], "ab", 0)
show(os.environ.get("FIRST", "i"))
while True:
    for key in os.read(0, 1).decode():
        if key == "q":
            termios.tcsetattr(0, termios.TCSANOW, before)
            sys.exit()
        elif key in SCREENS:
            show(key)
        else:
            notes.write(key.encode())
"""


class Stream:
    """A subscription."""

    def __init__(self, stream: trio.SocketStream) -> None:
        self.raw = stream
        self._rest = b""

    async def line(self) -> bytes:
        """The next line, or b"" at the end."""
        with trio.fail_after(PATIENCE):
            while b"\n" not in self._rest:
                data = await self.raw.receive_some(65_536)
                if not data:
                    return b""
                self._rest += data
        line, _, self._rest = self._rest.partition(b"\n")
        return line

    async def event(self) -> dict[str, Any]:
        """The next line, read."""
        found: dict[str, Any] = json.loads(await self.line())
        return found

    async def until(self, name: str, **data: Any) -> dict[str, Any]:
        """The next event of this name and with these data; others are passed over."""
        while True:
            event = await self.event()
            if event["event"] == name and data.items() <= event["data"].items():
                return event

    async def all(self) -> list[dict[str, Any]]:
        """All events that come before a quiet moment."""
        events: list[dict[str, Any]] = []
        while True:
            event = None
            with trio.move_on_after(QUIET):
                event = await self.event()
            if event is None:
                return events
            events.append(event)


class LiveHost:
    """A host, and the shortest ways to ask it."""

    def __init__(self, host: Host, folder: Path) -> None:
        self.host = host
        self.folder = folder
        self.notes = folder / "notes"
        self.socket = host.setup.socket

    async def raw(self, data: bytes) -> bytes:
        """What is answered to these bytes, up to the hang-up."""
        async with await trio.open_unix_socket(str(self.socket)) as stream:
            await stream.send_all(data)
            with trio.fail_after(PATIENCE):
                return b"".join([chunk async for chunk in stream])

    async def reply(self, method: str, **params: Any) -> dict[str, Any]:
        """The whole reply to a request."""
        line = json.dumps({"id": "t", "method": method, "params": params}).encode() + b"\n"
        found: dict[str, Any] = json.loads(await self.raw(line))
        return found

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        """The result of a request."""
        found = await self.reply(method, **params)
        result: dict[str, Any] = found["result"]
        return result

    async def refused(self, method: str, **params: Any) -> str:
        """The code of a request's refusal."""
        code: str = (await self.reply(method, **params))["error"]["code"]
        return code

    @asynccontextmanager
    async def stream(self, *types: str, watch: str | None = None) -> AsyncIterator[Stream]:
        """A subscription to these types of events, and to the status of the pane `watch`."""
        wanted: list[dict[str, Any]] = [{"type": each} for each in types]
        if watch:
            wanted.append({"type": "pane.agent_status_changed", "pane_id": watch})
        async with await trio.open_unix_socket(str(self.socket)) as raw:
            request = {"id": "s", "method": "events.subscribe", "params": {"subscriptions": wanted}}
            await raw.send_all(json.dumps(request).encode() + b"\n")
            stream = Stream(raw)
            assert json.loads(await stream.line()) == {"id": "s", "result": {"type": "subscription_started"}}
            yield stream

    async def type(self, pane_id: str, text: str) -> None:
        """Type into a pane."""
        await self.call("pane.send_text", pane_id=pane_id, text=text)

    async def text(self, pane_id: str) -> str:
        """What a pane shows."""
        text: str = (await self.call("pane.read", pane_id=pane_id, source="visible"))["read"]["text"]
        return text

    def pane(self, pane_id: str) -> Pane:
        """The pane itself."""
        found = self.host.session.pane(pane_id)
        assert found is not None
        return found

    async def until(self, holds: Callable[[], bool]) -> None:
        """Until something holds."""
        with trio.fail_after(PATIENCE):
            while not holds():  # noqa: ASYNC110 - the host does not know what a test waits for
                await trio.sleep(0.005)

    async def agent(self, first: str = "i", *, launch: bool = False) -> str:
        """A workspace with a fake agent that shows the screen `first`; its pane."""
        created = await self.call("workspace.create", cwd=str(self.folder), env={"FIRST": first})
        pane_id: str = created["root_pane"]["pane_id"]
        if launch:
            await self.call("agent.start", name="fake", kind="claude", pane_id=pane_id)
        else:
            await self.type(pane_id, "claude\r")
        status = {"i": "idle", "w": "working", "b": "blocked", "d": "blocked"}[first]
        await self.until(lambda: self.pane(pane_id).agent.machine.state == status)
        return pane_id


@asynccontextmanager
async def live_host(environ: Mapping[str, str] | None = None) -> AsyncIterator[LiveHost]:
    """A host with `/bin/sh` in its panes and a fake `claude` on their PATH; it ends with the block, panes and all."""
    folder = Path(tempfile.mkdtemp(prefix="collie-"))
    programs = folder / "bin"
    programs.mkdir()
    (programs / "claude").write_text(AGENT.format(python=sys.executable))
    (programs / "claude").chmod(0o755)
    base = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(folder), "SHELL": "/bin/sh", "PS1": "$ "}
    base |= {"NOTES": str(folder / "notes"), "LANG": "C.UTF-8"}
    try:
        async with trio.open_nursery() as nursery:
            paths = Paths.of(folder / "data")
            (folder / "data").mkdir(mode=0o700)
            host: Host = await nursery.start(run_host, paths, {**base, **(environ or {})}, KINDS)
            yield LiveHost(host, folder)
            host.stopping.set()
    finally:
        shutil.rmtree(folder)
