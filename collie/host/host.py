"""The host's acts: opening and closing panes, moving the focus. Each does its work and tells what happened.

Nothing here waits: an act is done before any other begins. New panes go through `born` to the task that runs them.
"""

import logging
import os
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import trio

from collie.agents.facts import State
from collie.herdr.models import WorkspaceInfo
from collie.host import descriptors, narrate, records
from collie.host.environment import Place, pane_environment
from collie.host.kinds import Kinds
from collie.host.layout import Left, Slot, Tab, Workspace
from collie.host.narrate import Focus
from collie.host.pane import Pane
from collie.host.pty import Command, Pty, SpawnFailed
from collie.host.refused import Refusals
from collie.host.session import Session
from collie.host.splits import Direction

FALLBACK_SHELL: Final = "/bin/sh"

MAX_PANES: Final = 160
"""Panes of one host, so that all that is said of them fits into one line of the API (`said.RECORD_BYTES`)."""

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Setup:
    """What a host is started with: where it listens, what it knows, what it gives to its panes.

    `open_files` is how many files a program in a pane may have open.
    """

    socket: Path
    kinds: Kinds
    environ: Mapping[str, str]
    scripts: str | None
    open_files: int
    started_us: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Opening:
    """What a caller wants to run in a new pane."""

    cwd: str | None
    env: Mapping[str, str]
    focus: bool


class Host:
    """One host: its session, and what changes it."""

    def __init__(self, setup: Setup, born: "trio.MemorySendChannel[Pane]") -> None:
        self.setup = setup
        self.session = Session(setup.started_us)
        self.refusals = Refusals()
        self.stopping = trio.Event()
        self._born = born

    # Opening

    def open_workspace(self, opening: Opening, label: str | None) -> Pane:
        """A workspace with one tab and one pane.

        Raises: SpawnFailed.
        """
        before = Focus.of(self.session)
        folder = self._folder(opening.cwd, None)
        slot = self.session.layout.create_workspace(label=label, folder=folder)
        pane = self._run(slot, folder, opening.env)
        narrate.workspace_opened(self.session, pane)
        self._focus_new(pane, before, focus=opening.focus)
        return pane

    def open_tab(self, workspace: Workspace, opening: Opening, label: str | None) -> Pane:
        """A tab with one pane.

        Raises: SpawnFailed.
        """
        before = Focus.of(self.session)
        folder = self._folder(opening.cwd, self.session.pane(workspace.active.focused))
        pane = self._run(self.session.layout.create_tab(workspace, label=label), folder, opening.env)
        narrate.tab_opened(self.session, pane)
        self._focus_new(pane, before, focus=opening.focus)
        return pane

    def split_pane(self, beside: Pane, opening: Opening, direction: Direction, ratio: float) -> Pane:
        """A pane beside another, which gets narrower or lower.

        Raises: SpawnFailed.
        """
        before = Focus.of(self.session)
        folder = self._folder(opening.cwd, beside)
        pane = self._run(self.session.layout.split(beside.slot, direction, ratio), folder, opening.env)
        self._fit(pane.slot.tab)
        narrate.pane_opened(self.session, pane)
        self._focus_new(pane, before, focus=opening.focus)
        return pane

    def _run(self, slot: Slot, folder: str, env: Mapping[str, str]) -> Pane:
        box = self.session.layout.boxes(slot.tab)[slot.pane_id]
        place = Place(
            socket=str(self.setup.socket),
            workspace_id=slot.workspace.workspace_id,
            tab_id=slot.tab.tab_id,
            pane_id=slot.pane_id,
        )
        command = Command(
            argv=_shell(self.setup.environ),
            cwd=folder,
            env=pane_environment(self.setup.environ, env, place, cwd=folder, scripts=self.setup.scripts),
            columns=box.width,
            rows=box.height,
            open_files=self.setup.open_files,
        )
        try:
            self._check_room()
            pty = Pty.spawn(command)
        except SpawnFailed as exc:
            self.session.layout.remove(slot)
            if count := self.refusals.count("pane", trio.current_time()):
                log.warning("a pane could not be opened, times: %d: %s", count, exc)
            raise
        pane = Pane(slot, self.session.next_terminal_id(), pty, columns=box.width, rows=box.height)
        self.session.add(pane)
        self._born.send_nowait(pane)
        return pane

    def _check_room(self) -> None:
        """Raises: SpawnFailed."""
        if len(self.session.panes_by_age()) >= MAX_PANES:
            raise SpawnFailed(f"this host has {MAX_PANES} panes, and takes no more: close some")
        if descriptors.left() <= descriptors.RESERVE:
            raise SpawnFailed(
                f"too few open files are left for another pane (the host may have {descriptors.limit()}): "
                "close some, or start the host again where `ulimit -n` is higher"
            )

    def _folder(self, asked: str | None, beside: Pane | None) -> str:
        """Where a new shell starts: where it was asked for, else where its neighbour is, else at home."""
        home = self.setup.environ.get("HOME") or "/"
        candidates = (asked and os.path.expanduser(asked), beside and beside.cwd(), home)
        return next((each for each in candidates if each and os.path.isabs(each) and os.path.isdir(each)), "/")

    def _focus_new(self, pane: Pane, before: Focus, *, focus: bool) -> None:
        if focus:
            self.session.layout.focus(pane.slot)
        narrate.focus_moved(self.session, before)

    # Focus

    def focus(self, slot: Slot) -> None:
        """Give the focus to a pane: somebody looks at its tab now."""
        before = Focus.of(self.session)
        unseen = [each for each in self.session.layout.slots_of(slot.tab) if not each.seen]
        self.session.layout.focus(slot)
        narrate.focus_moved(self.session, before)
        for each in unseen:
            narrate.status_shown(self.session, self.session.pane_in(each))

    def look_at(self, pane: Pane) -> None:
        """Somebody acts on a pane, so has seen it."""
        if not pane.slot.seen:
            pane.slot.seen = True
            narrate.status_shown(self.session, pane)

    def is_blocked(self, pane: Pane) -> bool:
        """Whether the pane's agent waits for an answer; its screen is read now, so that none can be a tick ahead."""
        machine = pane.agent.machine
        kind = self.setup.kinds.named(machine.kind) if machine.kind else None
        if kind is None:
            return False
        pane.settle(trio.current_time())
        return machine.state is State.BLOCKED or kind.detect(pane.seen()).state is State.BLOCKED

    # Closing

    def close_pane(self, pane: Pane) -> None:
        """Take a pane away; what runs in it ends."""
        workspace = self._last_words(pane.slot.workspace)
        left = self._remove(pane)
        narrate.pane_closed(self.session, pane)
        if left.workspace:
            narrate.workspace_closed(self.session, workspace)
        elif not left.tab:
            narrate.layout_changed(self.session, pane.slot.tab)

    def close_tab(self, tab: Tab) -> None:
        """Take a tab away with its panes."""
        workspace = self._last_words(tab.workspace)
        lefts = [self._remove(self.session.pane_in(slot)) for slot in list(self.session.layout.slots_of(tab))]
        narrate.tab_closed(self.session, tab)
        if lefts[-1].workspace:
            narrate.workspace_closed(self.session, workspace)

    def close_workspace(self, workspace: Workspace) -> None:
        """Take a workspace away with its panes."""
        info = self._last_words(workspace)
        for slot in list(self.session.layout.slots(workspace)):
            self._remove(self.session.pane_in(slot))
        narrate.workspace_closed(self.session, info)

    def pane_exited(self, pane: Pane) -> None:
        """The shell of a pane ended. A pane that was closed is no longer there."""
        if not self.session.holds(pane):
            return
        left = self._remove(pane)
        narrate.pane_exited(self.session, pane)
        if not left.tab:
            narrate.layout_changed(self.session, pane.slot.tab)

    def _last_words(self, workspace: Workspace) -> WorkspaceInfo:
        return records.workspace_info(self.session, workspace)

    def _remove(self, pane: Pane) -> Left:
        left = self.session.layout.remove(pane.slot)
        self.session.discard(pane)
        pane.closed.set()
        if not left.tab:
            self._fit(pane.slot.tab)
        return left

    def _fit(self, tab: Tab) -> None:
        """Give the panes of a tab the sizes that its division gives them."""
        for pane_id, box in self.session.layout.boxes(tab).items():
            if pane := self.session.pane(pane_id):
                pane.resize(box.width, box.height)


def _shell(environ: Mapping[str, str]) -> tuple[str, ...]:
    """The user's shell; macOS starts login shells in terminals, since its profile sets PATH."""
    shell = environ.get("SHELL", "")
    if not os.path.isabs(shell) or not os.access(shell, os.X_OK):
        shell = FALLBACK_SHELL
    return (shell, "-l") if sys.platform == "darwin" else (shell,)
