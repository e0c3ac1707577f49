"""What a peer is told apart by: a node of the private network, and the carrier it comes over (design, section 5)."""

from dataclasses import dataclass
from enum import StrEnum


class CarrierKind(StrEnum):
    """How a device talks: APP is TLS with raw keys."""

    APP = "app"


@dataclass(frozen=True, slots=True, kw_only=True)
class Device:
    """One client of a person: the same phone by another carrier is another device."""

    node_id: str
    carrier: CarrierKind = CarrierKind.APP

    @property
    def key(self) -> str:
        """What everything kept for the device is kept under: sessions, rates, outcomes of operations."""
        return f"{self.node_id}/{self.carrier}"
