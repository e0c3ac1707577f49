"""Presses keys in an agent, as a person at its terminal would."""

from collections.abc import Sequence
from typing import Final

from collie.daemon.caller import Caller
from collie.daemon.drive.host import AgentPanes
from collie.daemon.drive.target import asks, check_authorised, check_box, check_same, listed, look
from collie.herdr.models import AgentStatus
from collie.protocol.errors import Code, WireError
from collie.protocol.models import Key

SUBMITS: Final = frozenset({Key.ENTER, Key.CTRL_ENTER})
SLASH: Final = "a slash command stands in the agent's input box; send it in the agent itself"


async def press(host: AgentPanes, terminal_id: str, keys: Sequence[Key], caller: Caller) -> str:
    """Press keys, and say what the audit log names as target.

    Whoever calls holds the lock on the agent's input box. Raises WireError, HostUnavailable, HostRefused.
    """
    agent = await check_same(host, await listed(host, terminal_id), may_be_blocked=True)
    is_blocked = agent.agent_status is AgentStatus.BLOCKED
    facts = None if is_blocked else await look(host, agent)
    if facts is not None and not (is_blocked := asks(facts)):
        check_box(facts)
        if SUBMITS.intersection(keys) and (facts.draft or "").startswith("/"):
            raise WireError(Code.AGENT_NOT_READY, SLASH)
    check_authorised(caller)
    await host.agent_send_keys(agent.pane_id, tuple(keys))
    return f"{terminal_id}{' blocked' if is_blocked else ''} keys={','.join(keys)}"
