"""Who asks to be paired: what would change, and which terminal keys are keys."""

from base64 import urlsafe_b64encode
from dataclasses import replace

import msgspec
import pytest
from tools.pairing import OTHER_PIN, OWNER, PIN, build_candidate

from collie.daemon.pairing.candidate import KeyChange, is_terminal_key
from collie.daemon.peers import PairedPeer
from collie.tls.keys import LocalKey

KEY = LocalKey.generate()
TEXT = urlsafe_b64encode(KEY.spki).rstrip(b"=").decode()
OTHER_TEXT = urlsafe_b64encode(LocalKey.generate().spki).rstrip(b"=").decode()


def test_a_new_device_brings_new_keys() -> None:
    candidate = replace(build_candidate(), terminal_key=TEXT)

    assert (candidate.tls_key_change, candidate.terminal_key_change) == (KeyChange.NEW, KeyChange.NEW)
    assert build_candidate().terminal_key_change is KeyChange.NONE


@pytest.mark.parametrize(
    ("before", "after", "change"),
    [
        (None, TEXT, KeyChange.NEW),
        (TEXT, TEXT, KeyChange.UNCHANGED),
        (OTHER_TEXT, TEXT, KeyChange.REPLACES),
        (TEXT, None, KeyChange.NONE),
    ],
    ids=["first", "same", "other", "none"],
)
def test_one_that_was_paired_before_shows_what_changes(
    before: str | None, after: str | None, change: KeyChange
) -> None:
    previous = msgspec.structs.replace(build_candidate().paired(1), terminal_key=before, tls_key=OTHER_PIN)
    candidate = replace(build_candidate(), terminal_key=after, previous=previous)

    assert (candidate.tls_key_change, candidate.terminal_key_change) == (KeyChange.REPLACES, change)


def test_its_record_has_all_that_the_gate_asks_for() -> None:
    assert replace(build_candidate(), terminal_key=TEXT).paired(1_700_000_000_000) == PairedPeer(
        stable_id="nPHONE",
        user_id=OWNER,
        login="ana@example.com",
        label="Ana's phone",
        paired_at=1_700_000_000_000,
        tls_key=PIN,
        terminal_key=TEXT,
    )


def test_a_terminal_key_is_a_key_and_not_the_sessions() -> None:
    assert is_terminal_key(TEXT, PIN)
    assert not is_terminal_key(TEXT, KEY.pin)


@pytest.mark.parametrize(
    "text",
    [
        "",
        TEXT[:-1],
        TEXT + "=",
        TEXT[:-1] + chr(ord(TEXT[-1]) + 1),
        TEXT[:60] + "!" + TEXT[60:],
        "A" + TEXT[1:],
        TEXT[:-2] + ("AA" if not TEXT.endswith("AA") else "BA"),
        "é" * 122,
    ],
    ids=["empty", "short", "padded", "not canonical", "no base64", "no key", "off the curve", "no ASCII"],
)
def test_what_is_no_p_256_key_is_no_terminal_key(text: str) -> None:
    assert not is_terminal_key(text, PIN)
