"""The audit log: its chain, its end after a crash, and a disk that fails."""

import hashlib
import hmac
import json
import os
import resource
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collie.daemon.audit import FIRST_PREV, AuditLog, seal
from collie.errors import CollieError
from collie.protocol.models import AuditLine

texts = st.text(max_size=40)
entries = st.tuples(st.integers(0, 2**53), texts, texts, st.none() | texts, texts)


def breaks(lines: list[bytes], key: bytes) -> list[int]:
    """A verifier as the module's docstring describes it: the numbers of the lines at which the chain breaks."""
    found, prev = [], FIRST_PREV
    for number, line in enumerate(lines):
        try:
            record = json.loads(line)
            body = line[: line.rindex(b',"prev":')] + b"}"
            mac = hmac.new(key, record["prev"].encode() + b"\n" + body, hashlib.sha256).hexdigest()
        except ValueError:
            continue  # a torn line: passed over
        if record["prev"] != prev or record["mac"] != mac:
            found.append(number)
        prev = record["mac"]
    return found


def chain(lines: list[AuditLine], key: bytes) -> list[bytes]:
    sealed, prev = [], FIRST_PREV
    for line in lines:
        raw, prev = seal(line, prev, key)
        sealed.append(raw.rstrip(b"\n"))
    return sealed


def line_of(entry: tuple[int, str, str, str | None, str]) -> AuditLine:
    ts, peer, method, target, result = entry
    return AuditLine(ts=ts, peer=peer, method=method, target=target, result=result)


def written(folder: Path) -> list[bytes]:
    return (folder / "audit.log").read_bytes().split(b"\n")[:-1]


def append(log: AuditLog, number: int) -> None:
    log.append(number, "desk", "agent.prompt", f"term_{number}", "ok")


# The chain


@given(st.lists(entries, max_size=6), st.binary(min_size=32, max_size=32))
def test_an_untouched_chain_holds(found: list[tuple[int, str, str, str | None, str]], key: bytes) -> None:
    assert breaks(chain([line_of(each) for each in found], key), key) == []


@given(st.lists(entries, min_size=3, max_size=6), st.data())
def test_what_is_changed_taken_out_or_moved_breaks_it(
    found: list[tuple[int, str, str, str | None, str]], data: st.DataObject
) -> None:
    key = b"k" * 32
    lines = chain([line_of(each) for each in found], key)
    number = data.draw(st.integers(0, len(lines) - 2))
    damage = data.draw(st.sampled_from(["take out", "swap", "change"]))
    if damage == "take out":
        del lines[number]
    elif damage == "swap":
        lines[number], lines[number + 1] = lines[number + 1], lines[number]
    else:
        lines[number] = lines[number].replace(b'"ts":', b'"ts":1')
    assert breaks(lines, key)


def test_another_key_does_not_verify() -> None:
    line = line_of((1, "desk", "m", None, "ok"))
    assert breaks(chain([line], b"a" * 32), b"b" * 32) == [0]


def test_keys_come_in_the_documented_order(tmp_path: Path) -> None:
    log = AuditLog.open(tmp_path, 0)
    log.append(5, "desk", "host.stop", None, "ok")
    log.close()
    assert list(json.loads(written(tmp_path)[0])) == ["ts", "peer", "method", "target", "result", "prev", "mac"]
    assert written(tmp_path)[0].startswith(b'{"ts":5,"peer":"desk","method":"host.stop","target":null,"result":"ok",')


def test_the_chain_goes_on_after_a_restart(tmp_path: Path) -> None:
    for start in (0, 10):
        log = AuditLog.open(tmp_path, 0)
        for number in range(start, start + 3):
            append(log, number)
        log.close()
    assert len(written(tmp_path)) == 6
    assert breaks(written(tmp_path), (tmp_path / "audit.key").read_bytes()) == []


def test_files_are_closed_to_others(tmp_path: Path) -> None:
    (tmp_path / "audit.log").touch(0o644)
    AuditLog.open(tmp_path, 0).close()
    for name in ("audit.log", "audit.key"):
        assert stat.S_IMODE(os.stat(tmp_path / name).st_mode) == 0o600


# Crashes


@given(cut=st.integers(1, 200))
def test_a_torn_line_is_left_and_the_next_ones_say_so(tmp_path_factory: pytest.TempPathFactory, cut: int) -> None:
    folder = tmp_path_factory.mktemp("log")
    log = AuditLog.open(folder, 0)
    append(log, 1)
    append(log, 2)
    log.close()
    whole = (folder / "audit.log").read_bytes()
    (folder / "audit.log").write_bytes(whole[:-cut])
    log = AuditLog.open(folder, 3)
    append(log, 4)
    log.close()
    lines = written(folder)
    assert breaks(lines, (folder / "audit.key").read_bytes()) == []
    records = [line["method"] for line in map(loaded, lines) if line]
    assert records == ["agent.prompt"] * 2 + ["agent.prompt"] if cut == 1 else "audit.resume" in records


def loaded(line: bytes) -> dict[str, object]:
    try:
        found: dict[str, object] = json.loads(line)
    except ValueError:
        return {}
    return found


def test_a_log_of_rubbish_is_gone_on_with(tmp_path: Path) -> None:
    (tmp_path / "audit.log").write_bytes(b"\xff\xfe not a log\nnor this")
    log = AuditLog.open(tmp_path, 7)
    append(log, 8)
    assert [line.method for line in log.tail(10)] == ["audit.resume", "agent.prompt"]
    log.close()
    assert breaks(written(tmp_path), (tmp_path / "audit.key").read_bytes()) == []


def test_a_damaged_key_is_refused(tmp_path: Path) -> None:
    AuditLog.open(tmp_path, 0).close()
    (tmp_path / "audit.key").write_bytes(b"short")
    with pytest.raises(CollieError, match=r"audit.key is damaged \(5 bytes, not 32\): move it away"):
        AuditLog.open(tmp_path, 0)


def test_a_link_is_no_log(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").touch(0o600)
    (tmp_path / "audit.log").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(CollieError, match="symbolic link"):
        AuditLog.open(tmp_path, 0)


def test_a_pipe_is_no_log(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "audit.log", 0o600)
    with pytest.raises(CollieError, match="is not a regular file"):
        AuditLog.open(tmp_path, 0)


# A failing disk


@contextmanager
def full_after(path: Path, more: int) -> Iterator[None]:
    """The disk takes so many more bytes of this file."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (path.stat().st_size + more, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


@pytest.mark.parametrize("room", [0, 1, 100])
def test_a_full_disk_stops_nothing_and_is_told(tmp_path: Path, room: int) -> None:
    log = AuditLog.open(tmp_path, 0)
    append(log, 1)
    with full_after(tmp_path / "audit.log", room):
        assert log.append(2, "desk", "agent.prompt", "term_2", "ok").target == "term_2"
        append(log, 3)
        assert "cannot write" in log.trouble
    append(log, 4)
    assert log.trouble == ""
    assert [line.result for line in log.tail(10)] == ["ok", "2 line(s) could not be written", "ok"]
    log.close()
    assert breaks(written(tmp_path), (tmp_path / "audit.key").read_bytes()) == []


@pytest.mark.parametrize("away", [lambda path: path.unlink(), lambda path: path.rename(path.with_name("old"))])
def test_a_log_that_was_moved_away_is_begun_anew(tmp_path: Path, away: Callable[[Path], object]) -> None:
    log = AuditLog.open(tmp_path, 0)
    append(log, 1)
    away(tmp_path / "audit.log")
    append(log, 2)
    log.close()
    assert [json.loads(line)["target"] for line in written(tmp_path)] == ["term_2"]


def test_a_link_in_its_place_is_not_followed_and_told(tmp_path: Path) -> None:
    log = AuditLog.open(tmp_path, 0)
    (tmp_path / "elsewhere").touch(0o600)
    (tmp_path / "audit.log").unlink()
    (tmp_path / "audit.log").symlink_to(tmp_path / "elsewhere")
    append(log, 1)
    assert "symbolic link" in log.trouble
    (tmp_path / "audit.log").unlink()
    append(log, 2)
    log.close()
    assert [json.loads(line)["result"] for line in written(tmp_path)] == ["1 line(s) could not be written", "ok"]
    assert (tmp_path / "elsewhere").read_bytes() == b""


def test_what_is_cut_off_while_it_is_open_breaks_the_chain(tmp_path: Path) -> None:
    log = AuditLog.open(tmp_path, 0)
    append(log, 1)
    kept = (tmp_path / "audit.log").stat().st_size
    append(log, 2)
    os.truncate(tmp_path / "audit.log", kept)
    append(log, 3)
    log.close()
    assert breaks(written(tmp_path), (tmp_path / "audit.key").read_bytes()) == [1]


def test_two_that_write_by_mistake_keep_one_chain(tmp_path: Path) -> None:
    """As for the moment in which a daemon has lost its lock and does not know it yet."""
    logs = [AuditLog.open(tmp_path, 0) for _ in range(2)]
    for number in (0, 0, 1, 0, 1, 1):
        append(logs[number], number)
    for log in logs:
        log.close()
    assert len(written(tmp_path)) == 6
    assert breaks(written(tmp_path), (tmp_path / "audit.key").read_bytes()) == []


# Reading back


@pytest.mark.parametrize("count", [0, 1, 2, 700, 5_000])
def test_the_tail_is_the_newest_lines(tmp_path: Path, count: int) -> None:
    log = AuditLog.open(tmp_path, 0)
    for number in range(1_000):
        append(log, number)
    assert [line.ts for line in log.tail(count)] == list(range(1_000))[-count:] if count else not log.tail(0)
    log.close()


def test_long_and_odd_text_is_cut_and_kept_on_its_line(tmp_path: Path) -> None:
    log = AuditLog.open(tmp_path, 0)
    log.append(1, "a\nb", "m", "x" * 10_000, "half a \ud800 surrogate \x1b[2J")
    (line,) = log.tail(1)
    assert line.peer == "a\nb"
    assert len(line.target or "") == 2_048
    assert line.result == "half a ? surrogate \x1b[2J"
    assert len(written(tmp_path)) == 1
    log.close()
