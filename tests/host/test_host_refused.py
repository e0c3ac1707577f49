"""Who is refused is told: in the log, and to those who ask for it; however often he tries."""

import json
import re
from typing import Any

import pytest
from tools.live_host import LiveHost, live_host

from collie.host.refused import BURST, EVERY, KINDS_KEPT, Refusals

PRESS = """
import json, os, socket, sys
for _ in range(int(sys.argv[1])):
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(os.environ["HERDR_SOCKET_PATH"])
        params = {"pane_id": os.environ["HERDR_PANE_ID"], "keys": ["enter"]}
        client.sendall(json.dumps({"id": "1", "method": "pane.send_keys", "params": params}).encode() + b"\\n")
        reply = client.makefile().readline()
open("reply", "w").write(reply)
"""


async def press_from_inside(live: LiveHost, times: int) -> str:
    """The code with which a process in a pane is refused that answers the agent's question there."""
    (live.folder / "press.py").write_text(PRESS)
    await live.call("workspace.create", cwd=str(live.folder), env={"FIRST": "b"})
    await live.type("w1:p1", f"(while [ ! -e go ]; do sleep 0.05; done; exec python3 -S press.py {times}) & claude\r")
    await live.until(lambda: live.pane("w1:p1").agent.machine.state == "blocked")
    (live.folder / "go").touch()
    await live.until((live.folder / "reply").exists)
    await live.until(lambda: (live.folder / "reply").read_text() != "")
    code: str = json.loads((live.folder / "reply").read_text())["error"]["code"]
    return code


@pytest.mark.trio
async def test_who_answers_his_own_question_is_named(caplog: pytest.LogCaptureFixture) -> None:
    async with live_host() as live, live.stream("host.refused") as stream:
        assert await press_from_inside(live, 1) == "from_pane"
        event = await stream.event()
        data: dict[str, Any] = event["data"]
        assert event["event"] == data["type"] == "host_refused"
        assert (data["pane_id"], data["terminal_id"]) == ("w1:p1", live.pane("w1:p1").terminal_id)
        assert (data["method"], data["code"], data["count"]) == ("pane.send_keys", "from_pane", 1)
        assert data["program"].startswith("python3")
        said = f"pane.send_keys into w1:p1 was refused: process {data['pid']} ({data['program']}) stands inside of it"
        assert said in caplog.text
        assert live.notes.read_bytes() == b""


@pytest.mark.trio
async def test_who_tries_again_and_again_does_not_fill_the_log(caplog: pytest.LogCaptureFixture) -> None:
    async with live_host() as live, live.stream("host.refused") as stream:
        assert await press_from_inside(live, 40) == "from_pane"
        assert len(await stream.all()) == BURST
        assert len(re.findall("was refused", caplog.text)) == BURST


@pytest.mark.trio
async def test_who_ends_the_host_is_named(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level("INFO")
    async with live_host() as live:
        await live.call("server.stop")
        await live.until(lambda: re.search(r"told to stop by process \d+ \(\S+\)", caplog.text) is not None)


def test_refusals_are_counted_while_they_are_not_told() -> None:
    refusals = Refusals()
    assert [refusals.count("a", 0.0) for _ in range(BURST + 3)] == [1] * BURST + [0] * 3
    assert refusals.count("b", 0.0) == 1
    assert refusals.count("a", EVERY) == 4
    assert refusals.count("a", EVERY) == 0
    assert refusals.count("a", EVERY * 3) == 2


def test_only_so_many_kinds_are_remembered() -> None:
    refusals = Refusals()
    for number in range(KINDS_KEPT * 2):
        refusals.count(str(number), 0.0)
    assert len(refusals._runs) == KINDS_KEPT
