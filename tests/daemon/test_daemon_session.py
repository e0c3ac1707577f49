"""Sessions on the control socket: greeting, frames of every bad kind, order, slow clients, the end."""

import json
from typing import Any

import pytest
import trio
import trio.testing
from tools.control_house import HELLO, RawClient, control_house

from collie.daemon.caller import Caller
from collie.daemon.errands import ERRANDS
from collie.daemon.handler import Request
from collie.protocol import limits
from collie.protocol.events import AgentOutput, AuditAppended, DaemonStopping, FlockChanged
from collie.protocol.methods import (
    AgentExplainParams,
    AgentSendKeysParams,
    ApprovalDecideParams,
    ApprovalResolvedResult,
    ApprovalsResult,
    AuditResult,
    AuditTailParams,
    FlockResult,
    MethodClass,
    Nothing,
    OfTerminal,
    Ok,
)
from collie.protocol.models import AuditLine, MachineInfo, Outcome, OutcomeKind, ReadSource

pytestmark = pytest.mark.trio

DECIDE = {"approval_id": "a", "decision": "approve", "nonce": "n" * 43}
KEYS = {"op_id": "o" * 22, "terminal_id": "t1", "keys": ["enter"]}


async def no_approvals(_params: Nothing, _request: Request) -> ApprovalsResult:
    return ApprovalsResult()


async def empty_flock(_params: Nothing, _request: Request) -> FlockResult:
    return FlockResult(seq=0, machine=MachineInfo(name="orchard", node_id="local"))


NEWCOMER = Caller(device="new", by="newcomer", classes=frozenset({MethodClass.SESSION}))

HANDLERS = {"approval.list": no_approvals, "flock.snapshot": empty_flock}


async def refused(client: RawClient) -> tuple[int | None, str]:
    frame = await client.receive()
    assert frame is not None
    assert frame["kind"] == "error"
    return frame["id"], frame["error"]["code"]


# Hello


async def test_hello_says_who_answers(autojump_clock: trio.testing.MockClock) -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        reply = await client.greet()
        assert reply["result"]["type"] == "hello"
        assert reply["result"]["protocol_version"] == limits.PROTOCOL_VERSION
        assert house.audited == []


async def test_another_version_is_told_ours_and_the_session_ends() -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        reply = await client.ask("hello", HELLO | {"protocol_version": 24})
        assert reply["error"]["code"] == "unsupported_protocol"
        assert reply["error"]["protocol_version"] == limits.PROTOCOL_VERSION
        assert await client.receive() is None
        assert house.audited == [("control", "hello", None, "unsupported_protocol")]


async def test_what_comes_before_hello_is_not_answered() -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        reply = await client.ask("approval.list")
        assert reply["error"] == {"code": "hello_required", "message": "hello first"}
        assert await client.receive() is None
        assert house.audited == [("control", "approval.list", None, "hello_required")]


async def test_a_second_hello_is_refused_and_the_session_goes_on() -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        await client.greet()
        reply = await client.greet()
        assert reply["error"] == {"code": "invalid_params", "message": "hello already received"}
        assert (await client.ask("approval.list"))["result"]["type"] == "approvals"
        assert house.audited == []


async def test_who_says_nothing_is_sent_away(autojump_clock: trio.testing.MockClock) -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        began = trio.current_time()
        assert await refused(client) == (None, "hello_required")
        assert await client.receive() is None
        assert trio.current_time() - began == pytest.approx(limits.HELLO_SECONDS)
        assert house.audited == [("control", "hello", None, "hello_required")]


# Frames

BAD_FRAMES = [
    pytest.param(b"", None, "malformed_frame", id="empty"),
    pytest.param(b"not json", None, "malformed_frame", id="not JSON"),
    pytest.param(b"\xff\xfe", None, "malformed_frame", id="not UTF-8"),
    pytest.param(b"[]", None, "malformed_frame", id="a list"),
    pytest.param(b"null", None, "malformed_frame", id="null"),
    pytest.param(b'{"id":1,"method":"approval.list"}', None, "malformed_frame", id="no params"),
    pytest.param(b'{"id":1,"method":"approval.list","params":{},"x":1}', None, "malformed_frame", id="another key"),
    pytest.param(b'{"id":1,"id":2,"method":"approval.list","params":{}}', None, "malformed_frame", id="twice"),
    pytest.param(b'{"id":-1,"method":"approval.list","params":{}}', None, "malformed_frame", id="negative id"),
    pytest.param(b'{"id":4294967296,"method":"approval.list","params":{}}', None, "malformed_frame", id="large id"),
    pytest.param(b'{"id":1.0,"method":"approval.list","params":{}}', None, "malformed_frame", id="id with a point"),
    pytest.param(b'{"id":true,"method":"approval.list","params":{}}', None, "malformed_frame", id="true for an id"),
    pytest.param(b'{"id":1,"method":7,"params":{}}', None, "malformed_frame", id="a number for a method"),
    pytest.param(b'{"id":1,"method":"approval.list","params":NaN}', None, "malformed_frame", id="NaN"),
    pytest.param(b'{"id":1,"method":"\\ud800","params":{}}', None, "malformed_frame", id="half a surrogate"),
    pytest.param(b"[" * 60_000, None, "malformed_frame", id="deep"),
    pytest.param(b'"' + b"x" * 65_536, None, "frame_too_large", id="too large"),
    pytest.param(b'{"id":9,"method":"pane.explode","params":{}}', 9, "unknown_method", id="unknown method"),
    pytest.param(b'{"id":9,"method":"approval.list","params":{"a":1}}', 9, "invalid_params", id="unknown param"),
    pytest.param(b'{"id":9,"method":"approval.list","params":[]}', 9, "invalid_params", id="a list of params"),
    pytest.param(b'{"id":9,"method":"agent.draft","params":{}}', 9, "invalid_params", id="missing param"),
    pytest.param(b'{"id":9,"method":"agent.draft","params":{"terminal_id":"a b"}}', 9, "invalid_params", id="bad id"),
    pytest.param(b'{"id":9,"method":"agent.draft","params":{"terminal_id":1}}', 9, "invalid_params", id="wrong type"),
]


@pytest.mark.parametrize(("frame", "id", "code"), BAD_FRAMES)
async def test_a_bad_frame_is_refused_and_ends_what_has_no_id(frame: bytes, id: int | None, code: str) -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        await client.greet()
        await client.send(frame)
        assert await refused(client) == (id, code)
        assert house.audited == [("desk", "invalid_frame", None, code)]
        if id is None:
            assert await client.receive() is None
        else:
            assert (await client.ask("approval.list"))["result"]["type"] == "approvals"


@pytest.mark.parametrize(("frame", "id", "code"), BAD_FRAMES)
async def test_before_hello_every_bad_frame_ends_the_session(frame: bytes, id: int | None, code: str) -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        await client.send(frame)
        assert await refused(client) == (id, code)
        assert await client.receive() is None
        assert house.audited == [("control", "invalid_frame", None, code)]


async def test_a_line_without_end_is_cut_off() -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        await client.greet()
        await client.stream.send_all(b"x" * 70_000)
        assert await refused(client) == (None, "frame_too_large")
        assert await client.receive() is None


async def test_frames_come_in_pieces() -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        data = b"".join(
            json.dumps({"id": id, "method": method, "params": params}).encode() + b"\n"
            for id, method, params in [(1, "hello", HELLO), (2, "approval.list", {}), (3, "approval.list", {})]
        )
        for byte in data:
            await client.stream.send_all(bytes([byte]))
        assert [(await client.receive() or {})["id"] for _ in range(3)] == [1, 2, 3]


# Handlers


async def test_a_class_that_the_caller_has_not_is_no_method() -> None:
    async with control_house(HANDLERS, NEWCOMER) as house, house.client() as client:
        await client.greet()
        reply = await client.ask("approval.list")
        assert reply["error"]["code"] == "unknown_method"
        assert house.audited == [("newcomer", "approval.list", None, "unknown_method: unknown method")]


async def test_a_fault_of_ours_is_internal_and_its_words_stay_here(caplog: pytest.LogCaptureFixture) -> None:
    async def broken(_params: AgentExplainParams, _request: Request) -> Ok:
        raise RuntimeError("the prompt was: secret")

    async with control_house({"agent.explain": broken}) as house, house.client() as client:
        await client.greet()
        reply = await client.ask("agent.explain", {"terminal_id": "t1"})
        assert reply["error"]["code"] == "internal"
        assert "secret" not in json.dumps(reply) + caplog.text + str(house.audited)
        assert "RuntimeError at test_daemon_session.py:" in caplog.text
        assert house.audited[0][:3] == ("desk", "agent.explain", "t1")


async def test_what_is_done_is_audited_with_its_target() -> None:
    async def close(_params: OfTerminal, _request: Request) -> Ok:
        return Ok()

    async with control_house({"agent.focus": close}) as house, house.client() as client:
        await client.greet()
        await client.ask("agent.focus", {"terminal_id": "t1"})
        assert house.audited == [("desk", "agent.focus", "t1", "ok")]


async def test_requests_are_answered_in_order_and_a_long_one_runs_beside() -> None:
    decided = trio.Event()

    async def decide(params: ApprovalDecideParams, _request: Request) -> ApprovalResolvedResult:
        await decided.wait()
        return ApprovalResolvedResult(approval_id=params.approval_id, outcome=Outcome(outcome=OutcomeKind.APPLIED))

    async with control_house(HANDLERS | {"approval.decide": decide}) as house, house.client() as client:
        await client.greet()
        await client.send({"id": 50, "method": "approval.decide", "params": DECIDE})
        for id in (51, 52, 53):
            await client.send({"id": id, "method": "approval.list", "params": {}})
        assert [(await client.receive() or {})["id"] for _ in range(3)] == [51, 52, 53]
        decided.set()
        assert ((await client.receive()) or {})["result"]["outcome"]["outcome"] == "applied"


async def test_one_session_has_so_many_beside() -> None:
    async def decide(_params: ApprovalDecideParams, _request: Request) -> ApprovalResolvedResult:
        await trio.sleep_forever()
        raise AssertionError

    async with control_house({"approval.decide": decide}) as house, house.client() as client:
        await client.greet()
        for id in range(100, 109):
            await client.send({"id": id, "method": "approval.decide", "params": DECIDE})
        assert await refused(client) == (108, "rate_limited")
        assert house.audited == [("desk", "approval.decide", "a", "rate_limited")]


async def test_what_was_begun_is_finished_when_the_client_has_gone() -> None:
    began, go_on, done = trio.Event(), trio.Event(), trio.Event()

    async def press(_params: AgentSendKeysParams, _request: Request) -> Ok:
        began.set()
        await go_on.wait()
        done.set()
        return Ok()

    async with control_house({"agent.send_keys": press}) as house:
        async with house.client() as client:
            await client.greet()
            await client.send({"id": 2, "method": "agent.send_keys", "params": KEYS})
            await began.wait()
        await trio.testing.wait_all_tasks_blocked()
        go_on.set()
        await done.wait()
        await house.errands.wait_idle()
        assert house.audited == [("desk", "agent.send_keys", "t1 keys=enter", "ok")]


async def test_too_many_operations_are_refused() -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        await client.greet()
        for _ in range(ERRANDS):
            assert house.errands.start(trio.sleep_forever)
        reply = await client.ask("agent.send_keys", KEYS)
        assert reply["error"] == {"code": "rate_limited", "message": "too many operations in flight"}
        assert house.audited == [("desk", "agent.send_keys", "t1 keys=enter", "rate_limited")]


# Events


async def test_a_snapshot_says_how_many_events_came_before_it() -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        await client.greet()
        assert (await client.ask("flock.snapshot"))["result"]["seq"] == 0
        for _ in range(3):
            house.hub.publish(FlockChanged())
        assert (await client.ask("flock.snapshot"))["result"]["seq"] == 3
        house.hub.publish(FlockChanged())
        assert (await client.receive() or {})["seq"] == 4


async def test_a_client_that_reads_nothing_loses_events_for_one_flock_changed() -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        await client.greet()
        for number in range(limits.EVENT_QUEUE + 10):
            house.hub.publish(DaemonStopping(reason=str(number)))
        events = [await client.receive() or {} for _ in range(10)]
        assert [event["event"]["name"] for event in events] == ["flock.changed"] + ["daemon.stopping"] * 9
        assert [event["seq"] for event in events] == list(range(1, 11))


async def test_of_a_terminals_text_only_the_newest_is_kept() -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        await client.greet()
        for text in "abc":
            house.outboxes[0].put_event(AgentOutput(terminal_id="t1", source=ReadSource.VISIBLE, ansi=text))
        assert (await client.receive() or {})["event"]["ansi"] == "c"


async def test_replies_are_never_dropped() -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        await client.greet()
        async with trio.open_nursery() as nursery:
            nursery.start_soon(ask_often, client, 200)
            ids = [(await client.receive() or {})["id"] for _ in range(200)]
        assert ids == list(range(200))


async def ask_often(client: RawClient, count: int) -> None:
    for id in range(count):
        await client.send({"id": id, "method": "approval.list", "params": {}})


async def test_who_takes_nothing_for_too_long_is_dropped(autojump_clock: trio.testing.MockClock) -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        await client.greet()
        big = AgentOutput(terminal_id="t1", source=ReadSource.VISIBLE, ansi="x" * 1_000_000)
        house.outboxes[0].put_event(big)
        await trio.sleep(limits.SEND_SECONDS - 0.1)
        assert len(house.hub) == 1
        await trio.sleep(0.2)
        assert len(house.hub) == 0


async def test_only_who_follows_hears_audit_lines() -> None:
    async def tail(params: AuditTailParams, request: Request) -> AuditResult:
        request.session.follows_audit = params.follow
        return AuditResult()

    line = AuditAppended(line=AuditLine(ts=1, peer="desk", method="m", result="ok"))
    async with control_house({"audit.tail": tail}) as house, house.client() as one, house.client() as other:
        await one.greet()
        await other.greet()
        await one.ask("audit.tail", {"follow": True})
        house.hub.publish(line)
        house.hub.publish(FlockChanged())
        assert (await one.receive() or {})["event"]["name"] == "audit.line"
        assert (await other.receive() or {})["event"]["name"] == "flock.changed"


# The end


async def test_at_the_end_clients_get_what_waits_for_them() -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        await client.greet()
        house.hub.publish(DaemonStopping(reason="over"))
        await house.hub.dismiss()
        assert (await client.receive() or {})["event"] == {"name": "daemon.stopping", "reason": "over"}
        assert await client.receive() is None


async def test_what_was_asked_before_the_client_half_closed_is_answered() -> None:
    async with control_house(HANDLERS) as house, house.client() as client:
        await client.greet()
        await client.send({"id": 7, "method": "approval.list", "params": {}})
        await client.stream.send_eof()
        assert (await client.receive() or {})["id"] == 7
        assert await client.receive() is None


@pytest.mark.parametrize("moment", ["before hello", "idle", "in a request", "while sending"])
async def test_a_session_can_be_cancelled_anywhere(moment: str, autojump_clock: trio.testing.MockClock) -> None:
    async def forever(_params: Nothing, _request: Request) -> Any:
        await trio.sleep_forever()

    async with control_house(HANDLERS | {"host.status": forever}) as house, house.client() as client:
        if moment != "before hello":
            await client.greet()
        if moment == "in a request":
            await client.send({"id": 5, "method": "host.status", "params": {}})
        if moment == "while sending":
            text = AgentOutput(terminal_id="t1", source=ReadSource.VISIBLE, ansi="x" * 1_000_000)
            house.outboxes[0].put_event(text)
        await trio.testing.wait_all_tasks_blocked(0.01)
    assert len(house.hub) == 0
