"""A model that plays scripted turns, so that the real Claude Code can be driven without a network.

It speaks as much of the Anthropic Messages API (streamed answers as server-sent events) as Claude Code 2.1.332 asks
for, on a loopback port of its own. A prompt picks its script by `[key]`; the turn that is played is the number of
answers given since that prompt, so a request that is sent again gets the same turn again.
"""

import json
import re
import sys
import threading
import time
import uuid
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

Json = dict[str, Any]

PLAN_FILE = "<plan file>"
"""As an argument of a call: the file that Claude Code told the model to write its plan to."""

_PLAN_PATH = re.compile(r"[^\s\"'`\\]+/plans/[\w-]+\.md")
_KEY = re.compile(r"\[([\w.-]+)\]")
_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A tool the model wants to use."""

    tool: str
    arguments: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One answer of the model; `delay` is the seconds before it begins."""

    text: str = "Done."
    calls: Sequence[Call] = ()
    delay: float = 0.0


Scripts = Mapping[str, Sequence[Turn]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Heard:
    """One thing that the model was told since a prompt: what became of a tool it called, or the user's own words."""

    is_result: bool
    text: str
    is_error: bool = False


class Record:
    """What the model was asked; it grows while the model runs."""

    def __init__(self) -> None:
        self._asked: list[list[Json]] = []

    def add(self, messages: list[Json]) -> None:
        """A request's messages."""
        self._asked.append(messages)

    def times_asked(self, key: str) -> int:
        """How many answers were asked for since the prompt with this key, the prompt's own included."""
        return len([messages for messages in self._asked if _since(messages, key) is not None])

    def heard(self, key: str) -> list[Heard]:
        """All that the newest request tells that came after the prompt with this key."""
        told = [since for messages in self._asked if (since := _since(messages, key)) is not None]
        return [heard for message in told[-1] for heard in _heard(message)] if told else []


def bash(command: str, description: str = "Run a command") -> Turn:
    """A turn that asks to run a shell command."""
    call = Call(tool="Bash", arguments={"command": command, "description": description})
    return Turn(text="I would like to run a command.", calls=[call])


@contextmanager
def mock_model(scripts: Scripts, record: Record | None = None) -> Iterator[str]:
    """Serves the scripts, which may grow meanwhile, while the block runs; yields the base URL."""
    server = _Server(scripts, record or Record())
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}"
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def turn_for(messages: Sequence[Json], scripts: Scripts) -> Turn:
    """The turn that answers these messages; a prompt without a key is answered with "Done."."""
    answers = 0
    for message in reversed(messages):
        if message["role"] == "assistant":
            answers += 1
        if message["role"] != "user":
            continue
        prompt = _prompt(message)
        keys = [key for key in _KEY.findall(prompt) if key in scripts]
        if keys:
            script = scripts[keys[-1]]
            return script[answers] if answers < len(script) else Turn()
        if prompt and not _holds_results(message):
            break
    return Turn()


def with_plan_file(turn: Turn, messages: Sequence[Json]) -> Turn:
    """The turn with the path that stands for `PLAN_FILE` in these messages."""
    named = _PLAN_PATH.findall(json.dumps(messages, ensure_ascii=False))
    path = {PLAN_FILE: named[-1]} if named else {}
    calls = [
        replace(call, arguments={name: path.get(each, each) for name, each in call.arguments.items()})
        if PLAN_FILE in call.arguments.values()
        else call
        for call in turn.calls
    ]
    return replace(turn, calls=calls)


def events(turn: Turn, model: str) -> Iterator[tuple[str, Json]]:
    """The turn as the stream's events: name and data."""
    stop = "tool_use" if turn.calls else "end_turn"
    usage = {"input_tokens": 100, "output_tokens": 1, "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0}
    message = {"id": _identity("msg"), "type": "message", "role": "assistant", "model": model, "content": []}
    yield "message_start", {"message": {**message, "stop_reason": None, "stop_sequence": None, "usage": usage}}
    blocks: list[tuple[Json, Json]] = [({"type": "text", "text": ""}, {"type": "text_delta", "text": turn.text})]
    for call in turn.calls:
        empty: Json = {"type": "tool_use", "id": _identity("toolu"), "name": call.tool, "input": {}}
        blocks.append((empty, {"type": "input_json_delta", "partial_json": json.dumps(dict(call.arguments))}))
    for index, (block, delta) in enumerate(blocks):
        yield "content_block_start", {"index": index, "content_block": block}
        yield "content_block_delta", {"index": index, "delta": delta}
        yield "content_block_stop", {"index": index}
    yield "message_delta", {"delta": {"stop_reason": stop, "stop_sequence": None}, "usage": {"output_tokens": 20}}
    yield "message_stop", {}


def _identity(prefix: str) -> str:
    """A new one each time: Claude Code takes answers of one id for one answer."""
    return f"{prefix}_{uuid.uuid4().hex}"


def _blocks(message: Json) -> list[Json]:
    content = message["content"]
    return [{"type": "text", "text": content}] if isinstance(content, str) else content


def _prompt(message: Json) -> str:
    texts = "\n".join(block["text"] for block in _blocks(message) if block["type"] == "text")
    return _REMINDER.sub("", texts).strip()


def _since(messages: Sequence[Json], key: str) -> Sequence[Json] | None:
    """The messages after the newest prompt with this key, None when there is no such prompt."""
    for index in reversed(range(len(messages))):
        if messages[index]["role"] == "user" and f"[{key}]" in _prompt(messages[index]):
            return messages[index + 1 :]
    return None


def _heard(message: Json) -> Iterator[Heard]:
    if message["role"] != "user":
        return
    for block in _blocks(message):
        if block["type"] == "tool_result":
            text = "\n".join(part.get("text", "") for part in _blocks(block))
            yield Heard(is_result=True, text=text, is_error=bool(block.get("is_error")))
        elif block["type"] == "text" and (words := _REMINDER.sub("", block["text"]).strip()):
            yield Heard(is_result=False, text=words)


def _holds_results(message: Json) -> bool:
    return any(block["type"] == "tool_result" for block in _blocks(message))


class _Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self, scripts: Scripts, record: Record) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.scripts = scripts
        self.record = record

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no fault; anything else is shown."""
        if not isinstance(sys.exception(), ConnectionError):
            super().handle_error(request, client_address)


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server: _Server

    def log_message(self, format: str, *args: Any) -> None:
        """Says nothing: tests have their own output."""

    def do_HEAD(self) -> None:
        self._send(b"", "application/json")

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        if self.path.startswith("/v1/messages/count_tokens"):
            self._send(b'{"input_tokens": 100}', "application/json")
            return
        if not self.path.startswith("/v1/messages"):
            self.send_error(404)
            return
        self.server.record.add(body["messages"])
        turn = with_plan_file(turn_for(body["messages"], self.server.scripts), body["messages"])
        time.sleep(turn.delay)
        stream = "".join(
            f"event: {name}\ndata: {json.dumps({'type': name, **data})}\n\n"
            for name, data in events(turn, body["model"])
        )
        self._send(stream.encode(), "text/event-stream")

    def _send(self, data: bytes, kind: str) -> None:
        try:
            self.send_response(200)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)
        except ConnectionError:
            self.close_connection = True  # the turn was interrupted
