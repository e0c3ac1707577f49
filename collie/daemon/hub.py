"""The sessions there are, and what each is told unasked."""

from typing import Final, Protocol

import trio

from collie.daemon.audit import AuditLog
from collie.daemon.caller import Caller
from collie.daemon.clock import Clock
from collie.daemon.outbox import Outbox
from collie.protocol.events import AnyEvent, AuditAppended, DaemonStopping, HostChanged
from collie.protocol.methods import MethodClass

OPERATOR_EVENTS: Final = (AuditAppended, DaemonStopping, HostChanged)
"""What only the operator of this machine is told."""


class Listener(Protocol):
    """A greeted session."""

    caller: Caller
    outbox: Outbox
    follows_audit: bool


class Hub:
    """Hands events to sessions."""

    def __init__(self) -> None:
        self._listeners: dict[int, Listener] = {}
        self._left = trio.Event()

    def __len__(self) -> int:
        return len(self._listeners)

    def add(self, number: int, listener: Listener) -> None:
        """From now on this session is told."""
        self._listeners[number] = listener

    def remove(self, number: int) -> None:
        """It is told nothing more; one that was never added is no error."""
        self._listeners.pop(number, None)
        left, self._left = self._left, trio.Event()
        left.set()

    def publish(self, event: AnyEvent) -> None:
        """Tell everyone who may hear it."""
        for listener in self._listeners.values():
            if _hears(listener, event):
                listener.outbox.put_event(event)

    async def dismiss(self) -> None:
        """End all sessions, each once it has been sent what waits for it; until none is left."""
        for listener in self._listeners.values():
            listener.outbox.finish()
        while self._listeners:
            await self._left.wait()


class AuditTrail:
    """Writes audit lines and tells those who follow them."""

    def __init__(self, log: AuditLog, hub: Hub, clock: Clock) -> None:
        self._log = log
        self._hub = hub
        self._clock = clock

    def __call__(self, peer: str, method: str, target: str | None, result: str) -> None:
        """An attempt: who, what, on what, with what result. Never content."""
        line = self._log.append(self._clock.wall_ms(), peer, method, target, result)
        self._hub.publish(AuditAppended(line=line))


def _hears(listener: Listener, event: AnyEvent) -> bool:
    if isinstance(event, AuditAppended) and not listener.follows_audit:
        return False
    needed = MethodClass.OPERATOR if isinstance(event, OPERATOR_EVENTS) else MethodClass.READ
    return needed in listener.caller.classes
