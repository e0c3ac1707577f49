"""Which methods there are: name -> params, handler, and whether the call lasts."""

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, Final, Generic, TypeVar

from collie.herdr.models import Result
from collie.host import params as p
from collie.host.caller import Caller
from collie.host.calls import agents, panes, reports, server, start, waits, workspaces, writing
from collie.host.host import Host

P = TypeVar("P", bound=p.Params)


@dataclass(frozen=True, slots=True)
class Method(Generic[P]):
    """One method. While a call that `lasts` is on its way, its client's hanging up ends it."""

    params: type[P]
    handle: Callable[[Host, P, Caller], Result | Awaitable[Result]]
    lasts: Callable[[P], bool] = lambda _: False


METHODS: Final[Mapping[str, Method[Any]]] = MappingProxyType(
    {
        "ping": Method(p.Params, server.ping),
        "session.snapshot": Method(p.Params, server.snapshot),
        "server.agent_manifests": Method(p.Params, server.manifests),
        "server.stop": Method(p.Params, server.stop),
        "notification.show": Method(p.NotificationShow, server.notification),
        "workspace.create": Method(p.WorkspaceCreate, workspaces.create_workspace),
        "workspace.list": Method(p.Params, workspaces.list_workspaces),
        "workspace.get": Method(p.WorkspaceTarget, workspaces.get_workspace),
        "workspace.focus": Method(p.WorkspaceTarget, workspaces.focus_workspace),
        "workspace.rename": Method(p.WorkspaceRename, workspaces.rename_workspace),
        "workspace.close": Method(p.WorkspaceTarget, workspaces.close_workspace),
        "tab.create": Method(p.TabCreate, workspaces.create_tab),
        "tab.list": Method(p.InWorkspace, workspaces.list_tabs),
        "tab.get": Method(p.TabTarget, workspaces.get_tab),
        "tab.focus": Method(p.TabTarget, workspaces.focus_tab),
        "tab.rename": Method(p.TabRename, workspaces.rename_tab),
        "tab.close": Method(p.TabTarget, workspaces.close_tab),
        "pane.list": Method(p.InWorkspace, panes.list_panes),
        "pane.get": Method(p.PaneTarget, panes.get_pane),
        "pane.current": Method(p.PaneCurrent, panes.current_pane),
        "pane.focus": Method(p.PaneTarget, panes.focus_pane),
        "pane.rename": Method(p.PaneRename, panes.rename_pane),
        "pane.split": Method(p.PaneSplit, panes.split_pane),
        "pane.close": Method(p.PaneTarget, panes.close_pane),
        "pane.layout": Method(p.MaybePane, panes.layout),
        "pane.process_info": Method(p.MaybePane, panes.process_info),
        "pane.read": Method(p.PaneRead, panes.read_pane),
        "pane.view": Method(p.PaneTarget, panes.view_pane),
        "pane.send_text": Method(p.SendText, writing.send_text),
        "pane.send_keys": Method(p.SendKeys, writing.send_keys),
        "pane.send_input": Method(p.SendInput, writing.send_input),
        "pane.wait_for_output": Method(p.WaitForOutput, waits.wait_for_output, lambda _: True),
        "pane.report_agent": Method(p.ReportAgent, reports.report_session),
        "pane.report_agent_session": Method(p.ReportSession, reports.report_session),
        "pane.release_agent": Method(p.ReleaseAgent, reports.release_agent),
        "pane.report_metadata": Method(p.ReportMetadata, reports.report_metadata),
        "agent.list": Method(p.Params, agents.list_agents),
        "agent.get": Method(p.AgentTarget, agents.get_agent),
        "agent.read": Method(p.AgentRead, agents.read_agent),
        "agent.explain": Method(p.AgentTarget, agents.explain_agent),
        "agent.focus": Method(p.AgentTarget, agents.focus_agent),
        "agent.rename": Method(p.AgentRename, agents.rename_agent),
        "agent.start": Method(p.AgentStart, start.start_agent),
        "agent.send_keys": Method(p.AgentSendKeys, writing.send_agent_keys),
        "agent.prompt": Method(p.AgentPrompt, waits.prompt_and_wait, lambda params: params.wait is not None),
        "agent.wait": Method(p.AgentWait, waits.wait_agent, lambda _: True),
    }
)
"""The methods that are offered, `events.subscribe` aside, which is no call but a stream."""

NOT_OFFERED: Final = frozenset(
    {
        "agent.view.clear",
        "agent.view.set",
        "client.window_title.clear",
        "client.window_title.set",
        "events.wait",
        "integration.install",
        "integration.uninstall",
        "layout.apply",
        "layout.export",
        "layout.set_split_ratio",
        "pane.clear_agent_authority",
        "pane.edges",
        "pane.focus_direction",
        "pane.graphics.clear",
        "pane.graphics.info",
        "pane.graphics.set",
        "pane.graphics.stream",
        "pane.input.set",
        "pane.move",
        "pane.neighbor",
        "pane.resize",
        "pane.swap",
        "pane.zoom",
        "plugin.action.invoke",
        "plugin.action.list",
        "plugin.disable",
        "plugin.enable",
        "plugin.link",
        "plugin.list",
        "plugin.log.list",
        "plugin.pane.close",
        "plugin.pane.focus",
        "plugin.pane.open",
        "plugin.unlink",
        "popup.close",
        "server.live_handoff",
        "server.reload_agent_manifests",
        "server.reload_config",
        "tab.move",
        "workspace.move",
        "workspace.move_block",
        "workspace.report_metadata",
        "worktree.create",
        "worktree.list",
        "worktree.open",
        "worktree.remove",
    }
)
"""herdr's other methods: a client that asks for one made no typing error."""
