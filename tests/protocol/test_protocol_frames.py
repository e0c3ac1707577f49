"""The frame codec: what is refused, with which code and id; and that what was encoded decodes."""

import json
from contextlib import suppress
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from collie.protocol import frames, limits
from collie.protocol.errors import Code, WireError
from collie.protocol.events import AgentOutput, ApprovalResolved, FlockChanged
from collie.protocol.frames import BadFrame, ErrorFrame, EventFrame, ResultFrame
from collie.protocol.ids import ApprovalId, Nonce, TerminalId
from collie.protocol.methods import METHODS, AgentReadParams, ApprovalDecideParams, Nothing, Ok
from collie.protocol.models import Decision, Outcome, OutcomeKind, ReadSource

NONCE = "n" * 43


def refusal(data: bytes | dict[str, Any]) -> tuple[Code, int | None, str]:
    raw = data if isinstance(data, bytes) else json.dumps(data, ensure_ascii=False).encode()
    with pytest.raises(BadFrame) as caught:
        frames.decode_client(raw)
    return caught.value.code, caught.value.id, caught.value.message


def request(method: str = "flock.snapshot", params: Any = None, id: Any = 7) -> dict[str, Any]:
    return {"id": id, "method": method, "params": {} if params is None else params}


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"not json",
        b"\xff{}",
        b"[]",
        b"7",
        b'{"id":1,"method":"flock.snapshot"}',
        b'{"id":1,"method":"flock.snapshot","params":{},"more":1}',
        b'{"id":1,"id":1,"method":"flock.snapshot","params":{}}',
        b'{"id":1,"method":"agent.read","params":{"terminal_id":"a","terminal_id":"b","source":"visible"}}',
        b'{"id":1.0,"method":"flock.snapshot","params":{}}',
        b'{"id":true,"method":"flock.snapshot","params":{}}',
        b'{"id":-1,"method":"flock.snapshot","params":{}}',
        b'{"id":4294967296,"method":"flock.snapshot","params":{}}',
        b'{"id":"1","method":"flock.snapshot","params":{}}',
        b'{"id":1,"method":7,"params":{}}',
        b'{"id":NaN,"method":"flock.snapshot","params":{}}',
        b"[" * 60_000,
    ],
)
def test_what_is_no_frame_is_malformed_and_has_no_id(data: bytes) -> None:
    assert refusal(data) == (Code.MALFORMED_FRAME, None, "malformed frame")


def test_a_frame_past_the_limit_is_refused_before_it_is_read() -> None:
    assert refusal(b" " * (limits.CLIENT_FRAME_BYTES + 1)) == (Code.FRAME_TOO_LARGE, None, "frame too large")
    padded = json.dumps(request()).encode().ljust(limits.CLIENT_FRAME_BYTES)
    assert frames.decode_client(padded).id == 7


def test_an_unknown_method_is_refused_before_its_params_are_looked_at() -> None:
    assert refusal(request("pane.send_text", params=[1, {"a": 2}])) == (Code.UNKNOWN_METHOD, 7, "unknown method")


@pytest.mark.parametrize(
    ("method", "params", "told"),
    [
        ("flock.snapshot", {"a": 1}, "unknown field `a`"),
        ("flock.snapshot", [], "Expected `object`"),
        ("agent.read", {"source": "visible"}, "field `terminal_id`"),
        ("agent.read", {"terminal_id": "a b", "source": "visible"}, "invalid TerminalId"),
        ("agent.read", {"terminal_id": "a\n", "source": "visible"}, "invalid TerminalId"),
        ("agent.read", {"terminal_id": 4, "source": "visible"}, "invalid TerminalId"),
        ("agent.read", {"terminal_id": "a", "source": "all"}, "Invalid enum value"),
        ("agent.read", {"terminal_id": "a", "source": "visible", "lines": 0}, "`int` >= 1"),
        ("agent.read", {"terminal_id": "a", "source": "visible", "lines": 1001}, "`int` <= 1000"),
        ("agent.read", {"terminal_id": "a", "source": "visible", "lines": True}, "got `bool`"),
        ("agent.send_keys", {"op_id": "o" * 22, "terminal_id": "a", "keys": []}, "length >= 1"),
        ("agent.send_keys", {"op_id": "o" * 22, "terminal_id": "a", "keys": ["ctrl+d"]}, "Invalid enum value"),
        ("agent.prompt", {"op_id": "o" * 22, "terminal_id": "a", "text": " \n"}, "invalid PromptText"),
        ("agent.prompt", {"op_id": "o" * 22, "terminal_id": "a", "text": "a\x1b[A"}, "invalid PromptText"),
        ("agent.prompt", {"op_id": "o" * 22, "terminal_id": "a", "text": "é" * 16_385}, "invalid PromptText"),
    ],
)
def test_params_that_do_not_fit_are_refused_whole(method: str, params: Any, told: str) -> None:
    code, id, message = refusal(request(method, params))
    assert (code, id) == (Code.INVALID_PARAMS, 7)
    assert told in message


@pytest.mark.parametrize(
    "change",
    [
        {"decision": "choose"},
        {"choice": 1},
        {"decision": "approve_always", "note": "x"},
        {"decision": "choose", "choice": 1, "note": "x"},
    ],
)
def test_a_decision_says_a_choice_or_a_note_only_where_it_may(change: dict[str, Any]) -> None:
    params = {"approval_id": "a", "decision": "approve", "nonce": NONCE} | change
    assert refusal(request("approval.decide", params))[0] is Code.INVALID_PARAMS


def test_a_request_decodes_to_what_was_encoded() -> None:
    params = ApprovalDecideParams(approval_id=ApprovalId("a"), decision=Decision.CHOOSE, choice=2, nonce=Nonce(NONCE))
    frame = frames.decode_client(frames.encode_client(3, "approval.decide", params))
    assert (frame.id, frame.method, frame.params) == (3, METHODS["approval.decide"], params)


def test_server_frames_decode_to_what_was_encoded() -> None:
    outcome = Outcome(outcome=OutcomeKind.APPLIED, decision=Decision.DENY, by="desk")
    error = WireError(Code.APPROVAL_ALREADY_RESOLVED, "approval already used", outcome=outcome)
    assert frames.decode_server(frames.encode_result(1, Ok())) == ResultFrame(id=1, result={"type": "ok"})
    assert frames.decode_server(frames.encode_error(None, error)) == ErrorFrame(id=None, error=error.body())
    event = ApprovalResolved(approval_id="a", outcome=outcome)
    assert frames.decode_server(frames.encode_event(9, event)) == EventFrame(seq=9, event=event)


def test_a_client_ignores_what_a_newer_server_adds() -> None:
    newer = b'{"kind":"event","seq":4,"event":{"name":"agent.danced","style":"jig"}}'
    assert frames.decode_server(newer) == EventFrame(seq=4, event=None)
    more = b'{"kind":"event","seq":5,"event":{"name":"flock.changed","why":"x"},"at":1}'
    assert frames.decode_server(more) == EventFrame(seq=5, event=FlockChanged())
    error = b'{"kind":"error","id":1,"error":{"code":"brand_new","message":"m","hint":1}}'
    frame = frames.decode_server(error)
    assert isinstance(frame, ErrorFrame)
    assert WireError.from_body(frame.error).code is Code.UNKNOWN


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b'{"kind":"song"}', b'{"kind":"result","id":"1"}', b"\xff"])
def test_what_is_no_server_frame_is_said_to_be_none(data: bytes) -> None:
    with pytest.raises(BadFrame):
        frames.decode_server(data)


@given(st.binary(max_size=300))
def test_no_bytes_crash_the_decoders(data: bytes) -> None:
    for decode in (frames.decode_client, frames.decode_server):
        with suppress(BadFrame):
            decode(data)


@given(
    st.recursive(
        st.none() | st.booleans() | st.integers() | st.text(), lambda x: st.lists(x) | st.dictionaries(st.text(), x)
    )
)
def test_no_params_crash_a_method(params: Any) -> None:
    for method in METHODS:
        with suppress(BadFrame):
            frames.decode_client(json.dumps(request(method, params)).encode())


def test_secrets_are_not_printed() -> None:
    params = ApprovalDecideParams(approval_id=ApprovalId("a"), decision=Decision.DENY, nonce=Nonce(NONCE))
    assert NONCE not in repr(params)


def test_every_method_has_its_own_row() -> None:
    for name, method in METHODS.items():
        assert method.name == name
        assert msgspec.inspect.type_info(method.params)
        assert method.result.__struct_config__.tag


def test_empty_fields_that_the_wire_omits_are_omitted() -> None:
    encoded = json.loads(msgspec.json.encode(Outcome(outcome=OutcomeKind.EXPIRED)))
    assert encoded == {"outcome": "expired"}
    output = AgentOutput(terminal_id="t", source=ReadSource.VISIBLE, ansi="x")
    assert json.loads(msgspec.json.encode(output))["name"] == "agent.output"


def test_nothing_takes_exactly_nothing() -> None:
    assert frames.decode_client(json.dumps(request()).encode()).params == Nothing()
    assert AgentReadParams(terminal_id=TerminalId("t"), source=ReadSource.RECENT).lines is None
