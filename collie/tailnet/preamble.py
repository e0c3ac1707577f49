"""The line by which a caller on a Unix socket says which node it is, as no network is there to say it (design,
section 5).

    {"node":"<node id>"}

Tests alone say more: `tags`, `sharer` (the user that lent the node, 0 for none) and `user`. A listener refuses these
claims unless it was built to believe them.
"""

import re
from typing import Final

import msgspec
from msgspec import UNSET, UnsetType

from collie.tailnet.node import WhoIsFailed

PREAMBLE_BYTES: Final = 256
"""The longest line, its newline included: the longest node id needs 76 of them."""

_NODE_ID: Final = re.compile(r"[A-Za-z0-9]{1,64}\Z")


class Preamble(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Who calls, by its own word."""

    node: str
    tags: tuple[str, ...] | UnsetType = UNSET
    sharer: int | UnsetType = UNSET
    user: int | UnsetType = UNSET

    @property
    def has_claims(self) -> bool:
        """Whether it says more of itself than its node."""
        return any(each is not UNSET for each in (self.tags, self.sharer, self.user))


def encode(preamble: Preamble) -> bytes:
    """The line, with its newline."""
    return msgspec.json.encode(preamble) + b"\n"


def decode(line: bytes, *, allow_claims: bool) -> Preamble:
    """What a line says.

    Raises: WhoIsFailed when it is no preamble, or claims what may not be claimed.
    """
    try:
        found = msgspec.json.decode(line, type=Preamble)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise WhoIsFailed("not a preamble") from error
    if not _NODE_ID.match(found.node):
        raise WhoIsFailed("not a node id")
    if found.has_claims and not allow_claims:
        raise WhoIsFailed("claims more than its node id")
    return found
