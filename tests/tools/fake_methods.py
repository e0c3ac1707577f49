"""The methods of a fake host, one function each: params -> result, or a refusal."""

from collections.abc import Callable, Mapping
from typing import Any, Final

import msgspec
from tools.fake_panes import FakePane
from tools.fake_session import VERSIONS, FakeSession, Params, Refused, Typed

from collie.herdr import models as m
from collie.herdr.wire import SCREEN_CHANGED

Method = Callable[[FakeSession, Params], m.Result]

KINDS: Final = ("claude", "codex", "copilot", "gemini", "opencode")
PROTOCOL: Final = 20

_PUNCTUATION = ("plus", "minus", "comma", "period", "slash", "backslash", "quote", "double_quote", "double-quote")
_NAMED_KEYS = frozenset(
    (
        *("space", "enter", "return", "esc", "escape", "tab", "backspace", "bs", "left", "right", "up", "down"),
        *_PUNCTUATION,
        *("semicolon", "colon", "percent", "ampersand", "backtick"),
        *(f"f{number}" for number in range(1, 13)),
    )
)
_MODIFIERS = frozenset(("ctrl", "control", "shift", "alt", "option", "meta", "cmd", "command", "super", "hyper"))


def check_keys(keys: list[str]) -> None:
    """Refuses all of them for one that herdr has no name for."""
    for key in keys:
        name = key.strip().lower()
        name = "plus" if name == "+" else f"ctrl+{name[2:]}" if name.startswith("c-") else name
        *modifiers, last = name.split("+")
        if not set(modifiers) <= _MODIFIERS or not (len(last) == 1 or last in _NAMED_KEYS):
            raise Refused("invalid_key", f"unsupported key {key}")


def check_expectation(session: FakeSession, pane: FakePane, params: Params) -> None:
    """The embedded host's conditional input; herdr does not know the param."""
    if session.manners != "embedded" or "expect" not in params:
        return
    expect = msgspec.convert(params["expect"], m.Expect)
    if not expect.holds(pane.detection, terminal_id=pane.terminal_id):
        raise Refused(SCREEN_CHANGED, "the screen has changed")


def ping(session: FakeSession, params: Params) -> m.Result:
    can = m.Capabilities(detached_server_daemon=True, conditional_input=session.manners == "embedded")
    return m.Pong(version=VERSIONS[session.manners], protocol=PROTOCOL, capabilities=can)


def snapshot(session: FakeSession, params: Params) -> m.Result:
    panes = tuple(session.panes.values())
    tabs = dict.fromkeys(pane.tab_id for pane in panes)
    whole = m.SessionSnapshot(
        version=VERSIONS[session.manners],
        protocol=PROTOCOL,
        workspaces=_workspaces(session),
        tabs=tuple(session.tab(tab) for tab in tabs),
        panes=tuple(pane.info() for pane in panes),
        layouts=tuple(pane.layout() for pane in panes),
        agents=_agents(session),
    )
    return m.SessionSnapshotResult(snapshot=whole)


def agent_manifests(session: FakeSession, params: Params) -> m.Result:
    return m.AgentManifestStatus(
        manifests=tuple(m.Manifest(agent=kind, source=f"bundled:{kind}", source_kind="bundled") for kind in KINDS)
    )


def agent_list(session: FakeSession, params: Params) -> m.Result:
    return m.AgentList(agents=_agents(session))


def agent_get(session: FakeSession, params: Params) -> m.Result:
    return m.AgentResult(agent=session.agent(params["target"]).agent())


def agent_read(session: FakeSession, params: Params) -> m.Result:
    return _read(session.agent(params["target"]), params)


def agent_explain(session: FakeSession, params: Params) -> m.Result:
    return m.AgentExplain(explain=session.agent(params["target"]).explain())


def agent_focus(session: FakeSession, params: Params) -> m.Result:
    pane = session.agent(params["target"])
    for each in session.panes.values():
        each.focused = each is pane
    session.emit("pane.focused", pane_id=pane.pane_id, workspace_id=pane.workspace_id)
    if pane.status is m.AgentStatus.DONE:
        session.set_status(pane.pane_id, "idle")
    return m.AgentResult(agent=pane.agent())


def agent_prompt(session: FakeSession, params: Params) -> m.Result:
    target, text = params["target"], params["text"]
    if not text:
        raise Refused("empty_agent_prompt", "the prompt is empty")
    pane = session.agent(target)
    if pane.status is m.AgentStatus.BLOCKED:
        raise Refused("agent_blocked", f"agent {target} is blocked")
    if pane.kind is None or pane.launch_pending:
        raise Refused("agent_not_ready", f"agent {target} is not ready")
    session.write(pane, Typed(method="agent.prompt", pane_id=pane.pane_id, text=text, keys=("enter",)))
    return m.AgentPrompted(agent=pane.agent())


def agent_send_keys(session: FakeSession, params: Params) -> m.Result:
    pane = session.agent(params["target"])
    return _send(session, pane, "agent.send_keys", keys=params["keys"])


def agent_start(session: FakeSession, params: Params) -> m.Result:
    pane, name, kind = session.pane(params["pane_id"]), params["name"], params["kind"]
    if kind not in KINDS:
        raise Refused("unsupported_agent_kind", f"unsupported agent kind {kind}")
    if pane.is_agent:
        raise Refused("agent_pane_busy", f"pane {pane.pane_id} is busy")
    if any(other.name == name for other in session.panes.values()):
        raise Refused("agent_name_taken", f"agent name {name} is taken")
    pane.name, pane.launch_pending = name, True
    session.emit("pane.updated", pane=pane.info())
    started = m.AgentStarted(agent=pane.agent(), argv=(kind, *params.get("args", ())))
    session.started(pane, params)
    return started


def pane_list(session: FakeSession, params: Params) -> m.Result:
    wanted = params.get("workspace_id")
    panes = (pane for pane in session.panes.values() if wanted in (None, pane.workspace_id))
    return m.PaneList(panes=tuple(pane.info() for pane in panes))


def pane_get(session: FakeSession, params: Params) -> m.Result:
    return m.PaneResult(pane=session.pane(params["pane_id"]).info())


def pane_read(session: FakeSession, params: Params) -> m.Result:
    return _read(session.pane(params["pane_id"]), params)


def pane_layout(session: FakeSession, params: Params) -> m.Result:
    return m.PaneLayoutResult(layout=session.pane(params["pane_id"]).layout())


def pane_process_info(session: FakeSession, params: Params) -> m.Result:
    return m.PaneProcessInfo(process_info=session.pane(params["pane_id"]).process_info())


def pane_close(session: FakeSession, params: Params) -> m.Result:
    session.close(session.pane(params["pane_id"]).pane_id)
    return m.Ok()


def pane_send_text(session: FakeSession, params: Params) -> m.Result:
    pane = session.pane(params["pane_id"])
    check_expectation(session, pane, params)
    return _send(session, pane, "pane.send_text", text=params["text"])


def pane_send_keys(session: FakeSession, params: Params) -> m.Result:
    pane = session.pane(params["pane_id"])
    check_expectation(session, pane, params)
    return _send(session, pane, "pane.send_keys", keys=params["keys"])


def pane_send_input(session: FakeSession, params: Params) -> m.Result:
    pane = session.pane(params["pane_id"])
    check_expectation(session, pane, params)
    return _send(session, pane, "pane.send_input", text=params.get("text"), keys=params.get("keys", []))


def workspace_create(session: FakeSession, params: Params) -> m.Result:
    pane = session.add_pane(cwd=params["cwd"])
    session.labels[pane.workspace_id] = params.get("label") or session.labels[pane.workspace_id]
    workspace, tab = session.workspace(pane.workspace_id), session.tab(pane.tab_id)
    return m.WorkspaceCreated(workspace=workspace, tab=tab, root_pane=pane.info())


def workspace_list(session: FakeSession, params: Params) -> m.Result:
    return m.WorkspaceList(workspaces=_workspaces(session))


def workspace_get(session: FakeSession, params: Params) -> m.Result:
    return m.WorkspaceResult(workspace=session.workspace(_known_workspace(session, params)))


def workspace_rename(session: FakeSession, params: Params) -> m.Result:
    workspace_id = _known_workspace(session, params)
    session.labels[workspace_id] = params["label"]
    session.emit("workspace.renamed", workspace_id=workspace_id, label=params["label"])
    return m.WorkspaceResult(workspace=session.workspace(workspace_id))


def workspace_close(session: FakeSession, params: Params) -> m.Result:
    session.close_workspace(_known_workspace(session, params))
    return m.Ok()


def tab_create(session: FakeSession, params: Params) -> m.Result:
    workspace_id = _known_workspace(session, params)
    pane = session.add_pane(session.next_pane(workspace_id), cwd=params.get("cwd", "/srv/orchard"))
    pane.tab_id = f"{workspace_id}:t{pane.pane_id.rpartition('p')[2]}"
    session.emit("tab.created", tab=session.tab(pane.tab_id))
    return m.TabCreated(tab=session.tab(pane.tab_id), root_pane=pane.info())


def tab_list(session: FakeSession, params: Params) -> m.Result:
    wanted = params.get("workspace_id")
    panes = (pane for pane in session.panes.values() if wanted in (None, pane.workspace_id))
    return m.TabList(tabs=tuple(session.tab(tab) for tab in dict.fromkeys(pane.tab_id for pane in panes)))


def tab_close(session: FakeSession, params: Params) -> m.Result:
    if not session.close_tab(params["tab_id"]):
        raise Refused("tab_not_found", f"tab {params['tab_id']} not found")
    return m.Ok()


def ok(session: FakeSession, params: Params) -> m.Result:
    return m.Ok()


METHODS: Final[Mapping[str, Method]] = {
    "ping": ping,
    "session.snapshot": snapshot,
    "server.agent_manifests": agent_manifests,
    "server.stop": ok,
    "agent.list": agent_list,
    "agent.get": agent_get,
    "agent.read": agent_read,
    "agent.explain": agent_explain,
    "agent.focus": agent_focus,
    "agent.prompt": agent_prompt,
    "agent.send_keys": agent_send_keys,
    "agent.start": agent_start,
    "pane.list": pane_list,
    "pane.get": pane_get,
    "pane.read": pane_read,
    "pane.layout": pane_layout,
    "pane.process_info": pane_process_info,
    "pane.close": pane_close,
    "pane.send_text": pane_send_text,
    "pane.send_keys": pane_send_keys,
    "pane.send_input": pane_send_input,
    "workspace.create": workspace_create,
    "workspace.list": workspace_list,
    "workspace.get": workspace_get,
    "workspace.rename": workspace_rename,
    "workspace.close": workspace_close,
    "tab.create": tab_create,
    "tab.list": tab_list,
    "tab.close": tab_close,
}


def _read(pane: FakePane, params: Params) -> m.Result:
    return m.PaneReadResult(read=pane.read(params["source"], params.get("format", "text"), params.get("lines")))


def _send(session: FakeSession, pane: FakePane, method: str, *, text: str | None = None, keys: Any = ()) -> m.Result:
    check_keys(list(keys))
    session.write(pane, Typed(method=method, pane_id=pane.pane_id, text=text, keys=tuple(keys)))
    return m.Ok()


def _agents(session: FakeSession) -> tuple[m.AgentInfo, ...]:
    return tuple(pane.agent() for pane in session.panes.values() if pane.is_agent)


def _workspaces(session: FakeSession) -> tuple[m.WorkspaceInfo, ...]:
    live = dict.fromkeys(pane.workspace_id for pane in session.panes.values())
    return tuple(session.workspace(workspace_id) for workspace_id in live)


def _known_workspace(session: FakeSession, params: Params) -> str:
    wanted: str = params["workspace_id"]
    if all(pane.workspace_id != wanted for pane in session.panes.values()):
        raise Refused("workspace_not_found", f"workspace {wanted} not found")
    return wanted
