"""The audit log: one line an attempt, refused ones included; who, what, on what, with what result. Never content.

A line of `audit.log` is one compact JSON object whose keys come in this order:

    {"ts":…,"peer":"…","method":"…","target":…,"result":"…","prev":"<64 hex>","mac":"<64 hex>"}

`ts` is in milliseconds since 1970, `target` null where there is none. `prev` is the `mac` of the line above, or 64
zeros. `mac` is HMAC-SHA256, keyed by the 32 bytes of `audit.key`, over the text of `prev`, a newline, and the line up
to (not including) `,"prev"` closed with `}`; all as the bytes that are in the file. So a line that was changed, put in
or taken out breaks the chain at that place; only a cut at the end of the file needs another witness.

A line that a crash or a full disk left unfinished stays as it is, ended by a newline; the chain passes over it, from
the last whole line to the next, which is one of ours (peer `collie`, method `audit.resume`) that says so.
"""

import contextlib
import hashlib
import hmac
import logging
import os
import secrets
from collections.abc import Iterator
from pathlib import Path
from typing import Final, Self

import msgspec

from collie.errors import CollieError
from collie.protocol.models import AuditLine
from collie.store import check_private, failure, read_private, write_private

log = logging.getLogger(__name__)

LOG_NAME: Final = "audit.log"
KEY_NAME: Final = "audit.key"
KEY_BYTES: Final = 32

FIRST_PREV: Final = "0" * 64
"""`prev` of a chain's first line."""

TEXT_CHARS: Final = 2_048
"""The longest text of a field; a path or an error that is longer is cut."""

BLOCK_BYTES: Final = 65_536
TAIL_BYTES: Final = 3 * 1024 * 1024
"""The most that a tail reads: its reply has to fit a frame of 4 MiB."""

OURSELVES: Final = "collie"
"""`peer` of what nobody asked for."""


class ChainedLine(AuditLine, frozen=True, kw_only=True):
    """A line as it is in the file."""

    prev: str
    mac: str


class AuditLog:
    """Appends to `audit.log`. One process at a time has it, the one that holds the daemon's lock."""

    def __init__(self, path: Path, key: bytes, fd: int, prev: str, size: int) -> None:
        self._path = path
        self._key = key
        self._fd = fd
        self._prev = prev
        self._size = size
        self._lost = 0
        self.trouble = ""
        """Why the newest line could not be written, "" when all is well; for `status`."""

    @classmethod
    def open(cls, data_dir: Path, now_ms: int) -> Self:
        """The log of a data directory, made when there is none.

        Raises: CollieError when log or key are not private files of this user.
        """
        path = data_dir / LOG_NAME
        key = _key(data_dir / KEY_NAME)
        fd = _open(path)
        try:
            end = _End.of(fd)
            opened = cls(path, key, fd, end.prev, end.size)
            opened._resume(end, now_ms)
        except BaseException:
            os.close(fd)
            raise
        return opened

    def append(self, ts: int, peer: str, method: str, target: str | None, result: str) -> AuditLine:
        """Write a line, and give it back. It never fails: what could not be written is counted and told."""
        line = AuditLine(
            ts=ts,
            peer=_clean(peer),
            method=_clean(method),
            target=None if target is None else _clean(target),
            result=_clean(result),
        )
        try:
            self._follow_file()
            if self._lost:
                self._write(_gap(ts, self._lost))
                self._lost = 0
            self._write(line)
        except OSError as exc:
            self._fail(failure("write", self._path, exc))
        except CollieError as exc:
            self._fail(exc)
        else:
            self.trouble = ""
        return line

    def tail(self, count: int) -> tuple[AuditLine, ...]:
        """The newest lines, oldest first; unreadable ones are left out."""
        return _tail(self._fd, count)

    def close(self) -> None:
        """Write what the system still holds to the disk and close."""
        with contextlib.suppress(OSError):
            os.fsync(self._fd)
        os.close(self._fd)

    def _resume(self, end: "_End", now_ms: int) -> None:
        try:
            if not end.ends_with_newline:
                self._append_raw(b"\n")
        except OSError as exc:
            self._fail(failure("write", self._path, exc))
        if end.damage:
            self.append(now_ms, OURSELVES, "audit.resume", None, end.damage)

    def _write(self, line: AuditLine) -> None:
        raw, mac = seal(line, self._prev, self._key)
        self._append_raw(raw)
        self._prev = mac

    def _append_raw(self, data: bytes) -> None:
        written = 0
        try:
            while written < len(data):
                written += os.write(self._fd, data[written:])
        except OSError:
            if written:
                os.ftruncate(self._fd, self._size)
            raise
        self._size += written

    def _follow_file(self) -> None:
        """After something else moved or removed the file, go on in a new one; after what another daemon wrote by
        mistake, behind that. What was cut off is not made up for: the chain breaks there. Raises OSError, CollieError.
        """
        if not self._is_in_place():
            fd = _open(self._path)
            os.close(self._fd)
            self._fd, self._size = fd, os.fstat(fd).st_size
        elif os.fstat(self._fd).st_size > self._size:
            self._prev = _End.of(self._fd).prev
        self._size = os.fstat(self._fd).st_size

    def _is_in_place(self) -> bool:
        try:
            return os.path.samestat(os.lstat(self._path), os.fstat(self._fd))
        except FileNotFoundError:
            return False

    def _fail(self, why: CollieError) -> None:
        self._lost += 1
        trouble = str(why)
        if trouble != self.trouble:
            log.error("the audit log: %s", trouble)
        self.trouble = trouble


def read_tail(data_dir: Path, count: int) -> tuple[AuditLine, ...]:
    """The newest lines of a data directory's log, for when no daemon has it open; () when there is none.

    Raises: CollieError when it is not a private file of this user.
    """
    path = data_dir / LOG_NAME
    try:
        fd = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK)
    except FileNotFoundError:
        return ()
    except OSError as exc:
        raise failure("open", path, exc) from exc
    try:
        check_private(path, fd)
        return _tail(fd, count)
    finally:
        os.close(fd)


def seal(line: AuditLine, prev: str, key: bytes) -> tuple[bytes, str]:
    """A line as it is written, newline included, and its mac."""
    body = msgspec.json.encode(line)
    mac = hmac.new(key, prev.encode() + b"\n" + body, hashlib.sha256).hexdigest()
    return body[:-1] + f',"prev":"{prev}","mac":"{mac}"}}\n'.encode(), mac


class _End(msgspec.Struct, frozen=True, kw_only=True):
    """How a log ends: the mac to go on from, and what is wrong there ("" when nothing is)."""

    size: int
    prev: str = FIRST_PREV
    damage: str = ""
    ends_with_newline: bool = True

    @classmethod
    def of(cls, fd: int) -> "_End":
        size = os.fstat(fd).st_size
        if not size:
            return cls(size=0)
        whole = os.pread(fd, 1, size - 1) == b"\n"
        skipped = 0
        for raw in _lines_backwards(fd, size):
            try:
                prev = msgspec.json.decode(raw, type=ChainedLine).mac
            except msgspec.DecodeError:
                skipped += 1
                continue
            damage = f"{skipped} unreadable line(s) above" if skipped else ""
            return cls(size=size, prev=prev, damage=damage, ends_with_newline=whole)
        return cls(size=size, damage=f"{skipped} unreadable line(s) above, none readable", ends_with_newline=whole)


def _gap(ts: int, lost: int) -> AuditLine:
    result = f"{lost} line(s) could not be written"
    return AuditLine(ts=ts, peer=OURSELVES, method="audit.resume", target=None, result=result)


def _clean(text: str) -> str:
    """Text that JSON can carry, cut to a bound. Controls are escaped by the encoder."""
    return text[:TEXT_CHARS].encode("utf-8", "replace").decode()


def _tail(fd: int, count: int) -> tuple[AuditLine, ...]:
    found: list[AuditLine] = []
    for raw in _lines_backwards(fd, TAIL_BYTES):
        if len(found) >= count:
            break
        with contextlib.suppress(msgspec.DecodeError):
            found.append(msgspec.json.decode(raw, type=AuditLine))
    return tuple(reversed(found))


def _lines_backwards(fd: int, limit: int) -> Iterator[bytes]:
    """The lines from the end of a file on, read in blocks, without their ends; blank ones are left out.

    The first of the `limit` bytes may be in the middle of a line; that one is left out too.
    """
    end = os.fstat(fd).st_size
    start = max(0, end - limit)
    rest = b""
    while end > start:
        begin = max(start, end - BLOCK_BYTES)
        rest = os.pread(fd, end - begin, begin) + rest
        end = begin
        head, *lines = rest.split(b"\n")
        yield from (line for line in reversed(lines) if line)
        rest = head
    if rest and not start:
        yield rest


def _open(path: Path) -> int:
    flags = os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
    try:
        fd = os.open(path, flags, 0o600)
    except OSError as exc:
        raise failure("open", path, exc) from exc
    try:
        _narrow(fd)
        check_private(path, fd)
    except BaseException:
        os.close(fd)
        raise
    return fd


def _narrow(fd: int) -> None:
    """Take away what others may do with a log of ours whose mode somebody widened."""
    found = os.fstat(fd)
    if found.st_uid == os.geteuid() and found.st_mode & 0o077:
        os.fchmod(fd, 0o600)


def _key(path: Path) -> bytes:
    found = read_private(path)
    if found is None:
        found = secrets.token_bytes(KEY_BYTES)
        write_private(path, found)
    if len(found) != KEY_BYTES:
        raise CollieError(
            f"{path} is damaged ({len(found)} bytes, not {KEY_BYTES}): move it away; the chain begins anew"
        )
    return found
