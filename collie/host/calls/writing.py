"""Methods that write to a terminal.

Conditional input (`expect`): between the comparison and the write nothing else runs, since neither has a checkpoint;
and nothing that was queued before can come in between, since then the input is refused.
"""

from collections.abc import Sequence
from typing import Final

import trio

from collie.herdr import models as m
from collie.herdr.wire import SCREEN_CHANGED
from collie.host import params as p
from collie.host import processes, records
from collie.host.caller import Caller, stands_in
from collie.host.calls import find
from collie.host.host import Host
from collie.host.input import InputRefused
from collie.host.pane import Pane
from collie.host.refused import FromPane, Refused
from collie.host.terminal.keys import InvalidKey, encode_key

ENTER_DELAY: Final = 0.3
"""Seconds between a prompt's text and its Enter: an agent takes what comes at once for a paste (herdr's number)."""

PASTE_BEGIN: Final = b"\x1b[200~"
PASTE_END: Final = b"\x1b[201~"


async def send_text(host: Host, params: p.SendText, caller: Caller) -> m.Ok:
    """The text's own bytes, not framed."""
    pane = find.pane(host, params.pane_id)
    await _type(host, pane, _bytes(params.text), params.expect, caller)
    return m.Ok()


async def send_keys(host: Host, params: p.SendKeys, caller: Caller) -> m.Ok:
    """Keys, all or none."""
    pane = find.pane(host, params.pane_id)
    await _type(host, pane, _keys(pane, params.keys), params.expect, caller)
    return m.Ok()


async def send_input(host: Host, params: p.SendInput, caller: Caller) -> m.Ok:
    """Text, framed as a paste where the program wants that, then keys, in one write."""
    pane = find.pane(host, params.pane_id)
    data = _pasted(pane, params.text) + _keys(pane, params.keys)
    await _type(host, pane, data, params.expect, caller)
    return m.Ok()


async def send_agent_keys(host: Host, params: p.AgentSendKeys, caller: Caller) -> m.Ok:
    """Keys to an agent, whatever it shows, if it is in the foreground."""
    pane = find.agent(host, params.target)
    if not _is_in_front(pane):
        raise Refused("agent_not_ready", f"agent {params.target} is not in the foreground")
    await _type(host, pane, _keys(pane, params.keys), params.expect, caller, failed="agent_send_keys_failed")
    return m.Ok()


async def prompt(host: Host, params: p.AgentPrompt, caller: Caller) -> m.AgentPrompted:
    """A prompt and Enter; the answer comes after both.

    Between the two no other request writes. Enter is left out when the agent has gone, as a shell would run the text,
    and when it asks something, as that would be answered.
    """
    pane = find.agent(host, params.target)
    async with pane.input.turn:
        _check_caller(host, pane, caller)
        _check_promptable(host, pane, params)
        # Shielded, as a client that hangs up now must not leave the text behind without its Enter.
        with trio.CancelScope(shield=True):
            await _enter(host, pane, params)
    return m.AgentPrompted(agent=records.agent_info(host.session, pane))


async def _enter(host: Host, pane: Pane, params: p.AgentPrompt) -> None:
    failed = "agent_prompt_failed"
    _send(pane, _pasted(pane, params.text), failed)
    host.look_at(pane)
    await trio.sleep(ENTER_DELAY)
    if not host.session.holds(pane) or not _is_in_front(pane):
        raise Refused(failed, f"agent {params.target} ended before the prompt was entered")
    if host.is_blocked(pane):
        raise Refused(failed, f"agent {params.target} asked something before the prompt was entered")
    _send(pane, _keys(pane, ["enter"]), failed)


def _check_promptable(host: Host, pane: Pane, params: p.AgentPrompt) -> None:
    if not params.text.strip():
        raise Refused("empty_agent_prompt", "the prompt is empty")
    if host.is_blocked(pane):
        raise Refused("agent_blocked", f"agent {params.target} is blocked")
    if pane.agent.is_launching or not _is_in_front(pane):
        raise Refused("agent_not_ready", f"agent {params.target} is not ready")


async def _type(
    host: Host, pane: Pane, data: bytes, expect: m.Expect | None, caller: Caller, *, failed: str = "pane_send_failed"
) -> None:
    if expect is not None:
        _check_caller(host, pane, caller)
        _type_if(pane, data, expect, failed)
    else:
        async with pane.input.turn:
            _check_caller(host, pane, caller)
            if not host.session.holds(pane):
                raise Refused("pane_not_found", f"pane {pane.pane_id} not found")
            _send(pane, data, failed)
    host.look_at(pane)


def _type_if(pane: Pane, data: bytes, expect: m.Expect, failed: str) -> None:
    """Write now, if the screen is the expected one and nobody else is in the middle of typing; else never."""
    if pane.input.turn.locked() or not pane.still_shows(expect, trio.current_time()):
        raise Refused(SCREEN_CHANGED, "the screen is another one now; nothing was written")
    _send(pane, data, failed)


def _send(pane: Pane, data: bytes, failed: str) -> None:
    try:
        pane.input.send(data)
    except InputRefused as exc:
        raise Refused(failed, str(exc)) from exc


def _check_caller(host: Host, pane: Pane, caller: Caller) -> None:
    """An agent does not answer its own questions."""
    if not host.is_blocked(pane):
        return
    if stands_in(caller, {pane.pane_id: pane.pty.pid}, str(host.setup.socket)):
        raise FromPane(pane.pane_id, pane.terminal_id)


def _is_in_front(pane: Pane) -> bool:
    """Whether the agent's process group has the terminal, now."""
    found = pane.foreground.found
    if pane.agent.machine.kind is None or found.pid is None:
        return False
    return pane.pty.foreground() == found.group and processes.is_alive(found.pid)


def _keys(pane: Pane, names: Sequence[str]) -> bytes:
    terminal = pane.terminal
    try:
        return b"".join(encode_key(name, terminal.application_cursor_keys, terminal.keyboard_flags) for name in names)
    except InvalidKey as exc:
        raise Refused("invalid_key", str(exc)) from exc


def _pasted(pane: Pane, text: str) -> bytes:
    data = _bytes(text)
    return PASTE_BEGIN + data + PASTE_END if data and pane.terminal.bracketed_paste else data


def _bytes(text: str) -> bytes:
    return text.encode()
