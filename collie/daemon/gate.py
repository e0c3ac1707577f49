"""May this caller in? Asked before a byte of it is read, and again after the handshake (specs: daemon-behaviour
section 9.1)."""

from dataclasses import dataclass
from enum import StrEnum

from collie.daemon.device import Device
from collie.daemon.peers import PairedPeer, Peers
from collie.tailnet.node import LOCAL_USER, WhoIs


class Reason(StrEnum):
    """Why one is refused, in the words of the audit log."""

    TAGGED = "tagged node"
    SHARED_IN = "shared-in node"
    NOT_THE_OWNER = "not the owner"
    CHANGED_USER = "paired node changed user"
    NOT_PAIRED = "not paired"


@dataclass(frozen=True, slots=True, kw_only=True)
class Full:
    """A paired device: a session with all that peers may do, if it proves the key of `peer`."""

    peer: PairedPeer

    def accepts(self, pin: str) -> bool:
        """Whether the key with this pin is the one."""
        return pin == self.peer.tls_key


@dataclass(frozen=True, slots=True, kw_only=True)
class PairingOnly:
    """A device that may try to be paired in that `window`, with whatever key."""

    window: int

    def accepts(self, pin: str) -> bool:
        """Whether the key with this pin is the one: the pairing makes it so."""
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """Gets the fixed refusal, and is closed."""

    reason: Reason


Decision = Full | PairingOnly | Refused
"""Equal ones are the same decision: about the same record, or in the same window."""


def decide(
    caller: WhoIs, device: Device, peers: Peers, *, configured_owner: int | None = None, window: int | None = None
) -> Decision:
    """What becomes of a caller.

    Args:
        device: the caller's node, by the carrier at whose door it is
        window: the pairing window that is open, None when none is
    """
    if caller.tags:
        return Refused(reason=Reason.TAGGED)
    if caller.shared_in:
        return Refused(reason=Reason.SHARED_IN)
    owner = peers.owner_user_id if configured_owner is None else configured_owner
    if owner is not None and caller.user_id not in (owner, LOCAL_USER):
        return Refused(reason=Reason.NOT_THE_OWNER)
    if any(peer.user_id != caller.user_id for peer in peers.of_node(device.node_id)):
        return Refused(reason=Reason.CHANGED_USER)
    peer = peers.find(device)
    if peer is not None and peer.tls_key is not None:
        return Full(peer=peer)
    return Refused(reason=Reason.NOT_PAIRED) if window is None else PairingOnly(window=window)


def admits(before: Decision, after: Decision, pin: str) -> bool:
    """Whether one who was let to the handshake, and proved the key with this pin in it, may go on after it.

    Args:
        after: the decision about the same caller, made again under the locks under which it is let in
    """
    return not isinstance(before, Refused) and before == after and before.accepts(pin)
