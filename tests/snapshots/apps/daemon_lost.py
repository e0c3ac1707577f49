"""The session with the daemon ended."""

from tools.memory_engine import MemoryEngine
from tools.pictures import NOW, build_approval, build_busy

from collie.client.picture import Link
from collie.tui.app import CollieApp

app = CollieApp(
    MemoryEngine(
        build_busy(link=Link.LOST, link_detail="the daemon closed the connection", approvals=(build_approval(),))
    ),
    wall_ms=lambda: NOW,
    settle_seconds=0,
)
