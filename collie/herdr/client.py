"""Calls to the host, herdr or our own: one request a connection, typed answers, nothing tried twice.

Ids are the host's: `pane_id` the current id of a pane, `target` such an id or an agent's name. A terminal id is
neither; look up the pane in the latest list right before a call.
"""

import itertools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, TypeVar

import msgspec
import trio

from collie.herdr import models as m
from collie.herdr.connection import connect, refusal
from collie.herdr.errors import HostUnavailable
from collie.herdr.wire import Failure, Request

REPLY_TIMEOUT: Final = 5.0
"""Seconds for a whole call. herdr has no limit of its own for ordinary requests."""

WORKTREE_TIMEOUT: Final = 60.0
"""Seconds for calls that wait for git."""

R = TypeVar("R", bound=m.Result)


class HostClient:
    """Talks to the host at one socket. It keeps no connection, so it needs no closing and may be shared.

    Every call raises HostUnavailable when no (sensible) answer came, HostRefused with the host's code when it said no,
    and WireError when the request cannot be written at all (over 1 MB, or text that is not Unicode). Input is never
    sent twice: whether to try again is for the caller, who can look at the screen first.
    """

    def __init__(self, socket_path: Path) -> None:
        self.socket_path = socket_path
        self._ids = itertools.count(1)

    def request(self, method: str, **params: object) -> Request:
        """A request with an id of its own; params that are None are left out."""
        present = {key: value for key, value in params.items() if value is not None}
        return Request(f"collie-{next(self._ids)}", method, present)

    async def _call(self, answer: type[R], method: str, timeout: float = REPLY_TIMEOUT, /, **params: object) -> R:
        request = self.request(method, **params)
        sent = False
        try:
            with trio.fail_after(timeout):
                async with await connect(self.socket_path, request) as connection:
                    sent = True
                    reply = await connection.receive_reply(request.id)
        except trio.TooSlowError as exc:
            raise HostUnavailable(f"no answer to {method} within {timeout:g} s", sent=sent) from exc
        if isinstance(reply, Failure):
            raise refusal(reply.error)
        try:
            return msgspec.convert(reply.result, answer)
        except msgspec.ValidationError as exc:
            raise HostUnavailable(f"the host's answer to {method} makes no sense: {exc}", sent=True) from exc

    # Server

    async def ping(self) -> m.Pong:
        """Who is there. herdr answers even while its other calls hang: `agent_list` is the proof of life."""
        return await self._call(m.Pong, "ping")

    async def snapshot(self) -> m.SessionSnapshot:
        """One consistent picture; an empty one right after a host's start does not mean that all is gone."""
        return (await self._call(m.SessionSnapshotResult, "session.snapshot")).snapshot

    async def agent_manifests(self) -> tuple[m.Manifest, ...]:
        """The kinds of agents that the host knows."""
        return (await self._call(m.AgentManifestStatus, "server.agent_manifests")).manifests

    async def server_stop(self) -> None:
        """End the host and everything in its panes."""
        await self._call(m.Ok, "server.stop")

    # Agents

    async def agent_list(self) -> tuple[m.AgentInfo, ...]:
        """All agents, launches on their way included."""
        return (await self._call(m.AgentList, "agent.list")).agents

    async def agent_get(self, target: str) -> m.AgentInfo:
        """One agent."""
        return (await self._call(m.AgentResult, "agent.get", target=target)).agent

    async def agent_explain(self, target: str) -> m.Explain:
        """Why the agent has its status."""
        return (await self._call(m.AgentExplain, "agent.explain", target=target)).explain

    async def agent_prompt(self, target: str, text: str) -> m.AgentInfo:
        """Type a prompt and Enter. Refused (`agent_blocked`) while a question is open.

        The text must hold no control characters but newlines: a paste terminator in it would break the framing.
        """
        return (await self._call(m.AgentPrompted, "agent.prompt", target=target, text=text)).agent

    async def agent_send_keys(self, target: str, keys: Sequence[str]) -> None:
        """Press keys if the agent is in the foreground, whatever it shows: to know that is up to the caller."""
        await self._call(m.Ok, "agent.send_keys", target=target, keys=keys)

    async def agent_start(
        self, name: str, kind: str, pane_id: str, args: Sequence[str] = (), *, timeout_ms: int | None = None
    ) -> m.AgentStarted:
        """Start an agent in a pane that runs only a shell; answered at once, while the launch is pending."""
        return await self._call(
            m.AgentStarted,
            "agent.start",
            name=name,
            kind=kind,
            pane_id=pane_id,
            args=args or None,
            timeout_ms=timeout_ms,
        )

    async def agent_focus(self, target: str) -> m.AgentInfo:
        """Focus its pane, which marks it as seen: done becomes idle."""
        return (await self._call(m.AgentResult, "agent.focus", target=target)).agent

    # Workspaces and tabs

    async def workspace_create(
        self, cwd: str, *, label: str | None = None, env: Mapping[str, str] | None = None, focus: bool = False
    ) -> m.WorkspaceCreated:
        """A new workspace with one tab and one pane, which runs a shell."""
        return await self._call(m.WorkspaceCreated, "workspace.create", cwd=cwd, label=label, env=env, focus=focus)

    async def workspace_list(self) -> tuple[m.WorkspaceInfo, ...]:
        """All workspaces, in their order."""
        return (await self._call(m.WorkspaceList, "workspace.list")).workspaces

    async def workspace_rename(self, workspace_id: str, label: str) -> m.WorkspaceInfo:
        """Give it a name."""
        params = {"workspace_id": workspace_id, "label": label}
        return (await self._call(m.WorkspaceResult, "workspace.rename", **params)).workspace

    async def workspace_close(self, workspace_id: str) -> None:
        """Close it with its panes. herdr 0.8.2 closes a worktree group's other workspaces along with its main one."""
        await self._call(m.Ok, "workspace.close", workspace_id=workspace_id)

    async def tab_create(
        self,
        workspace_id: str,
        *,
        cwd: str | None = None,
        label: str | None = None,
        env: Mapping[str, str] | None = None,
        focus: bool = False,
    ) -> m.TabCreated:
        """A new tab with one pane, which runs a shell."""
        params = {"workspace_id": workspace_id, "cwd": cwd, "label": label, "env": env, "focus": focus}
        return await self._call(m.TabCreated, "tab.create", **params)

    async def tab_list(self, workspace_id: str | None = None) -> tuple[m.TabInfo, ...]:
        """The tabs of one workspace, or all."""
        return (await self._call(m.TabList, "tab.list", workspace_id=workspace_id)).tabs

    async def tab_rename(self, tab_id: str, label: str) -> m.TabInfo:
        """Give it a name."""
        return (await self._call(m.TabResult, "tab.rename", tab_id=tab_id, label=label)).tab

    async def tab_close(self, tab_id: str) -> None:
        """Close it with its panes; the last tab takes its workspace along."""
        await self._call(m.Ok, "tab.close", tab_id=tab_id)

    # Panes

    async def pane_list(self, workspace_id: str | None = None) -> tuple[m.PaneInfo, ...]:
        """The panes of one workspace, or all."""
        return (await self._call(m.PaneList, "pane.list", workspace_id=workspace_id)).panes

    async def pane_get(self, pane_id: str) -> m.PaneInfo:
        """One pane."""
        return (await self._call(m.PaneResult, "pane.get", pane_id=pane_id)).pane

    async def pane_read(
        self, pane_id: str, source: m.ReadSource, *, lines: int | None = None, format: m.ReadFormat = m.ReadFormat.ANSI
    ) -> m.PaneRead:
        """What the pane shows.

        A text read of `recent` may make herdr scroll the program: poll with ansi, or read visible or detection.
        Detection is plain text in either format.
        """
        params = {"pane_id": pane_id, "source": source, "lines": lines, "format": format}
        return (await self._call(m.PaneReadResult, "pane.read", **params)).read

    async def pane_layout(self, pane_id: str) -> m.PaneLayout:
        """How the pane's tab is divided."""
        return (await self._call(m.PaneLayoutResult, "pane.layout", pane_id=pane_id)).layout

    async def pane_process_info(self, pane_id: str) -> m.ProcessInfo:
        """Its shell and what stands in the foreground."""
        return (await self._call(m.PaneProcessInfo, "pane.process_info", pane_id=pane_id)).process_info

    async def pane_close(self, pane_id: str) -> None:
        """Close it and end what runs in it."""
        await self._call(m.Ok, "pane.close", pane_id=pane_id)

    # Input. With `expect` a host that offers conditional input writes only while the screen still shows those rows,
    # and raises ScreenChanged otherwise; another host ignores it.

    async def pane_send_text(self, pane_id: str, text: str, *, expect: m.Expect | None = None) -> None:
        """Write the text's own bytes, without paste framing."""
        await self._call(m.Ok, "pane.send_text", pane_id=pane_id, text=text, expect=expect)

    async def pane_send_keys(self, pane_id: str, keys: Sequence[str], *, expect: m.Expect | None = None) -> None:
        """Press keys, all or (if one has no such name) none."""
        await self._call(m.Ok, "pane.send_keys", pane_id=pane_id, keys=keys, expect=expect)

    async def pane_send_input(
        self,
        pane_id: str,
        *,
        text: str | None = None,
        keys: Sequence[str] | None = None,
        expect: m.Expect | None = None,
    ) -> None:
        """Text, pasted where the program wants that, and then keys, in one write."""
        await self._call(m.Ok, "pane.send_input", pane_id=pane_id, text=text, keys=keys, expect=expect)

    # Worktrees

    async def worktree_list(self, cwd: str) -> m.WorktreeList:
        """The checkouts of the repository at `cwd`."""
        return await self._call(m.WorktreeList, "worktree.list", WORKTREE_TIMEOUT, cwd=cwd)

    async def worktree_create(
        self, cwd: str, *, branch: str, path: str, base: str | None = None, label: str | None = None
    ) -> m.WorktreeCreated:
        """A checkout of its own for a branch, opened as a workspace."""
        params = {"cwd": cwd, "branch": branch, "path": path, "base": base, "label": label, "focus": False}
        return await self._call(m.WorktreeCreated, "worktree.create", WORKTREE_TIMEOUT, **params)

    async def worktree_open(self, cwd: str, *, path: str, label: str | None = None) -> m.WorktreeOpened:
        """Open a checkout that is there as a workspace."""
        params = {"cwd": cwd, "path": path, "label": label, "focus": False}
        return await self._call(m.WorktreeOpened, "worktree.open", WORKTREE_TIMEOUT, **params)

    async def worktree_remove(self, workspace_id: str, *, force: bool = False) -> m.WorktreeRemoved:
        """Remove the checkout; with `force`, uncommitted files go too."""
        params = {"workspace_id": workspace_id, "force": force}
        return await self._call(m.WorktreeRemoved, "worktree.remove", WORKTREE_TIMEOUT, **params)
