"""What is said of a prompt that the host sent, or did not enter."""

from collections.abc import Callable

import pytest
import trio
from tools.approval_desk import desk_caller
from tools.direct_host import DirectHost
from tools.drawn_agent import DrawnAgent
from tools.drawn_box import DrawnBox
from tools.fake_session import FakeSession

from collie.daemon.drive.drive import Drive
from collie.herdr.errors import HostRefused, HostUnavailable
from collie.protocol.errors import Code, WireError

TEXT = "list the files"


def build() -> tuple[Drive, DrawnBox, DirectHost]:
    session = FakeSession("embedded")
    host = DirectHost(session)
    return Drive(host=host), DrawnBox(session), host


def withhold(host: DirectHost, first: Callable[[], object]) -> None:
    """Have something happen between a prompt and its Enter, which the host then withholds."""

    async def withheld(method: str) -> None:
        if method == "agent.prompt":
            first()
            raise HostRefused("agent_prompt_failed", "the prompt was not entered")

    host.before = withheld


async def refused(drive: Drive, terminal_id: str, text: str = TEXT) -> tuple[Code, str]:
    with pytest.raises(WireError) as caught:
        await drive.prompt(terminal_id, text, desk_caller())
    return caught.value.code, caught.value.message


@pytest.mark.trio
@pytest.mark.parametrize("kind", ["claude", "opencode"])
async def test_a_prompt_that_met_a_question_is_said_to_have_met_one(
    kind: str, autojump_clock: trio.testing.MockClock
) -> None:
    host = DirectHost(FakeSession("embedded"))
    agent = DrawnAgent(host.session, kind)
    withhold(host, lambda: agent.ask("rm -rf build"))

    code, message = await refused(Drive(host=host), agent.pane.terminal_id)

    assert code is Code.AGENT_BLOCKED
    assert message.startswith("the agent asked something before the prompt was entered")
    assert "unsent in the input box" in message


@pytest.mark.trio
async def test_a_question_that_the_host_has_not_seen_yet_is_read_off_the_screen(
    autojump_clock: trio.testing.MockClock,
) -> None:
    host = DirectHost(FakeSession("embedded"))
    agent = DrawnAgent(host.session)

    def ask_unseen() -> None:
        agent.ask("rm -rf build")
        host.session.set_status(agent.pane.pane_id, "idle")

    withhold(host, ask_unseen)

    assert (await refused(Drive(host=host), agent.pane.terminal_id))[0] is Code.AGENT_BLOCKED


@pytest.mark.trio
@pytest.mark.parametrize("end", ["release", "close", "codex"])
async def test_an_agent_that_left_under_the_prompt_is_said_to_have_left(
    end: str, autojump_clock: trio.testing.MockClock
) -> None:
    drive, box, host = build()
    ends = {
        "release": lambda: host.session.release(box.pane.pane_id),
        "close": lambda: host.session.close(box.pane.pane_id),
        "codex": lambda: host.session.detect(box.pane.pane_id, "codex"),
    }
    withhold(host, ends[end])

    code, message = await refused(drive, box.pane.terminal_id)

    assert code is Code.AGENT_NOT_READY
    assert message.startswith("the agent left before the prompt was entered")


@pytest.mark.trio
async def test_a_prompt_that_was_typed_and_not_entered_is_seen_in_the_box(
    autojump_clock: trio.testing.MockClock,
) -> None:
    drive, box, host = build()
    withhold(host, lambda: box.type(TEXT))

    code, message = await refused(drive, box.pane.terminal_id)

    assert (code, message) == (
        Code.AGENT_NOT_READY,
        "the agent did not take the prompt; it stands unsent in its input box",
    )


@pytest.mark.trio
@pytest.mark.parametrize("is_broken", [False, True])
async def test_a_host_that_does_not_say_more_leaves_it_open(
    is_broken: bool, autojump_clock: trio.testing.MockClock
) -> None:
    drive, box, host = build()
    has_failed = False

    async def fail(method: str) -> None:
        nonlocal has_failed
        if has_failed and is_broken:
            raise HostUnavailable("no answer", sent=True)
        if method == "agent.prompt":
            has_failed = True
            raise HostRefused("agent_prompt_failed", "the program in the pane does not read its input")

    host.before = fail

    code, message = await refused(drive, box.pane.terminal_id)

    assert code is Code.AGENT_NOT_READY
    assert message == "the host did not enter the prompt; its text may stand unsent in the agent's input box"


@pytest.mark.trio
async def test_a_screen_that_shows_no_box_does_not_show_that_the_prompt_was_taken(
    autojump_clock: trio.testing.MockClock,
) -> None:
    drive, box, host = build()

    def vanish(pane: object, typed: object) -> None:
        box.has_box = False
        box.draw()

    host.session.on_input(vanish)

    code, message = await refused(drive, box.pane.terminal_id)

    assert (code, message) == (
        Code.HERDR_UNAVAILABLE,
        "the prompt was sent, but whether the agent took it could not be read",
    )
    assert len(host.session.calls("agent.prompt")) == 1


@pytest.mark.trio
async def test_a_box_that_is_covered_for_a_moment_is_waited_for(autojump_clock: trio.testing.MockClock) -> None:
    drive, box, host = build()
    box.takes_prompts = False

    async def cover(method: str) -> None:
        if method == "pane.read" and box.rows:
            box.has_box = trio.current_time() > 0.5
            box.draw()

    host.before = cover

    assert "stands unsent" in (await refused(drive, box.pane.terminal_id))[1]


@pytest.mark.trio
async def test_a_prompt_that_is_answered_by_a_question_was_taken(autojump_clock: trio.testing.MockClock) -> None:
    host = DirectHost(FakeSession("embedded"))
    agent = DrawnAgent(host.session)

    def ask(pane: object, typed: object) -> None:
        agent.ask("rm -rf build")

    host.session.on_input(ask)

    await Drive(host=host).prompt(agent.pane.terminal_id, TEXT, desk_caller())


@pytest.mark.trio
async def test_a_slash_command_may_end_the_agent(autojump_clock: trio.testing.MockClock) -> None:
    drive, box, host = build()

    def leave(pane: object, typed: object) -> None:
        host.session.set_screen(box.pane.pane_id, "$")
        host.session.release(box.pane.pane_id)

    host.session.on_input(leave)

    await drive.prompt(box.pane.terminal_id, "/exit", desk_caller())
