"""What became of each operation, so that one that is asked for twice is done once (specs: phone-protocol section 6.2).

Times are seconds of a monotonic clock; an outcome is whatever the caller keeps.
"""

import hashlib
from collections import OrderedDict
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

import msgspec

from collie.protocol.errors import Code, WireError
from collie.protocol.methods import Params

ENTRIES: Final = 256
"""Operations kept for one device; the oldest finished one makes room."""

LIFE_SECONDS: Final = 600.0
"""From the first call; one that is still running never expires."""

T = TypeVar("T")


def request_digest(method: str, params: Params) -> bytes:
    """What makes a request this one: its method and all its params."""
    return hashlib.sha256(msgspec.json.encode((method, params), enc_hook=str)).digest()


@dataclass(slots=True, eq=False)
class Entry(Generic[T]):
    """One operation. `outcome` is None until it is finished."""

    request: bytes
    began_at: float
    outcome: T | None = None


class Outcomes(Generic[T]):
    """The operations of all devices."""

    def __init__(self) -> None:
        self._devices: dict[str, OrderedDict[str, Entry[T]]] = {}

    def begin(self, device: str, op_id: str, request: bytes, now: float) -> tuple[Entry[T], bool]:
        """The operation, and whether it is new: then the caller runs it and calls `finish`, whatever happens.

        Raises: WireError when the id was used for another request, or too many are running.
        """
        entries = self._devices.setdefault(device, OrderedDict())
        _drop_old(entries, now)
        known = entries.get(op_id)
        if known is not None:
            if known.request != request:
                raise WireError(Code.INVALID_PARAMS, "op_id was already used for a different request")
            return known, False
        if len(entries) >= ENTRIES and not _drop_oldest_finished(entries):
            raise WireError(Code.RATE_LIMITED, "too many operations in flight")
        entries[op_id] = Entry(request, now)
        return entries[op_id], True

    def finish(self, entry: Entry[T], outcome: T) -> None:
        """Keep what became of it. The first outcome stands."""
        if entry.outcome is None:
            entry.outcome = outcome


def _drop_old(entries: OrderedDict[str, Entry[T]], now: float) -> None:
    old = [op_id for op_id, each in entries.items() if each.outcome is not None and now >= each.began_at + LIFE_SECONDS]
    for op_id in old:
        del entries[op_id]


def _drop_oldest_finished(entries: OrderedDict[str, Entry[T]]) -> bool:
    for op_id, entry in entries.items():
        if entry.outcome is not None:
            del entries[op_id]
            return True
    return False
