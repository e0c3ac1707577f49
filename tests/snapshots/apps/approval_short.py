"""One question that is on the screen as a whole."""

from tools.memory_engine import MemoryEngine
from tools.pictures import NOW, build_approval, build_busy

from collie.tui.app import CollieApp

app = CollieApp(MemoryEngine(build_busy(approvals=(build_approval(),))), wall_ms=lambda: NOW, settle_seconds=0)
