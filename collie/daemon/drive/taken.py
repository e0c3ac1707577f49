"""What became of a prompt, by what the agent shows afterwards: taken, unsent in its box, or withheld by the host.

A screen without the box and without a dialog says nothing of it: it may be half drawn, a viewer, another program's.
"""

from typing import Final

import trio

from collie.agents.facts import Facts
from collie.daemon.drive import box
from collie.daemon.drive.host import AgentPanes
from collie.daemon.drive.refusals import GONE
from collie.daemon.drive.target import asks, is_same, look
from collie.herdr.errors import HostRefused, HostUnavailable
from collie.herdr.models import AgentInfo, AgentStatus
from collie.protocol.errors import Code, WireError

TAKE_SECONDS: Final = 3.0
"""How long the box may take to show that it is empty. herdr 0.8.2 presses Enter 300 ms after it has answered, and
Claude Code on a busy machine was seen to take more than a second."""

POLL_SECONDS: Final = 0.1

NOT_ENTERED: Final = "agent_prompt_failed"
"""The host's code for a prompt that it did not enter, though it may have typed its text."""

STILL_THERE: Final = "the agent did not take the prompt; it stands unsent in its input box"
NOT_SEEN: Final = "the prompt was sent, but whether the agent took it could not be read"
ASKED: Final = "the agent asked something before the prompt was entered; its text may stand unsent in the input box"
LEFT: Final = "the agent left before the prompt was entered; its text may stand unsent in the terminal"
WITHHELD: Final = "the host did not enter the prompt; its text may stand unsent in the agent's input box"


async def check_taken(host: AgentPanes, agent: AgentInfo, text: str) -> None:
    """Wait until the prompt was seen to be taken. Raises WireError; the prompt is never sent a second time."""
    facts: Facts | None = None
    try:
        with trio.move_on_after(TAKE_SECONDS):
            while True:
                facts = await look(host, agent)
                if facts is None or _is_taken(facts, text) or await _has_ended_on(host, agent, facts, text):
                    return
                await trio.sleep(POLL_SECONDS)
    except (HostUnavailable, HostRefused) as trouble:
        raise WireError(Code.HERDR_UNAVAILABLE, NOT_SEEN) from trouble
    if facts is not None and box.still_holds(facts, text):
        raise WireError(Code.AGENT_NOT_READY, STILL_THERE)
    raise WireError(Code.HERDR_UNAVAILABLE, NOT_SEEN)


async def why_not_entered(host: AgentPanes, agent: AgentInfo, text: str) -> WireError:
    """Why the host withheld the Enter of a prompt: its code is one for all reasons, so the agent is looked at."""
    try:
        found = await host.agent_get(agent.pane_id)
        facts = await look(host, agent)
    except HostRefused as refused:
        return WireError(Code.AGENT_NOT_READY, LEFT if refused.code in GONE else WITHHELD)
    except HostUnavailable:
        return WireError(Code.AGENT_NOT_READY, WITHHELD)
    if not is_same(agent, found):
        return WireError(Code.AGENT_NOT_READY, LEFT)
    if found.agent_status is AgentStatus.BLOCKED or (facts is not None and asks(facts)):
        return WireError(Code.AGENT_BLOCKED, ASKED)
    is_there = facts is not None and box.still_holds(facts, text)
    return WireError(Code.AGENT_NOT_READY, STILL_THERE if is_there else WITHHELD)


def _is_taken(facts: Facts, text: str) -> bool:
    """Whether the box is seen without the prompt, or what it led to stands in the box's place."""
    if facts.dialog is not None:
        return True
    return facts.draft is not None and not box.still_holds(facts, text)


async def _has_ended_on(host: AgentPanes, agent: AgentInfo, facts: Facts, text: str) -> bool:
    """Whether the agent has gone, as slash commands can have it do."""
    if facts.draft is not None or not text.startswith("/"):
        return False
    try:
        return not is_same(agent, await host.agent_get(agent.pane_id))
    except HostRefused as refused:
        if refused.code not in GONE:
            raise
        return True
