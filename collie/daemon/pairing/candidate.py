"""Who asks to be paired, as the person who has to say yes or no must see it."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from collie.daemon.device import Device
from collie.daemon.peers import PairedPeer
from collie.tls.pins import MalformedKey, check_spki, pin_of

_PADDING: Final = b"=="
"""A key's 91 bytes are 122 characters of base64."""


class KeyChange(StrEnum):
    """What a pairing does to a key that may have been there before."""

    NONE = "none"
    NEW = "new"
    UNCHANGED = "unchanged"
    REPLACES = "replaces the existing one"


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A device that asks to be paired.

    `label` is what it calls itself; `node_name`, `login` and `user_id` are what the network says. `previous` is the
    record that it would replace. All texts of it are a stranger's: they are escaped wherever they are shown.
    """

    device: Device
    label: str
    node_name: str
    user_id: int
    login: str
    tls_key: str
    terminal_key: str | None = None
    previous: PairedPeer | None = None

    @property
    def tls_key_change(self) -> KeyChange:
        """What becomes of the key that its sessions have to prove."""
        return _change(self.previous.tls_key if self.previous else None, self.tls_key)

    @property
    def terminal_key_change(self) -> KeyChange:
        """What becomes of the key that its terminal grants are signed with; without a new one it has none."""
        return _change(self.previous.terminal_key if self.previous else None, self.terminal_key)

    def paired(self, now_ms: int) -> PairedPeer:
        """The record of it, once it is confirmed."""
        return PairedPeer(
            stable_id=self.device.node_id,
            carrier=self.device.carrier,
            user_id=self.user_id,
            login=self.login,
            label=self.label,
            paired_at=now_ms,
            tls_key=self.tls_key,
            terminal_key=self.terminal_key,
        )


def is_terminal_key(text: str, tls_key: str) -> bool:
    """Whether `text` is a P-256 key in base64url, and another one than that of the session with the pin `tls_key`."""
    try:
        spki = urlsafe_b64decode(text.encode() + _PADDING)
        check_spki(spki)
    except (ValueError, MalformedKey):
        return False
    # The decoder passes over what it does not know, and over bits past the last byte.
    is_canonical = urlsafe_b64encode(spki) == text.encode() + _PADDING
    return is_canonical and pin_of(spki) != tls_key


def _change(before: str | None, after: str | None) -> KeyChange:
    if after is None:
        return KeyChange.NONE
    if before is None:
        return KeyChange.NEW
    return KeyChange.UNCHANGED if before == after else KeyChange.REPLACES
