"""agent.start over a scripted host: what is created, how long it waits, and what is said when it fails."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import trio
from tools.daemon_world import DaemonWorld, daemon_world
from tools.fake_herdr import FakeHerdr
from tools.fake_panes import FakePane
from tools.fake_session import Manners
from trio.testing import MockClock

from collie.protocol.errors import Code, WireError
from collie.protocol.ids import AgentKindName, AgentName, Cwd, OpId, PromptText
from collie.protocol.methods import AgentStartedResult, AgentStartParams

pytestmark = pytest.mark.trio

RULE = "─" * 120
BOX = f"{RULE}\n❯\u00a0\n{RULE}\n  ? for shortcuts\n"
TRUST = f"""{RULE}
 Do you trust the files in this folder?

 /srv/orchard

 ❯ 1. Yes, I trust this folder
   2. No, exit

 Enter to confirm · Esc to cancel
"""

Act = Callable[[FakeHerdr, FakePane], None]


def at_once(host: FakeHerdr, pane: FakePane) -> None:
    host.set_screen(pane.pane_id, BOX)
    host.detect(pane.pane_id, "claude")


def asks_for_trust(host: FakeHerdr, pane: FakePane) -> None:
    host.set_screen(pane.pane_id, TRUST)
    host.detect(pane.pane_id, "claude", "blocked")


def exits(host: FakeHerdr, pane: FakePane) -> None:
    host.release(pane.pane_id)


def becomes_another(host: FakeHerdr, pane: FakePane) -> None:
    host.detect(pane.pane_id, "codex")


def scripted(act: Act) -> Callable[[FakeHerdr], None]:
    def prepare(host: FakeHerdr) -> None:
        host.on_start(lambda pane, _params: act(host, pane))

    return prepare


def build_params(folder: Path, **more: Any) -> AgentStartParams:
    fields: dict[str, Any] = {"op_id": OpId("o" * 22), "kind": AgentKindName("claude"), "cwd": Cwd(str(folder))}
    return AgentStartParams(**(fields | more))


async def start(world: DaemonWorld, folder: Path, **more: Any) -> AgentStartedResult:
    return await world.ask("agent.start", build_params(folder, **more), AgentStartedResult)


async def refusal(world: DaemonWorld, folder: Path, **more: Any) -> WireError:
    with pytest.raises(WireError) as refused:
        await start(world, folder, **more)
    return refused.value


def last_line(world: DaemonWorld) -> tuple[str, str | None, str]:
    line = world.audit_log.tail(1)[0]
    return line.method, line.target, line.result


async def test_a_workspace_an_agent_and_its_prompt(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=scripted(at_once)) as world:
        started = await start(world, tmp_path, name=AgentName("pruner"), prompt=PromptText("prune the rows"))
        assert (started.kind, started.name, started.cwd, started.prompted) == ("claude", "pruner", str(tmp_path), True)
        created = next(params for name, params in world.host.sent if name == "workspace.create")
        assert created == {"cwd": str(tmp_path), "label": tmp_path.name, "focus": False}
        assert [typed.text for typed in world.host.typed] == ["prune the rows"]
        assert last_line(world) == (
            "agent.start",
            f"{tmp_path} kind=claude",
            f"ok workspace=w1 terminal={started.terminal_id}",
        )
        assert [agent.name for agent in (await world.flock()).agents] == ["pruner"]


async def test_without_a_name_one_is_made_up(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=scripted(at_once)) as world:
        world.host.refuse("agent.start", "agent_name_taken")
        started = await start(world, tmp_path)
        assert AgentName.accepts(started.name)
        assert started.name.startswith("claude-")
        assert not started.prompted
        names = [params["name"] for name, params in world.host.sent if name == "agent.start"]
        assert len(set(names)) == 2


async def test_with_events_it_is_ready_as_soon_as_the_agent_is(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", programs=["codex"]) as world:

        async def later(pane: FakePane) -> None:
            await trio.sleep(1.23)
            world.host.detect(pane.pane_id, "codex")

        world.host.on_start(lambda pane, _params: world.nursery.start_soon(later, pane))
        began = trio.current_time()
        await start(world, tmp_path, kind=AgentKindName("codex"))
        assert trio.current_time() - began == pytest.approx(1.23, abs=0.01)


async def test_a_busy_shell_is_waited_for(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=scripted(at_once)) as world:
        world.host.refuse("agent.start", "agent_pane_busy", times=8)
        began = trio.current_time()
        await start(world, tmp_path)
        assert trio.current_time() - began == pytest.approx(8 * 0.25, abs=0.01)


async def test_the_same_operation_is_done_once(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=scripted(at_once)) as world:
        first = await start(world, tmp_path)
        assert await start(world, tmp_path) == first
        assert len(world.host.calls("agent.start")) == 1
        assert last_line(world)[2].endswith(" (replayed)")
        other = await refusal(world, tmp_path, name=AgentName("other"))
        assert (other.code, other.message) == (Code.INVALID_PARAMS, "op_id was already used for a different request")


@pytest.mark.parametrize(
    ("act", "code", "message"),
    [
        (
            asks_for_trust,
            Code.AGENT_BLOCKED,
            "the agent asks whether to trust this folder; answer it through its approval",
        ),
        (exits, Code.AGENT_NOT_READY, "agent exited before becoming interactive"),
        (becomes_another, Code.AGENT_NOT_READY, "the new pane no longer hosts the started agent"),
    ],
)
async def test_what_fails_later_leaves_the_workspace_and_says_so(
    act: Act, code: Code, message: str, tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with daemon_world("0.9", prepare=scripted(act)) as world:
        error = await refusal(world, tmp_path, prompt=PromptText("hello"))
        assert error.code is code
        assert error.message == f"workspace w1 was created and left open: {message}"
        assert world.host.typed == []
        assert last_line(world)[2] == f"{code.value}: {error.message}"


@pytest.mark.parametrize(
    ("manners", "where"), [("0.9", "pane w1:p1 in herdr"), ("embedded", "`collie host attach w1:p1`")]
)
async def test_a_shell_that_never_starts_the_agent_is_named(
    manners: Manners, where: str, tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with daemon_world(manners, programs=["claude"]) as world:
        began = trio.current_time()
        error = await refusal(world, tmp_path)
        assert error.message == (
            "workspace w1 was created and left open: agent did not become ready within 30 s; its shell has not started "
            f"it yet; see {where}"
        )
        assert trio.current_time() - began == pytest.approx(30, abs=1)


@pytest.mark.parametrize("status", ["working", "unknown"])
async def test_an_agent_that_never_gets_ready_is_given_up(
    status: str, tmp_path: Path, autojump_clock: MockClock
) -> None:
    """Claude Code shows its box when it waits, so an unknown screen of it is no sign that it does."""

    def loads(host: FakeHerdr, pane: FakePane) -> None:
        host.detect(pane.pane_id, "claude", status)

    async with daemon_world("0.9", prepare=scripted(loads)) as world:
        error = await refusal(world, tmp_path)
        assert error.message.endswith("agent did not become ready within 30 s")


@pytest.mark.parametrize("kind", ["codex", "copilot", "gemini", "opencode"])
async def test_a_kind_whose_idle_screen_is_not_known_is_ready_when_the_host_says_so(
    kind: str, tmp_path: Path, autojump_clock: MockClock
) -> None:
    def settles(host: FakeHerdr, pane: FakePane) -> None:
        host.detect(pane.pane_id, kind, "unknown")

    async with daemon_world("0.9", prepare=scripted(settles)) as world:
        assert (await start(world, tmp_path, kind=AgentKindName(kind))).kind == kind


async def test_a_dialog_that_the_host_does_not_see_gets_no_prompt(tmp_path: Path, autojump_clock: MockClock) -> None:
    def update_picker(host: FakeHerdr, pane: FakePane) -> None:
        host.set_screen(pane.pane_id, "Update available!\n\n› 1. Update now\n  2. Skip\n")
        host.detect(pane.pane_id, "codex")

    async with daemon_world("0.9", prepare=scripted(update_picker)) as world:
        error = await refusal(world, tmp_path, kind=AgentKindName("codex"), prompt=PromptText("hello"))
        assert error.code is Code.AGENT_BLOCKED
        assert error.message.endswith("the agent is blocked on a startup prompt; answer it in the terminal")
        assert world.host.typed == []


async def test_a_name_that_is_taken_is_refused(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=scripted(at_once)) as world:
        world.host.add_agent("claude", name="pruner")
        error = await refusal(world, tmp_path, name=AgentName("pruner"))
        assert (error.code, error.message) == (Code.INVALID_PARAMS, "another agent is called pruner")
        assert world.host.calls("workspace.create") == []


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("agent_name_taken", "another agent is called pruner"),
        ("agent_pane_not_found", "the shell of its pane ended at once; is SHELL set to a shell?"),
        ("unsupported_agent_kind", "herdr refused: unsupported_agent_kind"),
    ],
)
async def test_a_workspace_in_which_nothing_was_started_is_closed_again(
    code: str, message: str, tmp_path: Path, autojump_clock: MockClock
) -> None:
    async with daemon_world("0.9", prepare=scripted(at_once)) as world:
        world.host.refuse("agent.start", code)
        error = await refusal(world, tmp_path, name=AgentName("pruner"))
        assert error.message == message
        assert world.host.panes == {}


async def test_what_could_not_be_closed_again_is_named(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", prepare=scripted(at_once)) as world:
        world.host.refuse("agent.start", "agent_name_taken")
        world.host.refuse("workspace.close", "workspace_group_close_required")
        error = await refusal(world, tmp_path, name=AgentName("pruner"))
        assert error.message == "workspace w1 was created and left open: another agent is called pruner"


async def test_a_shell_that_is_busy_is_left_alone(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with daemon_world("embedded", programs=["claude"]) as world:
        world.host.refuse("agent.start", "agent_pane_busy", times=1_000)
        error = await refusal(world, tmp_path)
        assert error.message == (
            "workspace w1 was created and left open: its shell is busy with something else; see "
            "`collie host attach w1:p1`"
        )
        assert world.host.calls("workspace.close") == []


async def test_a_pane_that_has_ended_was_not_left_open(tmp_path: Path, autojump_clock: MockClock) -> None:
    def ends(host: FakeHerdr, pane: FakePane) -> None:
        host.exit(pane.pane_id)

    async with daemon_world("0.9", prepare=scripted(ends)) as world:
        error = await refusal(world, tmp_path)
        assert error.message == "agent exited before becoming interactive"


async def test_a_kind_that_the_host_does_not_know_creates_nothing(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with daemon_world("0.9") as world:
        error = await refusal(world, tmp_path, kind=AgentKindName("sheepdog"))
        assert error.code is Code.INVALID_PARAMS
        assert error.message.startswith("sheepdog is no kind of agent that the host knows; it knows claude")
        assert world.host.calls("workspace.create") == []


async def test_a_program_that_is_missing_creates_nothing(tmp_path: Path) -> None:
    async with daemon_world("embedded") as world:
        error = await refusal(world, tmp_path)
        assert error.code is Code.NOT_FOUND
        assert error.message.startswith("Claude Code is not installed: no claude in PATH")
        assert world.host.calls("workspace.create") == []


async def test_a_program_that_only_the_askers_shell_finds_is_started_with_its_path(tmp_path: Path) -> None:
    program = tmp_path / "claude"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    async with daemon_world("embedded", prepare=scripted(at_once)) as world:
        await start(world, tmp_path, search_path=str(tmp_path))
        created = next(params for name, params in world.host.sent if name == "workspace.create")
        assert created["env"] == {"PATH": str(tmp_path)}


async def test_without_a_host_nothing_starts(tmp_path: Path, autojump_clock: MockClock) -> None:
    async with daemon_world("0.9", starts_host=False) as world:
        error = await refusal(world, tmp_path)
        assert error.code is Code.HERDR_UNAVAILABLE
        assert "no herdr answers at" in error.message
