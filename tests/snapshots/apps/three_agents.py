"""Three agents, of which none asks anything that is known."""

from tools.memory_engine import MemoryEngine
from tools.pictures import NOW, build_busy

from collie.tui.app import CollieApp

app = CollieApp(MemoryEngine(build_busy()), wall_ms=lambda: NOW, settle_seconds=0)
