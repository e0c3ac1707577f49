"""Completes the name of a folder while it is typed."""

import asyncio
import os
from pathlib import Path

from textual.suggester import Suggester

ENTRIES_LOOKED_AT = 2_000
"""A folder with more entries is not read to its end for a suggestion."""


def complete_folder(typed: str) -> str | None:
    """`typed` with its last part completed to the first folder that begins so, None when there is none."""
    parent, _, start = typed.rpartition("/")
    if not parent and not typed.startswith("/"):
        return None
    try:
        with os.scandir(Path(parent + "/").expanduser()) as entries:
            names = [
                entry.name for entry, _ in zip(entries, range(ENTRIES_LOOKED_AT), strict=False) if _fits(entry, start)
            ]
    except OSError:
        return None
    return f"{parent}/{min(names)}" if names else None


def _fits(entry: os.DirEntry[str], start: str) -> bool:
    hidden = entry.name.startswith(".") and not start.startswith(".")
    return bool(start) and not hidden and entry.name.startswith(start) and entry.name.isprintable() and entry.is_dir()


class FolderSuggester(Suggester):
    """Suggests the rest of a folder's path."""

    def __init__(self) -> None:
        super().__init__(use_cache=False, case_sensitive=True)

    async def get_suggestion(self, value: str) -> str | None:
        return await asyncio.to_thread(complete_folder, value)
