"""One question of sixty lines."""

from tools.memory_engine import MemoryEngine
from tools.pictures import NOW, build_busy, build_long

from collie.tui.app import CollieApp

app = CollieApp(MemoryEngine(build_busy(approvals=(build_long(),))), wall_ms=lambda: NOW, settle_seconds=0)
