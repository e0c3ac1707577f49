"""What approvals need of the host: the part of `HostClient` that a test double fills too."""

from collections.abc import Sequence
from typing import Protocol

from collie.herdr.models import (
    AgentInfo,
    Expect,
    PaneInfo,
    PaneLayout,
    PaneRead,
    Pong,
    ProcessInfo,
    ReadFormat,
    ReadSource,
)


class Panes(Protocol):
    """Calls about panes and agents; HostUnavailable and HostRefused as `HostClient` raises them.

    A host without conditional input ignores `expect`.
    """

    async def ping(self) -> Pong:
        """What the host can do."""

    async def agent_list(self) -> tuple[AgentInfo, ...]:
        """All agents."""

    async def agent_get(self, target: str) -> AgentInfo:
        """The agent in a pane."""

    async def pane_get(self, pane_id: str) -> PaneInfo:
        """One pane."""

    async def pane_layout(self, pane_id: str) -> PaneLayout:
        """How the pane's tab is divided."""

    async def pane_process_info(self, pane_id: str) -> ProcessInfo:
        """Its shell and what stands in the foreground."""

    async def pane_read(
        self, pane_id: str, source: ReadSource, *, lines: int | None = None, format: ReadFormat = ReadFormat.ANSI
    ) -> PaneRead:
        """What the pane shows."""

    async def pane_send_keys(self, pane_id: str, keys: Sequence[str], *, expect: Expect | None = None) -> None:
        """Press keys, unless the screen is not the expected one."""

    async def pane_send_text(self, pane_id: str, text: str, *, expect: Expect | None = None) -> None:
        """Write text as it is, under the same condition."""
