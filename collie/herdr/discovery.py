"""Where herdr's socket is, and whether anybody answers there."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import trio

from collie.errors import CollieError
from collie.herdr.client import HostClient
from collie.herdr.errors import HostRefused, HostUnavailable
from collie.herdr.models import Pong

ANSWER_TIMEOUT: Final = 2.0
"""Seconds to wait for a pong. herdr answers from a thread of its own, so this is generous."""

_SESSION_NAME: Final = re.compile(r"[A-Za-z0-9._-]{1,64}\Z")
_DEFAULT_SESSION: Final = "default"


def herdr_socket(environ: Mapping[str, str], home: Path, *, session: str | None = None) -> Path:
    """The socket of the herdr that a shell with this environment would talk to.

    Args:
        session: the session named in Collie's own configuration; it goes before the environment.

    Raises: CollieError when `session` is no name of a session.
    """
    config = Path(environ.get("XDG_CONFIG_HOME") or home / ".config") / "herdr"
    if session is not None:
        if not _is_session_name(session):
            raise CollieError(f"{session!r} is no name of a herdr session: up to 64 letters, digits, '.', '_' and '-'")
        return _session_socket(config, session)
    if path := environ.get("HERDR_SOCKET_PATH"):
        return Path(path)
    named = environ.get("HERDR_SESSION", _DEFAULT_SESSION)
    return _session_socket(config, named if _is_session_name(named) else _DEFAULT_SESSION)


async def answers(path: Path) -> Pong | None:
    """Who answers a ping at this socket, or None."""
    with trio.move_on_after(ANSWER_TIMEOUT):
        try:
            return await HostClient(path).ping()
        except (HostUnavailable, HostRefused):
            return None
    return None


def _is_session_name(name: str) -> bool:
    return _SESSION_NAME.match(name) is not None and name not in (".", "..")


def _session_socket(config: Path, session: str) -> Path:
    if session == _DEFAULT_SESSION:
        return config / "herdr.sock"
    return config / "sessions" / session / "herdr.sock"
