"""agent.* and pane.*: look at an agent, speak to it, start one, close it."""

from collections.abc import Mapping
from dataclasses import dataclass

from collie.agents.explain import to_json, to_text
from collie.agents.registry import kind_named
from collie.daemon.agents import Agents
from collie.daemon.drive.drive import Drive
from collie.daemon.handler import Answer, Handler, Request
from collie.daemon.hosting import Hosting
from collie.daemon.screens import read_terminal, size_of
from collie.daemon.starting import Starter
from collie.daemon.watched import Target
from collie.herdr.models import ReadFormat, ReadSource
from collie.protocol import limits
from collie.protocol.errors import Code, WireError
from collie.protocol.methods import (
    AgentExplainParams,
    AgentPromptParams,
    AgentReadParams,
    AgentSendKeysParams,
    AgentStartParams,
    AgentWatchParams,
    CloseParams,
    DraftResult,
    ExplainResult,
    OfTerminal,
    Ok,
    TerminalResult,
)
from collie.protocol.models import ReadSource as WireSource
from collie.screen.ansi import parse


@dataclass(frozen=True, slots=True, kw_only=True)
class AgentHandlers:
    """Needs to know where agents are, and what can be done to them."""

    hosting: Hosting
    agents: Agents
    drive: Drive
    starter: Starter

    def table(self) -> Mapping[str, Handler]:
        """Method -> handler."""
        return {
            "agent.read": self.read,
            "agent.watch": self.watch,
            "agent.draft": self.draft,
            "agent.prompt": self.prompt,
            "agent.send_keys": self.send_keys,
            "agent.focus": self.focus,
            "agent.start": self.start,
            "agent.explain": self.explain,
            "pane.close": self.close,
        }

    async def read(self, params: AgentReadParams, _request: Request) -> TerminalResult:
        """What a terminal shows."""
        info = await self.agents.find(params.terminal_id)
        read = await read_terminal(self.hosting.client, info, params.source, params.lines)
        return TerminalResult(**{name: getattr(read, name) for name in read.__struct_fields__})

    async def watch(self, params: AgentWatchParams, request: Request) -> Ok:
        """The old watch ends even when the new one is refused."""
        request.session.watched.follow(None)
        if params.terminal_id is not None:
            await self.agents.find(params.terminal_id)
            target = Target(
                terminal_id=params.terminal_id,
                source=params.source,
                lines=_lines(params),
                low_data=params.low_data,
            )
            request.session.watched.follow(target)
        return Ok()

    async def draft(self, params: OfTerminal, _request: Request) -> DraftResult:
        """What stands in the input box."""
        return DraftResult(text=await self.drive.draft(params.terminal_id))

    async def prompt(self, params: AgentPromptParams, request: Request) -> Ok:
        """Say something to an agent."""
        await self.drive.prompt(params.terminal_id, params.text, request.caller, expected_draft=params.expected_draft)
        return Ok()

    async def send_keys(self, params: AgentSendKeysParams, request: Request) -> Answer:
        """Press keys."""
        target = await self.drive.send_keys(params.terminal_id, params.keys, caller=request.caller)
        return Answer(result=Ok(), target=target)

    async def focus(self, params: OfTerminal, _request: Request) -> Ok:
        """Mark an agent as seen."""
        await self.drive.focus(params.terminal_id)
        return Ok()

    async def close(self, params: CloseParams, _request: Request) -> Ok:
        """End an agent with its pane."""
        await self.drive.close(params.terminal_id, confirm=params.confirm)
        return Ok()

    async def start(self, params: AgentStartParams, request: Request) -> Answer:
        """A new agent in a workspace of its own."""
        return await self.starter.start(params, request.caller)

    async def explain(self, params: AgentExplainParams, _request: Request) -> ExplainResult:
        """What is read on an agent's screen, and why not more."""
        info = await self.agents.find(params.terminal_id)
        kind = kind_named(info.agent or "")
        if kind is None:
            raise WireError(Code.NOT_IMPLEMENTED, f"screens of {info.agent or 'an unknown program'} are not read")
        host = self.hosting.client
        text = (await host.pane_read(info.pane_id, ReadSource.DETECTION, format=ReadFormat.TEXT)).text
        columns, _rows = await size_of(host, info.pane_id)
        screen = parse(text, columns=columns or None)
        facts = kind.read(screen)
        return ExplainResult(
            terminal_id=params.terminal_id, kind=kind.name, facts=to_json(facts), text=to_text(screen, facts)
        )


def _lines(params: AgentWatchParams) -> int | None:
    """How many lines a watch delivers (specs: phone-protocol section 3.2)."""
    if params.lines is not None:
        return min(max(params.lines, 1), limits.READ_LINES)
    return None if params.source is WireSource.VISIBLE else limits.WATCH_LINES
