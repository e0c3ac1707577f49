"""The dialogs: a new agent, words to an agent, closing one."""

from pathlib import Path

import pytest
from tools.desk import Desk, open_desk
from tools.pictures import AGENTS, build_busy

from collie.protocol.errors import Code, WireError
from collie.protocol.methods import AgentPromptParams, AgentStartedResult, AgentStartParams, CloseParams
from collie.tui.screens.confirm import ConfirmScreen
from collie.tui.screens.dashboard import DashboardScreen
from collie.tui.screens.new_agent import NewAgentScreen, started_params
from collie.tui.screens.speak import SpeakScreen
from collie.tui.widgets.folders import complete_folder

asynchronous = pytest.mark.asyncio

WORKING = build_busy(agents=AGENTS[1:])
"""Agents of which none asks anything."""


async def fill(desk: Desk, *fields: str) -> None:
    """Tab to each field, from the list of kinds on, and type into it."""
    for field in fields:
        await desk.press("tab")
        await desk.press(*field)


@asynchronous
async def test_a_new_agent_is_started_as_the_fields_say(tmp_path: Path) -> None:
    async with open_desk() as desk:
        await desk.press("n", "G", "tab", "ctrl+u")
        desk.app.screen.query_one("#folder").value = str(tmp_path)  # type: ignore[attr-defined]
        await fill(desk, "helper", "ask ls")
        await desk.press("enter")
        (params,) = desk.engine.asked("agent.start")
        assert isinstance(params, AgentStartParams)
        assert (params.kind, params.cwd, params.name, params.prompt) == ("practice", str(tmp_path), "helper", "ask ls")
        assert isinstance(desk.app.screen, DashboardScreen)
        assert "started helper" in desk.text()


@asynchronous
async def test_what_is_wrong_with_a_field_is_said_and_nothing_is_started() -> None:
    async with open_desk() as desk:
        await desk.press("n", "tab")
        await fill(desk, "Not A Name")
        await desk.press("enter")
        assert desk.engine.asked("agent.start") == []
        assert "a name is up to 32 of a-z" in desk.text()


@asynchronous
async def test_a_start_that_fails_keeps_the_dialog_with_the_reason() -> None:
    async with open_desk() as desk:
        desk.engine.replies["agent.start"] = WireError(Code.NOT_FOUND, "claude is not installed")
        await desk.press("n", "enter", "enter")
        assert isinstance(desk.app.screen, NewAgentScreen)
        assert "not started: claude is not installed" in desk.text()


@asynchronous
async def test_first_words_that_did_not_reach_the_agent_are_told() -> None:
    async with open_desk() as desk:
        desk.engine.replies["agent.start"] = AgentStartedResult(
            terminal_id="t9", kind="claude", name="claude", cwd="/", prompted=False
        )
        await desk.press("n", "tab", "tab")
        await fill(desk, "hello")
        await desk.press("enter")
        assert "it did not take the first words: press s to say them" in desk.text()


@pytest.mark.parametrize(
    ("folder", "name", "prompt", "complaint"),
    [
        ("/nowhere/at/all", "", "", "there is no folder /nowhere/at/all"),
        ("/", "9lives", "", "a name is up to 32 of a-z, 0-9, - and _, and begins with a letter"),
        ("/", "", "a\x1bb", "the first words are too long, or have control characters"),
    ],
)
def test_fields_are_checked_as_the_wire_checks_them(folder: str, name: str, prompt: str, complaint: str) -> None:
    assert started_params("a" * 22, "claude", folder, name, prompt) == complaint


def test_a_folder_is_completed_to_the_first_that_begins_so(tmp_path: Path) -> None:
    for name in ("beta", "alpha-two", "alpha-one", ".hidden"):
        (tmp_path / name).mkdir()
    (tmp_path / "alpha-file").write_text("")
    assert complete_folder(f"{tmp_path}/al") == f"{tmp_path}/alpha-one"
    assert complete_folder(f"{tmp_path}/.h") == f"{tmp_path}/.hidden"
    assert complete_folder(f"{tmp_path}/z") is None
    assert complete_folder(f"{tmp_path}/missing/z") is None
    assert complete_folder("al") is None


@asynchronous
async def test_what_is_said_reaches_the_agent() -> None:
    async with open_desk(WORKING) as desk:
        await desk.press("tab", "s", *"hi", "ctrl+j", *"there", "enter")
        (params,) = desk.engine.asked("agent.prompt")
        assert isinstance(params, AgentPromptParams)
        assert (params.terminal_id, params.text, params.expected_draft) == ("t2", "hi\nthere", None)
        assert isinstance(desk.app.screen, DashboardScreen)
        assert "said to tests" in desk.text()


@asynchronous
async def test_nothing_is_said_over_a_question() -> None:
    async with open_desk() as desk:
        await desk.press("tab", "s")
        assert isinstance(desk.app.screen, DashboardScreen)
        assert "fixer asks something itself: answer that first, then speak" in desk.text()


@asynchronous
async def test_words_that_were_not_sent_are_there_again() -> None:
    async with open_desk(WORKING) as desk:
        await desk.press("tab", "s", *"later", "escape", "s", "enter")
        (params,) = desk.engine.asked("agent.prompt")
        assert isinstance(params, AgentPromptParams)
        assert params.text == "later"


@asynchronous
async def test_a_refusal_keeps_the_words_and_says_why() -> None:
    async with open_desk(WORKING) as desk:
        desk.engine.replies["agent.prompt"] = WireError(Code.AGENT_BLOCKED, "the agent asks something")
        await desk.press("tab", "s", *"hi", "enter")
        assert isinstance(desk.app.screen, SpeakScreen)
        assert "not sent: the agent asks something" in desk.text()
        assert "hi" in desk.text()


@asynchronous
async def test_a_draft_in_the_agents_box_is_shown_before_it_is_replaced() -> None:
    async with open_desk(WORKING) as desk:
        desk.engine.replies["agent.prompt"] = WireError(
            Code.DRAFT_CHANGED, "the box has a draft", draft="half a thought"
        )
        await desk.press("tab", "s", *"hi", "enter")
        assert "half a thought" in desk.text()
        del desk.engine.replies["agent.prompt"]
        await desk.press("enter")
        last = desk.engine.asked("agent.prompt")[-1]
        assert isinstance(last, AgentPromptParams)
        assert last.expected_draft == "half a thought"


@asynchronous
@pytest.mark.parametrize(("keys", "closed"), [(("enter",), False), (("tab", "enter"), True), (("escape",), False)])
async def test_closing_asks_first_with_no_in_focus(keys: tuple[str, ...], closed: bool) -> None:
    async with open_desk(WORKING) as desk:
        await desk.press("tab", "x")
        assert isinstance(desk.app.screen, ConfirmScreen)
        assert "Close tests?" in desk.text()
        await desk.press(*keys)
        asked = desk.engine.asked("pane.close")
        assert [params.confirm for params in asked if isinstance(params, CloseParams)] == ([True] if closed else [])
