"""peers.json: who may be in it, how a record is replaced and found, and what is read and written."""

import json
import stat
import string
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st
from tools.control_house import short_folder

from collie.daemon.device import Device
from collie.daemon.peers import FILE_NAME, PairedPeer, Peers, PeersFile
from collie.errors import CollieError
from collie.tailnet.node import LOCAL_USER

OWNER, OTHER = 7001, 7002
PIN, OTHER_PIN = "p" * 43, "q" * 43
PHONE = Device(node_id="nPHONE")


def build(node: str = "nPHONE", *, user: int = OWNER, label: str = "Ana's phone", **more: Any) -> PairedPeer:
    return PairedPeer(
        stable_id=node, user_id=user, login="ana@example.com", label=label, paired_at=1_700_000_000_000, **more
    )


def text_of(peers: Peers) -> str:
    return msgspec.json.format(msgspec.json.encode(peers)).decode() + "\n"


peer = st.builds(
    build,
    st.sampled_from(["nONE", "nTWO", "nTHREE"]),
    user=st.sampled_from([OWNER, OTHER, LOCAL_USER]),
    label=st.sampled_from(["phone", "desk", "nONE", "nTWO"]),
    tls_key=st.none() | st.just(PIN),
)
step = st.one_of(peer, peer, st.sampled_from(["phone", "desk", "nONE", "nTWO", "nNONE"]))


@given(st.lists(step, max_size=12), st.none() | st.just(OWNER))
def test_whatever_is_added_and_removed_all_are_the_owners_and_found_by_one_name(
    steps: list[PairedPeer | str], configured: int | None
) -> None:
    peers = Peers()
    for each in steps:
        before = peers
        try:
            peers = peers.adding(each, configured) if isinstance(each, PairedPeer) else peers.removing(each)[0]
        except CollieError:
            assert peers is before
            continue
        if isinstance(each, PairedPeer):
            assert (peers.find(each.device), peers.peers[-1]) == (each, each)
        assert before.owner_user_id in (None, peers.owner_user_id)
        assert {peer.user_id for peer in peers.peers} <= {peers.owner_user_id, LOCAL_USER}
        names = [name for peer in peers.peers for name in {peer.stable_id, peer.label}]
        assert all(peers.removing(peer.label)[1] == (peer,) for peer in peers.peers if names.count(peer.label) == 1)
        assert len({peer.label for peer in peers.peers}) == len(peers.peers)
        assert msgspec.json.decode(text_of(peers), type=Peers) == peers


def test_the_first_of_a_network_makes_its_user_the_owner_and_the_owner_stays() -> None:
    peers = Peers().adding(build())
    assert peers.owner_user_id == OWNER

    left, gone = peers.removing("Ana's phone")

    assert (left.owner_user_id, left.peers, gone) == (OWNER, (), peers.peers)
    with pytest.raises(CollieError, match=f"user {OTHER} is not the owner {OWNER}"):
        left.adding(build(user=OTHER))


def test_this_machines_own_user_is_paired_beside_the_owner_and_becomes_none() -> None:
    peers = Peers().adding(build("local1", user=LOCAL_USER, label="Desk"))
    assert peers.owner_user_id is None

    both = peers.adding(build())

    assert (both.owner_user_id, len(both.peers)) == (OWNER, 2)


def test_another_than_the_configured_owner_is_not_added() -> None:
    with pytest.raises(CollieError, match=f"user {OTHER} is not the configured owner"):
        Peers().adding(build(user=OTHER), OWNER)


def test_a_record_is_replaced_and_goes_last() -> None:
    peers = Peers().adding(build()).adding(build("nDESK", label="Desk")).adding(build(label="New name", tls_key=PIN))

    assert [each.label for each in peers.peers] == ["Desk", "New name"]


@pytest.mark.parametrize("label", ["Desk", "nDESK"])
def test_a_label_that_names_another_is_refused(label: str) -> None:
    peers = Peers().adding(build("nDESK", label="Desk"))

    with pytest.raises(CollieError, match=f'label "{label}" is already used by another phone'):
        peers.adding(build(label=label))


def test_carriers_of_a_node_are_records_of_their_own_and_leave_together() -> None:
    """There is one carrier as yet; the rules are those for more."""
    web = msgspec.structs.replace(build(), carrier="web")
    peers = Peers().adding(build()).adding(web)

    assert (peers.find(PHONE), len(peers.of_node("nPHONE"))) == (build(), 2)
    assert peers.removing("Ana's phone") == (Peers(owner_user_id=OWNER), (build(), web))


@pytest.mark.parametrize(("target", "why"), [("nobody", "no paired phone matches"), ("both", "matches several phones")])
def test_a_name_that_is_not_one_nodes_removes_nothing(target: str, why: str) -> None:
    by_hand = Peers(owner_user_id=OWNER, peers=(build("nONE", label="both"), build("nTWO", label="both")))

    with pytest.raises(CollieError, match=why):
        by_hand.removing(target)
    assert by_hand.removing("nONE")[1] == by_hand.peers[:1]


@pytest.mark.parametrize(
    ("device", "user", "pin", "authorised"),
    [
        (PHONE, OWNER, PIN, True),
        (PHONE, OWNER, OTHER_PIN, False),
        (PHONE, OTHER, PIN, False),
        (PHONE, LOCAL_USER, PIN, False),
        (Device(node_id="nDESK"), OWNER, PIN, False),
    ],
)
def test_a_session_goes_on_only_with_node_user_and_key(device: Device, user: int, pin: str, authorised: bool) -> None:
    assert Peers().adding(build(tls_key=PIN)).authorises(device, user, pin) is authorised


def test_without_a_key_nobody_is_authorised() -> None:
    assert not Peers().adding(build()).authorises(PHONE, OWNER, "None")


def test_what_is_saved_is_there_again_private_and_readable() -> None:
    with short_folder() as folder:
        file = PeersFile.open(folder)
        assert file.peers == Peers()
        file.save(file.peers.adding(build(tls_key=PIN)))

        path = folder / FILE_NAME
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
        assert path.read_text().endswith("\n}\n")
        assert json.loads(path.read_text()) == {
            "owner_user_id": OWNER,
            "peers": [
                {
                    "stable_id": "nPHONE",
                    "user_id": OWNER,
                    "login": "ana@example.com",
                    "label": "Ana's phone",
                    "paired_at": 1_700_000_000_000,
                    "tls_key": PIN,
                }
            ],
        }
        assert PeersFile.open(folder, OWNER).peers == file.peers


def test_what_cannot_be_written_is_not_true() -> None:
    with short_folder() as folder:
        file = PeersFile.open(folder)
        folder.joinpath(FILE_NAME).mkdir()
        with pytest.raises(CollieError, match=r"cannot write .*peers\.json"):
            file.save(Peers().adding(build()))
        assert file.peers == Peers()


GOOD = Peers().adding(build(tls_key=PIN))
RECORD = json.loads(text_of(GOOD))["peers"][0]


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\xff",
        b"[" * 100_000,
        b'{"owner_user_id": 7001}{}',
        json.dumps({"owner_user_id": OWNER, "peers": [], "more": 1}).encode(),
        json.dumps({"owner_user_id": OTHER, "peers": [RECORD]}).encode(),
        json.dumps({"owner_user_id": None, "peers": [RECORD]}).encode(),
        json.dumps({"owner_user_id": OWNER, "peers": [RECORD, RECORD]}).encode(),
        *(
            json.dumps({"owner_user_id": OWNER, "peers": [RECORD | wrong]}).encode()
            for wrong in (
                {"stable_id": "n-1"},
                {"label": "a\u202eb"},
                {"label": ""},
                {"tls_key": "short"},
                {"terminal_key": "short"},
                {"user_id": -1},
                {"user_id": "7001"},
                {"paired_at": "now"},
                {"carrier": "pigeon"},
                {"admin": True},
            )
        ),
    ],
)
def test_what_is_not_understood_is_set_aside_and_told(data: bytes) -> None:
    with short_folder() as folder:
        path = folder / FILE_NAME
        path.touch(0o600)
        path.write_bytes(data)

        file = PeersFile.open(folder)

        assert file.peers == Peers()
        assert "was not understood" in file.trouble
        assert "is now peers.json.corrupt-1" in file.trouble
        assert (folder / "peers.json.corrupt-1").read_bytes() == data
        assert not path.exists()


def write(path: Path, mode: int = 0o600) -> None:
    path.touch(mode)
    path.write_text(text_of(GOOD))
    path.chmod(mode)


def test_one_that_others_may_read_is_refused_and_left() -> None:
    with short_folder() as folder:
        write(folder / FILE_NAME, 0o644)
        with pytest.raises(CollieError, match="open to other users"):
            PeersFile.open(folder)
        assert (folder / FILE_NAME).exists()


def test_a_link_is_refused() -> None:
    with short_folder() as folder:
        write(folder / "elsewhere")
        (folder / FILE_NAME).symlink_to(folder / "elsewhere")
        with pytest.raises(CollieError, match="symbolic link"):
            PeersFile.open(folder)


def test_another_owner_than_the_configured_one_is_refused_and_left() -> None:
    with short_folder() as folder:
        write(folder / FILE_NAME)
        with pytest.raises(CollieError, match=f"is user {OWNER}, the configured one is {OTHER}"):
            PeersFile.open(folder, OTHER)
        assert PeersFile.open(folder).peers == GOOD


@given(st.binary(max_size=40) | st.text(string.printable, max_size=40).map(str.encode))
def test_no_content_makes_it_fail(data: bytes) -> None:
    with short_folder() as folder:
        path = folder / FILE_NAME
        path.touch(0o600)
        path.write_bytes(data)

        file = PeersFile.open(folder)

        assert file.trouble or file.peers == msgspec.json.decode(data, type=Peers)
