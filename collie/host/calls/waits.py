"""Calls that last until something happens, or time is up."""

import math
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Final

import trio

from collie.agents.facts import State
from collie.herdr import models as m
from collie.herdr.models import AgentStatus
from collie.herdr.wire import NOT_IMPLEMENTED
from collie.host import params as p
from collie.host import records
from collie.host.caller import Caller
from collie.host.calls import find
from collie.host.calls.panes import read_of
from collie.host.calls.writing import prompt
from collie.host.host import Host
from collie.host.pane import Pane
from collie.host.refused import Refused

SETTLED: Final = frozenset({AgentStatus.IDLE, AgentStatus.DONE, AgentStatus.BLOCKED})
"""What is waited for where the caller does not say."""

STALLED: Final = 5.0
"""Seconds in which an agent must take up a prompt."""

MATCHED_CHARACTERS: Final = 4096
"""Of the line that matched; the whole of it is in the read."""


async def wait_agent(host: Host, params: p.AgentWait, caller: Caller) -> m.AgentResult:
    """Until the agent has one of the statuses."""
    pane = find.agent(host, params.target)
    with _timeout(params.timeout_ms):
        await _wait_status(host, pane, params.until or SETTLED)
    return m.AgentResult(agent=records.agent_info(host.session, pane))


async def prompt_and_wait(host: Host, params: p.AgentPrompt, caller: Caller) -> m.AgentPrompted:
    """A prompt, and until the agent is done with it."""
    pane = find.agent(host, params.target)
    before = pane.agent.change_seq
    prompted = await prompt(host, params, caller)
    if params.wait is None:
        return prompted
    with _timeout(params.wait.timeout_ms):
        await _wait_taken_up(host, pane, before)
        await _wait_status(host, pane, params.wait.until or SETTLED)
    return m.AgentPrompted(agent=records.agent_info(host.session, pane))


async def wait_for_output(host: Host, params: p.WaitForOutput, caller: Caller) -> m.OutputMatched:
    """Until a line of the pane's text has the substring.

    Regular expressions are not offered: Python's can take for ever, and everything else would wait for them.
    """
    pane = find.pane(host, params.pane_id)
    if params.match.type != "substring":
        raise Refused(NOT_IMPLEMENTED, "this host matches substrings only")
    asked = p.PaneRead(pane_id=pane.pane_id, source=params.source, lines=params.lines)
    with _timeout(params.timeout_ms):
        while True:
            async with host.session.stage:
                if not host.session.holds(pane):
                    raise Refused("pane_not_found", f"pane {pane.pane_id} not found")
                seen, read = pane.counter, read_of(pane, asked)
                matched = next((line for line in read.text.split("\n") if params.match.value in line), None)
            if matched is not None:
                return m.OutputMatched(pane_id=pane.pane_id, matched_line=matched[:MATCHED_CHARACTERS], read=read)
            await host.session.bell.park()
            while pane.counter == seen and host.session.holds(pane):
                await host.session.bell.park()


async def _wait_taken_up(host: Host, pane: Pane, before: int) -> None:
    """Until the agent works, or asks; a prompt that changes nothing was not understood."""
    with trio.move_on_after(STALLED) as scope:
        while pane.agent.change_seq == before and pane.agent.machine.state is not State.WORKING:
            await host.session.bell.park()
            _check_running(host, pane)
    if scope.cancelled_caught:
        raise Refused("agent_prompt_stalled", f"the agent did nothing within {STALLED:g} s")


async def _wait_status(host: Host, pane: Pane, until: Collection[AgentStatus]) -> None:
    while pane.agent.status(seen=pane.slot.seen) not in until:
        await host.session.bell.park()
        _check_running(host, pane)


def _check_running(host: Host, pane: Pane) -> None:
    if not host.session.holds(pane) or not pane.agent.is_listed:
        raise Refused("agent_not_running", "the agent has gone")


@contextmanager
def _timeout(timeout_ms: int | None) -> Iterator[None]:
    """A bound on what is inside, told to the caller as `timeout`."""
    with trio.move_on_after(math.inf if timeout_ms is None else timeout_ms / 1000) as scope:
        yield
    if scope.cancelled_caught:
        raise Refused("timeout", "timed out")
