"""A session with the running daemon, for commands that ask it one thing."""

import os
import secrets
from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

from collie.client.connection import Connection, NotRunning, connect_control
from collie.errors import CollieError, UsageError
from collie.protocol.ids import OpId
from collie.protocol.methods import FlockResult, Nothing, Params, Result, Surface
from collie.protocol.models import Agent
from collie.store import data_dir, socket_path

Answer = TypeVar("Answer")
Found = TypeVar("Found", bound=Result)


def ask(question: Callable[[Connection], Awaitable[Answer]]) -> Answer:
    """Run `question` in a session with the daemon. Raises CollieError: not running, refused, lost."""

    async def session() -> Answer:
        async with connect_control(
            socket_path(data_dir(os.environ), "control.sock"), Surface.COMMAND_LINE
        ) as connection:
            return await question(connection)

    try:
        return trio.run(session)
    except NotRunning as error:
        raise NotRunning(f"{error}: start the dashboard with `collie`, or `collie --serve`") from error


async def call(connection: Connection, name: str, params: Params, result: type[Found]) -> Found:
    """The typed result of one method."""
    answer = await connection.call(name, params)
    if not isinstance(answer, result):
        raise CollieError(f"{name}: the daemon answered with {type(answer).__name__}")
    return answer


async def target(connection: Connection, named: str) -> Agent:
    """The one agent that `named` means: a terminal id, or a name that only one agent has."""
    agents = (await call(connection, "flock.snapshot", Nothing(), FlockResult)).agents
    exact = [agent for agent in agents if agent.terminal_id == named]
    found = exact or [agent for agent in agents if named in (agent.name, agent.kind)]
    if len(found) == 1:
        return found[0]
    if found:
        which = ", ".join(agent.terminal_id for agent in found)
        raise CollieError(f"{named} is not one agent but {len(found)}: name one of {which}")
    known = ", ".join(agent.name or agent.terminal_id for agent in agents) or "none is running"
    raise CollieError(f"no agent is called {named}: {known}")


def new_op_id() -> OpId:
    """A fresh operation id."""
    return OpId(secrets.token_urlsafe(16))


def checked(kind: type[Answer], value: str, what: str) -> Answer:
    """A validated string made of what was typed. Raises UsageError that says what is wrong with it."""
    try:
        return kind(value)  # type: ignore[call-arg]
    except ValueError as error:
        raise UsageError(f"{what} cannot be used: {value!r} ({error})") from error
