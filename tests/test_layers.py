"""The rooms import only whom they may: proved by importing them, and by reading what the cores import."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent / "collie"

ALLOWED: dict[str, set[str]] = {
    "protocol": set(),
    "screen": set(),
    "tls": set(),
    "tailnet": set(),
    "store": set(),
    "practice": set(),
    "herdr": set(),
    "agents": {"screen"},
    "host": {"herdr", "agents", "screen", "store"},
    "client": {"protocol", "tls", "tailnet", "store"},
    "daemon": {"protocol", "tls", "tailnet", "store", "herdr", "agents", "screen"},
    "tui": {"client", "protocol", "screen", "tls", "tailnet", "store"},
}
"""What may be loaded when a room is imported whole: what it may import, and what those may import."""

CORES = (
    "protocol",
    "screen",
    "agents",
    "herdr/wire.py",
    "herdr/models",
    "host/terminal",
    "host/layout.py",
    "host/status.py",
    "daemon/approvals/machine.py",
    "daemon/approvals/fingerprint.py",
    "daemon/drive/box.py",
    "daemon/drive/outcomes.py",
    "daemon/flock.py",
    "daemon/gate.py",
    "daemon/device.py",
    "daemon/pairing/candidate.py",
    "daemon/pairing/events.py",
    "daemon/pairing/machine.py",
    "daemon/pairing/rules.py",
    "tailnet/preamble.py",
    "tls/pins.py",
    "tls/pins.py",
    "tls/judge.py",
    "client/backoff.py",
    "client/picture.py",
)
IMPURE = {
    "asyncio", "io", "logging", "os", "pathlib", "random", "secrets", "select", "signal", "socket", "ssl",
    "subprocess", "textual", "threading", "time", "trio",
}  # fmt: skip

LOAD = """
import importlib, pkgutil, sys
room = importlib.import_module(sys.argv[1])
for each in pkgutil.walk_packages(getattr(room, "__path__", []), sys.argv[1] + "."):
    importlib.import_module(each.name)
print(" ".join(sorted({name.split(".")[1] for name in sys.modules if name.startswith("collie.")})))
"""


@pytest.mark.parametrize("room", ALLOWED)
def test_a_room_loads_only_its_allowed_rooms(room: str) -> None:
    loaded = subprocess.run(
        [sys.executable, "-c", LOAD, f"collie.{room}"], capture_output=True, text=True, check=True
    ).stdout.split()
    assert set(loaded) - {room, "errors"} <= ALLOWED[room]


def test_no_room_is_forgotten() -> None:
    rooms = {path.stem for path in ROOT.iterdir() if not path.name.startswith(("__", "py.typed"))}
    assert rooms - {"cli", "errors"} == set(ALLOWED)


@pytest.mark.parametrize("core", CORES)
def test_a_core_does_no_input_or_output(core: str) -> None:
    path = ROOT / core
    assert path.exists()
    for file in path.rglob("*.py") if path.is_dir() else [path]:
        assert not (_imported(file) & IMPURE), file.relative_to(ROOT)


def _imported(file: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(file.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names.add(node.module.split(".")[0])
    return names
