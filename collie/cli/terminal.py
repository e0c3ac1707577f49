"""Whether there is a terminal that the dashboard can draw on."""

import os
import sys

from collie.errors import CollieError


def require_terminal(command: str) -> None:
    """Raises CollieError, with what works without one, when there is none or it cannot be drawn on."""
    elsewhere = "`collie --serve` runs the daemon without a terminal, `collie status` tells how it does"
    if not (sys.stdin.isatty() and sys.stdout.isatty()):
        raise CollieError(f"`{command}` needs a terminal: {elsewhere}")
    if os.environ.get("TERM", "dumb") in ("", "dumb"):
        raise CollieError(f"`{command}` cannot draw on this terminal (TERM is dumb or unset): {elsewhere}")
