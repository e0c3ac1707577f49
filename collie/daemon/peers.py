"""peers.json: the devices that are paired with this machine, and whose they must be (specs: daemon-behaviour
section 3).

    {"owner_user_id": <int or null>, "peers": [{"stable_id", "user_id", "login", "label", "paired_at", "tls_key", …}]}

The owner is the user of the network whose first device was paired. A device of this machine's own user, who is no user
of a network, may be paired beside the owner's, and makes nobody the owner.
"""

import re
from pathlib import Path
from typing import Annotated, Final, Self

import msgspec
from msgspec import Meta

from collie.daemon.device import CarrierKind, Device
from collie.errors import CollieError
from collie.protocol.ids import Label
from collie.protocol.invite import KeyPin, NodeId
from collie.store import read_private, set_aside, write_private
from collie.tailnet.node import LOCAL_USER

FILE_NAME: Final = "peers.json"

UserId = Annotated[int, Meta(ge=0, le=2**63 - 1)]

_TERMINAL_KEY: Final = re.compile(r"[A-Za-z0-9_-]{121}[AQgw]\Z")
"""A P-256 key's 91 bytes, base64url."""


class PairedPeer(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A device that was paired: who it was then, and the key it has to prove each time.

    `paired_at` is in milliseconds since 1970. Without a `tls_key` it is as good as unpaired. `carrier` is ours.
    """

    stable_id: str
    user_id: UserId
    login: str
    label: str
    paired_at: int
    tls_key: str | None = None
    terminal_key: str | None = None
    carrier: CarrierKind = CarrierKind.APP

    def __post_init__(self) -> None:
        NodeId(self.stable_id)
        Label(self.label)
        if self.tls_key is not None:
            KeyPin(self.tls_key)
        if self.terminal_key is not None and not _TERMINAL_KEY.match(self.terminal_key):
            raise ValueError("invalid TerminalKey")

    @property
    def device(self) -> Device:
        """What it is told from others by."""
        return Device(node_id=self.stable_id, carrier=self.carrier)


class Peers(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """All that are paired, the newest last."""

    owner_user_id: UserId | None = None
    peers: tuple[PairedPeer, ...] = ()

    def __post_init__(self) -> None:
        for peer in self.peers:
            if peer.user_id not in (self.owner_user_id, LOCAL_USER):
                raise ValueError("a peer that is not the owner's")
        if len({peer.device for peer in self.peers}) < len(self.peers):
            raise ValueError("a device that is there twice")

    def find(self, device: Device) -> PairedPeer | None:
        """The record of a device."""
        return next((peer for peer in self.peers if peer.device == device), None)

    def of_node(self, node_id: str) -> tuple[PairedPeer, ...]:
        """The records of a node, one a carrier."""
        return tuple(peer for peer in self.peers if peer.stable_id == node_id)

    def authorises(self, device: Device, user_id: int, tls_key: str) -> bool:
        """Whether a session of that user with that key may go on: asked before each frame and each write to a pane."""
        peer = self.find(device)
        return peer is not None and (peer.user_id, peer.tls_key) == (user_id, tls_key)

    def adding(self, peer: PairedPeer, configured_owner: int | None = None) -> Self:
        """With `peer` in, at the end, in place of what its device had before.

        Raises: CollieError when it is not the owner's, or another node has its label.
        """
        self._check_owner(peer.user_id, configured_owner)
        others = [other for other in self.peers if other.stable_id != peer.stable_id]
        if any(peer.label in (other.label, other.stable_id) for other in others):
            raise CollieError(f'label "{peer.label}" is already used by another phone')
        owner = peer.user_id if self.owner_user_id is None and peer.user_id != LOCAL_USER else self.owner_user_id
        kept = (other for other in self.peers if other.device != peer.device)
        return type(self)(owner_user_id=owner, peers=(*kept, peer))

    def removing(self, target: str) -> tuple[Self, tuple[PairedPeer, ...]]:
        """Without the node whose stable id or label is `target`, and what it had, one record a carrier.

        The owner stays the owner, also when the last one goes.

        Raises: CollieError when none or several nodes match.
        """
        named = self.of_node(target) or [peer for peer in self.peers if peer.label == target]
        nodes = {peer.stable_id for peer in named}
        if not nodes:
            raise CollieError(f'no paired phone matches "{target}"')
        if len(nodes) > 1:
            raise CollieError(f'"{target}" matches several phones; use the stable id')
        kept = tuple(peer for peer in self.peers if peer.stable_id not in nodes)
        return type(self)(owner_user_id=self.owner_user_id, peers=kept), self.of_node(nodes.pop())

    def _check_owner(self, user_id: int, configured_owner: int | None) -> None:
        if user_id == LOCAL_USER:
            return
        if self.owner_user_id not in (None, user_id):
            raise CollieError(f"user {user_id} is not the owner {self.owner_user_id}")
        if configured_owner not in (None, user_id):
            raise CollieError(f"user {user_id} is not the configured owner")


class PeersFile:
    """The peers as they are on the disk: what could not be written is not true. One process at a time has it.

    `trouble` says that a file could not be understood and where it is now, "" when all is well.
    """

    def __init__(self, path: Path, peers: Peers, trouble: str = "") -> None:
        self._path = path
        self._peers = peers
        self.trouble = trouble

    @classmethod
    def open(cls, data_dir: Path, configured_owner: int | None = None) -> Self:
        """The peers of a data directory; none when there is no file.

        Raises: CollieError when the file is not private, or has another owner than the configuration.
        """
        path = data_dir / FILE_NAME
        data = read_private(path)
        try:
            peers, trouble = Peers() if data is None else msgspec.json.decode(data, type=Peers), ""
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            aside = set_aside(path)
            peers, trouble = (
                Peers(),
                f"{path} was not understood ({error}) and is now {aside.name}: pair each device again",
            )
        if configured_owner is not None and peers.owner_user_id not in (None, configured_owner):
            raise CollieError(
                f"the owner of {path} is user {peers.owner_user_id}, the configured one is {configured_owner}: "
                "correct [tailnet] owner_user_id, or move the file away and pair each device again"
            )
        return cls(path, peers, trouble)

    @property
    def peers(self) -> Peers:
        """Who is paired now."""
        return self._peers

    def save(self, peers: Peers) -> None:
        """Have these from now on, and after a crash.

        Raises: CollieError when they cannot be written; the others stay.
        """
        write_private(self._path, msgspec.json.format(msgspec.json.encode(peers, enc_hook=str)) + b"\n")
        self._peers = peers
