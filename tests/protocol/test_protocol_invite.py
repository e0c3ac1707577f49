"""The pairing invite: what is read, what is refused, and that its code is never shown."""

import json
import string
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collie.protocol import invite
from collie.protocol.invite import HostName, Invite, KeyPin, NodeId, NotAnInvite, PairingCode

GOLDEN = json.loads((Path(__file__).parents[2] / "fixtures/protocol/invites.json").read_text("utf-8"))["good"]
GOOD = GOLDEN[0]["uri"]

LETTERS = string.ascii_letters + string.digits
LABEL = st.from_regex(r"[A-Za-z0-9]([A-Za-z0-9-]{0,10}[A-Za-z0-9])?", fullmatch=True)
INVITES = st.builds(
    Invite,
    host=st.lists(LABEL, min_size=1, max_size=8).map(lambda labels: HostName(".".join(labels))),
    port=st.integers(1, 65_535),
    node_id=st.text(LETTERS, min_size=1, max_size=64).map(NodeId),
    key_pin=st.text(LETTERS + "-_", min_size=43, max_size=43).map(KeyPin),
    code=st.text(LETTERS + "-_", min_size=22, max_size=22).map(PairingCode),
)


def build(**fields: Any) -> Invite:
    return Invite(
        host=HostName(fields["host"]),
        port=fields["port"],
        node_id=NodeId(fields["node_id"]),
        key_pin=KeyPin(fields["key_pin"]),
        code=PairingCode(fields["code"]),
    )


@pytest.mark.parametrize("case", GOLDEN)
def test_golden(case: dict[str, Any]) -> None:
    assert invite.parse(case["uri"]) == build(**case)
    assert invite.make(build(**case)) == case["uri"]


@given(INVITES)
def test_what_was_made_is_read(made: Invite) -> None:
    assert invite.parse(invite.make(made)) == made


@given(INVITES, st.permutations(invite.KEYS))
def test_the_order_does_not_matter_and_space_around_it_neither(made: Invite, order: list[str]) -> None:
    parts = dict(part.split("=") for part in invite.make(made).removeprefix(invite.PREFIX).split("&"))
    shuffled = invite.PREFIX + "&".join(f"{key}={parts[key]}" for key in order)

    assert invite.parse(f"  {shuffled}\n") == made


def test_the_longest_one_is_read() -> None:
    host = HostName(".".join(["a" * 63, "b" * 63, "c" * 63, "d" * 61]))
    longest = Invite(
        host=host,
        port=65_535,
        node_id=NodeId("n" * 64),
        key_pin=KeyPin("k" * 43),
        code=PairingCode("c" * 22),
    )

    assert len(invite.make(longest)) == 419
    assert invite.parse(invite.make(longest)) == longest


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("collie://pair#", "Collie://pair#"),
        ("collie://pair#", "collie://pair?"),
        ("collie://pair#", "https://pair#"),
        ("v=2", "v=1"),
        ("v=2", "v=02"),
        ("v=2", "v="),
        ("v=2&", ""),
        ("v=2&", "v=2&v=2&"),
        ("v=2&", "v=2&x=1&"),
        ("v=2&", "v=2&&"),
        ("v=2&", "V=2&"),
        ("&p=8457", ""),
        ("&p=8457", "&p"),
        ("p=8457", "p=0"),
        ("p=8457", "p=08457"),
        ("p=8457", "p=65536"),
        ("p=8457", "p=+8457"),
        ("p=8457", "p=٨٤٥٧"),
        ("p=8457", "p=8457 "),
        ("h=collie-orchard", "h=-orchard"),
        ("h=collie-orchard", "h=orchard-"),
        ("h=collie-orchard", "h=."),
        ("h=collie-orchard", "h=" + "o" * 64),
        ("h=collie-orchard", "h=oréhard"),
        ("h=collie-orchard", "h=%6Frchard"),
        ("ts.net", "ts.net."),
        ("ts.net", "ts..net"),
        ("ts.net", "ts.net\n"),
        ("n=nPEAR7CNTRL", "n="),
        ("n=nPEAR7CNTRL", "n=n-PEAR"),
        ("n=nPEAR7CNTRL", "n=" + "n" * 65),
        ("k=AbCd", "k=AbC"),
        ("k=AbCd", "k=AbC+"),
        ("k=AbCd", "k=AbCd="),
        ("c=AAAA", "c=AAAAA"),
        ("c=AAAA", "c=AAA="),
        ("c=AAAA", "c=AAA\u200b"),
    ],
)
def test_a_damaged_one_is_refused_whole_and_nothing_of_it_is_repeated(old: str, new: str) -> None:
    assert old in GOOD

    with pytest.raises(NotAnInvite) as caught:
        invite.parse(GOOD.replace(old, new, 1))
    assert "orchard" not in str(caught.value)
    assert "AAA" not in str(caught.value)


@given(st.text())
def test_any_text_is_read_or_refused(text: str) -> None:
    with pytest.raises(NotAnInvite):
        invite.parse(text)
    with pytest.raises(NotAnInvite):
        invite.parse(invite.PREFIX + text)


def test_what_is_far_too_long_is_not_taken_apart() -> None:
    with pytest.raises(NotAnInvite):
        invite.parse(invite.PREFIX + "v=2&" * 1_000_000)


def test_the_code_is_never_shown() -> None:
    made = invite.parse(GOOD)

    assert "AAAA" not in f"{made!r} {made.code!r} {made}"
