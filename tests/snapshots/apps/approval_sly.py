"""A command that hides characters, and draws a menu of its own."""

from tools.memory_engine import MemoryEngine
from tools.pictures import NOW, build_busy, build_sly

from collie.tui.app import CollieApp

app = CollieApp(MemoryEngine(build_busy(approvals=(build_sly(),))), wall_ms=lambda: NOW, settle_seconds=0)
