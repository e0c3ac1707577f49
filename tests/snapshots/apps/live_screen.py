"""The live screen of an agent, with the question it asks."""

from tools.memory_engine import MemoryEngine
from tools.pictures import NOW, SCREEN, build_approval, build_busy

from collie.tui.app import CollieApp

app = CollieApp(
    MemoryEngine(build_busy(output=SCREEN, approvals=(build_approval(),))), wall_ms=lambda: NOW, settle_seconds=0
)
