"""Requests, replies and events of the host's socket API <-> lines of JSON. No I/O; both ends use it.

The rules are those of herdr 0.8.2 and 0.9: a line each, strict UTF-8, at most 1 MiB. A server refuses what is not a
request with an error whose id is empty, and hangs up on what is not even text; a client reads leniently.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from collie.errors import CollieError

LINE_LIMIT: Final = 1_048_576
"""Bytes of the longest line, its newline not counted (herdr: MAX_INITIAL_REQUEST_BYTES; for replies our own cap)."""

REQUEST_LIMIT: Final = 1_000_000
"""Bytes of the longest request that is sent. Below LINE_LIMIT, since herdr 0.7.5 counted the newline in."""

INVALID_REQUEST: Final = "invalid_request"
NOT_IMPLEMENTED: Final = "not_implemented"
PANE_NOT_FOUND: Final = "pane_not_found"
EVENTS_LOST: Final = "events_lost"
SCREEN_CHANGED: Final = "screen_changed"
"""Input with an expectation was not written, because the screen is another one (the embedded host's own code)."""

CONDITIONAL_METHODS: Final = frozenset({"pane.send_text", "pane.send_keys", "pane.send_input"})
"""The methods that take `expect` (models.Expect) where the host offers conditional input."""

GLOBAL_SUBSCRIPTIONS: Final = (
    "workspace.created",
    "workspace.updated",
    "workspace.metadata_updated",
    "workspace.renamed",
    "workspace.moved",
    "workspace.reordered",
    "workspace.closed",
    "workspace.focused",
    "worktree.created",
    "worktree.opened",
    "worktree.removed",
    "tab.created",
    "tab.closed",
    "tab.focused",
    "tab.renamed",
    "tab.moved",
    "pane.created",
    "pane.closed",
    "pane.updated",
    "pane.focused",
    "pane.moved",
    "pane.exited",
    "pane.agent_detected",
    "layout.updated",
)
"""Subscriptions without parameters, as a request spells them; their events come with an underscore for the dot."""

PANE_SUBSCRIPTIONS: Final = ("pane.agent_status_changed", "pane.scroll_changed", "pane.output_matched")
"""Subscriptions to one pane (`pane_id`); their events keep the dot, and have no `data.type`."""

OUTPUT_SUBSCRIPTION: Final = "pane.output"
"""The embedded host's own subscription, to all panes at once; data: `pane_id`, `terminal_id`, `counter`."""

REFUSED_SUBSCRIPTION: Final = "host.refused"
"""The embedded host's own subscription (`capabilities.refusals`): input from inside of a pane whose agent waits for an
answer was refused; data: `pane_id`, `terminal_id`, `method`, `code`, `pid`, `program`, `count` (so many since one was
told)."""


class WireError(CollieError):
    """The other end of the socket does not speak the host's protocol."""


class LineTooLong(WireError):
    """A line is longer than the protocol allows."""


class RequestRefused(WireError):
    """What came is not a request. `reply` is the answer, or None: close without one."""

    def __init__(self, reply: "Failure | None") -> None:
        super().__init__(reply.error.message if reply else "not a line of text")
        self.reply = reply


class Request(msgspec.Struct, frozen=True):
    """A call; params that are None have been left out."""

    id: str
    method: str
    params: dict[str, Any]


class Fault(msgspec.Struct, frozen=True):
    """Why a call failed. Only `code` is stable, `message` is for people."""

    code: str
    message: str = ""


class Success(msgspec.Struct, frozen=True):
    """The reply to a call that was done; `result` is a `models.Result` to encode, a mapping when read."""

    id: str
    result: Any


class Failure(msgspec.Struct, frozen=True):
    """The reply to a call that was refused; on a stream, its end."""

    id: str
    error: Fault


Reply = Success | Failure


class Event(msgspec.Struct, frozen=True):
    """Something happened. `data` may hold `models` records when it is to be encoded; when read it is plain values."""

    event: str
    data: Mapping[str, Any]

    @classmethod
    def of(cls, subscription: str, **data: Any) -> "Event":
        """The event of a subscription, named as the stream names it; entries that are None are left out."""
        present = {key: value for key, value in data.items() if value is not None}
        if subscription in PANE_SUBSCRIPTIONS:
            return cls(subscription, present)
        name = subscription.replace(".", "_", 1)
        return cls(name, {"type": name, **present})

    @property
    def subscription(self) -> str:
        """The name with a dot, whichever of its two spellings the host used."""
        return self.event if "." in self.event else self.event.replace("_", ".", 1)


class LineBuffer:
    """Bytes as they come -> lines without their newline."""

    def __init__(self, limit: int = LINE_LIMIT) -> None:
        self._limit = limit
        self._bytes = bytearray()
        self._searched = 0

    def receive_data(self, data: bytes) -> None:
        """Add what was read."""
        self._bytes += data

    def next_line(self) -> bytes | None:
        """The next whole line, or None: more is needed.

        Raises: LineTooLong, also before the line's end has come.
        """
        end = self._bytes.find(b"\n", self._searched)
        if (len(self._bytes) if end < 0 else end) > self._limit:
            raise LineTooLong(f"a line of more than {self._limit:,} bytes")
        if end < 0:
            self._searched = len(self._bytes)
            return None
        line = bytes(self._bytes[:end])
        del self._bytes[: end + 1]
        self._searched = 0
        return line


class _AnyRequest(msgspec.Struct):
    id: str
    method: str
    params: dict[str, Any]


class _AnyLine(msgspec.Struct):
    id: str = ""
    result: dict[str, Any] | None = None
    error: Fault | None = None
    event: str | None = None
    data: dict[str, Any] = {}


_requests = msgspec.json.Decoder(_AnyRequest)
_lines = msgspec.json.Decoder(_AnyLine)
_encoder = msgspec.json.Encoder()


def invalid_request(why: str) -> Failure:
    """The answer to what is no request: a line that does not parse, an unknown method, a param of a wrong type."""
    return Failure("", Fault(INVALID_REQUEST, f"invalid request: {why}"))


def parse_request(line: bytes) -> Request:
    """A line from a client.

    Raises: RequestRefused with the reply to give, or with None for a blank line and for what is not UTF-8.
    """
    try:
        text = line.decode()
    except UnicodeDecodeError as exc:
        raise RequestRefused(None) from exc
    if not text.strip():
        raise RequestRefused(None)
    try:
        found = _requests.decode(text)
    except (msgspec.MsgspecError, RecursionError) as exc:
        raise RequestRefused(invalid_request(str(exc))) from exc
    return Request(found.id, found.method, found.params)


def parse_line(line: bytes) -> Reply | Event:
    """A line from a host.

    Raises: WireError when it is neither a reply nor an event.
    """
    try:
        found = _lines.decode(line.decode())
    except (UnicodeDecodeError, msgspec.MsgspecError, RecursionError) as exc:
        raise WireError(f"not a line of the host's protocol: {exc}") from exc
    if found.error is not None:
        return Failure(found.id, found.error)
    if found.result is not None:
        return Success(found.id, found.result)
    if found.event is not None:
        return Event(found.event, found.data)
    raise WireError("neither a reply nor an event")


def parse_reply(line: bytes, request_id: str) -> Reply:
    """The reply to the request with this id; an empty id is taken too, as that is how a bad request is answered.

    Raises: WireError when it is something else.
    """
    reply = parse_line(line)
    if isinstance(reply, Event):
        raise WireError("an event where a reply was due")
    if reply.id not in (request_id, ""):
        raise WireError("a reply to another request")
    return reply


def encode(message: Request | Reply | Event) -> bytes:
    """The line, with its newline.

    Raises: LineTooLong for a request that a host would drop, WireError for text that is not Unicode.
    """
    try:
        line = _encoder.encode(message) + b"\n"
    except UnicodeEncodeError as exc:
        raise WireError("text with a lone surrogate") from exc
    if isinstance(message, Request) and len(line) > REQUEST_LIMIT:
        raise LineTooLong(f"a request of {len(line):,} bytes; a host takes {REQUEST_LIMIT:,}")
    return line
