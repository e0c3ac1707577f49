"""Whether an agent that left the foreground has ended: one that is stopped looks just so, and comes back."""

import psutil


def has_stopped(shell: int) -> bool:
    """Whether a process below this shell is stopped, as job control or a signal stops it."""
    try:
        below = psutil.Process(shell).children(recursive=True)
    except psutil.Error:
        return False
    return any(_is_stopped(process) for process in below)


def _is_stopped(process: psutil.Process) -> bool:
    try:
        return bool(process.status() in (psutil.STATUS_STOPPED, psutil.STATUS_TRACING_STOP))
    except psutil.Error:
        return False
