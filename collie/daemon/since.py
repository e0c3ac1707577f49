"""status.json: since when each agent has its status, so that a new daemon need not begin to count anew.

    {"<terminal id>": ["<status>", <state_change_seq>, <milliseconds since 1970>]}

It is a convenience: a file that cannot be read or written costs nothing but these times.
"""

import logging
from collections.abc import Mapping
from pathlib import Path
from typing import Final

import msgspec
import trio

from collie.daemon.flock import Flock, Since
from collie.errors import CollieError
from collie.store import read_private, set_aside, write_private

log = logging.getLogger(__name__)

FILE_NAME: Final = "status.json"

SAVE_EVERY: Final = 2.0
"""Seconds between two looks at whether there is something to save."""

_Entry = tuple[str, int, int]


def load_since(data_dir: Path) -> dict[str, Since]:
    """What was saved; nothing when it cannot be read."""
    path = data_dir / FILE_NAME
    try:
        data = read_private(path)
        found = msgspec.json.decode(data, type=dict[str, _Entry]) if data is not None else {}
    except msgspec.DecodeError:
        log.warning("%s was not understood, and is now %s", path, _aside(path))
        return {}
    except CollieError as exc:
        log.warning("%s", exc)
        return {}
    return {key: Since(status=status, seq=seq, since_ms=since) for key, (status, seq, since) in found.items()}


async def keep_since(data_dir: Path, flock: Flock) -> None:
    """Save what changes, until cancelled."""
    saved = dict(flock.since)
    trouble = ""
    while True:
        await trio.sleep(SAVE_EVERY)
        if flock.since == saved:
            continue
        saved = dict(flock.since)
        before, trouble = trouble, _save(data_dir / FILE_NAME, saved)
        if trouble and trouble != before:
            log.warning("%s", trouble)


def _save(path: Path, since: Mapping[str, Since]) -> str:
    """Write the file; what went wrong, or ""."""
    entries = {key: (each.status, each.seq, each.since_ms) for key, each in since.items()}
    try:
        write_private(path, msgspec.json.format(msgspec.json.encode(entries)) + b"\n", durable=False)
    except CollieError as exc:
        return str(exc)
    return ""


def _aside(path: Path) -> str:
    try:
        return set_aside(path).name
    except CollieError as exc:
        return f"still there: {exc}"
