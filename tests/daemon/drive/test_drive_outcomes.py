"""An operation that is asked for twice is done once."""

import pytest
import trio

from collie.daemon.drive.operations import Operations
from collie.daemon.drive.outcomes import ENTRIES, LIFE_SECONDS, Outcomes, request_digest
from collie.protocol.errors import Code, WireError
from collie.protocol.ids import OpId, PromptText, TerminalId
from collie.protocol.methods import AgentPromptParams

OP = "o" * 22


def build(text: str = "hello") -> bytes:
    params = AgentPromptParams(op_id=OpId(OP), terminal_id=TerminalId("term_1"), text=PromptText(text))
    return request_digest("agent.prompt", params)


def test_a_repeat_finds_the_first_call_and_another_request_is_refused() -> None:
    outcomes: Outcomes[str] = Outcomes()
    entry, is_new = outcomes.begin("phone", OP, build(), 0.0)
    outcomes.finish(entry, "done")

    assert is_new
    assert outcomes.begin("phone", OP, build(), 1.0) == (entry, False)
    assert outcomes.begin("desk", OP, build(), 1.0)[1], "ids are a device's own"
    with pytest.raises(WireError) as caught:
        outcomes.begin("phone", OP, build("bye"), 1.0)
    assert caught.value.message == "op_id was already used for a different request"


def test_what_is_finished_is_forgotten_after_its_time_and_what_runs_is_not() -> None:
    outcomes: Outcomes[str] = Outcomes()
    entry, _ = outcomes.begin("phone", OP, build(), 0.0)

    assert outcomes.begin("phone", OP, build(), LIFE_SECONDS) == (entry, False)
    outcomes.finish(entry, "done")
    assert outcomes.begin("phone", OP, build(), LIFE_SECONDS)[1]


def test_the_oldest_finished_one_makes_room_and_running_ones_do_not() -> None:
    outcomes: Outcomes[str] = Outcomes()
    entries = [outcomes.begin("phone", f"{number:022}", build(), 0.0)[0] for number in range(ENTRIES)]

    with pytest.raises(WireError) as caught:
        outcomes.begin("phone", OP, build(), 0.0)
    assert (caught.value.code, caught.value.message) == (Code.RATE_LIMITED, "too many operations in flight")
    outcomes.finish(entries[5], "done")
    assert outcomes.begin("phone", OP, build(), 0.0)[1]
    assert not outcomes.begin("phone", f"{4:022}", build(), 0.0)[1]


@pytest.mark.trio
async def test_a_repeat_waits_for_the_first_call_and_gets_its_result(autojump_clock: trio.testing.MockClock) -> None:
    operations: Operations[str] = Operations(now=trio.current_time)
    runs, results = [], []

    async def run() -> str:
        runs.append(trio.current_time())
        await trio.sleep(1)
        return "done"

    async def ask(pause: float) -> None:
        await trio.sleep(pause)
        results.append(await operations.once("phone", OP, build(), run))

    async with trio.open_nursery() as nursery:
        for pause in (0.0, 0.5, 2.0):
            nursery.start_soon(ask, pause)

    assert len(runs) == 1
    assert sorted(results) == [("done", False), ("done", True), ("done", True)]


@pytest.mark.trio
async def test_a_refusal_is_kept_as_well(autojump_clock: trio.testing.MockClock) -> None:
    operations: Operations[str] = Operations(now=trio.current_time)
    runs = []

    async def run() -> str:
        runs.append(1)
        raise WireError(Code.AGENT_NOT_READY, "agent is not ready")

    first, _ = await operations.once("phone", OP, build(), run)
    again, is_replay = await operations.once("phone", OP, build(), run)

    assert isinstance(first, WireError)
    assert again is first
    assert is_replay
    assert len(runs) == 1


@pytest.mark.trio
async def test_what_broke_has_an_unknown_outcome_and_is_not_done_again(
    autojump_clock: trio.testing.MockClock,
) -> None:
    operations: Operations[str] = Operations(now=trio.current_time)

    async def run() -> str:
        raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        await operations.once("phone", OP, build(), run)
    outcome, _ = await operations.once("phone", OP, build(), run)

    assert isinstance(outcome, WireError)
    assert outcome.message == "operation outcome unknown"
