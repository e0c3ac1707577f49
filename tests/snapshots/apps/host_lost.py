"""The host went, and three agents with it."""

from tools.memory_engine import MemoryEngine
from tools.pictures import LOST, NOW, build_approval, build_busy

from collie.tui.app import CollieApp

app = CollieApp(
    MemoryEngine(build_busy(host=LOST, approvals=(build_approval(),))), wall_ms=lambda: NOW, settle_seconds=0
)
