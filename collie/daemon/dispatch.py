"""A request -> is its class allowed? -> its handler -> the reply, and a line in the audit log."""

import logging
import traceback
from collections.abc import Callable, Mapping
from typing import Final

from collie.daemon.drive.refusals import wire_error
from collie.daemon.handler import Answer, Handler, Request
from collie.herdr.errors import HostRefused, HostUnavailable
from collie.protocol.errors import Code, WireError
from collie.protocol.frames import ClientFrame
from collie.protocol.methods import Method, Result

log = logging.getLogger(__name__)

OWN_LINES: Final = frozenset({"approval.decide"})
"""Methods whose handlers write their own audit lines, once they are called."""

Audit = Callable[[str, str, str | None, str], None]
"""Takes peer, method, target and result."""


class Dispatcher:
    """Answers requests with the handlers it was given, one for each method."""

    def __init__(self, handlers: Mapping[str, Handler], audit: Audit) -> None:
        self._handlers = handlers
        self._audit = audit

    async def answer(self, frame: ClientFrame, request: Request) -> Result:
        """The result of a request. Raises WireError when it is refused or fails; nothing else."""
        method, target = frame.method, frame.method.target(frame.params)
        try:
            self.check_class(method, request)
        except WireError as refusal:
            self._audit(request.caller.by, method.name, target, said_of(refusal))
            raise
        try:
            answer = await self._handlers[method.name](frame.params, request)
        except Exception as error:
            failure = self._as_refusal(method, error)
            if method.name not in OWN_LINES:
                self._audit(request.caller.by, method.name, target, said_of(failure))
            raise failure from error
        if not isinstance(answer, Answer):
            answer = Answer(result=answer)
        if not method.quiet and method.name not in OWN_LINES:
            self._audit(request.caller.by, method.name, answer.target or target, answer.said)
        return answer.result

    def check_class(self, method: Method, request: Request) -> None:
        """Refuse a method that is not for this caller. Raises WireError."""
        if method.method_class not in request.caller.classes:
            raise request.caller.refusal()

    def _as_refusal(self, method: Method, error: Exception) -> WireError:
        if isinstance(error, WireError):
            return error
        if isinstance(error, HostUnavailable | HostRefused):
            return wire_error(error)
        log.error("%s failed: %s", method.name, where_of(error))
        return WireError(Code.INTERNAL, "something went wrong in the daemon; its log says where")


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
