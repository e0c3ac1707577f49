"""Says something to an agent: its draft is kept, the prompt goes out once, and is seen to be taken."""

from typing import Final

import trio

from collie.agents.facts import Facts
from collie.daemon.caller import Caller
from collie.daemon.drive import box
from collie.daemon.drive.host import AgentPanes
from collie.daemon.drive.taken import NOT_ENTERED, POLL_SECONDS, check_taken, why_not_entered
from collie.daemon.drive.target import check_authorised, check_box, check_same, listed, look
from collie.herdr.errors import HostRefused
from collie.herdr.models import AgentInfo
from collie.protocol.errors import Code, WireError

BOX_SECONDS: Final = 1.0
"""How long the box may take to be drawn. Claude Code says in its title that it is idle before it draws anything."""

CLEAR_SECONDS: Final = 1.0


async def say(host: AgentPanes, terminal_id: str, text: str, caller: Caller, expected_draft: str | None) -> None:
    """Give an agent a prompt. Whoever calls holds the lock on its input box.

    Raises: WireError; HostUnavailable and HostRefused when nothing was sent, or may have been by a host that broke.
    """
    agent = await listed(host, terminal_id)
    await check_same(host, agent, may_be_blocked=False)
    facts = await _look_for_box(host, agent)
    if facts is not None:
        check_box(facts)
        if (refusal := box.refusal(facts, expected_draft)) is not None:
            raise refusal
        if facts.draft:
            await _clear(host, agent, facts.draft_rows, caller)
        await check_same(host, agent, may_be_blocked=False)
    check_authorised(caller)
    await _enter(host, agent, str(text))  # the host's wire knows no validated strings
    if facts is not None:
        await check_taken(host, agent, text)


async def _look_for_box(host: AgentPanes, agent: AgentInfo) -> Facts | None:
    """What the screen shows once there is anything on it that decides whether the prompt may go out."""
    facts = await look(host, agent)
    with trio.move_on_after(BOX_SECONDS):
        while facts is not None and facts.draft is None and facts.dialog is None and facts.banner is None:
            await trio.sleep(POLL_SECONDS)
            facts = await look(host, agent)
    return facts


async def _enter(host: AgentPanes, agent: AgentInfo, text: str) -> None:
    try:
        await host.agent_prompt(agent.pane_id, text)
    except HostRefused as refused:
        if refused.code != NOT_ENTERED:
            raise
        raise await why_not_entered(host, agent, text) from refused


async def _clear(host: AgentPanes, agent: AgentInfo, rows: int, caller: Caller) -> None:
    for batch in box.clearing(rows):
        check_authorised(caller)
        await host.agent_send_keys(agent.pane_id, batch)
    with trio.move_on_after(CLEAR_SECONDS):
        while True:
            if _is_empty(await look(host, agent)):
                return
            await trio.sleep(POLL_SECONDS)
    raise WireError(Code.DRAFT_NOT_CLEARED, box.NOT_CLEARED)


def _is_empty(facts: Facts | None) -> bool:
    return facts is not None and not facts.opaque and facts.draft == ""
