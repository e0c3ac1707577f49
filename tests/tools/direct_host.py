"""A fake host without a socket: the calls of `HostClient` answered from memory, one checkpoint each.

`before` is called right before each call takes effect: the place where a test lets the world change.
"""

from collections.abc import Awaitable, Callable, Sequence
from typing import Any, TypeVar

import msgspec
import trio
from tools.fake_methods import METHODS
from tools.fake_session import FakeSession, Refused

from collie.herdr import models as m
from collie.herdr.errors import HostRefused, ScreenChanged
from collie.herdr.wire import SCREEN_CHANGED

R = TypeVar("R", bound=m.Result)


async def _nothing(method: str) -> None:
    """Let the call take effect at once."""


class DirectHost:
    """Calls `session`, which a test scripts as it does a `FakeHerdr`."""

    def __init__(self, session: FakeSession, before: Callable[[str], Awaitable[None]] = _nothing) -> None:
        self.session = session
        self.before = before

    async def ping(self) -> m.Pong:
        return await self._call(m.Pong, "ping")

    async def agent_list(self) -> tuple[m.AgentInfo, ...]:
        return (await self._call(m.AgentList, "agent.list")).agents

    async def agent_get(self, target: str) -> m.AgentInfo:
        return (await self._call(m.AgentResult, "agent.get", target=target)).agent

    async def agent_prompt(self, target: str, text: str) -> m.AgentInfo:
        return (await self._call(m.AgentPrompted, "agent.prompt", target=target, text=text)).agent

    async def agent_send_keys(self, target: str, keys: Sequence[str]) -> None:
        await self._call(m.Ok, "agent.send_keys", target=target, keys=list(keys))

    async def agent_focus(self, target: str) -> m.AgentInfo:
        return (await self._call(m.AgentResult, "agent.focus", target=target)).agent

    async def snapshot(self) -> m.SessionSnapshot:
        return (await self._call(m.SessionSnapshotResult, "session.snapshot")).snapshot

    async def pane_get(self, pane_id: str) -> m.PaneInfo:
        return (await self._call(m.PaneResult, "pane.get", pane_id=pane_id)).pane

    async def pane_process_info(self, pane_id: str) -> m.ProcessInfo:
        return (await self._call(m.PaneProcessInfo, "pane.process_info", pane_id=pane_id)).process_info

    async def pane_layout(self, pane_id: str) -> m.PaneLayout:
        return (await self._call(m.PaneLayoutResult, "pane.layout", pane_id=pane_id)).layout

    async def pane_close(self, pane_id: str) -> None:
        await self._call(m.Ok, "pane.close", pane_id=pane_id)

    async def pane_read(
        self, pane_id: str, source: m.ReadSource, *, lines: int | None = None, format: m.ReadFormat = m.ReadFormat.ANSI
    ) -> m.PaneRead:
        params = {"pane_id": pane_id, "source": source, "lines": lines, "format": format}
        return (await self._call(m.PaneReadResult, "pane.read", **params)).read

    async def pane_send_keys(self, pane_id: str, keys: Sequence[str], *, expect: m.Expect | None = None) -> None:
        await self._call(m.Ok, "pane.send_keys", pane_id=pane_id, keys=list(keys), **_condition(expect))

    async def pane_send_text(self, pane_id: str, text: str, *, expect: m.Expect | None = None) -> None:
        await self._call(m.Ok, "pane.send_text", pane_id=pane_id, text=text, **_condition(expect))

    async def _call(self, answer: type[R], method: str, **params: Any) -> R:
        await trio.lowlevel.checkpoint()
        await self.before(method)
        self.session.sent.append((method, params))
        before = len(self.session.typed)
        try:
            result = METHODS[method](self.session, params)
        except Refused as refused:
            kind = ScreenChanged if refused.fault.code == SCREEN_CHANGED else HostRefused
            raise kind(refused.fault.code, refused.fault.message) from refused
        for reaction in self.session.reactions(self.session.typed[before:]):
            self.session.react(reaction)
        if not isinstance(result, answer):
            raise TypeError(f"{method} gave {type(result).__name__}")
        return result


def _condition(expect: m.Expect | None) -> dict[str, Any]:
    return {} if expect is None else {"expect": msgspec.to_builtins(expect)}
