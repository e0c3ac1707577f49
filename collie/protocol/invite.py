"""The pairing invite, version 2: what a machine shows as a QR code and a new device reads (specs: phone-protocol
section 5.1).

    collie://pair#v=2&h=<host>&p=<port>&n=<node id>&k=<key pin>&c=<code>

It holds a one-time code: it is shown where it is to be scanned or copied from, and nowhere else.
"""

import re
from dataclasses import dataclass, field
from typing import Final

from collie.errors import CollieError
from collie.protocol.ids import PatternText, ValidatedText

PREFIX: Final = "collie://pair#"
VERSION: Final = "2"

KEYS: Final = ("v", "h", "p", "n", "k", "c")
"""Each once; written in this order, read in any."""

HOST_BYTES: Final = 253

URI_CHARS: Final = 512
"""The longest invite has 419; what is longer than this is not taken apart."""

_HOST_LABEL: Final = re.compile(r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\Z")
_PORT: Final = re.compile(r"[1-9][0-9]{0,4}\Z")
_LAST_PORT: Final = 65_535


class NotAnInvite(CollieError):
    """The text is no pairing invite of this version; the message repeats nothing of it."""


class HostName(ValidatedText):
    """A machine's name on the private network, without the dot at its end."""

    __slots__ = ()
    RULE = "at most 253 bytes of labels joined by dots, each 1 to 63 letters, digits or inner dashes"

    @classmethod
    def accepts(cls, value: str) -> bool:
        return len(value) <= HOST_BYTES and all(_HOST_LABEL.match(label) for label in value.split("."))


class NodeId(PatternText):
    """Names one node of the private network for as long as it is on it."""

    __slots__ = ()
    RULE = "1 to 64 letters or digits"
    pattern = re.compile(r"[A-Za-z0-9]{1,64}\Z")


class KeyPin(PatternText):
    """Names a key: SHA-256 over its SubjectPublicKeyInfo, base64url."""

    __slots__ = ()
    RULE = "43 characters of base64url"
    pattern = re.compile(r"[A-Za-z0-9_-]{43}\Z")


class PairingCode(PatternText):
    """16 random bytes, base64url: proves once that a device read the invite. Never printed."""

    __slots__ = ()
    RULE = "22 characters of base64url"
    pattern = re.compile(r"[A-Za-z0-9_-]{22}\Z")

    def __repr__(self) -> str:
        return "PairingCode(…)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Invite:
    """Where a machine is, what names it and its key, and the code that lets one device ask to be paired.

    `port` is 1 to 65535.
    """

    host: HostName
    port: int
    node_id: NodeId
    key_pin: KeyPin
    code: PairingCode = field(repr=False)


def make(invite: Invite) -> str:
    """The invite as a URI. Nothing in it needs percent-encoding."""
    values = (VERSION, invite.host, str(invite.port), invite.node_id, invite.key_pin, invite.code)
    return PREFIX + "&".join(f"{key}={value}" for key, value in zip(KEYS, values, strict=True))


def parse(text: str) -> Invite:
    """The invite in a URI as it was scanned or pasted; space around it is left out.

    Raises: NotAnInvite when a key is unknown, missing, there twice, or has a value that it cannot have.
    """
    fields = _fields(text)
    if fields["v"] != VERSION:
        raise NotAnInvite("the invite is of another version: update the older of the two Collies")
    try:
        return Invite(
            host=HostName(fields["h"]),
            port=_port(fields["p"]),
            node_id=NodeId(fields["n"]),
            key_pin=KeyPin(fields["k"]),
            code=PairingCode(fields["c"]),
        )
    except ValueError as error:
        raise NotAnInvite(f"the invite is damaged ({error}): copy all of it again") from error


def _fields(text: str) -> dict[str, str]:
    uri = text.strip()
    if not uri.startswith(PREFIX) or len(uri) > URI_CHARS:
        raise NotAnInvite(f"this is no invite: one begins with {PREFIX}")
    pairs = [pair.partition("=")[::2] for pair in uri.removeprefix(PREFIX).split("&")]
    if sorted(key for key, _ in pairs) != sorted(KEYS):
        raise NotAnInvite("the invite has other parts than it should: copy all of it again")
    return dict(pairs)


def _port(text: str) -> int:
    if not _PORT.match(text) or int(text) > _LAST_PORT:
        raise ValueError("invalid port")
    return int(text)
