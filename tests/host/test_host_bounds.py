"""What comes from outside, of any length and in any number, keeps nobody else from being told."""

import json
import os
import resource
import socket
from collections.abc import Iterator
from contextlib import contextmanager

import msgspec
import pytest
import trio
from tools.live_host import LiveHost, live_host

from collie.agents.facts import State
from collie.herdr.models import AgentSession
from collie.herdr.wire import LINE_LIMIT
from collie.host import crowd, descriptors, host, records
from collie.host.launch import Launch
from collie.host.pane import Pane
from collie.host.pty import Command, Pty
from collie.host.reports import MetadataReport
from collie.host.terminal.reads import read

WIDE = "漢"


@pytest.mark.trio
async def test_labels_are_cut_and_cleaned_wherever_they_are_given() -> None:
    async with live_host() as live:
        for _ in range(2):
            await live.call("workspace.create", label="x" * 600_000)
        await live.call("workspace.rename", workspace_id="w2", label="north\x1b[2J\nfield\u202e")
        await live.call("tab.create", workspace_id="w1", label="y" * 600_000)
        await live.call("tab.rename", tab_id="w1:t1", label="z\n" * 300_000)
        await live.call("pane.rename", pane_id="w1:p1", label="\x07" * 100_000)
        snapshot = (await live.call("session.snapshot"))["snapshot"]
        assert [each["label"] for each in snapshot["workspaces"]] == ["x" * 63 + "…", "north\ufffd[2J field\ufffd"]
        assert [len(each["label"]) for each in snapshot["tabs"]] == [64, 64, 1]
        assert snapshot["panes"][0]["label"] == "\ufffd" * 63 + "…"


@pytest.mark.trio
async def test_a_label_that_nothing_is_left_of_is_the_folder_again() -> None:
    async with live_host() as live:
        await live.call("workspace.create", cwd="/usr", label="\n")
        renamed = await live.call("workspace.rename", workspace_id="w1", label="\r\n ")
        assert renamed["workspace"]["label"] == "usr"
        assert (await live.call("tab.rename", tab_id="w1:t1", label=""))["tab"]["label"] == "1"


@pytest.mark.trio
async def test_a_folder_that_is_no_unicode_can_be_told() -> None:
    async with live_host() as live:
        os.mkdir(os.fsencode(live.folder) + b"/\xff")
        await live.call("workspace.create", cwd=str(live.folder))
        await live.type("w1:p1", "cd $(printf '\\377')\r")
        pane = live.pane("w1:p1")
        await live.until(lambda: (pane.cwd() or "").endswith("\udcff"))
        (told,) = (await live.call("session.snapshot"))["snapshot"]["panes"]
        assert told["cwd"] == f"{live.folder}/\ufffd"
        assert (await live.call("pane.process_info", pane_id="w1:p1"))["process_info"]["foreground_processes"][0]["cwd"]


@pytest.mark.trio
async def test_an_agent_of_any_name_is_no_session() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        name = "a" * 400_000
        report = {"pane_id": "w1:p1", "source": f"herdr:{name}", "agent": name, "agent_session_id": "x"}
        await live.call("pane.report_agent_session", **report)
        (told,) = (await live.call("session.snapshot"))["snapshot"]["panes"]
        assert "agent_session" not in told


def say_as_much_as_possible(pane: Pane) -> None:
    """A pane of which everything is said that can be."""
    pane.terminal.feed(f"\x1b]0;⠂ {WIDE * 300}\x07\x1b]7;file:///{'d' * 1000}\x07".encode())
    pane.slot.label = pane.slot.workspace.label = pane.slot.tab.label = WIDE * 64
    pane.agent.begin("n" * 32, Launch(kind="claude", deadline=0.0))
    pane.agent.machine.kind, pane.agent.machine.state = "opencode", State.BLOCKED
    pane.agent.reports.session = AgentSession(source="herdr:pi", agent="pi", kind="path", value="/" + WIDE * 300)
    for number in range(2):
        tokens = {f"{'k' * 30}{number}{index}": WIDE * 80 for index in range(8)}
        labels = dict.fromkeys(("idle", "working", "blocked", "done", "unknown"), WIDE * 80)
        pane.agent.reports.report_metadata(
            MetadataReport(
                source="x",
                seq=None,
                title=WIDE * 80,
                display_agent=WIDE * 80,
                state_labels=labels,
                tokens=tokens,
                clear_title=False,
                clear_display_agent=False,
                clear_state_labels=False,
                ttl=None,
            ),
            0.0,
        )


@pytest.mark.trio
async def test_all_that_is_said_of_as_many_panes_as_there_can_be_fits_into_a_line() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        empty = len(msgspec.json.encode(records.snapshot(live.host.session)))
        say_as_much_as_possible(live.pane("w1:p1"))
        snapshot = records.snapshot(live.host.session)
        assert snapshot.panes[0].cwd, "where it is comes first"
        of_one = len(msgspec.json.encode(snapshot))
        assert of_one > empty
        assert host.MAX_PANES * (of_one + len("splits") * 50) < LINE_LIMIT


@pytest.mark.trio
async def test_a_host_takes_only_so_many_panes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(host, "MAX_PANES", 2)
    async with live_host() as live:
        await live.call("workspace.create")
        await live.call("tab.create")
        for method, params in (
            ("workspace.create", {}),
            ("tab.create", {}),
            ("pane.split", {"direction": "right"}),
        ):
            reply = await live.reply(method, **params)
            assert reply["error"]["message"] == "this host has 2 panes, and takes no more: close some"
        assert len((await live.call("session.snapshot"))["snapshot"]["panes"]) == 2
        await live.call("pane.close", pane_id="w1:p1")
        await live.call("workspace.create")


@contextmanager
def open_files_left(number: int) -> Iterator[None]:
    """This process can open only so many files more."""
    before = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (before[0] - descriptors.left() + number, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, before)


@pytest.mark.trio
async def test_a_pane_that_would_take_the_last_open_files_is_refused_in_words(caplog: pytest.LogCaptureFixture) -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        with open_files_left(descriptors.RESERVE + 1):
            reply = await live.reply("workspace.create")
            assert reply["error"]["code"] == "workspace_create_failed"
            assert "open files" in reply["error"]["message"]
            assert "ulimit -n" in reply["error"]["message"]
            assert reply["error"]["message"] in caplog.text
            assert len((await live.call("pane.list"))["panes"]) == 1


@pytest.mark.trio
async def test_that_nobody_can_connect_is_said_a_few_times(caplog: pytest.LogCaptureFixture) -> None:
    async with live_host() as live:
        clients = [socket.socket(socket.AF_UNIX) for _ in range(12)]
        with open_files_left(0):
            for client in clients:
                client.connect(str(live.socket))
            await trio.sleep(0.8)
        for client in clients:
            client.close()
        assert (await live.call("ping"))["type"] == "pong"
        said = [each.getMessage() for each in caplog.records if "accepted" in each.getMessage()]
        assert said == ["no connection could be accepted, times: 1: Too many open files"] * 5


@pytest.mark.trio
async def test_a_program_in_a_pane_may_open_as_many_files_as_before() -> None:
    argv = ("/bin/sh", "-c", "ulimit -S -n")
    pty = Pty.spawn(Command(argv=argv, cwd="/", env=os.environ, columns=80, rows=24, open_files=123))
    await pty.wait_readable()
    assert pty.read() == b"123\r\n"
    await pty.end(1.0)


HOG = """
import json, os, socket, sys, time
held, replies = [], []
for number in range(int(sys.argv[1])):
    client = socket.socket(socket.AF_UNIX)
    client.connect(os.environ["HERDR_SOCKET_PATH"])
    client.sendall(b'{"id":"1","method":"events.subscribe","params":{"subscriptions":[]}}\\n')
    replies.append(json.loads(client.makefile().readline()))
    held.append(client)
open("replies", "w").write(json.dumps(replies))
time.sleep(60)
"""


async def replies_to_a_hog(live: LiveHost, count: int) -> list[dict[str, dict[str, str]]]:
    """What a program in a pane is answered that subscribes again and again, and keeps all it gets."""
    (live.folder / "hog.py").write_text(HOG)
    await live.call("workspace.create", cwd=str(live.folder))
    await live.type("w1:p1", f"python3 -S hog.py {count}\r")
    found = live.folder / "replies"
    await live.until(lambda: found.exists() and found.read_text() != "")
    replies: list[dict[str, dict[str, str]]] = json.loads(found.read_text())
    return replies


@pytest.mark.trio
async def test_panes_cannot_take_all_connections(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(crowd, "MOST_FROM_PANES", 6)
    async with live_host() as live:
        replies = await replies_to_a_hog(live, 20)
        assert ["error" in each for each in replies] == [False] * 6 + [True] * 14
        assert replies[-1]["error"]["code"] == "too_many_connections"
        assert (await live.call("ping"))["type"] == "pong", "who is no pane's still gets in"
        said = [each.getMessage() for each in caplog.records if "turned away" in each.getMessage()]
        assert len(said) == 5
        assert "(python3" in said[0]


@pytest.mark.trio
async def test_there_is_a_most_for_everybody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crowd, "MOST", 2)
    async with live_host() as live:
        async with live.stream(), live.stream():
            assert await live.refused("ping") == "too_many_connections"
        await live.until(lambda: True)
        assert (await live.call("ping"))["type"] == "pong"


@pytest.mark.trio
async def test_an_answer_never_repeats_more_than_fits(monkeypatch: pytest.MonkeyPatch) -> None:
    async with live_host() as live:
        reply = await live.reply("pane.get", pane_id="x" * 900_000)
        assert reply["error"]["code"] == "pane_not_found"
        assert len(reply["error"]["message"]) == 300
        for line in ({"id": "x" * 900_000, "method": "ping", "params": {}}, {"id": "1", "method": "y" * 900_000}):
            answer = await live.raw(json.dumps({"params": {}, **line}).encode() + b"\n")
            assert len(answer) < 1000
            assert json.loads(answer)["error"]["code"] == "invalid_request"


@pytest.mark.trio
async def test_a_command_line_of_any_length_and_any_number_of_processes_can_be_told() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        line = "sh -c 'for each in $(seq 40); do sleep 60 & done; exec sleep 60' \"$(seq 20000)\"\r"
        await live.type("w1:p1", line)
        pane = live.pane("w1:p1")
        await live.until(lambda: pane.pty.foreground() != pane.pty.pid)
        told: list[dict[str, str]] = []
        with trio.fail_after(5):
            while len(told) < 32:
                info = (await live.call("pane.process_info", pane_id="w1:p1"))["process_info"]
                told = info["foreground_processes"]
        assert len(told) == 32
        assert all(len(each.get("cmdline", "")) <= 1000 for each in told)


@pytest.mark.trio
async def test_reports_in_a_flood_are_told_a_few_times_and_the_last_one_is() -> None:
    async with live_host() as live:
        await live.agent()
        async with live.stream("pane.updated", watch="w1:p1") as stream:
            for number in range(60):
                await live.call(
                    "pane.report_metadata",
                    pane_id="w1:p1",
                    source="x",
                    tokens={"n": str(number)},
                    title=f"{number}",
                )
            await trio.sleep(0.3)
            told = await stream.all()
        updated = [each["data"]["pane"]["tokens"]["n"] for each in told if each["event"] == "pane_updated"]
        titles = [each["data"]["title"] for each in told if each["event"] == "pane.agent_status_changed"]
        assert (updated[-1], titles[-1]) == ("59", "59")
        assert len(updated) + len(titles) < 20


@pytest.mark.trio
async def test_titles_in_a_flood_are_told_a_few_times_and_the_last_one_is() -> None:
    async with live_host() as live:
        await live.call("workspace.create")
        pane = live.pane("w1:p1")
        async with live.stream("pane.updated") as stream:
            for number in range(100):
                pane.terminal.feed(f"\x1b]0;title {number}\x07".encode())
                pane.rhythm.look_by(trio.current_time())
                pane.stir()
                await trio.sleep(0.005)
            await trio.sleep(0.3)
            told = [each["data"]["pane"]["terminal_title_stripped"] for each in await stream.all()]
        assert told[-1] == "title 99"
        assert len(told) < 8
        assert read(pane.terminal, "visible").text.startswith("$")
