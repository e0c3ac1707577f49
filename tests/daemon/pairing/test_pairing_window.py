"""The pairing window with its clock, its file and its waiting devices."""

import os
from base64 import urlsafe_b64encode
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import pytest
import trio
import trio.testing
from tools.control_house import short_folder
from tools.pairing import OTHER_PIN, OWNER, PIN, WRONG, RecordedDesk

from collie.daemon.clock import Clock
from collie.daemon.device import Device
from collie.daemon.pairing.rules import CONFIRM_SECONDS, WINDOW_SECONDS
from collie.daemon.pairing.window import Applicant, PairingWindow
from collie.daemon.peers import FILE_NAME, PeersFile
from collie.errors import CollieError
from collie.protocol import invite
from collie.protocol.errors import Code, WireError
from collie.protocol.ids import Label
from collie.protocol.invite import HostName, Invite, KeyPin, NodeId, PairingCode
from collie.tailnet.node import WhoIs
from collie.tls.keys import LocalKey

pytestmark = pytest.mark.trio

LABEL = Label("Ana's phone")


@dataclass
class Room:
    """A window, and all that it did."""

    folder: Path
    peers: PeersFile
    desk: RecordedDesk = field(default_factory=RecordedDesk)
    lines: list[tuple[str, str, str | None, str]] = field(default_factory=list)
    dropped: list[tuple[int, int | None]] = field(default_factory=list)
    verdicts: list[str] = field(default_factory=list)
    window: PairingWindow = field(init=False)

    def __post_init__(self) -> None:
        self.window = PairingWindow(
            peers=self.peers,
            configured_owner=None,
            invite_for=build_invite,
            end_sessions=lambda window, keep: self.dropped.append((window, keep)),
            audit=lambda *line: self.lines.append(line),
            clock=Clock(wall_ms=lambda: 1_700_000_000_000),
        )

    def open(self) -> PairingCode:
        """Open the window; its code."""
        return invite.parse(self.window.open(self.desk).uri).code

    async def attempt(
        self, code: PairingCode, *, applicant: Applicant | None = None, terminal_key: str | None = None
    ) -> None:
        """Try a code, and write down what came of it."""
        try:
            await self.window.complete(applicant or build_applicant(), code, LABEL, terminal_key)
        except WireError as error:
            self.verdicts.append(f"{error.code}: {error.message}")
        else:
            self.verdicts.append("paired")

    def results(self, method: str) -> list[str]:
        """What the audit log says of a method."""
        return [line[3] for line in self.lines if line[1] == method]


def build_invite(code: PairingCode) -> Invite:
    return Invite(
        host=HostName("collie-orchard.example.ts.net"),
        port=8457,
        node_id=NodeId("nORCHARD"),
        key_pin=KeyPin(PIN),
        code=code,
    )


def build_applicant(
    node: str = "nPHONE", *, session: int = 11, window: int | None = 1, user: int = OWNER, tls_key: str = PIN
) -> Applicant:
    caller = WhoIs(node_id=node, user_id=user, login="ana@example.com", name="ana-phone")
    return Applicant(
        device=Device(node_id=node), caller=caller, tls_key=tls_key, session=session, window=window, by=node
    )


@asynccontextmanager
async def room() -> AsyncIterator[tuple[Room, trio.Nursery]]:
    """A window whose time is kept, and a nursery for those who try it."""
    with short_folder() as folder:
        made = Room(folder=folder, peers=PeersFile.open(folder))
        async with trio.open_nursery() as nursery:
            nursery.start_soon(made.window.run)
            async with trio.open_nursery() as devices:
                yield made, devices
            nursery.cancel_scope.cancel()


async def settle() -> None:
    await trio.testing.wait_all_tasks_blocked()


async def test_a_device_is_paired_by_the_code_and_a_yes(autojump_clock: trio.testing.MockClock) -> None:
    async with room() as (made, devices):
        opened = made.window.open(made.desk)
        assert opened.seconds == WINDOW_SECONDS
        devices.start_soon(made.attempt, invite.parse(opened.uri).code)
        await settle()
        assert (made.dropped, made.verdicts) == ([(1, 11)], [])
        [(window, candidate, seconds)] = made.desk.asked
        assert (window, candidate.label, candidate.node_name, seconds) == (1, LABEL, "ana-phone", CONFIRM_SECONDS)
        made.window.confirm(made.desk, window, True)

    assert made.verdicts == ["paired"]
    assert made.desk.finished == [(True, "paired Ana's phone (nPHONE)")]
    assert made.lines == [
        ("control", "pair.open", None, "window opened"),
        ("nPHONE", "pair.confirm", "Ana's phone", "paired"),
        ("nPHONE", "pair.complete", "nPHONE", "paired"),
    ]
    assert made.peers.peers.authorises(Device(node_id="nPHONE"), OWNER, PIN)


async def test_what_was_paired_is_on_the_disk_before_the_device_hears_of_it() -> None:
    async with room() as (made, devices):
        devices.start_soon(made.attempt, made.open())
        await settle()
        made.window.confirm(made.desk, 1, True)
        assert made.verdicts == []
        assert PeersFile.open(made.folder).peers == made.peers.peers
        assert made.peers.peers.owner_user_id == OWNER


async def test_a_code_lives_for_two_minutes(autojump_clock: trio.testing.MockClock) -> None:
    async with room() as (made, devices):
        code = made.open()
        await trio.sleep(WINDOW_SECONDS - 0.01)
        assert made.window.number() == 1
        await trio.sleep(0.02)
        assert made.window.number() is None
        assert made.desk.finished == [(False, "pairing window expired")]
        assert made.dropped == [(1, None)]
        devices.start_soon(made.attempt, code)

    assert made.verdicts == ["pairing_failed: pairing failed"]
    assert made.results("pair.close") == ["expired"]
    assert made.results("pair.complete") == ["no open window"]


async def test_silence_is_no_after_a_minute(autojump_clock: trio.testing.MockClock) -> None:
    async with room() as (made, devices):
        await trio.sleep(5.0)
        code = made.open()
        await trio.sleep(WINDOW_SECONDS - 1.0)
        began = trio.current_time()
        devices.start_soon(made.attempt, code)

    assert trio.current_time() - began == pytest.approx(CONFIRM_SECONDS)
    assert made.verdicts == ["pairing_failed: pairing failed"]
    assert made.desk.finished == [(False, "not confirmed on the machine")]
    assert made.peers.peers.peers == ()


async def test_one_wrong_try_is_all_there_is(autojump_clock: trio.testing.MockClock) -> None:
    async with room() as (made, devices):
        code = made.open()
        await made.attempt(WRONG, applicant=build_applicant("nEVIL", session=12))
        devices.start_soon(made.attempt, code)

    assert made.verdicts == ["pairing_failed: pairing failed"] * 2
    assert made.desk.finished == [(False, "wrong code from ana-phone")]
    assert made.results("pair.complete") == ["wrong code", "no open window"]


async def test_a_desk_that_goes_takes_its_window_along() -> None:
    async with room() as (made, devices):
        made.open()
        made.window.cancel(RecordedDesk())
        assert made.window.number() == 1, "it was opened by another one"
        made.window.cancel(made.desk)
        made.window.cancel(made.desk)
        assert made.desk.finished == [(False, "cancelled")]

        devices.start_soon(
            made.attempt,
            made.open(),
        )
        await settle()
        assert made.verdicts == ["pairing_failed: pairing failed"], "it came by the first window"


async def test_a_desk_that_goes_while_it_is_asked_has_said_no() -> None:
    async with room() as (made, devices):
        devices.start_soon(made.attempt, made.open())
        await settle()
        made.window.cancel(made.desk)

    assert made.verdicts == ["pairing_failed: pairing failed"]
    assert made.desk.finished == [(False, "not confirmed on the machine")]


async def test_only_the_desk_that_was_asked_can_answer_and_only_what_it_was_asked() -> None:
    async with room() as (made, devices):
        with pytest.raises(WireError, match="no pairing in progress"):
            made.window.confirm(made.desk, 1, True)
        devices.start_soon(made.attempt, made.open())
        await settle()
        for desk, window in ((RecordedDesk(), 1), (made.desk, 2)):
            with pytest.raises(WireError, match="no pairing in progress"):
                made.window.confirm(desk, window, True)
        made.window.confirm(made.desk, 1, False)

    assert made.verdicts == ["pairing_failed: pairing failed"]


async def test_there_is_one_window_at_a_time() -> None:
    async with room() as (made, _):
        made.open()
        with pytest.raises(WireError, match="a pairing window is already open") as caught:
            made.window.open(RecordedDesk())
        assert caught.value.code is Code.PAIRING_FAILED
        made.window.cancel(made.desk)
        assert made.desk.finished == [(False, "cancelled")]


async def test_a_device_that_hangs_up_cannot_be_confirmed_any_more() -> None:
    async with room() as (made, devices):
        devices.start_soon(made.attempt, made.open())
        await settle()
        devices.cancel_scope.cancel()
        await settle_cancelled()
        assert made.desk.finished == [(False, "the device hung up before it was confirmed")]
        with pytest.raises(WireError, match="no pairing in progress"):
            made.window.confirm(made.desk, 1, True)


async def settle_cancelled() -> None:
    with trio.CancelScope(shield=True):
        await trio.testing.wait_all_tasks_blocked()


async def test_a_paired_device_pairs_again_in_a_window_and_replaces_its_record() -> None:
    again = build_applicant(window=None, tls_key=OTHER_PIN)
    async with room() as (made, devices):
        devices.start_soon(made.attempt, made.open())
        await settle()
        made.window.confirm(made.desk, 1, True)
        await settle()
        code = made.open()
        async with trio.open_nursery() as others:
            others.start_soon(partial(made.attempt, code, applicant=again))
            await settle()
            assert made.desk.asked[-1][1].previous == made.peers.peers.peers[0]
            made.window.confirm(made.desk, 2, True)

    assert made.verdicts == ["paired", "paired"]
    assert [peer.tls_key for peer in made.peers.peers.peers] == [OTHER_PIN]


async def test_a_paired_device_without_a_window_is_told_that_it_is_paired() -> None:
    async with room() as (made, _):
        await made.attempt(WRONG, applicant=build_applicant(window=None))

    assert made.verdicts == ["pairing_failed: already paired"]
    assert made.results("pair.complete") == ["already paired"]


async def test_a_terminal_key_that_is_none_does_not_burn_the_window() -> None:
    key = LocalKey.generate()
    async with room() as (made, devices):
        code = made.open()
        session_key = build_applicant(tls_key=key.pin)
        text = urlsafe_b64encode(key.spki).rstrip(b"=").decode()
        await made.attempt(code, applicant=session_key, terminal_key=text)
        assert made.results("pair.complete") == ["invalid terminal key"]
        assert made.window.number() == 1
        devices.start_soon(partial(made.attempt, code, terminal_key=text))
        await settle()
        made.window.confirm(made.desk, 1, True)

    assert made.verdicts == ["pairing_failed: pairing failed", "paired"]
    assert made.peers.peers.peers[0].terminal_key == text


async def test_a_label_that_is_taken_or_a_full_disk_pairs_nobody() -> None:
    async with room() as (made, devices):
        for number, node in enumerate(("nFIRST", "nSECOND"), start=1):
            applicant = build_applicant(node, window=number)
            code = made.open()
            devices.start_soon(partial(made.attempt, code, applicant=applicant))
            await settle()
            made.window.confirm(made.desk, number, True)
            await settle()

        os.unlink(made.folder / FILE_NAME)
        os.mkdir(made.folder / FILE_NAME)
        code = made.open()
        devices.start_soon(partial(made.attempt, code, applicant=build_applicant("nFIRST", window=3)))
        await settle()
        made.window.confirm(made.desk, 3, True)

    assert made.verdicts == ["paired", *["pairing_failed: pairing failed"] * 2]
    assert made.desk.finished[1] == (False, 'label "Ana\'s phone" is already used by another phone')
    assert "cannot write" in made.desk.finished[2][1]
    assert [peer.stable_id for peer in made.peers.peers.peers] == ["nFIRST"]


async def test_where_nothing_can_be_invited_to_nothing_is_opened() -> None:
    def nowhere(code: PairingCode) -> Invite:
        raise CollieError("this machine is on no network")

    async with room() as (made, _):
        made.window._invite_for = nowhere
        with pytest.raises(CollieError, match="on no network"):
            made.window.open(made.desk)
        assert (made.window.number(), made.lines) == (None, [])


async def test_each_window_has_a_code_of_its_own_which_is_never_shown() -> None:
    async with room() as (made, _):
        opened = made.window.open(made.desk)
        code = invite.parse(opened.uri).code
        made.window.cancel(made.desk)

        assert made.open() != code
        assert code not in repr(opened)
        assert all(code not in str(line) for line in made.lines)
