"""Methods about agents: lists, reads, names, focus."""

import re
from typing import Final

from collie.agents.facts import State
from collie.herdr import models as m
from collie.host import narrate, records
from collie.host import params as p
from collie.host.caller import Caller
from collie.host.calls import find
from collie.host.calls.panes import read_of
from collie.host.host import Host
from collie.host.pane import Pane
from collie.host.refused import Refused

_NAME: Final = re.compile(r"[a-z][a-z0-9_-]{0,31}\Z")


def list_agents(host: Host, params: p.Params, caller: Caller) -> m.AgentList:
    """All agents, launches on their way included."""
    return m.AgentList(agents=records.agents(host.session))


def get_agent(host: Host, params: p.AgentTarget, caller: Caller) -> m.AgentResult:
    """One agent."""
    return m.AgentResult(agent=records.agent_info(host.session, find.agent(host, params.target)))


def read_agent(host: Host, params: p.AgentRead, caller: Caller) -> m.PaneReadResult:
    """What its pane shows."""
    return m.PaneReadResult(read=read_of(find.agent(host, params.target), params))


def focus_agent(host: Host, params: p.AgentTarget, caller: Caller) -> m.AgentResult:
    """Give its pane the focus: somebody has seen it."""
    pane = find.agent(host, params.target)
    host.focus(pane.slot)
    return m.AgentResult(agent=records.agent_info(host.session, pane))


def rename_agent(host: Host, params: p.AgentRename, caller: Caller) -> m.AgentResult:
    """Give it a name, or take it away."""
    pane = find.agent(host, params.target)
    if pane.agent.is_launching:
        raise Refused("agent_launch_pending", f"agent {params.target} is still being started")
    if params.name is not None:
        check_name(host, params.name, pane)
    pane.agent.name = params.name
    narrate.pane_updated(host.session, pane)
    return m.AgentResult(agent=records.agent_info(host.session, pane))


def explain_agent(host: Host, params: p.AgentTarget, caller: Caller) -> m.AgentExplain:
    """Why it has its status: what its screen says at this moment."""
    pane = find.agent(host, params.target)
    kind = host.setup.kinds.named(pane.agent.machine.kind or "")
    if kind is None:
        raise Refused("agent_explain_unavailable", f"no agent runs in {pane.pane_id} yet")
    seen = kind.detect(pane.seen())
    rule = m.MatchedRule(id=seen.rule, state=seen.state) if seen.rule else None
    return m.AgentExplain(
        explain=m.Explain(
            agent=kind.name,
            state=seen.state,
            manifest_source="bundled",
            manifest_version=records.VERSION,
            matched_rule=rule,
            visible_idle=seen.visible_idle,
            visible_blocker=seen.state is State.BLOCKED,
            visible_working=seen.state is State.WORKING,
            skip_state_update=seen.skip,
            skipped_update_reason=f"matched_rule:{seen.rule}" if seen.skip else None,
            fallback_reason=None if rule else "default_known_agent_idle_fallback",
            evaluated_rules=(m.EvaluatedRule(id=seen.rule, state=seen.state, matched=True),) if rule else (),
        )
    )


def check_name(host: Host, name: str, pane: Pane) -> None:
    """Whether an agent in `pane` may be called so.

    Raises: Refused.
    """
    if not _NAME.match(name):
        raise Refused("invalid_agent_name", "an agent's name is a lower-case letter and up to 31 of a-z 0-9 _ -")
    if any(each.agent.name == name and each is not pane for each in host.session.all_panes()):
        raise Refused("agent_name_taken", f"another agent is called {name}")
