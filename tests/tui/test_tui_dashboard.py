"""Moving about the dashboard: panes, rows, filter, sizes, what is said when things are empty or lost, leaving."""

from dataclasses import replace

import pytest
from textual.events import Key
from textual.filter import NoColor
from tools.desk import open_desk
from tools.pictures import AGENTS, LOST, NOW, UP, build_agent, build_approval, build_busy, build_picture

from collie.client.picture import Link, Picture
from collie.protocol.methods import DaemonStatusResult
from collie.protocol.models import AgentStatus, HostState, HostStatus
from collie.tui.farewell import Farewell
from collie.tui.screens.dashboard import DashboardScreen
from collie.tui.screens.help import HelpScreen
from collie.tui.screens.leave import LeaveScreen
from collie.tui.screens.too_small import TooSmallScreen

pytestmark = pytest.mark.asyncio


def build_status(*, sessions: int) -> DaemonStatusResult:
    return DaemonStatusResult(
        version="1",
        pid=1,
        started_ms=NOW,
        data_dir="/",
        headless=False,
        host=UP,
        tailnet="off",
        sessions=sessions,
        agents={},
        approvals=0,
    )


async def test_an_empty_dashboard_says_what_to_do_next() -> None:
    async with open_desk(build_picture()) as desk:
        assert "Press n to start one, or run `collie start practice` in a shell." in desk.text()
        assert "Nothing needs you." in desk.text()
        assert "0 agents" in desk.text()


async def test_before_the_first_session_it_says_what_it_waits_for() -> None:
    async with open_desk(Picture()) as desk:
        assert "Looking for the daemon …" in desk.text()
        assert "daemon ◌ starting" in desk.text()


async def test_agents_stand_in_the_order_in_which_they_need_a_person() -> None:
    shuffled = (AGENTS[2], AGENTS[1], build_agent("t4", name="idler"), AGENTS[0])
    async with open_desk(build_busy(agents=shuffled)) as desk:
        text = desk.text()
        places = [text.index(word) for word in ("▲ needs you", "● working", "✓ done", "○ idle")]
        assert places == sorted(places)


async def test_the_cursor_stays_on_its_agent_when_rows_move() -> None:
    async with open_desk() as desk:
        await desk.press("tab", "j")
        waiting = build_agent("t9", name="zebra", status=AgentStatus.BLOCKED, status_since_ms=NOW - 90_000)
        await desk.show(build_busy(agents=(*AGENTS, waiting)))
        assert "▸ ● working" in desk.text()


async def test_k_and_j_and_the_arrows_move_the_cursor() -> None:
    async with open_desk() as desk:
        await desk.press("tab", "j", "down", "k", "enter")
        assert desk.engine.watched == ["t2"]


async def test_a_row_is_clicked_for_the_cursor_and_twice_for_the_live_screen() -> None:
    async with open_desk() as desk:
        rows = desk.rows()
        at = next(y for y, row in enumerate(rows) if "● working" in row and "tests" in row)
        await desk.pilot.click(offset=(20, at))
        await desk.settle()
        assert "▸ ● working" in desk.text()
        assert desk.engine.watched == []
        await desk.pilot.double_click(offset=(20, at))
        await desk.settle()
        assert desk.engine.watched == ["t2"]


async def test_only_the_rows_that_differ_are_drawn_anew() -> None:
    async with open_desk() as desk:
        rows = desk.app.screen.query_one("#agents-rows")
        drawn: list[int] = []
        rows.refresh_line = drawn.append  # type: ignore[attr-defined]
        changed = replace(
            desk.engine.picture, agents=(AGENTS[0], build_agent("t2", status=AgentStatus.WORKING), AGENTS[2])
        )
        await desk.show(changed)
        assert drawn == [1]


async def test_the_filter_keeps_what_matches_and_esc_shows_all_again() -> None:
    async with open_desk() as desk:
        await desk.press("tab", "slash", *"gem")
        assert "Agents (1 of 3)" in desk.text()
        await desk.press("enter", "enter")
        assert desk.engine.watched == ["t3"]
        await desk.press("escape", "escape")
        assert "Agents (3)" in desk.text()


async def test_a_filter_that_matches_nothing_says_how_to_get_back() -> None:
    async with open_desk() as desk:
        await desk.press("tab", "slash", *"nobody")
        assert "No agent has these words. Press esc to show all." in desk.text()


async def test_zoom_shows_one_pane_alone_and_esc_all_again() -> None:
    async with open_desk() as desk:
        await desk.press("tab", "z")
        assert "Needs you" not in desk.text()
        await desk.press("tab")
        assert "approval.decide" in desk.text()
        assert "Agents (3)" not in desk.text()
        await desk.press("escape")
        assert "Agents (3)" in desk.text()


async def test_a_short_terminal_shows_the_pane_in_focus_alone() -> None:
    async with open_desk(size=(80, 16)) as desk:
        assert "Agents (3)" not in desk.text()
        await desk.press("tab")
        assert "Agents (3)" in desk.text()


async def test_a_terminal_that_is_too_small_says_so_and_recovers() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        await desk.pilot.resize_terminal(20, 5)
        await desk.settle()
        assert isinstance(desk.app.screen, TooSmallScreen)
        assert "Collie needs 40×12; this terminal is 20×5. q quits" in desk.text()
        await desk.press("a")
        assert desk.decided() == []
        await desk.pilot.resize_terminal(80, 24)
        await desk.settle()
        assert isinstance(desk.app.screen, DashboardScreen)
        await desk.press("space", "space", "a")
        assert desk.decided() == [("a1", "approve")]


@pytest.mark.parametrize("size", [(40, 12), (60, 20), (79, 24), (119, 30), (120, 40), (220, 60)])
async def test_every_size_draws_the_question_and_its_last_line(size: tuple[int, int]) -> None:
    async with open_desk(build_busy(approvals=(build_approval(),)), size=size) as desk:
        await desk.press("G")
        assert "4. No" in desk.text()
        assert all(len(row) <= size[0] for row in desk.rows())


async def test_help_lists_the_keys_of_this_place_and_esc_closes_it_alone() -> None:
    async with open_desk(size=(80, 40)) as desk:
        await desk.press("tab", "z", "question_mark")
        assert isinstance(desk.app.screen, HelpScreen)
        assert "Say something to the agent" in desk.text()
        assert "Approve: answer yes" not in desk.text()
        assert "pgdn space A page down" in desk.text()
        await desk.press("escape")
        assert isinstance(desk.app.screen, DashboardScreen)
        assert "Needs you" not in desk.text()


async def test_the_palette_finds_an_action_and_runs_it() -> None:
    async with open_desk() as desk:
        await desk.press("ctrl+p")
        await desk.press(*"start an agent")
        await desk.press("enter")
        assert "New agent" in desk.text()


async def test_the_footer_can_be_clicked() -> None:
    async with open_desk() as desk:
        rows = desk.rows()
        at = next(y for y, row in enumerate(rows) if "new agent" in row)
        await desk.pilot.click(offset=(rows[at].index("new agent") + 2, at))
        await desk.settle()
        assert "New agent" in desk.text()


async def test_a_lost_host_is_named_with_what_went_and_its_return_is_told_until_it_was_read() -> None:
    async with open_desk(build_busy(host=LOST, agents=())) as desk:
        assert "▲ The embedded host is lost: its process ended (signal 9)" in desk.text()
        back = HostStatus(kind="embedded", state=HostState.UP, lost=LOST.lost)
        await desk.show(build_busy(host=back, agents=()))
        assert "▲ The host was lost, and is back. Gone with the old one: fixer, tests, docs" in desk.text()
        assert "is lost" not in desk.text()
        await desk.press("escape")
        assert "Gone with the old one" not in desk.text()
        await desk.show(build_busy(host=HostStatus(kind="embedded", state=HostState.UP, lost=("other",)), agents=()))
        assert "Gone with the old one: other" in desk.text()


async def test_what_went_with_a_host_is_told_until_it_was_read_also_once_the_daemon_forgets_it() -> None:
    async with open_desk(build_busy(host=LOST, agents=())) as desk:
        await desk.show(build_busy(host=UP))
        assert "Gone with the old one: fixer, tests, docs" in desk.text()
        await desk.press("escape")
        assert "Gone with the old one" not in desk.text()
        await desk.show(build_busy(host=LOST, agents=()))
        await desk.show(build_busy(host=UP))
        assert "Gone with the old one: fixer, tests, docs" in desk.text()


async def test_a_daemon_that_cannot_be_had_says_why() -> None:
    refused = Picture(link=Link.LOST, link_detail="the data directory is read-only")
    async with open_desk(refused) as desk:
        assert "▲ No daemon yet: the data directory is read-only" in desk.text()
        await desk.press("n")
        assert "no agent can be started without the daemon" in desk.text()


async def test_quitting_an_attached_dashboard_asks_nothing() -> None:
    async with open_desk() as desk:
        await desk.press("q")
        assert desk.app.return_value is Farewell.QUIT


async def test_quitting_a_throwaway_dashboard_asks_nothing() -> None:
    async with open_desk(hosting=True, throwaway=True) as desk:
        await desk.press("q")
        assert desk.app.return_value is Farewell.QUIT


@pytest.mark.parametrize(
    ("keys", "farewell"),
    [
        (("q", "q"), Farewell.QUIT),
        (("q", "l"), Farewell.LEAVE_HEADLESS),
        (("ctrl+c", "enter"), Farewell.LEAVE_HEADLESS),
        (("q", "escape"), None),
    ],
)
async def test_quitting_a_dashboard_that_hosts_the_daemon_says_what_stops(
    keys: tuple[str, ...], farewell: Farewell | None
) -> None:
    async with open_desk(hosting=True, can_leave_headless=True) as desk:
        await desk.press(keys[0])
        assert isinstance(desk.app.screen, LeaveScreen)
        assert "The agents live on in their host" in desk.text()
        await desk.press(keys[1])
        assert desk.app.return_value is farewell


@pytest.mark.parametrize("keys", [("q", "l", "n"), ("q", "q", "question_mark"), ("ctrl+c", "l", "n")])
async def test_keys_typed_ahead_of_the_end_do_nothing(keys: tuple[str, ...]) -> None:
    async with open_desk(hosting=True, can_leave_headless=True) as desk:
        for key in keys:
            desk.app.post_message(Key(key, character=key if len(key) == 1 else None))
        await desk.settle()
        assert isinstance(desk.app.return_value, Farewell)
        assert len(desk.app.screen_stack) <= 2


@pytest.mark.parametrize("keys", [("q", "n"), ("q", "question_mark")])
async def test_a_window_that_is_opened_at_the_very_end_breaks_nothing(keys: tuple[str, ...]) -> None:
    async with open_desk() as desk:
        for key in keys:
            desk.app.post_message(Key(key, character=key if len(key) == 1 else None))
        await desk.settle()
        assert isinstance(desk.app.return_value, Farewell)


async def test_a_hint_stands_at_the_bottom_until_there_is_something_to_tell() -> None:
    async with open_desk(build_busy(), hint="Press a to approve what the practice agent asks.") as desk:
        assert "Press a to approve what the practice agent asks." in desk.text()
        await desk.press("a")
        assert "nothing needs you" in desk.text()


async def test_the_header_says_whether_the_daemon_runs_here() -> None:
    async with open_desk(build_busy(host=UP), hosting=True) as desk:
        assert "daemon ● here" in desk.text()


async def test_quitting_asks_nothing_where_there_is_nothing_to_watch() -> None:
    async with open_desk(build_picture(), hosting=True, can_leave_headless=True) as desk:
        await desk.press("q")
        assert desk.app.return_value is Farewell.QUIT


async def test_quitting_says_that_another_dashboard_takes_over() -> None:
    async with open_desk(hosting=True, can_leave_headless=True) as desk:
        assert desk.engine.calls == []
        desk.engine.replies["daemon.status"] = build_status(sessions=2)
        await desk.press("q")
        assert "1 other client is connected: another dashboard takes over" in desk.text()
        assert "nobody watches" not in desk.text()


async def test_the_keys_have_one_row_of_eighty_cells() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),)), size=(80, 24)) as desk:
        assert "screen" in desk.rows()[-1]
        assert "quit" in desk.rows()[-1]


async def test_without_colour_there_is_none() -> None:
    async with open_desk(build_busy(approvals=(build_approval(),))) as desk:
        desk.app.no_color = True
        assert all(isinstance(each, NoColor) for each in desk.app.get_line_filters())


async def test_light_and_dark_change_places() -> None:
    async with open_desk() as desk:
        await desk.press("ctrl+t")
        assert desk.app.theme == "collie-light"
        await desk.press("ctrl+t")
        assert desk.app.theme == "collie-dark"
