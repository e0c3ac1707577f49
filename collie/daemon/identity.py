"""Who a client of the control socket is, and what it may ask for."""

from dataclasses import dataclass
from typing import Final

import psutil

from collie.daemon.caller import COMMAND_LINE, DESK, HOOK, INSIDE_PANE, REPORTER, Caller
from collie.daemon.config import Config
from collie.daemon.hosting import Hosting
from collie.daemon.pace import OPERATOR_PACE
from collie.daemon.panes import PaneProcesses
from collie.daemon.tripwire import InsidePane, Peer, inside_pane, program_of
from collie.protocol.methods import MethodClass, Surface

DEVICE: Final = "control"
"""What is kept for a device (outcomes of operations) is kept for all of the operator's clients together."""

OPERATOR: Final = frozenset(MethodClass)

GUEST_IDLE: Final = 15.0
"""Seconds for which a client that may only report may say nothing. A hook reports at once, and is done."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Process:
    """The process behind a connection, as it was when it connected: it may leave its pane later, and is still taken
    for what it was."""

    number: int
    process: str
    device: str
    barred: str = ""

    def caller(self, surface: Surface | None) -> Caller:
        """The caller that it is, given what it says of itself; None as long as it has said nothing."""
        if surface is Surface.HOOK or self.barred:
            return Caller(
                device=self.device,
                by=HOOK if surface is Surface.HOOK else INSIDE_PANE,
                classes=REPORTER,
                barred=self.barred,
                process=self.process,
                idle_seconds=GUEST_IDLE,
            )
        by = DESK if surface is Surface.DASHBOARD else COMMAND_LINE
        paced_as = f"{DEVICE}/session {self.number}"
        return Caller(device=DEVICE, by=by, classes=OPERATOR, pace=OPERATOR_PACE, paced_as=paced_as)


class Identities:
    """Tells the operator from what runs inside a pane."""

    def __init__(self, *, config: Config, hosting: Hosting, panes: PaneProcesses) -> None:
        self._config = config
        self._hosting = hosting
        self._panes = panes

    async def look(self, number: int, peer: Peer) -> Process:
        """The process that opened session `number`."""
        inside = None
        if not self._config.from_panes:
            inside = inside_pane(peer.pid, self._panes.pids, await self._hosting.process())
        if inside is None:
            process = f"process {peer.pid} ({_program(peer.pid)})"
            return Process(number=number, process=process, device=f"{DEVICE}/outside")
        return Process(
            number=number,
            process=f"process {inside.pid} ({inside.program})",
            device=f"{DEVICE}/pane {inside.pane}",
            barred=self._why(inside),
        )

    def _why(self, inside: InsidePane) -> str:
        return (
            f"process {inside.pid} ({inside.program}) stands inside a pane ({inside.witness}), and an agent is not the "
            f"operator: ask from another terminal, or set [control] from_panes = true in {self._config.path}"
        )


def _program(pid: int) -> str:
    try:
        return program_of(pid)
    except (psutil.Error, ValueError):
        return "unknown"
