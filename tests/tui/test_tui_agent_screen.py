"""An agent's live screen: drawn from cells, followed, with the question it asks over it."""

from dataclasses import replace

import msgspec
import pytest
from tools.desk import Desk, open_desk
from tools.pictures import AGENTS, CHOICES, build_agent, build_approval, build_busy

from collie.client.picture import Picture
from collie.protocol.errors import Code, WireError
from collie.protocol.models import AgentStatus, ReadSource, TerminalRead
from collie.tui.screens.agent import AgentScreen
from collie.tui.screens.dashboard import DashboardScreen
from collie.tui.widgets.terminal_view import TerminalView

pytestmark = pytest.mark.asyncio


def build_output(ansi: str, terminal_id: str = "t1") -> TerminalRead:
    return TerminalRead(terminal_id=terminal_id, source=ReadSource.RECENT, ansi=ansi, columns=80, rows=24)


def with_output(ansi: str, **fields: object) -> Picture:
    return replace(build_busy(), output=build_output(ansi, **fields))  # type: ignore[arg-type]


async def open_agent(desk: Desk) -> TerminalView:
    await desk.press("tab", "g", "enter")
    assert isinstance(desk.app.screen, AgentScreen)
    return desk.app.screen.query_one(TerminalView)


async def test_it_watches_while_it_is_open_and_says_that_someone_looks() -> None:
    async with open_desk() as desk:
        await open_agent(desk)
        assert desk.engine.watched == ["t1"]
        assert [name for name, _ in desk.engine.calls] == ["agent.focus"]
        await desk.press("escape")
        assert isinstance(desk.app.screen, DashboardScreen)
        assert desk.engine.watched == ["t1", None]


async def test_it_draws_the_text_with_its_colours_and_nothing_else_of_it() -> None:
    async with open_desk() as desk:
        terminal = await open_agent(desk)
        await desk.show(with_output("\x1b[31mred\x1b[0m \x1b]0;title\x07and\x1b[2J plain\x1b[5n"))
        assert "red and plain" in desk.text()
        segment = next(segment for segment in terminal.render_line(0) if segment.text == "red")
        assert segment.style is not None
        assert segment.style.color is not None
        assert segment.style.color.number == 1


async def test_another_terminals_text_is_not_drawn() -> None:
    async with open_desk() as desk:
        await open_agent(desk)
        await desk.show(with_output("not mine", terminal_id="t2"))
        assert "not mine" not in desk.text()
        assert "waiting for its text" in desk.text()


async def test_it_follows_the_end_until_a_person_scrolls_up() -> None:
    lines = [f"line {number}" for number in range(200)]
    async with open_desk() as desk:
        terminal = await open_agent(desk)
        await desk.show(with_output("\n".join(lines)))
        assert "line 199" in desk.text()
        await desk.press("pageup")
        await desk.show(with_output("\n".join([*lines, "line 200"])))
        assert "line 200" not in desk.text()
        assert "newer lines below · G follows again" in desk.text()
        await desk.press("G")
        assert "line 200" in desk.text()
        assert terminal.following


async def test_the_empty_end_of_a_tall_pane_does_not_hide_its_last_words() -> None:
    async with open_desk(size=(80, 24)) as desk:
        await open_agent(desk)
        await desk.show(with_output("\n".join(["the last words", *([""] * 38), "   "])))
        assert "the last words" in desk.text()


async def test_help_lists_nothing_that_would_do_nothing_here() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),)), size=(80, 60)) as desk:
        await desk.press("enter", "question_mark")
        assert "Deny: answer no" in desk.text()
        assert "Open the live screen" not in desk.text()


async def test_only_the_rows_that_differ_are_drawn_anew() -> None:
    async with open_desk() as desk:
        terminal = await open_agent(desk)
        await desk.show(with_output("one\ntwo\n⠋ three"))
        drawn: list[int] = []
        terminal.refresh_line = drawn.append  # type: ignore[assignment, method-assign]
        await desk.show(with_output("one\ntwo\n⠙ three"))
        assert drawn == [2]


async def test_its_question_stands_over_it_and_is_answered_there() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        await desk.press("enter")
        assert isinstance(desk.app.screen, AgentScreen)
        await desk.press("space", "space", "d")
        assert desk.decided() == [("a1", "deny")]


async def test_a_question_of_another_agent_does_not_stand_here() -> None:
    other = build_approval(terminal_id="t2", agent_label="tests")
    async with open_desk(build_busy(approvals=(other,))) as desk:
        await open_agent(desk)
        await desk.press("a", "d")
        assert desk.decided() == []


async def test_an_agent_that_ended_says_so_and_keeps_its_last_text() -> None:
    async with open_desk() as desk:
        await open_agent(desk)
        await desk.show(with_output("the last words"))
        await desk.show(replace(desk.engine.picture, agents=AGENTS[1:]))
        assert "▲ This agent is gone: what you see is the last of it. esc goes back." in desk.text()
        assert "the last words" in desk.text()


def sent_by(desk: Desk) -> list[tuple[str, ...]]:
    return [params.keys for params in desk.engine.asked("agent.send_keys")]  # type: ignore[attr-defined]


WORKING = replace(build_busy(), agents=(build_agent("t1", status=AgentStatus.WORKING), *AGENTS[1:]))
"""Nothing is asked: enter answers nothing."""


async def test_keys_go_to_the_agent_one_a_call_until_they_are_taken_back() -> None:
    async with open_desk(WORKING) as desk:
        await open_agent(desk)
        await desk.press("i", "down", "enter", "escape", "shift+tab")
        assert sent_by(desk) == [("down",), ("enter",), ("esc",), ("shift+tab",)]
        assert "keys go to the agent" in desk.text()
        await desk.press("ctrl+right_square_bracket", "down", "escape")
        assert len(sent_by(desk)) == 4
        assert isinstance(desk.app.screen, DashboardScreen)


@pytest.mark.parametrize(
    ("typed", "words"), [("3", "“3”"), ("question_mark", "“?”"), ("ctrl+backslash", "ctrl+\\"), ("pageup", "pageup")]
)
async def test_after_a_key_that_cannot_be_sent_none_is_sent_and_none_means_anything_else(
    typed: str, words: str
) -> None:
    async with open_desk(replace(WORKING, approvals=(build_approval(),))) as desk:
        await desk.press("enter", "tab", "i", typed, "i", "enter", "a", "1", "x", "q")
        assert sent_by(desk) == []
        assert desk.decided() == []
        assert isinstance(desk.app.screen, AgentScreen)
        assert f"{words} cannot be sent: no key is sent any more" in desk.text()
        await desk.press("escape")
        assert "no key is sent any more ·" not in desk.text()
        await desk.press("i", "down")
        assert sent_by(desk) == [("down",)]


async def test_a_key_that_was_refused_holds_up_those_behind_it() -> None:
    async with open_desk(WORKING) as desk:
        await open_agent(desk)
        desk.engine.replies["agent.send_keys"] = WireError(Code.RATE_LIMITED, "slow down")
        await desk.pilot.press("i", "down", "enter")
        await desk.settle()
        assert ("enter",) not in sent_by(desk)
        assert "no key is sent any more" in desk.text()


async def test_enter_names_what_it_would_take_before_it_answers_a_question() -> None:
    picture = build_busy(approvals=(build_approval(),))
    async with open_desk(picture) as desk:
        await desk.press("enter", "tab", "i", "enter", "enter")
        assert sent_by(desk) == []
        assert isinstance(desk.app.screen, AgentScreen)
        await desk.press("enter")
        assert "❯ 1. Yes" in desk.text()
        moved = build_approval(
            "a2", choices=tuple(msgspec.structs.replace(each, current=each.index == 3) for each in CHOICES)
        )
        await desk.press("tab")
        await desk.show(replace(picture, approvals=(moved,)))
        assert "❯ 4. No" in desk.text()
        await desk.press("enter")
        assert sent_by(desk) == []
        await desk.press("enter", "tab", "enter")
        assert sent_by(desk) == [("enter",)]


async def test_enter_asks_too_where_the_question_was_not_read() -> None:
    async with open_desk() as desk:
        await open_agent(desk)
        await desk.press("i", "enter")
        assert "not known here: look at its screen first" in desk.text()
        await desk.press("escape")
        assert sent_by(desk) == []
