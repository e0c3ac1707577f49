"""Each method, asked as a client asks, over a scripted host."""

import pytest
import trio
from tools.daemon_world import DaemonWorld, daemon_world
from tools.drawn_agent import COLUMNS, Question
from tools.fake_herdr import FakeHerdr
from trio.testing import MockClock

from collie.daemon.handlers.approvals import FRESH_SECONDS
from collie.protocol.errors import Code, WireError
from collie.protocol.ids import DraftText, OpId, PromptText, TerminalId
from collie.protocol.methods import (
    METHODS,
    AgentExplainParams,
    AgentPromptParams,
    AgentReadParams,
    AgentSendKeysParams,
    ApprovalsResult,
    AuditResult,
    AuditTailParams,
    CloseParams,
    DaemonStatusResult,
    DraftResult,
    ExplainResult,
    Nothing,
    OfTerminal,
    Ok,
    Params,
    TerminalResult,
)
from collie.protocol.models import Key, ReadSource

pytestmark = pytest.mark.trio

RULE = "─" * COLUMNS
SCREEN = f"● Done.\n\n{RULE}\n❯\u00a0a draft\n{RULE}\n  ? for shortcuts\n"
OP = OpId("o" * 22)


def one_agent(host: FakeHerdr) -> None:
    host.add_agent("claude", name="pruner", screen=SCREEN).columns = COLUMNS


def terminal(world: DaemonWorld) -> TerminalId:
    return TerminalId(world.host.panes["w1:p1"].terminal_id)


async def test_every_method_but_hello_has_a_handler(autojump_clock: MockClock) -> None:
    async with daemon_world() as world:
        assert world.parts.house.dispatcher.methods == METHODS.keys() - {"hello"}


async def test_read_gives_the_screen_with_its_size(autojump_clock: MockClock) -> None:
    async with daemon_world(prepare=one_agent) as world:
        params = AgentReadParams(terminal_id=terminal(world), source=ReadSource.VISIBLE)
        read = await world.ask("agent.read", params, TerminalResult)
        assert "a draft" in read.ansi
        assert (read.columns, read.rows, read.truncated) == (COLUMNS, 40, False)


async def test_draft_gives_what_stands_in_the_box(autojump_clock: MockClock) -> None:
    async with daemon_world(prepare=one_agent) as world:
        draft = await world.ask("agent.draft", OfTerminal(terminal_id=terminal(world)), DraftResult)
        assert draft.text == "a draft"


async def test_a_prompt_over_a_draft_is_refused_and_its_text_is_not_audited(autojump_clock: MockClock) -> None:
    async with daemon_world(prepare=one_agent) as world:
        params = AgentPromptParams(op_id=OP, terminal_id=terminal(world), text=PromptText("secret words"))
        with pytest.raises(WireError) as refused:
            await world.ask("agent.prompt", params, Ok)
        assert (refused.value.code, refused.value.draft) == (Code.DRAFT_CHANGED, DraftText("a draft"))
        line = world.audit_log.tail(1)[0]
        assert (line.peer, line.method, line.target, line.result) == (
            "desk",
            "agent.prompt",
            terminal(world),
            "draft_changed",
        )
        assert "secret" not in (world.config.data_dir / "audit.log").read_text()


async def test_keys_are_pressed_once_and_named_in_the_audit(autojump_clock: MockClock) -> None:
    async with daemon_world(prepare=one_agent) as world:
        params = AgentSendKeysParams(op_id=OP, terminal_id=terminal(world), keys=(Key.UP, Key.ESC))
        for _ in range(2):
            await world.ask("agent.send_keys", params, Ok)
        assert [typed.keys for typed in world.host.typed] == [("up", "esc")]
        results = [(line.target, line.result) for line in world.audit_log.tail(2)]
        assert results == [
            (f"{terminal(world)} keys=up,esc", "ok"),
            (f"{terminal(world)} keys=up,esc", "ok (replayed)"),
        ]


async def test_focus_marks_as_seen(autojump_clock: MockClock) -> None:
    async with daemon_world(prepare=one_agent) as world:
        await world.ask("agent.focus", OfTerminal(terminal_id=terminal(world)), Ok)
        assert world.host.calls("agent.focus") == [{"target": "w1:p1"}]


async def test_close_wants_to_be_meant(autojump_clock: MockClock) -> None:
    async with daemon_world(prepare=one_agent) as world:
        with pytest.raises(WireError) as refused:
            await world.ask("pane.close", CloseParams(terminal_id=terminal(world)), Ok)
        assert refused.value.code is Code.CONFIRM_REQUIRED
        await world.ask("pane.close", CloseParams(terminal_id=terminal(world), confirm=True), Ok)
        assert world.host.calls("pane.close") == [{"pane_id": "w1:p1"}]


async def test_explain_says_what_is_read(autojump_clock: MockClock) -> None:
    async with daemon_world(prepare=one_agent) as world:
        world.host.set_screen("w1:p1", Question(number=1, command="rm -rf build", options=("Yes", "No")).drawn())
        result = await world.ask("agent.explain", AgentExplainParams(terminal_id=terminal(world)), ExplainResult)
        assert (result.kind, result.facts["state"]) == ("claude", "blocked")
        assert result.facts["dialog"]["options"] == ["Yes", "No"]
        assert "rm -rf build" in result.text


async def test_a_program_whose_screens_are_not_read_cannot_be_explained(autojump_clock: MockClock) -> None:
    async with daemon_world(prepare=lambda host: host.add_agent("kilo", name="other")) as world:
        with pytest.raises(WireError) as refused:
            await world.ask("agent.explain", AgentExplainParams(terminal_id=terminal(world)), ExplainResult)
        assert (refused.value.code, refused.value.message) == (Code.NOT_IMPLEMENTED, "screens of kilo are not read")


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("agent.read", AgentReadParams(terminal_id=TerminalId("t9"), source=ReadSource.VISIBLE)),
        ("agent.draft", OfTerminal(terminal_id=TerminalId("t9"))),
        ("agent.focus", OfTerminal(terminal_id=TerminalId("t9"))),
        ("agent.explain", AgentExplainParams(terminal_id=TerminalId("t9"))),
        ("agent.prompt", AgentPromptParams(op_id=OP, terminal_id=TerminalId("t9"), text=PromptText("hello"))),
        ("agent.send_keys", AgentSendKeysParams(op_id=OP, terminal_id=TerminalId("t9"), keys=(Key.ESC,))),
        ("pane.close", CloseParams(terminal_id=TerminalId("t9"), confirm=True)),
    ],
)
async def test_what_is_not_there_is_not_found(method: str, params: Params, autojump_clock: MockClock) -> None:
    async with daemon_world(prepare=one_agent) as world:
        with pytest.raises(WireError) as refused:
            await world.ask(method, params, Ok)
        assert refused.value.code is Code.NOT_FOUND
        assert world.host.typed == []


@pytest.mark.parametrize("method", ["agent.read", "agent.draft", "agent.explain"])
async def test_without_the_host_it_is_said_that_it_is_missing(method: str, autojump_clock: MockClock) -> None:
    async with daemon_world(prepare=one_agent) as world:
        there = terminal(world)
        world.stop_host()
        read = AgentReadParams(terminal_id=there, source=ReadSource.VISIBLE)
        params: Params = read if method == "agent.read" else METHODS[method].params(terminal_id=there)
        with pytest.raises(WireError) as refused:
            await world.ask(method, params, Ok)
        assert refused.value.code is Code.HERDR_UNAVAILABLE


async def test_status_counts(autojump_clock: MockClock) -> None:
    async with daemon_world(prepare=one_agent) as world:
        status = await world.ask("daemon.status", Nothing(), DaemonStatusResult)
        assert (status.agents, status.approvals, status.sessions, status.troubles) == ({"idle": 1}, 0, 1, ())
        assert status.data_dir == str(world.config.data_dir)


async def test_a_list_has_the_question_that_is_drawn_by_now(autojump_clock: MockClock) -> None:
    """herdr 0.8.2 tells of nothing, so without a look of its own the list would be up to a second old."""
    async with daemon_world("0.8.2", prepare=one_agent) as world:
        await world.ear.silence(3.3)
        world.host.set_screen("w1:p1", Question(number=1, command="rm -rf build", options=("Yes", "No")).drawn())
        world.host.set_status("w1:p1", "blocked", rule="bash_permission_prompt")
        listed = await world.ask("approval.list", Nothing(), ApprovalsResult)
        assert [each.command for each in listed.approvals] == ["rm -rf build"]


async def test_a_list_does_not_wait_long_for_a_host_that_is_slow(autojump_clock: MockClock) -> None:
    async with daemon_world(prepare=one_agent) as world:
        world.host.delay("agent.list", 4.0, times=10)
        began = trio.current_time()
        assert await world.ask("approval.list", Nothing(), ApprovalsResult) == ApprovalsResult()
        assert trio.current_time() - began == pytest.approx(FRESH_SECONDS)


async def test_a_list_without_a_host_is_empty_at_once(autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", starts_host=False) as world:
        began = trio.current_time()
        assert await world.ask("approval.list", Nothing(), ApprovalsResult) == ApprovalsResult()
        assert trio.current_time() == began


async def test_quiet_methods_leave_no_line(autojump_clock: MockClock) -> None:
    async with daemon_world(prepare=one_agent) as world:
        await world.flock()
        await world.host_status()
        await world.ask("approval.list", Nothing(), ApprovalsResult)
        audit = await world.ask("audit.tail", AuditTailParams(follow=True), AuditResult)
        assert audit.lines == ()
        assert world.ear.follows_audit
