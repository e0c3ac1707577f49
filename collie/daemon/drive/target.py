"""The agent that is spoken to: where it is, whether it may be spoken to, what its screen shows."""

from collie.agents.facts import DialogType, Facts
from collie.agents.registry import kind_named
from collie.daemon.caller import Caller
from collie.daemon.drive.host import AgentPanes
from collie.daemon.drive.width import columns_of
from collie.herdr.models import AgentInfo, AgentStatus, ReadSource
from collie.protocol.errors import Code, WireError
from collie.screen.ansi import parse

SCROLLED = "scrolled up on the machine; jump to the bottom first"


async def listed(host: AgentPanes, terminal_id: str) -> AgentInfo:
    """The agent of this terminal. Raises WireError when there is none; HostUnavailable."""
    for agent in await host.agent_list():
        if agent.terminal_id == terminal_id:
            return agent
    raise WireError(Code.NOT_FOUND, "no such agent")


async def check_same(host: AgentPanes, agent: AgentInfo, *, may_be_blocked: bool) -> AgentInfo:
    """The agent as it is right before a write.

    Raises: WireError when another is there by now, or it cannot be spoken to; HostUnavailable, HostRefused.
    """
    found = await host.agent_get(agent.pane_id)
    if not is_same(agent, found):
        raise WireError(Code.AGENT_NOT_READY, "the terminal no longer hosts the same agent")
    if found.agent_status is AgentStatus.BLOCKED and not may_be_blocked:
        raise WireError(Code.AGENT_BLOCKED, "agent is blocked; answer it through an approval")
    if found.agent is None or found.launch_pending:
        raise WireError(Code.AGENT_NOT_READY, "agent is not ready")
    return found


async def look(host: AgentPanes, agent: AgentInfo) -> Facts | None:
    """What its screen shows, colours read too; None for a kind whose screens are not read.

    Raises: HostUnavailable, HostRefused.
    """
    kind = kind_named(agent.agent or "")
    if kind is None or not kind.reads_dialogs:
        return None
    columns = await columns_of(host, agent.pane_id)
    read = await host.pane_read(agent.pane_id, ReadSource.VISIBLE)
    return kind.read(parse(read.text, columns))


def is_same(before: AgentInfo, now: AgentInfo) -> bool:
    """Whether both are one agent: the terminal, the kind, and the session where it was known."""
    is_there = (now.terminal_id, now.agent) == (before.terminal_id, before.agent)
    return is_there and before.agent_session in (None, now.agent_session)


def asks(facts: Facts) -> bool:
    """Whether the screen shows a question; a settings picker is none."""
    return facts.dialog is not None and facts.dialog.type is not DialogType.PICKER


def check_box(facts: Facts) -> None:
    """Raises WireError where keys would not reach the input box."""
    if asks(facts):
        raise WireError(Code.AGENT_BLOCKED, "agent is blocked; answer it through an approval")
    if facts.banner is not None:
        raise WireError(Code.AGENT_NOT_READY, SCROLLED)


def check_authorised(caller: Caller) -> None:
    """Raises WireError when the caller may not write any more."""
    if not caller.is_authorised():
        raise WireError(Code.NOT_PAIRED, "peer is no longer authorized")
