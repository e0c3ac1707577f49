"""Reads terminals for people: sanitised text with its colours, and the terminal's size."""

from typing import Final

from collie.herdr.client import HostClient
from collie.herdr.errors import HostRefused, HostUnavailable
from collie.herdr.models import AgentInfo
from collie.herdr.models import ReadSource as HostSource
from collie.herdr.wire import LineTooLong
from collie.protocol import limits
from collie.protocol.models import ReadSource, TerminalRead
from collie.screen.sanitize import sanitize

_SOURCES: Final = {ReadSource.VISIBLE: HostSource.VISIBLE, ReadSource.RECENT: HostSource.RECENT_UNWRAPPED}


async def read_terminal(
    client: HostClient, agent: AgentInfo, source: ReadSource, lines: int | None, size: tuple[int, int] | None = None
) -> TerminalRead:
    """What an agent's terminal shows. Reading changes nothing there.

    Args:
        lines: the newest so many; None for all of a visible screen. Fewer come when the host's answer would be too
            long for a line of its protocol.
        size: columns and rows where they are known; else they are asked for.

    Raises: HostUnavailable, HostRefused.
    """
    if lines is None and source is ReadSource.RECENT:
        lines = limits.WATCH_LINES
    text, truncated = await _text(client, agent.pane_id, source, lines)
    columns, rows = size or await size_of(client, agent.pane_id)
    return TerminalRead(
        terminal_id=agent.terminal_id,
        source=source,
        ansi=sanitize(text),
        truncated=truncated,
        columns=columns,
        rows=rows,
    )


async def size_of(client: HostClient, pane_id: str) -> tuple[int, int]:
    """Columns and rows of a pane; 0 and 0 when they are not known, as in a zoomed tab.

    Raises: HostUnavailable.
    """
    try:
        layout = await client.pane_layout(pane_id)
    except HostRefused:
        return 0, 0
    if layout.zoomed:
        return 0, 0
    found = (pane.rect for pane in layout.panes if pane.pane_id == pane_id)
    rect = next(found, None)
    return (rect.width, rect.height) if rect else (0, 0)


async def _text(client: HostClient, pane_id: str, source: ReadSource, lines: int | None) -> tuple[str, bool]:
    while True:
        try:
            read = await client.pane_read(pane_id, _SOURCES[source], lines=lines)
        except HostUnavailable as exc:
            if not isinstance(exc.__cause__, LineTooLong) or lines is None or lines < 2:
                raise
            lines //= 2
        else:
            return read.text, read.truncated
