"""A session with the running daemon, for commands that ask it one thing."""

import os
import secrets
from collections.abc import Awaitable, Callable
from typing import TypeVar

import trio

from collie.cli.output import printable
from collie.client.connection import Connection, NotRunning, connect_control
from collie.errors import CollieError, UsageError
from collie.protocol.ids import OpId, TerminalId, ValidatedText
from collie.protocol.methods import FlockResult, Nothing, Params, Result, Surface
from collie.protocol.models import Agent, AgentStatus
from collie.store import data_dir, socket_path

Answer = TypeVar("Answer")
Found = TypeVar("Found", bound=Result)
Checked = TypeVar("Checked", bound=ValidatedText)


TARGET_FIELDS = ("terminal_id", "name", "kind")
"""What a TARGET may be; the first field by which any agent is found decides."""

SHOWN_CHARS = 60
"""How much of a wrong argument is shown back."""


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
    """The one agent that `named` means: its terminal id, its name, or its kind where only one agent is of it.

    A client that is refused whatever it asks cannot look that up. Its request is sent as it was typed, so that what is
    refused, and audited, is what was tried.
    """
    if connection.hello.barred:
        terminal_id = checked(TerminalId, named, "TARGET")
        return Agent(terminal_id=terminal_id, workspace_id="", status=AgentStatus.UNKNOWN, status_since_ms=0)
    agents = (await call(connection, "flock.snapshot", Nothing(), FlockResult)).agents
    tiers = ([agent for agent in agents if named == getattr(agent, field)] for field in TARGET_FIELDS)
    found = next((tier for tier in tiers if tier), [])
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


def checked(kind: type[Checked], value: str, what: str) -> Checked:
    """A validated string made of what was typed. Raises UsageError that says what is wrong with it."""
    try:
        return kind(value)
    except ValueError as error:
        shown = printable(value if len(value) <= SHOWN_CHARS else f"{value[:SHOWN_CHARS]}…")
        raise UsageError(f"{what} cannot be used: “{shown}”: it must be {kind.RULE}") from error
