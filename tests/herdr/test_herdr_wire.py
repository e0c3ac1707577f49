"""Lines <-> requests, replies and events; the example lines are those of the API's description."""

import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from collie.herdr.models import AgentStatus, Ok, PaneInfo
from collie.herdr.wire import (
    EVENTS_LOST,
    LINE_LIMIT,
    REQUEST_LIMIT,
    Event,
    Failure,
    Fault,
    LineBuffer,
    LineTooLong,
    Request,
    RequestRefused,
    Success,
    WireError,
    encode,
    invalid_request,
    parse_line,
    parse_reply,
    parse_request,
)

LINES = (Path(__file__).parents[2] / "fixtures/herdr/lines.txt").read_text("utf-8").splitlines()
REQUESTS = [line[2:].encode() for line in LINES if line.startswith("> ")]
REPLIES = [line[2:].encode() for line in LINES if line.startswith("< ")]
EVENTS = [line[2:].encode() for line in LINES if line.startswith("* ")]


@pytest.mark.parametrize("line", REQUESTS)
def test_example_request_reads_and_writes_back_byte_for_byte(line: bytes) -> None:
    assert encode(parse_request(line)) == line + b"\n"


@pytest.mark.parametrize("line", REPLIES + EVENTS)
def test_example_reply_or_event_reads_and_writes_back_byte_for_byte(line: bytes) -> None:
    assert encode(parse_line(line)) == line + b"\n"


def test_the_examples_are_all_there() -> None:
    assert (len(REQUESTS), len(REPLIES), len(EVENTS)) == (56, 58, 16)


@pytest.mark.parametrize(
    "line",
    [
        b'{"id":"2","method":"ping"}',
        b'{"id":3,"method":"ping","params":{}}',
        b'{"id":"4","params":{}}',
        b'{"id":"4","method":"ping","params":[]}',
        b'{"id":"4","method":"ping","params":null}',
        b"not json",
        b"[" * 100_000,
        b"{} {}",
        b'"\\ud800"',
    ],
)
def test_what_is_no_request_is_answered_with_an_empty_id(line: bytes) -> None:
    with pytest.raises(RequestRefused) as refused:
        parse_request(line)
    reply = refused.value.reply
    assert reply is not None
    assert reply.id == ""
    assert reply.error.code == "invalid_request"
    assert reply.error.message.startswith("invalid request: ")


@pytest.mark.parametrize("line", [b"", b"  \t\r", b'{"id":"1","method":"ping","params":{"x":"\xff"}}'])
def test_a_blank_line_and_a_line_that_is_not_utf8_get_no_answer(line: bytes) -> None:
    with pytest.raises(RequestRefused) as refused:
        parse_request(line)
    assert refused.value.reply is None


def test_unknown_keys_and_methods_are_taken() -> None:
    """What a method may be called is the server's business."""
    line = b'{"id":"","method":"pane.frobnicate","params":{"a":null},"more":[1]}'
    assert parse_request(line) == Request("", "pane.frobnicate", {"a": None})


def test_invalid_request_line_is_the_one_of_the_description() -> None:
    line = encode(invalid_request("missing field `params`"))
    assert line.strip() in REPLIES


@pytest.mark.parametrize("line", [b"", b"{}", b"[]", b'{"id":"1"}', b'{"event":1}', b'{"id":"1","result":3}', b"\xff"])
def test_what_no_host_says_is_a_wire_error(line: bytes) -> None:
    with pytest.raises(WireError):
        parse_line(line)


def test_reply_is_matched_by_id_or_by_an_empty_one() -> None:
    line = b'{"id":"7","result":{"type":"ok"}}'
    assert parse_reply(line, "7") == Success("7", {"type": "ok"})
    assert parse_reply(b'{"id":"","error":{"code":"x"}}', "7") == Failure("", Fault("x"))
    with pytest.raises(WireError, match="another request"):
        parse_reply(line, "8")
    with pytest.raises(WireError, match="event"):
        parse_reply(EVENTS[0], "7")


def test_a_reply_with_fields_that_are_not_known_is_read() -> None:
    line = b'{"id":"7","trace":1,"error":{"code":"new_code","message":"m","hint":"h"}}'
    assert parse_reply(line, "7") == Failure("7", Fault("new_code", "m"))


def test_events_lost_line_is_a_failure() -> None:
    lost = [reply for line in REPLIES if isinstance(reply := parse_line(line), Failure) and reply.id == "sub-1"]
    assert [reply.error.code for reply in lost] == [EVENTS_LOST]


def test_event_is_named_as_the_stream_names_it() -> None:
    pane = PaneInfo(pane_id="w1:p1", terminal_id="term_1", workspace_id="w1", tab_id="w1:t1")
    created = Event.of("pane.created", pane=pane)
    assert created.event == "pane_created"
    assert created.data["type"] == "pane_created"
    assert json.loads(encode(created))["data"]["pane"]["revision"] == 0
    status = Event.of("pane.agent_status_changed", pane_id="w1:p1", agent_status=AgentStatus.DONE, agent=None)
    assert encode(status) == (
        b'{"event":"pane.agent_status_changed","data":{"pane_id":"w1:p1","agent_status":"done"}}\n'
    )
    assert Event.of("pane.output", pane_id="w1:p1", counter=3) == Event(
        "pane_output", {"type": "pane_output", "pane_id": "w1:p1", "counter": 3}
    )


@pytest.mark.parametrize(
    ("spelled", "subscription"),
    [
        ("pane_agent_status_changed", "pane.agent_status_changed"),
        ("pane.agent_status_changed", "pane.agent_status_changed"),
        ("workspace_metadata_updated", "workspace.metadata_updated"),
        ("pane_output", "pane.output"),
        ("odd", "odd"),
    ],
)
def test_both_spellings_of_an_event_mean_the_same(spelled: str, subscription: str) -> None:
    assert Event(spelled, {}).subscription == subscription


def test_a_typed_result_is_written_with_its_tag() -> None:
    assert encode(Success("1", Ok())) == b'{"id":"1","result":{"type":"ok"}}\n'


def test_a_request_that_a_host_would_drop_is_not_written() -> None:
    empty = len(encode(Request("1", "pane.send_text", {"text": ""})))
    encode(Request("1", "pane.send_text", {"text": "x" * (REQUEST_LIMIT - empty)}))
    with pytest.raises(LineTooLong):
        encode(Request("1", "pane.send_text", {"text": "x" * (REQUEST_LIMIT - empty + 1)}))


def test_text_that_is_not_unicode_is_not_written() -> None:
    with pytest.raises(WireError):
        encode(Request("1", "pane.send_text", {"text": "\ud800"}))


def test_lines_come_out_wherever_the_bytes_are_cut() -> None:
    stream = b"".join(line + b"\n" for line in EVENTS)[:600] + b"\n"
    whole = stream.split(b"\n")[:-1]
    for cut in range(len(stream)):
        buffer, found = LineBuffer(), []
        for part in (stream[:cut], stream[cut:]):
            buffer.receive_data(part)
            while (line := buffer.next_line()) is not None:
                found.append(line)
        assert found == whole


@given(st.lists(st.binary(max_size=12), max_size=12))
def test_no_byte_is_lost_or_invented(parts: list[bytes]) -> None:
    buffer, found = LineBuffer(), []
    for part in parts:
        buffer.receive_data(part)
        while (line := buffer.next_line()) is not None:
            found.append(line)
    assert found == b"".join(parts).split(b"\n")[:-1]


@pytest.mark.parametrize("end", [b"", b"\n"])
def test_a_line_over_the_limit_raises_with_or_without_its_end(end: bytes) -> None:
    buffer = LineBuffer()
    buffer.receive_data(b"x" * LINE_LIMIT)
    assert buffer.next_line() is None
    buffer.receive_data(b"\n")
    assert buffer.next_line() == b"x" * LINE_LIMIT
    buffer.receive_data(b"x" * (LINE_LIMIT + 1) + end)
    with pytest.raises(LineTooLong):
        buffer.next_line()
