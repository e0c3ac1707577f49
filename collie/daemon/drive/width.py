"""How wide a pane is, for readers that must know where an agent wraps."""

from typing import Protocol

from collie.herdr.errors import HostRefused
from collie.herdr.models import PaneLayout


class Layouts(Protocol):
    """Asks how a tab is divided."""

    async def pane_layout(self, pane_id: str) -> PaneLayout:
        """The division of the pane's tab."""


async def columns_of(host: Layouts, pane_id: str) -> int | None:
    """The pane's columns; None where its box is not its own size: in a zoomed tab, or with borders between panes.

    Readers then take the width from the rules that the agent draws. Raises HostUnavailable.
    """
    try:
        layout = await host.pane_layout(pane_id)
    except HostRefused:
        return None
    if layout.zoomed or len(layout.panes) != 1:
        return None
    return layout.panes[0].rect.width
