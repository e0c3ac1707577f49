"""agent.start: a workspace, an agent in its pane, and its first prompt (specs: phone-protocol section 6.5)."""

import os
import re
import shutil
import sysconfig
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import trio

from collie.agents.facts import DialogType
from collie.agents.kind import AgentKind
from collie.agents.registry import kind_named
from collie.daemon.caller import Caller
from collie.daemon.clock import Clock
from collie.daemon.config import Config
from collie.daemon.drive.refusals import wire_error
from collie.daemon.flock import Flock
from collie.daemon.handler import Answer
from collie.daemon.hosting import Hosting
from collie.daemon.reconcile import Reconciler
from collie.herdr.errors import HostRefused, HostUnavailable
from collie.herdr.models import AgentInfo, AgentStatus, PaneInfo, ReadFormat, ReadSource
from collie.protocol.errors import Code, WireError
from collie.protocol.ids import FORMAT_CHARACTERS, has_controls
from collie.protocol.methods import AgentStartedResult, AgentStartParams
from collie.screen.ansi import parse

BUSY_SECONDS: Final = 30.0
BUSY_PAUSE: Final = 0.25
"""How long, and how often, an agent is started again in a pane whose shell is still reading its own files."""

READY_SECONDS: Final = 30.0
READY_PAUSE: Final = 0.25
"""How long a started agent may take until it can be spoken to, and how often it is asked for without any event."""

SHELL_SECONDS: Final = 5.0
"""How long the user's shell may take to say whether it knows a command."""

NAME_CHARACTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""What the end of a made-up name consists of: nothing that is easily taken for something else."""

NAME_TRIES: Final = 8

TRUST_WORDING: Final = re.compile("trust this folder|do you trust the files in this folder", re.IGNORECASE)
OPTION_LINE: Final = re.compile(r"\s*›?\s*❯?\s*[1-9]\. \S")
"""A startup dialog of a kind whose dialogs are not read (specs: daemon-behaviour section 12.8)."""

Prompt = Callable[[str, str, Caller], Awaitable[None]]
"""Gives an agent its prompt: terminal id, text, caller. Raises WireError."""


class Starter:
    """Starts agents."""

    def __init__(
        self, *, config: Config, hosting: Hosting, flock: Flock, reconciler: Reconciler, prompt: Prompt, clock: Clock
    ) -> None:
        self._config = config
        self._hosting = hosting
        self._host = hosting.client
        self._flock = flock
        self._reconciler = reconciler
        self._prompt = prompt
        self._clock = clock

    async def start(self, params: AgentStartParams, caller: Caller) -> Answer:
        """Do it all. Raises WireError; one that comes after the workspace was made says that it was left open."""
        cwd = resolve_cwd(params.cwd, self._config.task_roots)
        await self._hosting.ensure()
        await self._reconciler.refresh()
        await self._check_kind(params.kind)
        created = await self._host.workspace_create(str(cwd), label=cwd.name or "/")
        pane = created.root_pane
        try:
            name = await self._start_in(pane, params)
            await self._wait_ready(pane, name, params.kind)
            if params.prompt is not None:
                await self._check_no_dialog(pane, params.kind)
                await self._prompt(pane.terminal_id, str(params.prompt), caller)
        except (HostUnavailable, HostRefused, WireError) as exc:
            error = exc if isinstance(exc, WireError) else wire_error(exc)
            raise _left_open(created.workspace.workspace_id, error) from exc
        result = AgentStartedResult(
            terminal_id=pane.terminal_id,
            kind=params.kind,
            name=name,
            cwd=str(cwd),
            prompted=params.prompt is not None,
        )
        said = f"ok workspace={created.workspace.workspace_id} terminal={pane.terminal_id}"
        return Answer(result=result, said=said, target=f"{cwd} kind={params.kind}")

    async def _check_kind(self, name: str) -> None:
        known = [manifest.agent for manifest in await self._host.agent_manifests()]
        if name not in known:
            raise WireError(
                Code.INVALID_PARAMS, f"{name} is no kind of agent that the host knows; it knows {', '.join(known)}"
            )
        kind = kind_named(name)
        if kind is not None and self._hosting.is_embedded and not await self._is_installed(kind):
            raise WireError(
                Code.NOT_FOUND,
                f"{kind.title} is not installed: no {kind.executables[0]} in PATH; install it, or start Collie's host "
                "anew from a shell that finds it",
            )

    async def _is_installed(self, kind: AgentKind) -> bool:
        """Whether a pane's shell will find the program: in our PATH, among our own commands, or as its files say."""
        path = os.pathsep.join((self._config.environ.get("PATH", os.defpath), sysconfig.get_path("scripts")))
        if shutil.which(kind.executables[0], path=path):
            return True
        return await _shell_knows(self._config.environ.get("SHELL") or "/bin/sh", kind.executables[0])

    async def _start_in(self, pane: PaneInfo, params: AgentStartParams) -> str:
        """Have the agent started, by whatever name is free; the name."""
        for name in self._names(params):
            try:
                await self._start_named(pane, name, params.kind)
            except HostRefused as exc:
                if exc.code == "agent_name_taken" and params.name is None:
                    continue
                if exc.code == "agent_name_taken":
                    raise WireError(Code.INVALID_PARAMS, f"another agent is called {name}") from exc
                raise
            return name
        raise WireError(Code.INTERNAL, "no name was free for the agent")

    async def _start_named(self, pane: PaneInfo, name: str, kind: str) -> None:
        deadline = trio.current_time() + BUSY_SECONDS
        while True:
            try:
                await self._host.agent_start(str(name), str(kind), pane.pane_id)
            except HostRefused as exc:
                if exc.code != "agent_pane_busy" or trio.current_time() >= deadline:
                    raise
            else:
                return
            await trio.sleep(BUSY_PAUSE)

    def _names(self, params: AgentStartParams) -> list[str]:
        if params.name is not None:
            return [params.name]
        taken = {info.name for info in self._flock.infos}
        ends = (self._name_end(2 + tries // 3) for tries in range(NAME_TRIES))
        return [name for end in ends if (name := f"{params.kind[:27]}-{end}") not in taken]

    def _name_end(self, length: int) -> str:
        random = self._clock.token(length)[:length]
        return "".join(NAME_CHARACTERS[ord(each) % len(NAME_CHARACTERS)] for each in random)

    async def _wait_ready(self, pane: PaneInfo, name: str, kind: str) -> None:
        """Until the agent can be spoken to. Raises WireError when it does not come to that."""
        await self._reconciler.refresh()
        with trio.move_on_after(READY_SECONDS):
            while not await self._is_ready(self._flock.info(pane.terminal_id), pane, name, kind):
                await self._reconciler.wait_round(READY_PAUSE)
            return
        raise WireError(Code.AGENT_NOT_READY, f"agent did not become ready within {READY_SECONDS:.0f} s")

    async def _is_ready(self, info: AgentInfo | None, pane: PaneInfo, name: str, kind: str) -> bool:
        if info is None:
            raise WireError(Code.AGENT_NOT_READY, "agent exited before becoming interactive")
        if info.name != name or info.agent not in (None, kind):
            raise WireError(Code.AGENT_NOT_READY, "the new pane no longer hosts the started agent")
        if info.agent_status is AgentStatus.BLOCKED:
            raise WireError(Code.AGENT_BLOCKED, await self._why_blocked(pane, kind))
        ready = {AgentStatus.IDLE, AgentStatus.DONE} | ({AgentStatus.UNKNOWN} if kind == "codex" else set())
        return info.interactive_ready and info.agent_status in ready

    async def _why_blocked(self, pane: PaneInfo, name: str) -> str:
        kind = kind_named(name)
        if kind is None or not kind.reads_dialogs:
            return "the agent is blocked on a startup prompt; answer it in the terminal"
        dialog = kind.read(parse(await self._detection(pane))).dialog
        if dialog is not None and dialog.type is DialogType.TRUST:
            return "the agent asks whether to trust this folder; answer it through its approval"
        return "the agent is blocked on a startup prompt; answer it through its approval"

    async def _check_no_dialog(self, pane: PaneInfo, name: str) -> None:
        """A prompt must not be typed into a startup dialog, which a host does not see as one for every kind."""
        kind = kind_named(name)
        if kind is not None and kind.reads_dialogs:
            return
        text = await self._detection(pane)
        if TRUST_WORDING.search(text) or any(OPTION_LINE.match(line) for line in text.splitlines()):
            raise WireError(Code.AGENT_BLOCKED, await self._why_blocked(pane, name))

    async def _detection(self, pane: PaneInfo) -> str:
        return (await self._host.pane_read(pane.pane_id, ReadSource.DETECTION, format=ReadFormat.TEXT)).text


def resolve_cwd(cwd: str, roots: tuple[Path, ...]) -> Path:
    """The folder itself, links followed; it must lie under one of the roots, if there are any. Raises WireError."""
    if has_controls(cwd) or FORMAT_CHARACTERS.search(cwd):
        raise WireError(Code.INVALID_PARAMS, "cwd is not a valid path")
    try:
        path = Path(cwd).resolve(strict=True)
        is_dir = path.is_dir()
    except (FileNotFoundError, NotADirectoryError) as exc:
        raise WireError(Code.INVALID_PARAMS, "cwd does not exist") from exc
    except (OSError, ValueError, RuntimeError) as exc:
        raise WireError(Code.INVALID_PARAMS, "cwd is not a valid path") from exc
    if not is_dir:
        raise WireError(Code.INVALID_PARAMS, "cwd is not a directory")
    if roots and not any(path.is_relative_to(root) for root in roots):
        raise WireError(Code.INVALID_PARAMS, "cwd is outside the allowed roots")
    return path


async def _shell_knows(shell: str, program: str) -> bool:
    """Whether the user's shell, as it is in a pane, finds a program that our own PATH has not."""
    with trio.move_on_after(SHELL_SECONDS):
        try:
            done = await trio.run_process(
                [shell, "-i", "-c", f"command -v {program}"],
                capture_stdout=True,
                capture_stderr=True,
                check=False,
                start_new_session=True,
            )
        except OSError:
            return False
        return done.returncode == 0
    return False


def _left_open(workspace_id: str, error: WireError) -> WireError:
    message = f"workspace {workspace_id} was created and left open: {error.message}"
    return WireError(error.code, message, draft=error.draft)
