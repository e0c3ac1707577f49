"""What a handler of a method gets and gives."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Protocol

from collie.daemon.caller import Caller
from collie.daemon.watched import Watched
from collie.protocol.methods import Result


class Follower(Protocol):
    """What a handler may change about the session that asks."""

    follows_audit: bool
    watched: Watched


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """Who asks, and for which session."""

    caller: Caller
    session: Follower


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """A result with what the audit log says of it: `target` where it is another than the request's own."""

    result: Result
    said: str = "ok"
    target: str | None = None


Handler = Callable[[Any, Request], Awaitable[Result | Answer]]
"""Takes the typed params. Raises WireError to refuse; what else it raises is answered as `internal`."""
