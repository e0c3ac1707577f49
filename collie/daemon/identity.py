"""Who a client of the control socket is, and what it may ask for."""

from typing import Final

from collie.daemon.caller import COMMAND_LINE, DESK, HOOK, INSIDE_PANE, Caller
from collie.daemon.config import Config
from collie.daemon.hosting import Hosting
from collie.daemon.panes import PaneProcesses
from collie.daemon.tripwire import InsidePane, Peer, inside_pane
from collie.protocol.methods import MethodClass, Surface

DEVICE: Final = "control"
"""What is kept for a device (outcomes of operations) is kept for all clients of the control socket together."""

OPERATOR: Final = frozenset(MethodClass)
REPORTER: Final = frozenset({MethodClass.SESSION, MethodClass.HOOK})


class Identities:
    """Tells the operator from what runs inside a pane."""

    def __init__(self, *, config: Config, hosting: Hosting, panes: PaneProcesses) -> None:
        self._config = config
        self._hosting = hosting
        self._panes = panes

    def of(self, peer: Peer, surface: Surface | None) -> Caller:
        """The caller behind a connection, by the process that opened it and what it says it is."""
        if surface is Surface.HOOK:
            return Caller(device=DEVICE, by=HOOK, classes=REPORTER)
        inside = None if self._config.from_panes else inside_pane(peer.pid, self._pids())
        if inside is not None:
            return Caller(device=DEVICE, by=INSIDE_PANE, classes=REPORTER, barred=self._why(inside))
        by = DESK if surface is Surface.DASHBOARD else COMMAND_LINE
        return Caller(device=DEVICE, by=by, classes=OPERATOR)

    def _pids(self) -> frozenset[int]:
        return self._panes.pids | ({self._hosting.pid} if self._hosting.pid else frozenset())

    def _why(self, inside: InsidePane) -> str:
        return (
            f"process {inside.pid} ({inside.program}) stands inside a pane ({inside.witness}), and an agent is not the "
            f"operator: ask from another terminal, or set [control] from_panes = true in {self._config.path}"
        )
