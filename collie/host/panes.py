"""The tasks of live panes: one that reads, one that writes, one that looks; and one that asks for all foregrounds."""

import itertools
import logging
import math
from typing import Final

import trio

from collie.host.faults import where
from collie.host.foreground import RESTING_TICKS, TICK
from collie.host.host import Host
from collie.host.looks import Looker
from collie.host.pane import Pane, Taken
from collie.host.pty import PtyClosed

GRACE: Final = 3.0
"""Seconds that what runs in a pane has after the hang-up; agents write their last lines in that time."""

LAST_WORDS: Final = 0.05
"""Seconds after its shell's end in which a terminal gives its last output and closes, if nothing else holds it."""

log = logging.getLogger(__name__)


async def run_panes(host: Host, born: "trio.MemoryReceiveChannel[Pane]") -> None:
    """Run each pane that is born, until cancelled; then end them all, all at once."""
    looker = Looker(session=host.session, kinds=host.setup.kinds)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_watch_foregrounds, host, looker)
        async for pane in born:
            nursery.start_soon(_run_pane, host, looker, pane)


async def _run_pane(host: Host, looker: Looker, pane: Pane) -> None:
    try:
        await _live(host, looker, pane)
    except* Exception as exc:  # noqa: BLE001 - one pane must not take down the others
        log.error("%s failed: %s", pane.pane_id, where(exc))
    finally:
        with trio.CancelScope(shield=True):
            await pane.pty.end(GRACE)


async def _live(host: Host, looker: Looker, pane: Pane) -> None:
    """A pane's life: until its shell ends, or it is closed."""
    try:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(_write, pane)
            nursery.start_soon(_look, host, looker, pane)
            nursery.start_soon(_wait_closed, pane, nursery.cancel_scope)
            nursery.start_soon(_wait_exit, host, pane, nursery.cancel_scope)
            await _read(host, pane)
            with trio.move_on_after(GRACE):
                await pane.pty.wait_exit()
            nursery.cancel_scope.cancel()
    finally:
        host.pane_exited(pane)


async def _read(host: Host, pane: Pane) -> None:
    """Take the pane's output until its session lets go of the terminal."""
    try:
        while (taken := await _take_turn(host, pane)) is not Taken.CLOSED:
            if taken is Taken.ALL:
                await pane.pty.wait_readable()
    except PtyClosed:
        return


async def _take_turn(host: Host, pane: Pane) -> Taken:
    async with host.session.stage:
        return _take(pane)


def _take(pane: Pane) -> Taken:
    """Take some output. What the emulator cannot cope with is lost; the agent behind it must not be."""
    try:
        return pane.take_output(trio.current_time())
    except Exception as exc:  # noqa: BLE001 - one pane must not take down the others
        log.error("output of %s was lost: %s", pane.pane_id, where(exc))
        return Taken.SOME


async def _write(pane: Pane) -> None:
    try:
        await pane.input.run()
    except PtyClosed:
        return


async def _look(host: Host, looker: Looker, pane: Pane) -> None:
    """Look at the pane whenever its rhythm says so; a pane that prints nothing is left alone."""
    while True:
        due = pane.rhythm.due
        with trio.move_on_at(math.inf if due is None else due):
            await pane.stirred.wait()
        pane.stirred = trio.Event()
        async with host.session.stage:
            _look_safely(host, looker, pane, trio.current_time())


def _look_safely(host: Host, looker: Looker, pane: Pane, now: float) -> None:
    try:
        _look_now(host, looker, pane, now)
    except Exception as exc:  # noqa: BLE001 - one pane must not take down the others
        log.error("a look at %s failed: %s", pane.pane_id, where(exc))


def _look_now(host: Host, looker: Looker, pane: Pane, now: float) -> None:
    rhythm = pane.rhythm
    if rhythm.told_due is not None and now >= rhythm.told_due:
        rhythm.told()
        host.session.told_output(pane)
        looker.at_foreground(pane, now)
    if rhythm.look_due is not None and now >= rhythm.look_due:
        if pane.terminal.synchronized and rhythm.may_wait(now):
            return
        rhythm.looked(now, None)
        looker.at_screen(pane, now)


async def _wait_exit(host: Host, pane: Pane, scope: trio.CancelScope) -> None:
    """End with the shell, though what it left running may hold its terminal open; its last words are drawn first."""
    await pane.pty.wait_exit()
    await trio.sleep(LAST_WORDS)
    with trio.move_on_after(LAST_WORDS):
        while await _take_turn(host, pane) is Taken.SOME:
            pass
    scope.cancel()


async def _wait_closed(pane: Pane, scope: trio.CancelScope) -> None:
    await pane.closed.wait()
    scope.cancel()


async def _watch_foregrounds(host: Host, looker: Looker) -> None:
    for tick in itertools.count():
        await trio.sleep(TICK)
        for pane in host.session.panes_by_age():
            if looker.has_other_foreground(pane, trio.current_time(), turn=tick % RESTING_TICKS == 0):
                async with host.session.stage:
                    _look_at_processes(looker, pane)


def _look_at_processes(looker: Looker, pane: Pane) -> None:
    try:
        looker.at_processes(pane, trio.current_time())
    except Exception as exc:  # noqa: BLE001 - one pane must not take down the others
        log.error("a look at what runs in %s failed: %s", pane.pane_id, where(exc))
