"""Where the system's GnuTLS is, and what to install where it is missing."""

import ctypes
import platform
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from collie.tls.errors import TlsUnavailable

OVERRIDE: Final = "COLLIE_GNUTLS"
"""Environment variable that names the library's file, for systems that keep it elsewhere (Nix, Guix)."""

CANDIDATES: Final = (
    "libgnutls.so.30",
    "libgnutls.30.dylib",
    "/opt/homebrew/lib/libgnutls.30.dylib",
    "/opt/local/lib/libgnutls.30.dylib",
    "/usr/local/lib/libgnutls.30.dylib",
)
"""The last three because a Python that is not from Homebrew or MacPorts does not search their folders."""

OLDEST: Final = "3.7.1"
"""The oldest GnuTLS that was tried. Raw keys themselves are there since 3.6.6."""

_RENAMED_IN: Final = {"debian": (13,), "ubuntu": (24, 4)}
"""Since when the package carries the suffix of the 64-bit time transition."""

_COMMANDS: Final = {"fedora": "dnf install gnutls", "arch": "pacman -S gnutls", "alpine": "apk add gnutls"}


@dataclass(frozen=True, slots=True, kw_only=True)
class LibraryInfo:
    """The TLS library in use: its name, version, and the file it was loaded from."""

    name: str
    version: str
    path: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """An opened library that is new enough."""

    cdll: ctypes.CDLL
    info: LibraryInfo


class _DlInfo(ctypes.Structure):
    _fields_ = (
        ("file_name", ctypes.c_char_p),
        ("file_base", ctypes.c_void_p),
        ("symbol_name", ctypes.c_char_p),
        ("symbol_address", ctypes.c_void_p),
    )


def load(environ: Mapping[str, str]) -> Loaded:
    """Open the library.

    Raises: TlsUnavailable when it is missing or too old.
    """
    cdll, name = _open(environ.get(OVERRIDE))
    try:
        check_version = cdll.gnutls_check_version
    except AttributeError as error:
        raise TlsUnavailable(f"{name} is not GnuTLS; {advice()}") from error
    check_version.restype, check_version.argtypes = ctypes.c_char_p, (ctypes.c_char_p,)
    version = check_version(None).decode()
    if check_version(OLDEST.encode()) is None:
        raise TlsUnavailable(f"GnuTLS {OLDEST} or later is needed, found {version} at {name}; {advice()}")
    path = _file_of(check_version) or name
    return Loaded(cdll=cdll, info=LibraryInfo(name="GnuTLS", version=version, path=path))


def advice() -> str:
    """What to do on this system to get the library."""
    if sys.platform == "darwin":
        return "install it with 'brew install gnutls'"
    try:
        release = platform.freedesktop_os_release()
    except OSError:
        release = {}
    return advice_for(release)


def advice_for(release: Mapping[str, str]) -> str:
    """What to do on a Linux system that describes itself by these fields of os-release(5)."""
    families = [release.get("ID", ""), *release.get("ID_LIKE", "").split()]
    for family in families:
        if family in _RENAMED_IN:
            suffix = "t64" if _version(release) >= _RENAMED_IN[family] else ""
            return f"install it with 'apt install libgnutls30{suffix}'"
        if family in _COMMANDS:
            return f"install it with '{_COMMANDS[family]}'"
    return f"install GnuTLS {OLDEST} or later with the system's packages, or name its file in {OVERRIDE}"


def _version(release: Mapping[str, str]) -> tuple[int, ...]:
    parts = release.get("VERSION_ID", "").split(".")
    return tuple(int(part) for part in parts if part.isdigit())


def _open(named: str | None) -> tuple[ctypes.CDLL, str]:
    for name in (named,) if named else CANDIDATES:
        try:
            return ctypes.CDLL(name), name
        except OSError as error:
            if named:
                raise TlsUnavailable(
                    f"{OVERRIDE} names {named}, which cannot be loaded: {error}; {advice()}"
                ) from error
    raise TlsUnavailable(f"GnuTLS ({CANDIDATES[0]}) was not found, and no peer can be reached without it; {advice()}")


def _file_of(function: object) -> str | None:
    """The file that a function of a loaded library comes from, by dladdr(3); None where that cannot be told."""
    found = _DlInfo()
    try:
        dladdr = ctypes.CDLL(None).dladdr
    except (AttributeError, OSError):
        return None
    dladdr.argtypes = (ctypes.c_void_p, ctypes.POINTER(_DlInfo))
    if not dladdr(ctypes.cast(function, ctypes.c_void_p), ctypes.byref(found)):  # type: ignore[arg-type]
        return None
    return found.file_name.decode() if found.file_name else None
