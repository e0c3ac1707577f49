"""What is typed into a pane, how, and when it is not."""

import json
import os
import select
import time
from typing import Any

import pytest
import trio
from tools.live_host import LiveHost, live_host

from collie.herdr.models import Expect
from collie.host import input as queue
from collie.host.pane import Pane

pytestmark = pytest.mark.trio

TYPED = """
import os, sys, tty
before = tty.setraw(0)
os.write(1, sys.argv[1].encode().decode("unicode_escape").encode() + b"ready")
while data := os.read(0, 4096):
    os.write(1, b"<" + data.hex().encode() + b">")
"""


async def keys_pane(live: LiveHost, setting: str = "") -> str:
    """A pane whose program shows what arrives, in hexadecimal, a pair of brackets a read."""
    (live.folder / "typed.py").write_text(TYPED)
    await live.call("workspace.create", cwd=str(live.folder))
    await live.type("w1:p1", f"python3 -S typed.py '{setting}'\r")
    pane = live.pane("w1:p1")
    await live.until(lambda: pane.text().endswith("ready"))
    return "w1:p1"


async def arrived(live: LiveHost, pane_id: str, ends: str) -> str:
    """What has arrived, once it ends so."""
    pane = live.pane(pane_id)
    await live.until(lambda: pane.text().replace("\n", "").replace("><", "").endswith(f"{ends}>"))
    return pane.text().replace("\n", "").partition("ready")[2].replace("><", "").strip("<>")


@pytest.mark.parametrize(
    ("setting", "key", "sent"),
    [
        ("", "enter", "0d"),
        ("", "shift+tab", "1b5b5a"),
        ("", "up", "1b5b41"),
        ("\\x1b[?1h", "up", "1b4f41"),
        ("", "C-c", "03"),
        ("", "A", "41"),
    ],
)
async def test_keys_are_encoded_as_the_program_wants_them(setting: str, key: str, sent: str) -> None:
    async with live_host() as live:
        pane = await keys_pane(live, setting)
        await live.call("pane.send_keys", pane_id=pane, keys=[key])
        assert await arrived(live, pane, sent) == sent


async def test_one_key_that_is_none_sends_nothing() -> None:
    async with live_host() as live:
        pane = await keys_pane(live)
        for keys in (["up", "delete"], [""], ["ctrl+"], [" "]):
            assert await live.refused("pane.send_keys", pane_id=pane, keys=keys) == "invalid_key"
            assert await live.refused("pane.send_input", pane_id=pane, text="x", keys=keys) == "invalid_key"
        await live.call("pane.send_keys", pane_id=pane, keys=["z"])
        assert await arrived(live, pane, "7a") == "7a"


@pytest.mark.parametrize(("setting", "sent"), [("", "61620d"), ("\\x1b[?2004h", "1b5b3230307e61621b5b3230317e0d")])
async def test_text_is_a_paste_where_the_program_wants_pastes(setting: str, sent: str) -> None:
    async with live_host() as live:
        pane = await keys_pane(live, setting)
        await live.call("pane.send_input", pane_id=pane, text="ab", keys=["enter"])
        assert await arrived(live, pane, "0d") == sent


async def test_text_is_sent_as_it_is() -> None:
    async with live_host() as live:
        pane = await keys_pane(live, "\\x1b[?2004h")
        await live.call("pane.send_text", pane_id=pane, text="\x1b[1;5F\r\nä")
        assert await arrived(live, pane, "c3a4") == "1b5b313b35460d0ac3a4"


async def test_requests_at_once_are_not_mixed() -> None:
    async with live_host() as live:
        pane = await keys_pane(live)
        async with trio.open_nursery() as nursery:
            for digit in "0123456789":
                nursery.start_soon(live.type, pane, digit * 100)
        await live.type(pane, "z")
        text = bytes.fromhex(await arrived(live, pane, "7a")).decode()
        assert sorted(text[at : at + 100] for at in range(0, 1000, 100)) == [digit * 100 for digit in "0123456789"]


async def test_who_does_not_read_is_not_fed_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(queue, "QUEUE_LIMIT", 300_000)
    async with live_host() as live:
        await live.call("workspace.create")
        await live.type("w1:p1", "stty raw -echo; sleep 60\r")
        pane = live.pane("w1:p1")
        await live.until(lambda: pane.pty.foreground() != pane.pty.pid and not pane.pty.edits_lines())
        await live.type("w1:p1", "x" * 250_000)
        assert pane.input.is_busy
        assert await live.refused("pane.send_text", pane_id="w1:p1", text="y" * 250_000) == "pane_send_failed"
        expect = expecting(pane, 0, 0)
        assert await live.refused("pane.send_keys", pane_id="w1:p1", keys=["a"], expect=expect) == "screen_changed"


async def test_a_line_that_the_tty_would_cut_is_refused() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        await live.until(lambda: "$" in live.pane("w1:p1").text())
        assert await live.refused("pane.send_text", pane_id="w1:p1", text="x" * 5000) == "pane_send_failed"
        await live.type("w1:p1", "x\r" * 3000)


# Conditional input


def expecting(pane: Pane, first: int, last: int) -> dict[str, Any]:
    expect = Expect.of(pane.text(), first=first, last=last, terminal_id=pane.terminal_id)
    return {"rows": list(expect.rows), "sha256": expect.sha256, "terminal_id": expect.terminal_id}


@pytest.mark.parametrize("method", ["pane.send_keys", "pane.send_text", "pane.send_input", "agent.send_keys"])
async def test_input_is_written_only_while_the_screen_is_the_expected_one(method: str) -> None:
    async with live_host() as live:
        pane_id = await live.agent("b")
        pane = live.pane(pane_id)
        what = {"text": "1"} if method == "pane.send_text" else {"keys": ["1"]}
        where = {"target" if method.startswith("agent") else "pane_id": pane_id}
        expect = expecting(pane, 0, 9)
        assert (await live.call(method, **where, **what, expect=expect)) == {"type": "ok"}
        await live.until(lambda: live.notes.read_bytes() == b"1")
        for wrong in ({"terminal_id": "term_1"}, {"sha256": "0" * 64}, {"rows": [0, 2]}, {"rows": [500, 501]}):
            assert await live.refused(method, **where, **what, expect=expect | wrong) == "screen_changed"
        await live.type(pane_id, "d")
        await live.until(lambda: "other" in pane.text())
        assert await live.refused(method, **where, **what, expect=expect) == "screen_changed"
        await live.type(pane_id, "z")
        await live.until(lambda: live.notes.read_bytes() == b"1z")


async def test_what_was_printed_and_not_read_yet_counts() -> None:
    """The host has had no chance to see the other screen: it must look before it writes."""
    async with live_host() as live:
        pane = live.pane(await live.agent("b"))
        expect = Expect.of(pane.text(), first=0, last=9, terminal_id=pane.terminal_id)
        assert pane.still_shows(expect, trio.current_time())
        pane.pty.write(b"d")
        poll = select.poll()
        poll.register(pane.pty._fd, select.POLLIN)
        assert poll.poll(2000), "the agent has printed; nothing has been read"
        assert not pane.still_shows(expect, trio.current_time())


async def test_while_a_prompt_is_being_typed_no_key_comes_between() -> None:
    async with live_host() as live:
        pane = live.pane(await live.agent())
        async with trio.open_nursery() as nursery:
            nursery.start_soon(lambda: live.call("agent.prompt", target="w1:p1", text="xyz"))
            await live.until(lambda: pane.input.turn.locked())
            expect = expecting(pane, 0, 0)
            assert await live.refused("pane.send_keys", pane_id="w1:p1", keys=["a"], expect=expect) == "screen_changed"


async def test_a_program_in_the_middle_of_drawing_shows_nothing_to_expect() -> None:
    async with live_host() as live:
        pane = live.pane(await keys_pane(live))
        expect = Expect.of(pane.text(), first=0, last=0, terminal_id=pane.terminal_id)
        pane.terminal.feed(b"\x1b[?2026h")
        assert not pane.still_shows(expect, trio.current_time())
        pane.terminal.feed(b"\x1b[?2026l")
        assert pane.still_shows(expect, trio.current_time())


SWAPPER = """
import os, random, select, sys, time, tty
tty.setraw(0)
log = open("swaps", "w")
number = 0
while True:
    os.write(1, b"\\x1b[2J\\x1b[Hquestion %d" % number)
    print(number, time.monotonic(), file=log, flush=True)
    end = time.monotonic() + random.uniform(0.001, 0.006)
    while (left := end - time.monotonic()) > 0:
        if select.select([0], [], [], left)[0]:
            os.read(0, 64)
    number += 1
"""


async def test_no_key_is_written_for_a_question_that_was_gone_before_it_was_sent() -> None:
    """A real program that swaps its question at random; what it printed before a request began is always seen."""
    async with live_host() as live:
        (live.folder / "swapper.py").write_text(SWAPPER)
        await live.call("workspace.create", cwd=str(live.folder))
        await live.type("w1:p1", "python3 -S swapper.py\r")
        pane = live.pane("w1:p1")
        await live.until(lambda: pane.text().startswith("question"))
        tries: list[tuple[int, float, bool]] = []
        until = time.monotonic() + (20 if os.environ.get("COLLIE_SOAK") else 1)
        while time.monotonic() < until:
            text = pane.text().split("\n")[0]
            if not text.startswith("question "):
                await trio.lowlevel.checkpoint()
                continue
            expect = Expect.of(text, first=0, last=0, terminal_id=pane.terminal_id)
            sent = time.monotonic()
            params = {"rows": [0, 0], "sha256": expect.sha256, "terminal_id": expect.terminal_id}
            reply = await live.reply("pane.send_keys", pane_id="w1:p1", keys=["x"], expect=params)
            tries.append((int(text.split()[1]), sent, "result" in reply))
        swaps = {int(number): float(at) for number, at in map(str.split, (live.folder / "swaps").open())}
    written = [(number, sent) for number, sent, done in tries if done]
    assert written
    assert len(written) < len(tries), "some were refused, or nothing was tried"
    assert [number for number, sent in written if swaps.get(number + 1, sent) < sent] == []


# Who may


CALL = """
import json, os, socket, sys, time
time.sleep(float(sys.argv[1]))
with socket.socket(socket.AF_UNIX) as s:
    s.connect(os.environ["HERDR_SOCKET_PATH"])
    request = {"id": "x", "method": sys.argv[2], "params": json.loads(sys.argv[3])}
    s.sendall(json.dumps(request).encode() + b"\\n")
    answer = json.loads(s.makefile().readline())
    print(answer.get("error", {}).get("code", "done"), file=open("answer.tmp", "w"))
os.rename("answer.tmp", "answer")
"""


async def from_inside(live: LiveHost, method: str, params: dict[str, Any], *, first: str, how: str = "{} &") -> str:
    """What a process in the pane of a fake agent is answered, which the agent's shell started before the agent."""
    (live.folder / "call.py").write_text(CALL)
    await live.call("workspace.create", cwd=str(live.folder), env={"FIRST": first})
    call = f"python3 -S call.py 0.15 {method} '{json.dumps(params)}'"
    await live.type("w1:p1", f"{how.format(call)} claude\r")
    await live.until((live.folder / "answer").exists)
    return (live.folder / "answer").read_text().strip()


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("pane.send_keys", {"pane_id": "w1:p1", "keys": ["1"]}),
        ("pane.send_text", {"pane_id": "w1:p1", "text": "1"}),
        ("pane.send_input", {"pane_id": "w1:p1", "text": "1"}),
        ("agent.send_keys", {"target": "w1:p1", "keys": ["1"]}),
        ("agent.prompt", {"target": "w1:p1", "text": "1"}),
    ],
)
async def test_an_agent_does_not_answer_its_own_question(method: str, params: dict[str, Any]) -> None:
    async with live_host() as live:
        assert await from_inside(live, method, params, first="b") == "from_pane"
        assert live.notes.read_bytes() == b""


@pytest.mark.parametrize("how", ["(setsid {} &);", "nohup {} >/dev/null 2>&1 &"])
async def test_nor_does_what_it_detached(how: str) -> None:
    async with live_host() as live:
        params = {"pane_id": "w1:p1", "keys": ["1"]}
        assert await from_inside(live, "pane.send_keys", params, first="b", how=how) == "from_pane"


async def test_while_nothing_is_asked_a_pane_may_type_into_itself_and_always_into_others() -> None:
    async with live_host() as live:
        assert await from_inside(live, "pane.send_text", {"pane_id": "w1:p1", "text": "1"}, first="i") == "done"
    async with live_host() as live:
        other = await live.call("workspace.create")
        pane_id = other["root_pane"]["pane_id"]
        (live.folder / "call.py").write_text(CALL)
        await live.call("workspace.create", cwd=str(live.folder), env={"FIRST": "b"})
        params = json.dumps({"pane_id": pane_id, "text": "1"})
        await live.type("w2:p1", f"python3 -S call.py 0.15 pane.send_text '{params}' & claude\r")
        await live.until((live.folder / "answer").exists)
        assert (live.folder / "answer").read_text().strip() == "done"


# Prompts


async def test_a_prompt_is_text_then_enter() -> None:
    async with live_host() as live:
        await live.agent()
        began = time.monotonic()
        prompted = await live.call("agent.prompt", target="w1:p1", text="xyz")
        assert prompted["agent"]["agent"] == "claude"
        assert time.monotonic() - began >= 0.3
        await live.until(lambda: live.notes.read_bytes() == b"xyz\r")


async def test_a_prompt_whose_client_hangs_up_is_entered_all_the_same() -> None:
    async with live_host() as live:
        await live.agent()
        params = {"target": "w1:p1", "text": "xyz", "wait": {}}
        async with await trio.open_unix_socket(str(live.socket)) as stream:
            await stream.send_all(json.dumps({"id": "t", "method": "agent.prompt", "params": params}).encode() + b"\n")
            await live.until(lambda: live.notes.read_bytes() == b"xyz")
        await live.until(lambda: live.notes.read_bytes() == b"xyz\r")


async def test_a_prompt_that_cannot_be_taken_is_refused() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        assert await live.refused("agent.prompt", target="w1:p1", text="x") == "agent_not_found"
        await live.type("w1:p1", "claude\r")
        await live.until(lambda: live.pane("w1:p1").agent.machine.state == "idle")
        assert await live.refused("agent.prompt", target="w1:p1", text=" \n") == "empty_agent_prompt"
        live.pane("w1:p1").pty.write(b"b")
        await live.until(lambda: "Do you want" in live.pane("w1:p1").text())
        assert await live.refused("agent.prompt", target="w1:p1", text="x") == "agent_blocked"
        assert live.notes.read_bytes() == b""


async def test_no_enter_for_a_shell_whose_agent_ended_meanwhile() -> None:
    async with live_host() as live:
        await live.agent()
        assert await live.refused("agent.prompt", target="w1:p1", text="qecho r''un") == "agent_prompt_failed"
        await trio.sleep(0.05)
        assert "run" not in live.pane("w1:p1").text()
        await live.type("w1:p1", "\r")
        await live.until(lambda: "run" in live.pane("w1:p1").text())


async def test_no_enter_for_a_question_that_came_up_meanwhile() -> None:
    async with live_host() as live:
        await live.agent()
        assert await live.refused("agent.prompt", target="w1:p1", text="xb") == "agent_prompt_failed"
        assert live.notes.read_bytes() == b"x"


async def test_speaking_to_an_agent_is_having_seen_it() -> None:
    async with live_host() as live:
        await live.agent("i")
        pane = live.pane("w1:p1")
        for key, state in (("w", "working"), ("i", "idle")):
            pane.pty.write(key.encode())
            await live.until(lambda state=state: pane.agent.machine.state == state)  # type: ignore[misc]
        assert (await live.call("agent.get", target="w1:p1"))["agent"]["agent_status"] == "done"
        async with live.stream(watch="w1:p1") as stream:
            await live.type("w1:p1", "x")
            await stream.until("pane.agent_status_changed", agent_status="idle")
