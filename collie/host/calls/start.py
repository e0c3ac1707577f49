"""Starting an agent: its command line is typed into the shell of a pane."""

import shlex
from typing import Final

import trio

from collie.agents import kind as agents
from collie.herdr import models as m
from collie.host import narrate, processes, records
from collie.host import params as p
from collie.host.caller import Caller
from collie.host.calls.agents import check_name
from collie.host.host import Host
from collie.host.input import InputRefused
from collie.host.launch import DEADLINE_MS, DEADLINES_MS, Launch
from collie.host.pane import Pane
from collie.host.refused import Refused

SHELL_WAIT: Final = 1.0
SHELL_EVERY: Final = 0.02
"""Seconds that the shell of a new pane has to get the terminal, and between two looks for it."""

ARGUMENT_CHARACTERS: Final = 100_000
"""Of all arguments together: the answer repeats them."""


async def start_agent(host: Host, params: p.AgentStart, caller: Caller) -> m.AgentStarted:
    """Start an agent in a pane that runs only its shell; answered at once, while the launch is pending."""
    timeout_ms = DEADLINE_MS if params.timeout_ms is None else params.timeout_ms
    if timeout_ms not in DEADLINES_MS:
        raise Refused("invalid_agent_timeout", f"timeout_ms must be {DEADLINES_MS.start} to {DEADLINES_MS.stop - 1}")
    argv = _argv(host, params)
    pane = host.session.pane(params.pane_id)
    if pane is None:
        raise Refused("agent_pane_not_found", f"pane {params.pane_id} not found")
    check_name(host, params.name, pane)
    async with pane.input.turn:
        await _wait_for_shell(host, pane)
        check_name(host, params.name, pane)
        try:
            pane.input.send(shlex.join(argv).encode() + b"\r")
        except InputRefused as exc:
            raise Refused("agent_start_input_failed", str(exc)) from exc
        deadline = trio.current_time() + timeout_ms / 1000
        pane.agent.begin(params.name, Launch(kind=params.kind, deadline=deadline))
    pane.rhythm.look_by(deadline)
    pane.stir()
    narrate.pane_updated(host.session, pane)
    return m.AgentStarted(agent=records.agent_info(host.session, pane), argv=argv)


def _argv(host: Host, params: p.AgentStart) -> tuple[str, ...]:
    kind = host.setup.kinds.named(params.kind)
    if kind is None:
        known = ", ".join(each.name for each in host.setup.kinds.all)
        raise Refused("unsupported_agent_kind", f"there is no agent kind {params.kind}; known are {known}")
    if not all(each.isprintable() for each in params.args):
        raise Refused("invalid_agent_argument", "an argument holds a control character")
    if sum(map(len, params.args)) > ARGUMENT_CHARACTERS:
        raise Refused("invalid_agent_argument", f"more than {ARGUMENT_CHARACTERS:,} characters of arguments")
    return kind.argv(agents.Launch(args=params.args))


async def _wait_for_shell(host: Host, pane: Pane) -> None:
    """Until the pane's shell, and nothing else, has the terminal.

    Raises: Refused.
    """
    with trio.move_on_after(SHELL_WAIT):
        while not _is_free(host, pane):  # noqa: ASYNC110 - the kernel tells nobody
            await trio.sleep(SHELL_EVERY)
    if not host.session.holds(pane):
        raise Refused("agent_pane_not_found", f"pane {pane.pane_id} not found")
    if not _is_free(host, pane):
        raise Refused("agent_pane_busy", f"pane {pane.pane_id} runs something besides its shell")


def _is_free(host: Host, pane: Pane) -> bool:
    if not host.session.holds(pane) or pane.agent.is_listed:
        return False
    return pane.pty.foreground() == pane.pty.pid and processes.is_shell(
        pane.pty.pid, host.setup.environ.get("SHELL", "")
    )
