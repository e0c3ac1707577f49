"""The real embedded host and the practice agent: what is decided here is what happens there."""

import secrets
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
import trio
from tools.approval_desk import desk_caller
from tools.live_host import live_host

from collie.daemon.approvals.board import Approvals
from collie.daemon.drive.drive import Drive
from collie.herdr.client import HostClient
from collie.herdr.errors import HostRefused
from collie.herdr.models import AgentInfo, AgentStatus, ReadFormat, ReadSource
from collie.protocol.events import AnyEvent
from collie.protocol.ids import ApprovalId, Nonce, Note
from collie.protocol.methods import ApprovalDecideParams
from collie.protocol.models import Approval, Decision, Outcome

PATIENCE = 20.0
READING = 0.35
"""Seconds that a person takes at least; the guard of a dialog that was just drawn is over by then."""


class Desk:
    """One practice agent, and what can be done to it."""

    def __init__(self, client: HostClient, pane_id: str) -> None:
        self.client = client
        self.pane_id = pane_id
        self.drive = Drive(host=client)
        self.events: list[AnyEvent] = []
        self.approvals = Approvals(
            host=client,
            publish=self.events.append,
            audit=lambda *line: None,
            now=trio.current_time,
            wall_ms=lambda: time.time_ns() // 1_000_000,
            token=secrets.token_urlsafe,
        )

    async def asked(self, prompt: str) -> Approval:
        """Have it ask, and read what it asks."""
        agent = await self.until(AgentStatus.IDLE, AgentStatus.DONE)
        await self.drive.prompt(agent.terminal_id, prompt, desk_caller())
        with trio.fail_after(PATIENCE):
            while not self.approvals.pending():
                await self.approvals.look(await self.client.agent_list(), workspaces={})
                await trio.sleep(0.01)
        await trio.sleep(READING)
        return self.approvals.pending()[0]

    async def decide(
        self, approval: Approval, decision: Decision, *, choice: int | None = None, note: str | None = None
    ) -> Outcome:
        params = ApprovalDecideParams(
            approval_id=ApprovalId(approval.approval_id),
            decision=decision,
            choice=choice,
            nonce=Nonce(approval.nonce),
            note=None if note is None else Note(note),
        )
        return (await self.approvals.decide(params, desk_caller())).outcome

    async def until(self, *statuses: AgentStatus) -> AgentInfo:
        """Until the agent has one of these."""
        with trio.fail_after(PATIENCE):
            while True:
                for agent in await self.client.agent_list():
                    if agent.agent_status in statuses and agent.agent is not None and not agent.launch_pending:
                        return agent
                await trio.sleep(0.02)

    async def screen_has(self, text: str) -> None:
        """Until the screen shows it, wherever it is wrapped."""
        with trio.fail_after(PATIENCE):
            while True:
                read = await self.client.pane_read(self.pane_id, ReadSource.DETECTION, format=ReadFormat.TEXT)
                if "".join(text.split()) in "".join(read.text.split()):
                    return
                await trio.sleep(0.02)


@asynccontextmanager
async def build() -> AsyncIterator[Desk]:
    programs = Path(sys.executable).parent
    async with live_host({"PATH": f"{programs}:/usr/bin:/bin"}) as live:
        client = HostClient(live.socket)
        pane_id = (await client.workspace_create(str(live.folder))).root_pane.pane_id
        await start(client, pane_id)
        yield Desk(client, pane_id)


async def start(client: HostClient, pane_id: str) -> None:
    """Start the practice agent as soon as the shell is there."""
    with trio.fail_after(PATIENCE):
        while True:
            try:
                await client.agent_start("tidy", "practice", pane_id)
            except HostRefused as refused:
                if refused.code != "agent_pane_busy":
                    raise
                await trio.sleep(0.05)
            else:
                return


@pytest.mark.trio
async def test_what_is_decided_is_what_the_agent_does() -> None:
    async with build() as desk:
        approval = await desk.asked("ask rm -rf build")
        assert (approval.command, approval.kind) == ("rm -rf build", "practice")
        outcome = await desk.decide(approval, Decision.APPROVE)
        assert (outcome.outcome, outcome.by) == ("applied", "desk")

        approval = await desk.asked("ask git push")
        note = "push to a branch of your own, and tell me its name before you open anything for review " * 2
        outcome = await desk.decide(approval, Decision.DENY, note=note)
        assert outcome.outcome == "applied"
        await desk.screen_has(note)

        approval = await desk.asked("question")
        outcome = await desk.decide(approval, Decision.CHOOSE, choice=1)
        assert (outcome.outcome, outcome.choice) == ("chosen", 1)
        await desk.screen_has("SQLite")
