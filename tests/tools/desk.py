"""A dashboard under a pilot, over the memory engine, at the tests' fixed time."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import Any

from textual.pilot import Pilot
from tools.memory_engine import MemoryEngine
from tools.pictures import NOW, build_busy

from collie.client.picture import Picture
from collie.tui.app import CollieApp

_BORDERS = str.maketrans(dict.fromkeys("│┃╭╮╰╯┏┓┗┛─━", " "))


@dataclass
class Clock:
    """Wall time that stands still until a test moves it."""

    now_ms: int = NOW

    def __call__(self) -> int:
        return self.now_ms


@dataclass
class Desk:
    """The app, what it talks to, and hands to press its keys."""

    app: CollieApp
    engine: MemoryEngine
    pilot: Pilot[Any]
    clock: Clock = field(default_factory=Clock)

    async def settle(self) -> None:
        """Until all that was asked for is on the screen."""
        await self.app.workers.wait_for_complete()
        for _ in range(3):
            await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        """Press keys and wait for what they do."""
        await self.pilot.press(*keys)
        await self.settle()

    async def show(self, picture: Picture) -> None:
        """The daemon tells of another picture."""
        self.engine.show(picture)
        await self.settle()

    async def pass_ms(self, milliseconds: int) -> None:
        """Time goes by, and the app's second hand moves."""
        self.clock.now_ms += milliseconds
        self.app.tick()
        await self.settle()

    def rows(self) -> list[str]:
        """What the uppermost window draws, row by row."""
        return [strip.text for strip in self.app.screen._compositor.render_strips()]

    def text(self) -> str:
        """What the uppermost window draws, without borders, blanks collapsed: wrapped words are found."""
        return " ".join(" ".join(self.rows()).translate(_BORDERS).split())

    def decided(self) -> list[tuple[str, str]]:
        """The approvals that were decided, and how."""
        return [(str(each.approval_id), each.decision.value) for each in self._decisions()]

    def _decisions(self) -> Iterable[Any]:
        return self.engine.asked("approval.decide")


@asynccontextmanager
async def open_desk(
    picture: Picture | None = None, *, size: tuple[int, int] = (100, 40), hosting: bool = False, **options: Any
) -> AsyncIterator[Desk]:
    """A dashboard that shows `picture` (three agents, unless it says otherwise), with nothing pressed yet."""
    clock = Clock()
    engine = MemoryEngine(picture or build_busy(), hosting=hosting, now_ms=NOW)
    app = CollieApp(engine, wall_ms=clock, **({"settle_seconds": 0.0} | options))
    async with app.run_test(size=size) as pilot:
        desk = Desk(app, engine, pilot, clock)
        await desk.settle()
        yield desk
