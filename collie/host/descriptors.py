"""Open files: how many this process may have, and how many are left. A host without any could not even be asked."""

import os
import resource
from typing import Final

WANTED: Final = 4096
"""More than a host needs that has as many panes, and as many connections, as it takes."""

UNBOUNDED: Final = 1 << 20
"""What stands for no limit: Linux gives no process more."""

RESERVE: Final = 16
"""Those that are kept from panes, for the connections through which panes are watched and closed."""


def limit() -> int:
    """How many files this process may have open."""
    return _finite(resource.getrlimit(resource.RLIMIT_NOFILE)[0])


def raise_limit() -> int:
    """Let this process open as many files as it may need and is allowed; what its limit was before."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = min(WANTED, _finite(hard))
    if _finite(soft) < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    return _finite(soft)


def left() -> int:
    """How many more files this process can open."""
    return limit() - (len(os.listdir("/dev/fd")) - 1)


def _finite(number: int) -> int:
    return UNBOUNDED if number == resource.RLIM_INFINITY else number
