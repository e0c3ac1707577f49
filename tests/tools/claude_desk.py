"""The real Claude Code in panes of Collie's own host, a scripted model behind it, and Collie's commands in front.

Answers are given by commands, as people give them; what waits is asked over the control socket, which is quicker.
"""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import psutil
import trio
from tools.claude_home import build_claude_home, claude_executable
from tools.mock_model import Heard, Record, Turn, mock_model
from tools.processes import Found, Machine, machine, wait_for

from collie.cli.asking import Found as Answer
from collie.cli.asking import call
from collie.client.connection import connect_control
from collie.protocol.ids import TerminalId
from collie.protocol.methods import ApprovalsResult, CloseParams, FlockResult, Nothing, Ok, Params, Surface
from collie.protocol.models import AgentStatus, Approval
from collie.store import socket_path

PATIENCE = 30.0
"""Seconds that anything may take on a machine that is busy with something else."""

TAKEN = ("applied", "chosen")

NOT_SENT = "the dialog changed right before the key, which was not sent"
ANEW = 2
"""How often a question that was drawn again under an answer is answered anew."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaudeAgent:
    """One session of Claude Code, in a folder of its own; `key` names the turns that it is given."""

    desk: "ClaudeDesk"
    terminal_id: str
    folder: Path
    key: str

    def approvals(self) -> list[Approval]:
        """What it waits for."""
        found = self.desk.ask("approval.list", Nothing(), ApprovalsResult).approvals
        return [each for each in found if each.terminal_id == self.terminal_id]

    def approval(self, **fields: object) -> Approval:
        """The approval with these fields, once it is there: one that can be answered, unless they say otherwise.

        While Claude Code draws a dialog in pieces, as it does an edit on a busy machine, it has one that cannot.
        """
        wanted = {"unreadable": ""} | fields

        def look() -> Approval | None:
            found = [each for each in self.approvals() if all(getattr(each, name) == wanted[name] for name in wanted)]
            return found[0] if found else None

        return self.waits(look)

    def decide(self, approval: Approval, decision: str, *arguments: str, outcome: str = "applied") -> None:
        """Have `collie decide` answer, and say that this became of it; its exit status must agree.

        A person answers anew where the agent drew the question again just then and nothing was sent.
        """
        done = self._decided(approval, decision, *arguments)
        for _ in range(ANEW):
            if outcome not in TAKEN or json.loads(done.stdout)["reason"] != NOT_SENT:
                break
            done = self._decided(self.approval(command=approval.command), decision, *arguments)
        assert json.loads(done.stdout)["outcome"] == outcome, done.stdout
        assert (done.returncode == 0) == (outcome in TAKEN)

    def _decided(self, approval: Approval, *arguments: str) -> subprocess.CompletedProcess[str]:
        done = self.desk.machine.run("decide", approval.approval_id, *arguments, "--json")
        assert done.stdout, done.stderr
        return done

    def press(self, *keys: str) -> None:
        """Answer in the agent itself."""
        self.desk.runs("keys", self.terminal_id, *keys)

    def says(self, text: str) -> None:
        """Give it another prompt."""
        self.desk.runs("prompt", self.terminal_id, text)

    def has(self, name: str) -> None:
        """Wait until a file of this name is in its folder."""
        self.waits(lambda: (self.folder / name).exists())

    def rests(self) -> None:
        """Wait until its turn is over."""
        self.waits(lambda: self._status() in (AgentStatus.IDLE, AgentStatus.DONE))

    def is_gone(self) -> None:
        """Wait until it has exited, with or without its pane."""
        self.waits(lambda: self._status() is None)

    def heard(self) -> list[Heard]:
        """What the model was told since this agent's newest prompt with its key."""
        return self.desk.record.heard(self.key)

    def goes_on(self) -> list[Heard]:
        """Wait until the model was asked a second time since that prompt; what it was then told."""
        self.waits(lambda: self.desk.record.times_asked(self.key) > 1)
        return self.heard()

    def said_next(self) -> list[Heard]:
        """Once its turn is over, in which the model was asked only once, say something: what the model then hears."""
        self.rests()
        assert self.desk.record.times_asked(self.key) == 1
        self.says("What became of it?")
        return self.goes_on()

    def waits(self, look: Callable[[], Found | None]) -> Found:
        """What `look` finds in time; the failure shows the agent's screen."""
        try:
            return wait_for(look, PATIENCE)
        except AssertionError as late:
            raise AssertionError(f"{late}\n{self.desk.machine.run('read', self.terminal_id).stdout}") from None

    def _status(self) -> AgentStatus | None:
        agents = self.desk.ask("flock.snapshot", Nothing(), FlockResult).agents
        return next((each.status for each in agents if each.terminal_id == self.terminal_id), None)


class ClaudeDesk:
    """Where agents are started, one after the other: the next one takes the place of the one before."""

    def __init__(self, built: Machine, folder: Path, scripts: dict[str, list[Turn]], record: Record) -> None:
        self.machine = built
        self.record = record
        self._folder = folder
        self._scripts = scripts
        self._last: ClaudeAgent | None = None

    def agent(self, *turns: Turn, files: Mapping[str, str] | None = None) -> ClaudeAgent:
        """An agent at work on a prompt that the model answers with these turns; in a trusted folder with `files`."""
        key, folder = self._room(turns, self._folder / "trusted")
        for name, text in (files or {}).items():
            (folder / name).write_text(text)
        self.runs("start", "claude", "--cwd", str(folder), "--name", key, "--prompt", f"[{key}] go")
        return self._named(key, folder)

    def agent_in_strange_folder(self) -> tuple[ClaudeAgent, subprocess.CompletedProcess[str]]:
        """An agent that must ask first whether to trust its folder, and what became of `collie start`."""
        key, folder = self._room((), self._folder / "strange")
        done = self.machine.run("start", "claude", "--cwd", str(folder), "--name", key, "--prompt", f"[{key}] go")
        return self._named(key, folder), done

    def runs(self, *arguments: str) -> None:
        """A command that must succeed."""
        done = self.machine.run(*arguments)
        assert done.returncode == 0, done.stderr

    def ask(self, method: str, params: Params, result: type[Answer]) -> Answer:
        """Ask the daemon over the control socket."""

        async def session() -> Answer:
            path = socket_path(self.machine.data, "control.sock")
            async with connect_control(path, Surface.COMMAND_LINE) as connection:
                return await call(connection, method, params, result)

        return trio.run(session)

    def _named(self, key: str, folder: Path) -> ClaudeAgent:
        agents = self.ask("flock.snapshot", Nothing(), FlockResult).agents
        terminal = next(each.terminal_id for each in agents if each.name == key)
        self._last = ClaudeAgent(desk=self, terminal_id=terminal, folder=folder, key=key)
        return self._last

    def _room(self, turns: tuple[Turn, ...], parent: Path) -> tuple[str, Path]:
        if self._last is not None:
            last, self._last = self._last.terminal_id, None
            self.ask("pane.close", CloseParams(terminal_id=TerminalId(last), confirm=True), Ok)
        key = f"t{len(self._scripts)}"
        self._scripts[key] = list(turns)
        (parent / key).mkdir(parents=True)
        return key, parent / key


@contextmanager
def claude_desk(**environ: str) -> Iterator[ClaudeDesk]:
    """A desk for one module; whatever was started has ended when it is closed, and its folders are gone."""
    executable = Path(claude_executable())
    folder = Path(tempfile.mkdtemp(prefix="collie-")).resolve()
    scripts: dict[str, list[Turn]] = {}
    record = Record()
    try:
        with mock_model(scripts, record) as url:
            built = build_claude_home(folder / "home", url, [folder / "trusted"])
            path = f"{executable.parent}{os.pathsep}{built.environ['PATH']}"
            with machine(built.environ | {"PATH": path} | environ) as collie:
                yield ClaudeDesk(collie, folder, scripts, record)
            wait_for(lambda: not _left_in(built.home), PATIENCE)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    assert not folder.exists()


def _left_in(home: Path) -> list[psutil.Process]:
    """Processes that live in this home folder."""
    return [
        process
        for process in psutil.process_iter(["environ", "status"])
        if (process.info["environ"] or {}).get("HOME") == str(home) and process.info["status"] != psutil.STATUS_ZOMBIE
    ]
