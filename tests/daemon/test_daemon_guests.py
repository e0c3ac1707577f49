"""Clients that may only report, inside a pane or as a hook: what they are told, what is noted, how much they may."""

from dataclasses import replace
from typing import Any

import pytest
import trio
import trio.testing
from tools.control_house import HELLO, OPERATOR, RawClient, control_house

from collie.daemon.caller import REPORTER, Caller
from collie.daemon.handler import Request
from collie.protocol.events import DaemonStopping, FlockChanged
from collie.protocol.methods import ApprovalsResult, MethodClass, Nothing

pytestmark = pytest.mark.trio

DECIDE = {"approval_id": "a", "decision": "approve", "nonce": "n" * 43}


async def no_approvals(_params: Nothing, _request: Request) -> ApprovalsResult:
    return ApprovalsResult()


HANDLERS = {"approval.list": no_approvals}


async def refused(client: RawClient) -> tuple[int | None, str]:
    frame = await client.receive()
    assert frame is not None
    return frame["id"], frame["error"]["code"]


NEWCOMER = Caller(device="new", by="newcomer", classes=frozenset({MethodClass.SESSION}))
GUEST = replace(NEWCOMER, barred="process 7 (sh) stands inside a pane", process="process 7 (sh)")


async def test_a_caller_inside_a_pane_learns_it_with_hello() -> None:
    async with control_house(HANDLERS, GUEST) as house, house.client() as client:
        assert (await client.greet())["result"]["barred"] == GUEST.barred
    async with control_house(HANDLERS) as house, house.client() as client:
        assert "barred" not in (await client.greet())["result"]


@pytest.mark.parametrize(
    ("frame", "line"),
    [
        ({"method": "approval.decide", "params": DECIDE}, ("approval.decide", "a", "hello_required (process 7 (sh))")),
        ({"method": "hello", "params": HELLO | {"protocol_version": 1}}, ("hello", None, "unsupported_protocol")),
        ({"method": "daemon.blow_up", "params": {}}, ("invalid_frame", None, "unknown_method")),
        ({"method": "approval.list", "params": {"x": 1}}, ("invalid_frame", None, "invalid_params")),
    ],
)
async def test_what_it_is_refused_before_hello_names_it(
    frame: dict[str, Any], line: tuple[str, str | None, str]
) -> None:
    async with control_house(HANDLERS, GUEST) as house, house.client() as client:
        await client.send({"id": 1} | frame)
        await client.receive()
        assert await client.receive() is None
        (peer, method, target, result), *more = house.audited
        assert (peer, method, target) == ("newcomer", *line[:2])
        assert result.removesuffix(" (process 7 (sh))") == line[2].removesuffix(" (process 7 (sh))")
        assert result.endswith(" (process 7 (sh))")
        assert more == []


async def test_a_hook_is_refused_by_process_and_program() -> None:
    """It may stand outside of any pane, so nothing else says who it was."""
    hook = replace(NEWCOMER, by="hook", process="process 7 (python)")
    async with control_house(HANDLERS, hook) as house, house.client() as client:
        await client.greet()
        await client.ask("approval.decide", DECIDE)
        said = "unknown_method: unknown method (process 7 (python))"
        assert house.audited == [("hook", "approval.decide", "a", said)]


# Too many frames


async def test_who_may_only_report_is_slowed_down_and_that_is_noted_once(
    autojump_clock: trio.testing.MockClock,
) -> None:
    async with control_house(HANDLERS, GUEST) as house, house.client() as client:
        await client.greet()
        codes = []
        for _ in range(100):
            await client.send(b'{"id":9,"method":"pane.explode","params":{}}')
            codes.append((await refused(client))[1])
        assert codes == ["unknown_method"] * 39 + ["rate_limited"] * 61
        assert [line[3].partition(" ")[0] for line in house.audited] == ["unknown_method"] * 39 + ["rate_limited"]
        await trio.sleep(1)
        assert (await client.ask("approval.list"))["error"]["code"] == "from_pane"


async def test_another_connection_is_no_way_around_that(autojump_clock: trio.testing.MockClock) -> None:
    async with control_house(HANDLERS, GUEST) as house:
        for _ in range(60):
            async with house.client() as client:
                await client.send(b'{"id":9,"method":"pane.explode","params":{}}')
                await client.receive()
                assert await client.receive() is None
        assert len(house.audited) == 41


async def test_one_pane_does_not_slow_another_nor_the_operator() -> None:
    async with (
        control_house(HANDLERS, GUEST, replace(GUEST, device="other"), OPERATOR) as house,
        house.client() as loud,
        house.client() as quiet,
        house.client() as desk,
    ):
        await loud.greet()
        while (await loud.ask("approval.list"))["error"]["code"] != "rate_limited":
            pass
        await quiet.greet()
        assert (await quiet.ask("approval.list"))["error"]["code"] == "from_pane"
        await desk.greet()
        assert (await desk.ask("approval.list"))["result"]["type"] == "approvals"


async def test_a_caller_inside_a_pane_is_told_why() -> None:
    async with (
        control_house(HANDLERS, replace(NEWCOMER, barred="from a pane")) as house,
        house.client() as client,
    ):
        await client.greet()
        reply = await client.ask("approval.decide", DECIDE)
        assert reply["error"] == {"code": "from_pane", "message": "from a pane"}
        assert house.audited == [("newcomer", "approval.decide", "a", "from_pane: from a pane")]


async def test_who_may_only_report_hears_nothing() -> None:
    async with control_house(HANDLERS, replace(NEWCOMER, classes=REPORTER)) as house, house.client() as client:
        await client.greet()
        house.hub.publish(FlockChanged())
        house.hub.publish(DaemonStopping(reason="x"))
        await client.stream.send_eof()
        assert await client.receive() is None
