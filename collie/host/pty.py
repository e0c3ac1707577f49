"""A pseudo-terminal and the session in it: spawn, read, write, resize, end.

The child gets its controlling terminal without a line of Python between fork and exec: `subprocess` makes it the
leader of a new session, and a small shell then opens the terminal by its path, which makes it the controlling one, and
becomes the real command. (`posix_spawn` cannot do it: macOS opens files before it makes the session.) All
descriptors but the terminal are closed in the child.
"""

import contextlib
import fcntl
import os
import signal
import struct
import subprocess
import sys
import termios
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

import psutil
import trio

from collie.errors import CollieError

READ_CHUNK: Final = 4096
"""Bytes asked for at once; Linux gives at most 4,095."""

CANONICAL_LINE: Final = 1024 if sys.platform == "darwin" else 4096
"""Bytes that fit in one line while the tty edits lines itself (MAX_CANON); the rest of a longer one would be lost."""

REAP_EVERY: Final = 0.02
"""Seconds between looks at a session that is ending: the kernel tells nobody of the end of its last member."""

LAST_READS: Final = 64
"""Reads of what is printed meanwhile, at most, between two of them."""

EXIT_EVERY: Final = 0.25
"""Seconds between looks at a leader where the system has no pidfd; macOS closes the terminal when its leader ends."""

_TAKE_TERMINAL: Final = 'ulimit -S -n "$1" 2>/dev/null; shift; exec "$@" <>"$0" >&0 2>&1'


class SpawnFailed(CollieError):
    """The command could not be started."""


class PtyClosed(CollieError):
    """The session has let go of the terminal, or we have."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Command:
    """What to run in a terminal. `open_files` is how many it may have open, however many the host may."""

    argv: Sequence[str]
    cwd: str
    env: Mapping[str, str]
    columns: int
    rows: int
    open_files: int


class Pty:
    """The one owner of a master descriptor, and of the process that leads the session on its other side."""

    def __init__(self, fd: int, process: "subprocess.Popen[bytes]") -> None:
        self._fd = fd
        self._process = process
        self.pid = process.pid

    @classmethod
    def spawn(cls, command: Command) -> "Pty":
        """Start the command, at the right size from its first instruction on.

        Raises: SpawnFailed.
        """
        try:
            master, slave = os.openpty()
        except OSError as exc:
            raise SpawnFailed(f"no pseudo-terminal: {exc.strerror}") from exc
        try:
            _set_size(slave, command.columns, command.rows)
            os.set_blocking(master, False)
            process = _start(command, slave)
        except OSError as exc:
            os.close(master)
            raise SpawnFailed(f"cannot start {command.argv[0]} in {command.cwd}: {exc.strerror}") from exc
        finally:
            os.close(slave)
        return cls(master, process)

    def read(self) -> bytes | None:
        """Some output, or None: there is none now.

        Raises: PtyClosed.
        """
        try:
            data = os.read(self._live_fd(), READ_CHUNK)
        except BlockingIOError:
            return None
        except OSError as exc:
            raise PtyClosed("the terminal is closed") from exc
        if not data:
            raise PtyClosed("the terminal is closed")
        return data

    def write(self, data: bytes | bytearray) -> int:
        """How many bytes of `data` the terminal took.

        Raises: PtyClosed.
        """
        try:
            return os.write(self._live_fd(), data)
        except BlockingIOError:
            return 0
        except OSError as exc:
            raise PtyClosed("the terminal is closed") from exc

    async def wait_readable(self) -> None:
        """Until there is output, or the session has ended.

        Raises: PtyClosed.
        """
        await self._wait(trio.lowlevel.wait_readable)

    async def wait_writable(self) -> None:
        """Until input is taken again.

        Raises: PtyClosed.
        """
        await self._wait(trio.lowlevel.wait_writable)

    def resize(self, columns: int, rows: int) -> None:
        """Tell the session its new size (SIGWINCH)."""
        with contextlib.suppress(OSError, PtyClosed):
            _set_size(self._live_fd(), columns, rows)

    def foreground(self) -> int | None:
        """The process group in the foreground, None where there is none."""
        try:
            group = os.tcgetpgrp(self._live_fd())
        except (OSError, PtyClosed):
            return None
        return group if group > 0 else None

    def edits_lines(self) -> bool:
        """Whether the tty itself collects input into lines (canonical mode)."""
        try:
            return bool(termios.tcgetattr(self._live_fd())[3] & termios.ICANON)
        except (termios.error, PtyClosed):
            return False

    def close(self) -> None:
        """Let go of the terminal: the kernel hangs up on what still uses it. A second call does nothing."""
        fd, self._fd = self._fd, -1
        if fd >= 0:
            trio.lowlevel.notify_closing(fd)
            os.close(fd)

    async def end(self, grace: float) -> None:
        """Hang up on the session, kill what is left of it after `grace` seconds, reap its leader.

        Where the leader has ended by itself, what it left running stays, as it would in any terminal.
        """
        if self._process.returncode is not None:
            self.close()
            return
        signal_session(self.pid, signal.SIGHUP)
        with trio.move_on_after(grace):
            while self._process.poll() is None or session_members(self.pid):
                self._discard()
                await trio.sleep(REAP_EVERY)
        signal_session(self.pid, signal.SIGKILL)
        self.close()
        await self.wait_exit()

    async def wait_exit(self) -> None:
        """Until the leader has ended; it is reaped then.

        The terminal need not tell: on Linux it stays open while anything that the leader left running holds it.
        """
        with _pidfd(self.pid) as fd:
            while self._process.poll() is None:
                if fd is None:
                    await trio.sleep(EXIT_EVERY)
                else:
                    await trio.lowlevel.wait_readable(fd)

    def _discard(self) -> None:
        """Take what is printed at the end: who cannot print his last words cannot go."""
        with contextlib.suppress(PtyClosed):
            for _ in range(LAST_READS):
                if self.read() is None:
                    return

    def _live_fd(self) -> int:
        if self._fd < 0:
            raise PtyClosed("the terminal is closed")
        return self._fd

    async def _wait(self, wait: Callable[[int], Awaitable[None]]) -> None:
        try:
            await wait(self._live_fd())
        except trio.ClosedResourceError as exc:
            raise PtyClosed("the terminal is closed") from exc


@contextmanager
def _pidfd(pid: int) -> Iterator[int | None]:
    """A descriptor that becomes readable when our child ends, None where the system has none (Linux before 5.3)."""
    fd = _open_pidfd(pid)
    try:
        yield fd
    finally:
        if fd is not None:
            os.close(fd)


def _open_pidfd(pid: int) -> int | None:
    if sys.platform == "linux":
        with contextlib.suppress(OSError):
            return os.pidfd_open(pid)
    return None


def session_members(leader: int) -> tuple[int, ...]:
    """The processes of the session that `leader` began, whichever are left; those that wait to be reaped are not."""
    return tuple(pid for pid in psutil.pids() if _session_of(pid) == leader and not _is_zombie(pid))


def signal_session(leader: int, number: signal.Signals) -> None:
    """Send a signal to every process of a session."""
    for pid in session_members(leader):
        with contextlib.suppress(ProcessLookupError, PermissionError):
            os.kill(pid, number)


def _session_of(pid: int) -> int | None:
    try:
        return os.getsid(pid)
    except OSError:
        return None


def _is_zombie(pid: int) -> bool:
    try:
        return psutil.Process(pid).status() == psutil.STATUS_ZOMBIE
    except psutil.Error:
        return True


def _start(command: Command, slave: int) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        ["/bin/sh", "-c", _TAKE_TERMINAL, os.ttyname(slave), str(command.open_files), *command.argv],
        cwd=command.cwd,
        env=dict(command.env),
        stdin=slave,
        stdout=slave,
        stderr=slave,
        start_new_session=True,
        close_fds=True,
        restore_signals=True,
    )


def _set_size(fd: int, columns: int, rows: int) -> None:
    fcntl.ioctl(fd, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
