"""What reaches an agent that is spoken to, and what is refused."""

import pytest
import trio
from tools.approval_desk import desk_caller
from tools.direct_host import DirectHost
from tools.drawn_agent import DrawnAgent
from tools.drawn_box import PASTE, DrawnBox
from tools.fake_herdr import FakeHerdr, socket_folder
from tools.fake_session import FakeSession

from collie.daemon.drive.drive import Drive
from collie.herdr.client import HostClient
from collie.protocol.errors import Code, WireError
from collie.protocol.ids import PromptText
from collie.protocol.models import Key


def build(kind: str = "claude") -> tuple[Drive, DrawnBox, DirectHost]:
    session = FakeSession("embedded")
    host = DirectHost(session)
    return Drive(host=host), DrawnBox(session, kind), host


async def refused(drive: Drive, box: DrawnBox, text: str = "hello", expected_draft: str | None = None) -> WireError:
    with pytest.raises(WireError) as caught:
        await drive.prompt(box.pane.terminal_id, text, desk_caller(), expected_draft=expected_draft)
    return caught.value


@pytest.mark.trio
async def test_a_prompt_goes_to_an_empty_box_and_is_seen_to_be_taken(autojump_clock: trio.testing.MockClock) -> None:
    drive, box, host = build()

    await drive.prompt(box.pane.terminal_id, "list the files", desk_caller())

    assert box.prompts == ["list the files"]
    assert [method for method, _ in host.session.sent][-1] == "pane.read"


@pytest.mark.trio
async def test_a_prompt_goes_over_the_hosts_own_wire(autojump_clock: trio.testing.MockClock) -> None:
    with socket_folder() as folder:
        host = FakeHerdr(folder / "herdr.sock")
        box = DrawnBox(host)
        drive = Drive(host=HostClient(host.path))
        async with trio.open_nursery() as nursery:
            await nursery.start(host.run)
            await drive.prompt(box.pane.terminal_id, PromptText("list the files"), desk_caller())
            await drive.send_keys(box.pane.terminal_id, (Key.UP, Key.CTRL_A), caller=desk_caller())
            nursery.cancel_scope.cancel()

    assert box.prompts == ["list the files"]
    assert host.typed[-1].keys == ("up", "ctrl+a")


@pytest.mark.trio
async def test_a_prompt_that_stays_in_the_box_is_reported_and_not_sent_again(
    autojump_clock: trio.testing.MockClock,
) -> None:
    drive, box, host = build()
    box.takes_prompts = False

    error = await refused(drive, box, "list the files")

    assert error.code is Code.AGENT_NOT_READY
    assert "stands unsent in its input box" in error.message
    assert len(host.session.calls("agent.prompt")) == 1


@pytest.mark.trio
async def test_a_box_that_empties_late_counts_as_taken(autojump_clock: trio.testing.MockClock) -> None:
    drive, box, host = build()
    box.takes_prompts = False

    async def take_it_late(method: str) -> None:
        if method == "pane.read" and box.rows and trio.current_time() > 0.25:
            box.rows = []
            box.draw()

    host.before = take_it_late
    await drive.prompt(box.pane.terminal_id, "list the files", desk_caller())

    assert box.rows == []


@pytest.mark.trio
async def test_a_draft_refuses_the_prompt_and_is_told(autojump_clock: trio.testing.MockClock) -> None:
    drive, box, host = build()
    box.type("half a thought")

    error = await refused(drive, box)

    assert (error.code, error.draft) == (Code.DRAFT_CHANGED, "half a thought")
    assert error.message == "the agent's input box has unsent text"
    assert host.session.typed == []


@pytest.mark.trio
async def test_the_draft_that_the_sender_knows_is_replaced(autojump_clock: trio.testing.MockClock) -> None:
    drive, box, _ = build()
    draft = "\n".join(f"line {number}" for number in range(9))
    box.type(draft)
    box._row = 3

    await drive.prompt(box.pane.terminal_id, "hello", desk_caller(), expected_draft=draft + "  \n")

    assert box.prompts == ["hello"]


@pytest.mark.trio
async def test_another_draft_than_the_sender_knows_is_kept(autojump_clock: trio.testing.MockClock) -> None:
    drive, box, _ = build()
    box.type("half a thought, and more")

    error = await refused(drive, box, expected_draft="half a thought")

    assert error.code is Code.DRAFT_CHANGED
    assert box.rows == ["half a thought, and more"]


@pytest.mark.trio
async def test_a_draft_that_does_not_go_away_refuses(autojump_clock: trio.testing.MockClock) -> None:
    drive, box, _ = build()
    box.type("stuck")
    box.is_stuck = True

    error = await refused(drive, box, expected_draft="stuck")

    assert (error.code, error.message) == (
        Code.DRAFT_NOT_CLEARED,
        "could not clear the agent's input box; nothing was sent",
    )
    assert box.prompts == []


@pytest.mark.trio
@pytest.mark.parametrize(
    ("rows", "has_box", "message"),
    [
        ([PASTE], True, "the agent's input box holds a paste, an image or another mode; nothing was sent"),
        ([], False, "the agent's input box could not be read; nothing was sent"),
    ],
)
async def test_a_box_that_cannot_be_known_refuses(
    rows: list[str], has_box: bool, message: str, autojump_clock: trio.testing.MockClock
) -> None:
    drive, box, host = build()
    box.rows, box.has_box = rows, has_box
    box.draw()

    error = await refused(drive, box)

    assert (error.code, error.message) == (Code.DRAFT_NOT_CLEARED, message)
    assert host.session.typed == []


@pytest.mark.trio
async def test_a_box_that_is_drawn_late_is_waited_for(autojump_clock: trio.testing.MockClock) -> None:
    drive, box, host = build()
    box.has_box = False
    box.draw()

    async def draw_it_late(method: str) -> None:
        if trio.current_time() > 0.25 and not box.has_box:
            box.has_box = True
            box.draw()

    host.before = draw_it_late
    await drive.prompt(box.pane.terminal_id, "list the files", desk_caller())

    assert box.prompts == ["list the files"]


@pytest.mark.trio
async def test_a_scrolled_up_screen_refuses(autojump_clock: trio.testing.MockClock) -> None:
    drive, box, _ = build()
    box.is_scrolled = True
    box.draw()

    error = await refused(drive, box)

    assert (error.code, error.message) == (
        Code.AGENT_NOT_READY,
        "scrolled up on the machine; jump to the bottom first",
    )


@pytest.mark.trio
async def test_text_never_goes_to_an_open_dialog(autojump_clock: trio.testing.MockClock) -> None:
    """The host may not have seen yet that the agent asks; the screen is read too."""
    session = FakeSession("embedded")
    agent, drive = DrawnAgent(session), Drive(host=DirectHost(session))
    agent.ask("rm -rf build")
    for status in ("blocked", "idle"):
        session.set_status(agent.pane.pane_id, status)
        with pytest.raises(WireError) as caught:
            await drive.prompt(agent.pane.terminal_id, "yes", desk_caller())
        assert caught.value.code is Code.AGENT_BLOCKED

    assert session.typed == []


@pytest.mark.trio
async def test_another_agent_in_the_terminal_refuses(autojump_clock: trio.testing.MockClock) -> None:
    drive, box, host = build()

    async def replace_it(method: str) -> None:
        if method == "pane.read":
            host.session.detect(box.pane.pane_id, "codex")

    host.before = replace_it
    error = await refused(drive, box)

    assert (error.code, error.message) == (
        Code.AGENT_NOT_READY,
        "the terminal no longer hosts the same agent",
    )
    assert host.session.typed == []


@pytest.mark.trio
async def test_a_caller_who_may_not_write_any_more_writes_nothing(autojump_clock: trio.testing.MockClock) -> None:
    drive, box, host = build()
    gone = desk_caller("phone", is_authorised=lambda: False)

    for attempt in (
        lambda: drive.prompt(box.pane.terminal_id, "hello", gone),
        lambda: drive.send_keys(box.pane.terminal_id, [Key.UP], caller=gone),
    ):
        with pytest.raises(WireError) as caught:
            await attempt()
        assert caught.value.code is Code.NOT_PAIRED
    assert host.session.typed == []


@pytest.mark.trio
async def test_two_prompts_at_once_go_one_after_the_other(autojump_clock: trio.testing.MockClock) -> None:
    drive, box, _ = build()

    async with trio.open_nursery() as nursery:
        for text in ("first", "second"):
            nursery.start_soon(drive.prompt, box.pane.terminal_id, text, desk_caller())

    assert sorted(box.prompts) == ["first", "second"]


@pytest.mark.trio
async def test_a_kind_whose_screens_are_not_read_just_gets_the_prompt(autojump_clock: trio.testing.MockClock) -> None:
    drive, box, _ = build("opencode")

    await drive.prompt(box.pane.terminal_id, "hello", desk_caller())

    assert box.prompts == ["hello"]


@pytest.mark.trio
async def test_keys_are_pressed_and_named_for_the_audit_log() -> None:
    drive, box, host = build()

    target = await drive.send_keys(box.pane.terminal_id, [Key.CTRL_A, Key.UP], caller=desk_caller())

    assert target == f"{box.pane.terminal_id} keys=ctrl+a,up"
    assert host.session.typed[0].keys == ("ctrl+a", "up")


@pytest.mark.trio
async def test_keys_to_a_question_are_named_so() -> None:
    session = FakeSession("embedded")
    agent, drive = DrawnAgent(session), Drive(host=DirectHost(session))
    agent.ask("rm -rf build")

    target = await drive.send_keys(agent.pane.terminal_id, [Key.DOWN], caller=desk_caller())

    assert target == f"{agent.pane.terminal_id} blocked keys=down"


@pytest.mark.trio
async def test_enter_does_not_send_a_slash_command_that_somebody_began() -> None:
    drive, box, host = build()
    box.type("/clear")

    with pytest.raises(WireError) as caught:
        await drive.send_keys(box.pane.terminal_id, [Key.ENTER], caller=desk_caller())

    assert caught.value.code is Code.AGENT_NOT_READY
    assert host.session.typed == []


@pytest.mark.trio
async def test_keys_are_refused_while_the_screen_is_scrolled_up() -> None:
    drive, box, _ = build()
    box.is_scrolled = True
    box.draw()

    with pytest.raises(WireError) as caught:
        await drive.send_keys(box.pane.terminal_id, [Key.ESC], caller=desk_caller())

    assert caught.value.message == "scrolled up on the machine; jump to the bottom first"


@pytest.mark.trio
async def test_the_draft_is_read_without_touching_anything() -> None:
    drive, box, host = build()
    box.type("half a thought")

    assert await drive.draft(box.pane.terminal_id) == "half a thought"
    box.type(PASTE)
    assert await drive.draft(box.pane.terminal_id) is None
    box.type("")
    assert await drive.draft(box.pane.terminal_id) == ""
    assert host.session.typed == []


@pytest.mark.trio
async def test_a_terminal_without_an_agent_is_no_such_agent() -> None:
    drive, _, _ = build()

    with pytest.raises(WireError) as unknown:
        await drive.prompt("term_0", "hello", desk_caller())
    with pytest.raises(WireError):
        await drive.draft("term_0")
    with pytest.raises(WireError):
        await drive.focus("term_0")

    assert (unknown.value.code, unknown.value.message) == (Code.NOT_FOUND, "no such agent")


@pytest.mark.trio
async def test_closing_needs_a_word_and_a_pane() -> None:
    drive, box, host = build()

    with pytest.raises(WireError) as unconfirmed:
        await drive.close(box.pane.terminal_id, confirm=False)
    with pytest.raises(WireError) as unknown:
        await drive.close("term_0", confirm=True)
    await drive.close(box.pane.terminal_id, confirm=True)

    assert unconfirmed.value.code is Code.CONFIRM_REQUIRED
    assert unknown.value.message == "no such terminal"
    assert host.session.panes == {}


@pytest.mark.trio
async def test_focus_marks_an_agent_as_seen() -> None:
    drive, box, host = build()
    host.session.set_status(box.pane.pane_id, "done")

    await drive.focus(box.pane.terminal_id)

    assert box.pane.status.value == "idle"
