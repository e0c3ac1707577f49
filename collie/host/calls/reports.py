"""What hooks and scripts report from inside panes. A report for a known pane is always answered, also when ignored."""

import trio

from collie.herdr import models as m
from collie.host import params as p
from collie.host.caller import Caller
from collie.host.calls import find
from collie.host.host import Host
from collie.host.refused import Refused
from collie.host.reports import InvalidReport, MetadataReport, SessionReport


def report_session(host: Host, params: p.ReportSession, caller: Caller) -> m.Ok:
    """The session of the agent in a pane. A state that comes with it is not used: states are seen on the screen."""
    pane = find.pane(host, params.pane_id)
    if not params.agent:
        raise Refused("invalid_agent", "agent is empty")
    report = SessionReport(
        source=params.source,
        agent=params.agent,
        seq=params.seq,
        session_id=params.agent_session_id,
        path=params.agent_session_path,
        start_source=params.session_start_source,
    )
    pane.agent.reports.report_session(report, pane.agent.machine.kind)
    return m.Ok()


def release_agent(host: Host, params: p.ReleaseAgent, caller: Caller) -> m.Ok:
    """That an agent has gone is seen on its process, so nothing follows from a hook's word for it."""
    find.pane(host, params.pane_id)
    return m.Ok()


def report_metadata(host: Host, params: p.ReportMetadata, caller: Caller) -> m.Ok:
    """What a program wants to be shown of its pane."""
    pane = find.pane(host, params.pane_id)
    report = MetadataReport(
        source=params.source,
        seq=params.seq,
        title=params.title,
        display_agent=params.display_agent,
        state_labels=params.state_labels,
        tokens=params.tokens,
        clear_title=params.clear_title,
        clear_display_agent=params.clear_display_agent,
        clear_state_labels=params.clear_state_labels,
        ttl=None if params.ttl_ms is None else params.ttl_ms / 1000,
    )
    now = trio.current_time()
    try:
        tokens_changed = pane.agent.reports.report_metadata(report, now)
    except InvalidReport as exc:
        raise Refused(exc.code, str(exc)) from exc
    pane.revision += tokens_changed
    pane.has_news = True
    pane.rhythm.look_by(now)
    pane.stir()
    return m.Ok()
