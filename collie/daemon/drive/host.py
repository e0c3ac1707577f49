"""What driving an agent needs of the host: the part of `HostClient` that a test double fills too."""

from collections.abc import Sequence
from typing import Protocol

from collie.herdr.models import AgentInfo, PaneLayout, PaneRead, ReadFormat, ReadSource, SessionSnapshot


class AgentPanes(Protocol):
    """Calls about agents; HostUnavailable and HostRefused as `HostClient` raises them."""

    async def snapshot(self) -> SessionSnapshot:
        """Everything there is."""

    async def agent_list(self) -> tuple[AgentInfo, ...]:
        """All agents."""

    async def agent_get(self, target: str) -> AgentInfo:
        """The agent in a pane."""

    async def agent_prompt(self, target: str, text: str) -> AgentInfo:
        """Type a prompt and Enter."""

    async def agent_send_keys(self, target: str, keys: Sequence[str]) -> None:
        """Press keys, if the agent is in the foreground."""

    async def agent_focus(self, target: str) -> AgentInfo:
        """Focus its pane, which marks it as seen."""

    async def pane_layout(self, pane_id: str) -> PaneLayout:
        """How the pane's tab is divided."""

    async def pane_read(
        self, pane_id: str, source: ReadSource, *, lines: int | None = None, format: ReadFormat = ReadFormat.ANSI
    ) -> PaneRead:
        """What the pane shows."""

    async def pane_close(self, pane_id: str) -> None:
        """Close it and end what runs in it."""
