"""Where GnuTLS comes from, what is said when it does not, and what its environment may not do."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from collie.tls.errors import TlsUnavailable
from collie.tls.loading import CANDIDATES, advice_for, load
from collie.tls.stream import library

SHAKE_HANDS = """
import sys
from collie.errors import CollieError
from collie.tls.connection import TlsConnection
from collie.tls.keys import LocalKey

def shake_hands(client_key, server_key):
    client = TlsConnection(client_key, lambda pin: pin == server_key.pin, server=False)
    server = TlsConnection(server_key, lambda pin: pin == client_key.pin, server=True)
    client.handshake()
    while client.pending or server.pending:
        for one, other in ((client, server), (server, client)):
            if one.pending:
                other.feed(one.take())
    client.write(b"data")
    assert server.feed(client.take()) == b"data"

try:
    shake_hands(LocalKey.generate(), LocalKey.generate())
except CollieError as error:
    print(type(error).__name__, error)
else:
    print("done")
"""

FORBID_WRITABLE_CODE = """
import ctypes
PR_SET_MDWE, REFUSE_EXEC_GAIN = 65, 1
if ctypes.CDLL(None).prctl(PR_SET_MDWE, REFUSE_EXEC_GAIN, 0, 0, 0):
    print("unsupported")
    raise SystemExit
"""


def run(script: str, **environ: str) -> str:
    """What the script prints in a process of its own."""
    finished = subprocess.run(
        [sys.executable, "-c", script], env=os.environ | environ, capture_output=True, text=True, check=True
    )
    return finished.stdout.strip()


def test_the_library_tells_what_it_is() -> None:
    info = library()
    assert info.name == "GnuTLS"
    assert tuple(int(part) for part in info.version.split(".")) >= (3, 7, 1)
    assert Path(info.path).is_file()


def test_a_library_may_be_named() -> None:
    assert load({"COLLIE_GNUTLS": library().path}).info == library()


def test_a_missing_library_is_one_line_that_says_what_to_do() -> None:
    said = run(SHAKE_HANDS, COLLIE_GNUTLS="/nowhere/libgnutls.so.30")
    assert said.startswith("TlsUnavailable COLLIE_GNUTLS names /nowhere/libgnutls.so.30, which cannot be loaded")
    assert "install" in said
    assert "\n" not in said


def test_a_library_that_is_another_one() -> None:
    with pytest.raises(TlsUnavailable, match="is not GnuTLS"):
        load({"COLLIE_GNUTLS": "libc.so.6" if sys.platform == "linux" else "/usr/lib/libSystem.dylib"})


def test_a_library_that_is_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collie.tls.loading.OLDEST", "99.0.0")
    with pytest.raises(TlsUnavailable, match=r"GnuTLS 99\.0\.0 or later is needed, found 3\.\d+\.\d+ at .*install"):
        load({})


def test_no_library_anywhere(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("collie.tls.loading.CANDIDATES", ("libnowhere.so.1",))
    with pytest.raises(TlsUnavailable, match="was not found") as error:
        load({})
    assert "\n" not in str(error.value)
    assert CANDIDATES[0].startswith("libgnutls")


@pytest.mark.parametrize(
    ("release", "command"),
    [
        ({"ID": "debian", "VERSION_ID": "12"}, "apt install libgnutls30'"),
        ({"ID": "debian", "VERSION_ID": "13"}, "apt install libgnutls30t64'"),
        ({"ID": "ubuntu", "ID_LIKE": "debian", "VERSION_ID": "22.04"}, "apt install libgnutls30'"),
        ({"ID": "ubuntu", "ID_LIKE": "debian", "VERSION_ID": "24.04"}, "apt install libgnutls30t64'"),
        ({"ID": "raspbian", "ID_LIKE": "debian", "VERSION_ID": "12"}, "apt install libgnutls30'"),
        ({"ID": "fedora"}, "dnf install gnutls"),
        ({"ID": "rocky", "ID_LIKE": "rhel centos fedora"}, "dnf install gnutls"),
        ({"ID": "arch"}, "pacman -S gnutls"),
        ({"ID": "alpine", "VERSION_ID": "3.20.1"}, "apk add gnutls"),
        ({"ID": "nixos"}, "COLLIE_GNUTLS"),
        ({}, "COLLIE_GNUTLS"),
    ],
)
def test_the_command_is_that_of_the_system(release: dict[str, str], command: str) -> None:
    assert command in advice_for(release)


def test_nothing_is_loaded_at_import() -> None:
    loads = "import collie.tls.stream, collie.tls.connection, sys; print('gnutls' in open('/proc/self/maps').read())"
    if not Path("/proc/self/maps").exists():
        pytest.skip("no /proc here")
    assert run(loads) == "False"


def test_where_no_memory_may_become_code() -> None:
    """As under systemd's MemoryDenyWriteExecute."""
    said = run(FORBID_WRITABLE_CODE + SHAKE_HANDS)
    if said == "unsupported":
        pytest.skip("this kernel has no PR_SET_MDWE")
    assert said == "done"


def test_a_policy_that_forbids_tls_1_3(tmp_path: Path) -> None:
    policy = tmp_path / "policy"
    policy.write_text("[overrides]\ndisabled-version = tls1.3\n")
    said = run(SHAKE_HANDS, GNUTLS_SYSTEM_PRIORITY_FILE=str(policy))
    assert said.startswith("TlsUnavailable GnuTLS 3.")
    assert "crypto policy" in said
    assert "\n" not in said


def test_the_environment_does_not_get_the_secrets(tmp_path: Path) -> None:
    log = tmp_path / "secrets"
    assert run(SHAKE_HANDS, SSLKEYLOGFILE=str(log)) == "done"
    assert not log.exists()
