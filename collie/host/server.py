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
from collie.host.caller import Caller
from collie.host.calls.table import METHODS, NOT_OFFERED, Method
from collie.host.connection import Connection
from collie.host.faults import where
from collie.host.host import Host
from collie.host.params import Params
from collie.host.refused import Refused
from collie.host.stream import SUBSCRIBE, run_stream

STOP: Final = "server.stop"

RETRY: Final = 0.1
"""Seconds after a connection that could not be accepted (too many open files)."""

log = logging.getLogger(__name__)


async def serve(host: Host, listener: trio.socket.SocketType) -> None:
    """Answer all who connect, until cancelled."""
    async with trio.open_nursery() as nursery:
        while True:
            try:
                socket, _ = await listener.accept()
            except OSError as exc:
                log.warning("cannot accept a connection: %s", exc.strerror)
                await trio.sleep(RETRY)
                continue
            nursery.start_soon(_run, host, Connection(socket))


async def _run(host: Host, connection: Connection) -> None:
    with connection:
        try:
            await _answer(host, connection)
        except* (OSError, trio.TooSlowError):
            log.debug("a client went away")
        except* Exception as exc:  # noqa: BLE001 - one client must not take down the others
            log.error("a connection failed: %s", where(exc))


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
    if request.method == SUBSCRIBE:
        await run_stream(host.session, connection, request)
        return
    reply = await _reply(host, connection, request, caller)
    try:
        if reply is not None:
            await connection.send(reply)
    finally:
        if request.method == STOP and isinstance(reply, Success):
            host.stopping.set()


async def _reply(host: Host, connection: Connection, request: Request, caller: Caller) -> Reply | None:
    """The reply to a request; None when the client of a lasting call went away."""
    method = METHODS.get(request.method)
    if method is None and request.method in NOT_OFFERED:
        return Failure(request.id, Fault(NOT_IMPLEMENTED, f"{request.method} is not offered by this host"))
    if method is None:
        return invalid_request(f"unknown method `{request.method}`")
    try:
        params = msgspec.convert(request.params, method.params)
    except msgspec.ValidationError as exc:
        return invalid_request(str(exc))
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
        return Failure(request.id, Fault(refused.code, str(refused)))
    except Exception as exc:  # noqa: BLE001 - one client must not take down the others
        log.error("%s failed: %s", request.method, where(exc))
        return Failure(request.id, Fault("internal_error", "the host failed at this; its log says why"))


async def _cancel_when_gone(connection: Connection, scope: trio.CancelScope) -> None:
    await connection.wait_hang_up()
    scope.cancel()
