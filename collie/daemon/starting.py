"""agent.start: a workspace, an agent in its pane, and its first prompt (specs: phone-protocol section 6.5)."""

import logging
import re
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

import trio

from collie.agents.facts import DialogType, State
from collie.agents.registry import kind_named
from collie.daemon.caller import Caller
from collie.daemon.clock import Clock
from collie.daemon.config import Config
from collie.daemon.cwd import resolve_cwd
from collie.daemon.drive.refusals import wire_error
from collie.daemon.flock import Flock
from collie.daemon.handler import Answer
from collie.daemon.hosting import Hosting
from collie.daemon.installed import is_installed
from collie.daemon.reconcile import Reconciler
from collie.herdr.errors import HostRefused, HostUnavailable
from collie.herdr.models import AgentInfo, AgentStatus, PaneInfo, ReadFormat, ReadSource
from collie.protocol.errors import Code, WireError
from collie.protocol.methods import AgentStartedResult, AgentStartParams
from collie.screen.ansi import parse

log = logging.getLogger(__name__)

BUSY_SECONDS: Final = 30.0
BUSY_PAUSE: Final = 0.25
"""How long, and how often, an agent is started again in a pane whose shell is still reading its own files."""

READY_SECONDS: Final = 30.0
READY_PAUSE: Final = 0.25
"""How long a started agent may take until it can be spoken to, and how often it is asked for without any event."""

LAUNCH_MS: Final = 40_000
"""What the host is told to wait for the agent's process: longer than we do, so that we still see how far it came."""

NAME_CHARACTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
"""What the end of a made-up name consists of: nothing that is easily taken for something else."""

NAME_TRIES: Final = 8

PANE_GONE: Final = frozenset({"agent_pane_not_found", "agent_pane_unavailable", "pane_not_found"})
"""Host codes that mean that the new pane has ended before anything was started in it."""

KEPT_FOR: Final = frozenset({"agent_pane_busy", "agent_start_input_failed"})
"""Host codes after which something may run in the new pane, or have been typed into it."""

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
        """Do it all. Raises WireError, which says so when the workspace that was made for it is still there."""
        cwd = resolve_cwd(params.cwd, self._config.task_roots)
        await self._hosting.ensure()
        await self._reconciler.refresh()
        self._check_name(params.name)
        environ = self._environ(params)
        await self._check_kind(params.kind, environ)
        created = await self._host.workspace_create(str(cwd), label=cwd.name or "/", env=environ)
        pane = created.root_pane
        name = await self._start_in(pane, params)
        try:
            await self._wait_ready(pane, name, params.kind)
            if params.prompt is not None:
                await self._check_no_dialog(pane, params.kind)
                await self._prompt(pane.terminal_id, str(params.prompt), caller)
        except (HostUnavailable, HostRefused, WireError) as exc:
            raise await self._left(pane, _as_wire(exc)) from exc
        result = AgentStartedResult(
            terminal_id=pane.terminal_id,
            kind=params.kind,
            name=name,
            cwd=str(cwd),
            prompted=params.prompt is not None,
        )
        said = f"ok workspace={created.workspace.workspace_id} terminal={pane.terminal_id}"
        return Answer(result=result, said=said, target=f"{cwd} kind={params.kind}")

    def _check_name(self, name: str | None) -> None:
        if name is not None and any(info.name == name for info in self._flock.infos):
            raise _taken(name)

    def _environ(self, params: AgentStartParams) -> dict[str, str] | None:
        """What the pane is to have beside the host's own environment: our host may be older than what was installed
        since; herdr's panes are none of our business."""
        path = params.search_path or self._config.environ.get("PATH")
        return {"PATH": path} if path and self._hosting.is_embedded else None

    async def _check_kind(self, name: str, environ: Mapping[str, str] | None) -> None:
        known = [manifest.agent for manifest in await self._host.agent_manifests()]
        if name not in known:
            raise WireError(
                Code.INVALID_PARAMS, f"{name} is no kind of agent that the host knows; it knows {', '.join(known)}"
            )
        kind = kind_named(name)
        here = {**self._config.environ, **(environ or {})}
        if kind is not None and self._hosting.is_embedded and not await is_installed(kind, here):
            raise WireError(
                Code.NOT_FOUND,
                f"{kind.title} is not installed: no {kind.executables[0]} in PATH, nor in your shell's own",
            )

    async def _start_in(self, pane: PaneInfo, params: AgentStartParams) -> str:
        """Have the agent started, by whatever name is free; the name. A pane in which nothing was started is closed."""
        try:
            return await self._start_by_some_name(pane, params)
        except (HostUnavailable, HostRefused, WireError) as exc:
            raise await self._not_started(pane, exc) from exc

    async def _start_by_some_name(self, pane: PaneInfo, params: AgentStartParams) -> str:
        for name in self._names(params):
            try:
                await self._start_named(pane, name, params.kind)
            except HostRefused as exc:
                if exc.code != "agent_name_taken":
                    raise
                if params.name is not None:
                    raise _taken(name) from exc
            else:
                return name
        raise WireError(Code.INTERNAL, "no name was free for the agent")

    async def _start_named(self, pane: PaneInfo, name: str, kind: str) -> None:
        deadline = trio.current_time() + BUSY_SECONDS
        while True:
            try:
                await self._host.agent_start(str(name), str(kind), pane.pane_id, timeout_ms=LAUNCH_MS)
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

    async def _not_started(self, pane: PaneInfo, trouble: HostUnavailable | HostRefused | WireError) -> WireError:
        """Close the workspace again, unless something may run in it; what is then to be said."""
        code = trouble.code if isinstance(trouble, HostRefused) else ""
        if code in PANE_GONE:
            error = WireError(Code.AGENT_NOT_READY, "the shell of its pane ended at once; is SHELL set to a shell?")
        elif code == "agent_pane_busy":
            error = WireError(Code.AGENT_NOT_READY, f"its shell is busy with something else; see {self._where(pane)}")
        else:
            error = _as_wire(trouble)
        if not isinstance(trouble, HostUnavailable) and code not in KEPT_FOR:
            await self._give_back(pane)
        return await self._left(pane, error)

    async def _give_back(self, pane: PaneInfo) -> None:
        try:
            await self._host.workspace_close(pane.workspace_id)
        except (HostUnavailable, HostRefused) as exc:
            log.debug("workspace %s was not closed again: %s", pane.workspace_id, exc)

    async def _left(self, pane: PaneInfo, error: WireError) -> WireError:
        """What is to be said, given whether the workspace is still there."""
        try:
            there = await self._host.workspace_list()
        except (HostUnavailable, HostRefused):
            return _left_open(pane, error)
        is_open = any(each.workspace_id == pane.workspace_id for each in there)
        return _left_open(pane, error) if is_open else error

    async def _wait_ready(self, pane: PaneInfo, name: str, kind: str) -> None:
        """Until the agent can be spoken to. Raises WireError when it does not come to that."""
        await self._reconciler.refresh()
        with trio.move_on_after(READY_SECONDS):
            while not await self._is_ready(self._flock.info(pane.terminal_id), pane, name, kind):
                await self._reconciler.wait_round(READY_PAUSE)
            return
        message = f"agent did not become ready within {READY_SECONDS:.0f} s"
        info = self._flock.info(pane.terminal_id)
        if info is not None and info.agent is None:
            message += f"; its shell has not started it yet; see {self._where(pane)}"
        raise WireError(Code.AGENT_NOT_READY, message)

    def _where(self, pane: PaneInfo) -> str:
        """Where a person sees what the pane shows."""
        return f"`collie host attach {pane.pane_id}`" if self._hosting.is_embedded else f"pane {pane.pane_id} in herdr"

    async def _is_ready(self, info: AgentInfo | None, pane: PaneInfo, name: str, kind: str) -> bool:
        if info is None:
            raise WireError(Code.AGENT_NOT_READY, "agent exited before becoming interactive")
        if info.name != name or info.agent not in (None, kind):
            raise WireError(Code.AGENT_NOT_READY, "the new pane no longer hosts the started agent")
        if info.agent_status is AgentStatus.BLOCKED:
            raise WireError(Code.AGENT_BLOCKED, await self._why_blocked(pane, kind))
        return info.interactive_ready and info.agent_status in _ready_statuses(kind)

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


def _ready_statuses(name: str) -> frozenset[AgentStatus]:
    """What an agent that was started shows when it waits. A kind whose idle screen cannot be told apart may stay
    unknown; one whose input box is read shows that box first."""
    kind = kind_named(name)
    stays_unknown = kind is not None and kind.assumed_idle is State.UNKNOWN and not kind.reads_dialogs
    return frozenset({AgentStatus.IDLE, AgentStatus.DONE} | ({AgentStatus.UNKNOWN} if stays_unknown else set()))


def _taken(name: str) -> WireError:
    return WireError(Code.INVALID_PARAMS, f"another agent is called {name}")


def _as_wire(error: HostUnavailable | HostRefused | WireError) -> WireError:
    return error if isinstance(error, WireError) else wire_error(error)


def _left_open(pane: PaneInfo, error: WireError) -> WireError:
    message = f"workspace {pane.workspace_id} was created and left open: {error.message}"
    return WireError(error.code, message, draft=error.draft)
