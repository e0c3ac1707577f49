"""The gate: its whole matrix, before the handshake and after it."""

from collections.abc import Callable
from typing import Final

import msgspec
import pytest

from collie.daemon.device import Device
from collie.daemon.gate import Full, PairingOnly, Reason, Refused, admits, decide
from collie.daemon.peers import PairedPeer, Peers
from collie.tailnet.node import LOCAL_USER, WhoIs

OWNER, OTHER = 7001, 7002
PIN, OTHER_PIN = "p" * 43, "q" * 43
PHONE = Device(node_id="nPHONE")
WINDOW = 3


def caller(user: int = OWNER, *, tags: tuple[str, ...] = (), shared_in: bool = False) -> WhoIs:
    return WhoIs(node_id="nPHONE", user_id=user, login="ana@example.com", name="phone", tags=tags, shared_in=shared_in)


def record(user: int = OWNER, pin: str | None = PIN, paired_at: int = 1) -> PairedPeer:
    return PairedPeer(stable_id="nPHONE", user_id=user, login="", label="Phone", paired_at=paired_at, tls_key=pin)


def owned(*peers: PairedPeer, owner: int | None = OWNER) -> Peers:
    return Peers(owner_user_id=owner, peers=peers)


IDENTITIES: Final = {
    "owner": caller(),
    "local": caller(LOCAL_USER),
    "other": caller(OTHER),
    "tagged": caller(tags=("tag:server",)),
    "shared": caller(shared_in=True),
    "both": caller(LOCAL_USER, tags=("tag:server",), shared_in=True),
}

PAIRINGS: Final = {
    "none": owned(owner=None),
    "owned": owned(),
    "paired": owned(record()),
    "keyless": owned(record(pin=None)),
    "by-other": owned(record(OTHER), owner=OTHER),
    "by-local": owned(record(LOCAL_USER)),
    "by-web": owned(msgspec.structs.replace(record(), carrier="web")),
}

CELLS: Final = {
    "owner": "pairing pairing full    pairing owner   changed pairing",
    "local": "pairing pairing changed changed changed full    changed",
    "other": "pairing owner   owner   owner   full    owner   owner",
    "tagged": "tagged tagged tagged tagged tagged tagged tagged",
    "shared": "shared shared shared shared shared shared shared",
    "both": "tagged tagged tagged tagged tagged tagged tagged",
}
"""What becomes of an identity, for each pairing in turn; `pairing` is `not paired` while no window is open."""

REASONS: Final = {
    "tagged": Reason.TAGGED,
    "shared": Reason.SHARED_IN,
    "owner": Reason.NOT_THE_OWNER,
    "changed": Reason.CHANGED_USER,
    "pairing": Reason.NOT_PAIRED,
}

State = tuple[Peers, int | None]


def pair(state: State, who: WhoIs, pin: str) -> State:
    """A pairing is confirmed meanwhile."""
    owner = state[0].owner_user_id if who.user_id == LOCAL_USER else who.user_id
    return owned(record(who.user_id, pin, 2), owner=owner), None


CHANGES: Final[dict[str, tuple[Callable[[State, WhoIs], State], str]]] = {
    "nothing": (lambda state, who: state, "full pairing"),
    "unpaired": (lambda state, who: (owned(owner=state[0].owner_user_id), state[1]), "pairing"),
    "other key": (lambda state, who: pair(state, who, OTHER_PIN), ""),
    "same key": (lambda state, who: pair(state, who, PIN), ""),
    "window closes": (lambda state, who: (state[0], None), "full"),
    "another window": (lambda state, who: (state[0], WINDOW + 1), "full"),
}
"""What happens while hands are shaken, and which decisions outlast it."""


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("key", [PIN, OTHER_PIN], ids=["pinned key", "another key"])
@pytest.mark.parametrize("window", [None, WINDOW], ids=["no window", "a window"])
@pytest.mark.parametrize("pairing", PAIRINGS)
@pytest.mark.parametrize("identity", IDENTITIES)
def test_matrix(identity: str, pairing: str, window: int | None, key: str, change: str) -> None:
    who, peers = IDENTITIES[identity], PAIRINGS[pairing]
    cell = CELLS[identity].split()[list(PAIRINGS).index(pairing)]

    before = decide(who, PHONE, peers, window=window)

    if cell == "full":
        assert before == Full(peer=peers.peers[0])
    elif cell == "pairing" and window is not None:
        assert before == PairingOnly(window=window)
    else:
        assert before == Refused(reason=REASONS[cell])

    happens, outlasted_by = CHANGES[change]
    peers_after, window_after = happens((peers, window), who)
    after = decide(who, PHONE, peers_after, window=window_after)

    has_key = cell == "pairing" or key == PIN
    may_go_on = not isinstance(before, Refused) and has_key and cell in outlasted_by.split()
    assert admits(before, after, key) is may_go_on


@pytest.mark.parametrize(
    ("user", "configured", "decision"),
    [
        (OWNER, OWNER, PairingOnly(window=WINDOW)),
        (OWNER, OTHER, Refused(reason=Reason.NOT_THE_OWNER)),
        (OTHER, OWNER, Refused(reason=Reason.NOT_THE_OWNER)),
        (LOCAL_USER, OTHER, PairingOnly(window=WINDOW)),
    ],
)
def test_the_configured_owner_is_one_before_anybody_is_paired(
    user: int, configured: int, decision: PairingOnly | Refused
) -> None:
    assert decide(caller(user), PHONE, Peers(), configured_owner=configured, window=WINDOW) == decision


def test_another_node_of_the_owner_is_another_device() -> None:
    desk = WhoIs(node_id="nDESK", user_id=OWNER, login="ana@example.com", name="desk")

    assert decide(desk, Device(node_id="nDESK"), owned(record())) == Refused(reason=Reason.NOT_PAIRED)


def test_a_decision_says_why_as_the_audit_log_does() -> None:
    assert [reason.value for reason in Reason] == [
        "tagged node",
        "shared-in node",
        "not the owner",
        "paired node changed user",
        "not paired",
    ]
