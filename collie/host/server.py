"""Answers whoever connects: one request a connection, or one stream (specs: embedded-host section 2.1).

herdr ends a call that lasts when its client sends one more byte or half-closes. A kinder server would hide that fault
of a client, so this one does the same.
"""

import inspect
import logging
import os
from typing import Any, Final

import msgspec
import trio

from collie.herdr.wire import (
    NOT_IMPLEMENTED,
    Failure,
    Fault,
    Reply,
    Request,
    RequestRefused,
    Success,
    invalid_request,
    parse_request,
)
from collie.host import narrate, said
from collie.host.caller import Caller, program_of, stands_in
from collie.host.calls.table import METHODS, NOT_OFFERED, Method
from collie.host.connection import Connection
from collie.host.crowd import Crowd
from collie.host.faults import where
from collie.host.host import Host
from collie.host.listener import Listener
from collie.host.params import Params
from collie.host.refused import FromPane, Refused
from collie.host.stream import SUBSCRIBE, run_stream

STOP: Final = "server.stop"

RETRY: Final = 0.1
"""Seconds after a connection that could not be accepted (too many open files)."""

TOO_MANY: Final = "too_many_connections"
NOT_ACCEPTED: Final = "not_accepted"

LAST_WORD: Final = 0.05
"""Seconds that a client has to ask, though it is turned away."""

ID_CHARACTERS: Final = 256
"""Of a request's id, which stands in the reply."""

log = logging.getLogger(__name__)


async def serve(host: Host, listener: Listener) -> None:
    """Answer all who connect, until cancelled."""
    crowd = Crowd()
    async with trio.open_nursery() as nursery:
        while True:
            nursery.start_soon(_run, host, crowd, Connection(await _accepted(host, listener)))


async def _accepted(host: Host, listener: Listener) -> trio.socket.SocketType:
    """The next connection."""
    while True:
        try:
            return await listener.accept()
        except OSError as exc:
            if count := host.refusals.count(NOT_ACCEPTED, trio.current_time()):
                log.warning("no connection could be accepted, times: %d: %s", count, exc.strerror)
            await trio.sleep(RETRY)


async def _run(host: Host, crowd: Crowd, connection: Connection) -> None:
    with connection:
        try:
            if not crowd.has_room(lambda: _stands_in_pane(host, connection)):
                await _turn_away(host, connection)
                return
            with crowd.entered():
                await _answer(host, connection)
        except* (OSError, trio.TooSlowError):
            log.debug("a client went away")
        except* Exception as exc:  # noqa: BLE001 - one client must not take down the others
            log.error("a connection failed: %s", where(exc))


def _stands_in_pane(host: Host, connection: Connection) -> bool:
    """A caller that cannot be looked at, for want of open files, counts as one."""
    shells = {pane.pane_id: pane.pty.pid for pane in host.session.panes_by_age()}
    try:
        return stands_in(connection.caller(), shells, str(host.setup.socket))
    except OSError:
        return True


async def _turn_away(host: Host, connection: Connection) -> None:
    """Say so; what the client asks is taken first, as it may miss an answer to what it has not yet said."""
    count = host.refusals.count(TOO_MANY, trio.current_time())
    if count:
        caller = connection.caller()
        log.warning("process %s (%s) was turned away, one of %d: too many", caller.pid, program_of(caller), count)
    with trio.move_on_after(LAST_WORD):
        await connection.read_line()
    await connection.send(Failure("", Fault(TOO_MANY, "the host has too many connections; close some")))


async def _answer(host: Host, connection: Connection) -> None:
    caller = connection.caller()
    if caller.uid != os.geteuid():
        log.warning("a process of user %d was turned away", caller.uid)
        return
    line = await connection.read_line()
    if line is None:
        return
    try:
        request = parse_request(line)
    except RequestRefused as refused:
        if refused.reply is not None:
            await connection.send(refused.reply)
        return
    if len(request.id) > ID_CHARACTERS:
        await connection.send(invalid_request(f"an id has at most {ID_CHARACTERS} characters"))
        return
    if request.method == SUBSCRIBE:
        await run_stream(host.session, connection, request)
        return
    reply = await _reply(host, connection, request, caller)
    try:
        if reply is not None:
            await connection.send(reply)
    finally:
        if request.method == STOP and isinstance(reply, Success):
            log.info("told to stop by process %s (%s)", caller.pid, program_of(caller))
            host.stopping.set()


async def _reply(host: Host, connection: Connection, request: Request, caller: Caller) -> Reply | None:
    """The reply to a request; None when the client of a lasting call went away."""
    method = METHODS.get(request.method)
    if method is None and request.method in NOT_OFFERED:
        return Failure(request.id, Fault(NOT_IMPLEMENTED, f"{request.method} is not offered by this host"))
    if method is None:
        return invalid_request(said.message(f"unknown method `{request.method}`"))
    try:
        params = msgspec.convert(request.params, method.params)
    except msgspec.ValidationError as exc:
        return invalid_request(said.message(str(exc)))
    if not method.lasts(params):
        return await _call(host, method, request, params, caller)
    reply = None
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_cancel_when_gone, connection, nursery.cancel_scope)
        reply = await _call(host, method, request, params, caller)
        nursery.cancel_scope.cancel()
    return reply


async def _call(host: Host, method: Method[Any], request: Request, params: Params, caller: Caller) -> Reply:
    try:
        result = method.handle(host, params, caller)
        return Success(request.id, await result if inspect.isawaitable(result) else result)
    except Refused as refused:
        if isinstance(refused, FromPane):
            _tell(host, refused, request.method, caller)
        return Failure(request.id, Fault(refused.code, said.message(str(refused))))
    except Exception as exc:  # noqa: BLE001 - one client must not take down the others
        log.error("%s failed: %s", request.method, where(exc))
        return Failure(request.id, Fault("internal_error", "the host failed at this; its log says why"))


def _tell(host: Host, refused: FromPane, method: str, caller: Caller) -> None:
    """Have it known who tried to answer what he asks himself."""
    count = host.refusals.count(refused.terminal_id, trio.current_time())
    if count:
        program = program_of(caller)
        what = (method, refused.pane_id, caller.pid, program, count)
        log.warning("%s into %s was refused: process %s (%s) stands inside of it; attempts: %d", *what)
        narrate.refused(host.session, refused, method=method, pid=caller.pid, program=program, count=count)


async def _cancel_when_gone(connection: Connection, scope: trio.CancelScope) -> None:
    await connection.wait_hang_up()
    scope.cancel()
