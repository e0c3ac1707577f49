"""Finding the embedded host of a data directory, or starting it.

It is a process of its own, in a session of its own: it outlives the daemon that started it, as the agents in it must.
A service manager that ends a whole control group must be told to leave it alone (systemd: `KillMode=process`).
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import trio

from collie.errors import CollieError
from collie.herdr.discovery import answers
from collie.store import failure, lock_holder, private_dir, read_private, socket_path

SOCKET: Final = "herdr/herdr.sock"
LOCK: Final = "herdr/host.lock"
LOG: Final = "herdr/host.log"
"""The host's names for these, which it cannot be asked for before it runs."""

START_TIMEOUT: Final = 5.0
"""Seconds that a host has to answer."""

LOSER_WAIT: Final = 1.0
"""Seconds that are left to another host, which was started at the same moment, once ours has given up."""

ENDING_WAIT: Final = 4.0
"""Seconds that are left to a host that is there, and cannot be reached: it ends, or makes its socket again."""

PROBE_EVERY: Final = 0.02
TAIL_BYTES: Final = 4096


async def ensure_embedded_host(data_dir: Path, *, lifeline: int | None = None) -> Path:
    """The socket of the data directory's host, which is started unless it runs.

    Args:
        lifeline: the reading end of a pipe; a host that is started here ends when the other end is closed, and
            takes the data directory along.

    Raises: CollieError when it does not come up.
    """
    path = socket_path(data_dir, SOCKET)
    if await answers(path):
        return path
    private_dir(data_dir)
    if await _comes_back(path, data_dir / LOCK):
        return path
    process = await _start(data_dir, private_dir(data_dir / Path(LOG).parent) / Path(LOG).name, lifeline)
    with trio.move_on_after(START_TIMEOUT) as patience:
        while not await answers(path):
            if process.poll() is not None:
                patience.deadline = min(patience.deadline, trio.current_time() + LOSER_WAIT)
            await trio.sleep(PROBE_EVERY)
    if patience.cancelled_caught:
        did_not_start = CollieError(f"the embedded host did not start: {_last_line(data_dir / LOG)}")
        raise _unreachable(path, data_dir / LOCK) or did_not_start
    holder = (read_private(data_dir / LOCK) or b"").strip()
    if holder.isdigit() and int(holder) != process.pid:
        await _give_up(process)
    return path


async def _comes_back(path: Path, lock: Path) -> bool:
    """Whether a host that holds the lock, and cannot be reached, can be reached after all.

    Raises: CollieError when it stays as it is.
    """
    with trio.move_on_after(ENDING_WAIT):
        while lock_holder(lock) is not None:
            if await answers(path):
                return True
            await trio.sleep(PROBE_EVERY)
    if stays := _unreachable(path, lock):
        raise stays
    return False


def _unreachable(path: Path, lock: Path) -> CollieError | None:
    """What to say of a host that is there and does not answer; None when there is none."""
    holder = lock_holder(lock)
    if holder is None:
        return None
    return CollieError(
        f"the host (process {holder}) runs, but does not answer at {path}: "
        "`collie host stop --yes` ends it, and what runs in it"
    )


async def _give_up(process: trio.Process) -> None:
    """End a host that we started while another was first: were it slow, it could still take that one's place later."""
    process.terminate()
    with trio.move_on_after(LOSER_WAIT):
        await process.wait()


async def _start(data_dir: Path, log: Path, lifeline: int | None) -> trio.Process:
    """Start the host. `-P`: what happens to lie in this directory is not imported."""
    command = [sys.executable, "-P", "-m", "collie", "host", "run"]
    if lifeline is not None:
        command += ["--lifeline", str(lifeline)]
    try:
        fd = os.open(log, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o600)
    except OSError as exc:
        raise failure("write", log, exc) from exc
    try:
        return await trio.lowlevel.open_process(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=fd,
            env={**os.environ, "COLLIE_DATA_DIR": str(data_dir)},
            pass_fds=() if lifeline is None else (lifeline,),
            start_new_session=True,
        )
    finally:
        os.close(fd)


def _last_line(log: Path) -> str:
    """What the host said last; its log holds its errors too."""
    try:
        with open(log, "rb") as file:
            file.seek(max(os.fstat(file.fileno()).st_size - TAIL_BYTES, 0))
            lines = file.read().decode(errors="replace").split("\n")
    except OSError as exc:
        return f"and its log cannot be read ({exc.strerror}): {log}"
    said = [line for line in lines if line.strip()]
    return f"{said[-1].strip()} (log: {log})" if said else f"it said nothing (log: {log})"
