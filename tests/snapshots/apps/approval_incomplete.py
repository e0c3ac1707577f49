"""One question of which a part is off its screen."""

from tools.memory_engine import MemoryEngine
from tools.pictures import NOW, build_busy, build_incomplete

from collie.tui.app import CollieApp

app = CollieApp(MemoryEngine(build_busy(approvals=(build_incomplete(),))), wall_ms=lambda: NOW, settle_seconds=0)
