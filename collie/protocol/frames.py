"""Frames <-> bytes, limits enforced (specs: phone-protocol section 2; design, section 11).

Decoding a client's frame: size, strict UTF-8, JSON without duplicate keys, the three keys, the method, then the
params. Whatever is refused says so with the id where it was readable; nothing partial comes out.
"""

import json
from dataclasses import dataclass
from typing import Any, get_args

import msgspec

from collie.protocol import limits
from collie.protocol.errors import Code, ErrorBody, WireError
from collie.protocol.events import AnyEvent
from collie.protocol.ids import ValidatedText
from collie.protocol.methods import METHODS, Method, Params, Result


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientFrame:
    """A request that was understood."""

    id: int
    method: Method
    params: Params


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultFrame:
    """The reply to request `id`; `result` is still untyped, since only the asker knows which method it answers."""

    id: int
    result: dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class ErrorFrame:
    """A refusal; with `id` None the session ends."""

    id: int | None
    error: ErrorBody


@dataclass(frozen=True, slots=True, kw_only=True)
class EventFrame:
    """Something the server tells; `event` is None when this version does not know it."""

    seq: int
    event: AnyEvent | None


ServerFrame = ResultFrame | ErrorFrame | EventFrame


class BadFrame(WireError):
    """A client's frame was refused; `id` is the request's where it could be read."""

    def __init__(self, code: Code, message: str, id: int | None = None) -> None:
        super().__init__(code, message)
        self.id = id


def decode_client(data: bytes) -> ClientFrame:
    """The request in `data`. Raises BadFrame."""
    if len(data) > limits.CLIENT_FRAME_BYTES:
        raise BadFrame(Code.FRAME_TOO_LARGE, "frame too large")
    frame = _json(data)
    if not isinstance(frame, dict) or frame.keys() != {"id", "method", "params"}:
        raise BadFrame(Code.MALFORMED_FRAME, "malformed frame")
    id, name = frame["id"], frame["method"]
    if type(id) is not int or not 0 <= id <= limits.UNSIGNED_32 or not isinstance(name, str):
        raise BadFrame(Code.MALFORMED_FRAME, "malformed frame")
    method = METHODS.get(name)
    if method is None:
        raise BadFrame(Code.UNKNOWN_METHOD, "unknown method", id)
    try:
        params = msgspec.convert(frame["params"], method.params, dec_hook=_validated)
    except msgspec.ValidationError as error:
        raise BadFrame(Code.INVALID_PARAMS, str(error), id) from error
    return ClientFrame(id=id, method=method, params=params)


def encode_client(id: int, method: str, params: Params) -> bytes:
    """A request as bytes, without a line end."""
    return _encode({"id": id, "method": method, "params": params})


def encode_result(id: int, result: Result) -> bytes:
    """The reply to request `id`."""
    return _encode({"kind": "result", "id": id, "result": result})


def encode_error(id: int | None, error: WireError) -> bytes:
    """A refusal of request `id`, or of the session with None."""
    return _encode({"kind": "error", "id": id, "error": error.body()})


def encode_event(seq: int, event: AnyEvent) -> bytes:
    """Event number `seq` of a session."""
    return _encode({"kind": "event", "seq": seq, "event": event})


def decode_server(data: bytes) -> ServerFrame:
    """The frame in `data`; unknown fields are ignored, an unknown event is None. Raises BadFrame."""
    if len(data) > limits.SERVER_FRAME_BYTES:
        raise BadFrame(Code.FRAME_TOO_LARGE, "frame too large")
    try:
        return _server_frame(msgspec.json.decode(data))
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, KeyError, TypeError) as error:
        raise BadFrame(Code.MALFORMED_FRAME, f"not a server frame: {error}") from error


def convert_result(method: Method, result: dict[str, Any]) -> Result:
    """The typed result of `method`. Raises BadFrame when it is not one."""
    try:
        return msgspec.convert(result, method.result)
    except msgspec.ValidationError as error:
        raise BadFrame(Code.MALFORMED_FRAME, f"not a result of {method.name}: {error}") from error


def _server_frame(frame: dict[str, Any]) -> ServerFrame:
    kind = frame["kind"]
    if kind == "result":
        return ResultFrame(id=msgspec.convert(frame["id"], int), result=frame["result"])
    if kind == "error":
        return ErrorFrame(id=msgspec.convert(frame["id"], int | None), error=msgspec.convert(frame["error"], ErrorBody))
    if kind == "event":
        return EventFrame(seq=msgspec.convert(frame["seq"], int), event=_event(frame["event"]))
    raise TypeError(f"kind {kind!r}")


_EVENT_NAMES = frozenset(tag for event in get_args(AnyEvent) if (tag := event.__struct_config__.tag) is not None)


def _event(event: dict[str, Any]) -> AnyEvent | None:
    if event["name"] not in _EVENT_NAMES:
        return None
    found: AnyEvent = msgspec.convert(event, AnyEvent)
    return found


def _json(data: bytes) -> Any:
    try:
        found = json.loads(data.decode("utf-8", "strict"), object_pairs_hook=_no_duplicates, parse_constant=_refused)
        if b"\\u" in data:
            json.dumps(
                found, ensure_ascii=False
            ).encode()  # an escape can spell a lone surrogate, which is no text and cannot be written again
        return found
    except (ValueError, RecursionError) as error:
        raise BadFrame(Code.MALFORMED_FRAME, "malformed frame") from error


def _no_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ValueError("duplicate key")
    return found


def _refused(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


def _validated(kind: type, value: Any) -> Any:
    if isinstance(value, str) and issubclass(kind, ValidatedText):
        return kind(value)
    raise ValueError(f"invalid {kind.__name__}")


def _encode(frame: dict[str, Any]) -> bytes:
    return msgspec.json.encode(frame, enc_hook=str)
