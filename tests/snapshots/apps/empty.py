"""A connected machine without agents."""

from tools.memory_engine import MemoryEngine
from tools.pictures import NOW, build_picture

from collie.tui.app import CollieApp

app = CollieApp(MemoryEngine(build_picture()), wall_ms=lambda: NOW, settle_seconds=0)
