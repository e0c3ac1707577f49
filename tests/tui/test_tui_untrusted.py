"""Nothing that an agent, a pane or a daemon says reaches the operator's terminal raw, wherever it is shown."""

import unicodedata
from dataclasses import replace
from typing import Any

import pytest
from textual.app import App
from tools.desk import open_desk
from tools.pictures import LOST, NOW, build_agent, build_approval, build_busy

from collie.client.picture import Link, Picture
from collie.protocol.models import (
    AgentStatus,
    AuditLine,
    Choice,
    Decision,
    HostState,
    MachineInfo,
    ReadSource,
    TerminalRead,
    Tool,
    Workspace,
)

pytestmark = pytest.mark.asyncio

SLY = "x\x1b]52;c;aGk=\x07\x1b[31m\x9b5n\x00\r\n\u202e[red]evil[/red]\u2028"
"""A clipboard write, a colour, a question to the terminal, line ends, a reversal, and Textual's own markup."""


STEERING = ("Cc", "Cs", "Zl", "Zp")


def build_hostile(**fields: object) -> Picture:
    """Every field that another program fills holds the sly text."""
    agent = build_agent("t1", name=SLY, kind=SLY, title=SLY, cwd="/" + SLY, last_line=SLY, status=AgentStatus.BLOCKED)
    approval = build_approval(
        agent_label=SLY,
        workspace_label=SLY,
        title=SLY,
        body=f"a\n{SLY}\nb",
        command=SLY,
        flags=(SLY,),
        tool=Tool(name=SLY, summary=SLY),
        choices=(Choice(index=0, label=SLY, detail=SLY, decision=Decision.APPROVE),),
    )
    picture = build_busy(
        agents=(agent,),
        approvals=(approval,),
        machine=MachineInfo(name=SLY, node_id="local"),
        workspaces=(Workspace(workspace_id="w1", label=SLY, number=1, status=AgentStatus.IDLE, cwd=SLY),),
        audit=(AuditLine(ts=NOW, peer=SLY, method=SLY, target=SLY, result=SLY),),
        output=TerminalRead(terminal_id="t1", source=ReadSource.RECENT, ansi=SLY),
    )
    return replace(picture, **fields)  # type: ignore[arg-type]


def drawn(app: App[Any]) -> str:
    """All text that the compositor hands to the terminal's driver."""
    return "".join(segment.text for strip in app.screen._compositor.render_strips() for segment in strip)


def faults_in(text: str) -> list[str]:
    return [
        f"{ord(each):04x}"
        for each in text
        if unicodedata.category(each) in ("Cc", "Cs", "Zl", "Zp") or each == "\u202e"
    ]


@pytest.mark.parametrize(
    "keys",
    [
        (),
        ("tab", "z"),
        ("tab", "tab", "z"),
        ("enter",),
        ("G", "e"),
        ("tab", "x"),
        ("tab", "s"),
        ("ctrl+p",),
        ("question_mark",),
    ],
    ids=lambda keys: "-".join(keys) or "none",
)
async def test_no_control_reaches_the_terminal(keys: tuple[str, ...]) -> None:
    async with open_desk(build_hostile()) as desk:
        await desk.press(*keys)
        assert faults_in(drawn(desk.app)) == []
        assert "evil" in drawn(desk.app) or keys in (("ctrl+p",), ("question_mark",))


async def test_the_composer_and_its_complaint_are_clean_too() -> None:
    idle = build_agent("t1", name=SLY, status=AgentStatus.IDLE)
    async with open_desk(build_hostile(agents=(idle,), approvals=())) as desk:
        await desk.press("tab", "s")
        assert "Say to x" in desk.text()
        assert "[red]evil[/red]" in desk.text()
        assert faults_in(drawn(desk.app)) == []


@pytest.mark.parametrize(
    "fields",
    [
        {"host": LOST.__class__(kind=SLY, state=HostState.LOST, detail=SLY, lost=(SLY, SLY))},
        {"host": LOST.__class__(kind=SLY, state=HostState.STARTING, detail=SLY)},
        {"link": Link.LOST, "link_detail": SLY},
        {"link": Link.LOST, "stopping": SLY},
    ],
    ids=["host lost", "host starting", "daemon lost", "daemon stopped"],
)
async def test_what_is_said_of_a_loss_is_clean(fields: dict[str, object]) -> None:
    async with open_desk(build_hostile(**fields)) as desk:
        assert faults_in(drawn(desk.app)) == []
        assert "evil" in desk.text()


async def test_markup_in_a_name_is_text() -> None:
    agent = build_agent("t1", name="[bold]x[/]", status=AgentStatus.IDLE)
    async with open_desk(build_hostile(agents=(agent,), approvals=())) as desk:
        await desk.press("tab", "x")
        assert "Close [bold]x[/]?" in desk.text()
