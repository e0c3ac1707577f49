"""A request -> is its class allowed? -> its handler -> the reply, and a line in the audit log."""

import logging
import traceback
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from collie.daemon.drive.operations import Operations
from collie.daemon.drive.outcomes import request_digest
from collie.daemon.drive.refusals import wire_error
from collie.daemon.handler import Answer, Handler, Request
from collie.herdr.errors import HostRefused, HostUnavailable
from collie.protocol.errors import Code, WireError
from collie.protocol.frames import ClientFrame
from collie.protocol.methods import Result

log = logging.getLogger(__name__)

OWN_LINES: Final = frozenset({"approval.decide"})
"""Methods whose handlers write their own audit lines, once they are called."""

Audit = Callable[[str, str, str | None, str], None]
"""Takes peer, method, target and result."""


class Dispatcher:
    """Answers requests with the handlers it was given, one for each method."""

    def __init__(self, handlers: Mapping[str, Handler], audit: Audit, operations: Operations[Answer]) -> None:
        self._handlers = handlers
        self._audit = audit
        self._operations = operations

    @property
    def methods(self) -> frozenset[str]:
        """What it can answer."""
        return frozenset(self._handlers)

    async def answer(self, frame: ClientFrame, request: Request) -> Result:
        """The result of a request. Raises WireError when it is refused or fails; nothing else."""
        method, target = frame.method, frame.method.target(frame.params)
        if method.method_class not in request.caller.classes:
            refusal = request.caller.refusal()
            self._audit(request.caller.by, method.name, target, request.caller.told(said_of(refusal)))
            raise refusal
        outcome, mark = await self._outcome(frame, request)
        if isinstance(outcome, WireError):
            if method.name not in OWN_LINES:
                self._audit(request.caller.by, method.name, target, said_of(outcome) + mark)
            raise outcome
        if not method.quiet and method.name not in OWN_LINES:
            self._audit(request.caller.by, method.name, outcome.target or target, outcome.said + mark)
        return outcome.result

    async def _outcome(self, frame: ClientFrame, request: Request) -> tuple[Answer | WireError, str]:
        """What becomes of a request, and what marks its audit line as that of a repeat."""
        try:
            if not frame.method.op_id:
                return await self._call(frame, request), ""
            digest = request_digest(frame.method.name, frame.params)
            op_id: str = getattr(frame.params, "op_id")  # noqa: B009 - each method whose row says so has it
            outcome, is_replay = await self._operations.once(
                request.caller.device, op_id, digest, partial(self._call, frame, request)
            )
        except WireError as error:
            return error, ""
        return outcome, " (replayed)" if is_replay else ""

    async def _call(self, frame: ClientFrame, request: Request) -> Answer:
        try:
            answer = await self._handlers[frame.method.name](frame.params, request)
        except WireError:
            raise
        except (HostUnavailable, HostRefused) as error:
            raise wire_error(error) from error
        except Exception as error:
            log.error("%s failed: %s", frame.method.name, where_of(error))
            raise WireError(Code.INTERNAL, "something went wrong in the daemon; its log says where") from error
        return answer if isinstance(answer, Answer) else Answer(result=answer)


def said_of(error: WireError) -> str:
    """A refusal as the audit log has it. The text of a draft stays out."""
    if error.code is Code.DRAFT_CHANGED:
        return error.code.value
    return f"{error.code.value}: {error.message}"


def where_of(error: BaseException) -> str:
    """An exception by its type and the lines it came through, without its message: that may hold content."""
    steps = traceback.extract_tb(error.__traceback__)
    places = " <- ".join(f"{step.filename.rpartition('/')[2]}:{step.lineno}" for step in reversed(steps))
    name = type(error).__name__
    if isinstance(error, BaseExceptionGroup):
        name += " of " + ", ".join(where_of(each) for each in error.exceptions)
    return f"{name} at {places}"
