"""One terminal of the host: its session, its screen, its agent, and the looks that are taken at it."""

import re
from enum import Enum
from typing import Final

import trio

from collie.agents.kind import Seen
from collie.herdr.models import Expect
from collie.host import processes
from collie.host.agent import Agent
from collie.host.foreground import ForegroundWatch
from collie.host.input import InputQueue
from collie.host.layout import Slot
from collie.host.pty import READ_CHUNK, Pty, PtyClosed
from collie.host.rhythm import Rhythm
from collie.host.terminal.reads import bare_rows, detection_rows
from collie.host.terminal.screen import Terminal

SCROLLBACK: Final = 10_000
"""Rows that are kept above the screen."""

TURN_BYTES: Final = READ_CHUNK // 2
TURN_WORK: Final = 2000
"""Output that is taken, and work (see `Terminal.work`) that is done for it, while others wait: some 5 ms at the most,
0.3 ms for plain text. One more chunk than TURN_BYTES may be taken, never two."""

SETTLE_SECONDS: Final = 0.005
SETTLE_TURNS: Final = 1000
"""For how long, and how often, output is taken before input that depends on what the screen shows."""

SEEN_CHARACTERS: Final = 10_000
"""Of a screen that is looked at with its marks: twice the cells of the largest pane."""

_UNSEEN = re.compile(r"[\u200e\u200f\u2028\u2029\u202a-\u202e\u2066-\u2069]")
"""Characters that turn the text around them about; the terminal has taken out the controls."""

_SPINNER = re.compile(r"[\u2800-\u28ff·✢✳✶✻✽◐◓◑◒] ?")


class Taken(Enum):
    """How a turn of reading ended."""

    ALL = "all"
    SOME = "some"
    CLOSED = "closed"


class Pane:
    """A live pane. `counter` grows with its output, `revision` with its title and tokens.

    `told_revision` and `told_at` are the last one that was told and when; `has_news` is anything else to tell.
    """

    def __init__(self, slot: Slot, terminal_id: str, pty: Pty, *, columns: int, rows: int) -> None:
        self.slot = slot
        self.terminal_id = terminal_id
        self.pty = pty
        self.terminal = Terminal(columns, rows, SCROLLBACK)
        self.input = InputQueue(pty)
        self.agent = Agent()
        self.rhythm = Rhythm()
        self.foreground = ForegroundWatch()
        self.stirred = trio.Event()
        self.closed = trio.Event()
        self.counter = 0
        self.revision = 0
        self.told_revision = 0
        self.told_at = float("-inf")
        self.has_news = False
        self.last_seen: Seen | None = None
        self.shown_title = ""

    @property
    def pane_id(self) -> str:
        return self.slot.pane_id

    def take_output(self, now: float) -> Taken:
        """Read, draw and answer what the program printed: a turn's worth of it."""
        before = self.terminal.version
        try:
            return self._take_turn()
        except PtyClosed:
            return Taken.CLOSED
        finally:
            if self.terminal.version != before:
                self._printed(now)

    def _take_turn(self) -> Taken:
        taken, left = 0, TURN_WORK
        while left := self.terminal.work(left):
            if replies := self.terminal.take_replies():
                self.input.answer(replies)
            if taken >= TURN_BYTES:
                return Taken.SOME
            data = self.pty.read()
            if data is None:
                return Taken.ALL
            taken += len(data)
            self.terminal.receive(data)
        return Taken.SOME

    def settle(self, now: float, *, until: float | None = None) -> bool:
        """Take all that was printed until now. False: the program has gone, or prints faster than it can be taken."""
        deadline = trio.current_time() + SETTLE_SECONDS if until is None else until
        for _ in range(SETTLE_TURNS):
            taken = self.take_output(now)
            if taken is not Taken.SOME or trio.current_time() >= deadline:
                return taken is Taken.ALL
        return False

    def still_shows(self, expect: Expect, now: float) -> bool:
        """Whether the screen, with all that the program has printed until now, is still the expected one.

        The caller writes next, without a checkpoint in between: all that is left of the gap is from the last read,
        which found nothing, to that write. A program that prints without end, or is in the middle of drawing, has no
        screen that could be expected.
        """
        until = trio.current_time() + SETTLE_SECONDS
        matched: int | None = None
        for _ in range(SETTLE_TURNS):
            if not self.settle(now, until=until):
                return False
            if matched == self.counter:
                return not self.input.is_busy
            if not self.terminal.synchronized:
                if not expect.holds(self.text(), terminal_id=self.terminal_id):
                    return False
                matched = self.counter
            if trio.current_time() >= until:
                return False
        return False

    def text(self) -> str:
        """What detection looks at."""
        return "\n".join(detection_rows(self.terminal))

    def seen(self) -> Seen:
        """What an agent's kind is asked about. It need not know of accents that are there to keep it busy."""
        text = self.text()
        if len(text) > SEEN_CHARACTERS:
            text = "\n".join(bare_rows(self.terminal))
        return Seen(text=text, title=self.title, progress=self.terminal.progress)

    @property
    def title(self) -> str:
        """The title that the program set, without what would make it read as another."""
        return _UNSEEN.sub("", self.terminal.title)

    @property
    def stripped_title(self) -> str:
        """The title without the spinner before it, which turns many times a second."""
        return _SPINNER.sub("", self.title, count=1) if _SPINNER.match(self.title) else self.title

    def cwd(self) -> str | None:
        """Where its shell is: as the shell says, else as the system does."""
        return self.terminal.cwd or processes.folder(self.pty.pid)

    def foreground_cwd(self) -> str | None:
        """Where the leader of its foreground is."""
        group = self.pty.foreground()
        return processes.folder(group) if group is not None else None

    def resize(self, columns: int, rows: int) -> None:
        """Give the terminal another size."""
        if (columns, rows) == (self.terminal.columns, self.terminal.rows):
            return
        self.terminal.resize(columns, rows)
        self.pty.resize(columns, rows)

    def stir(self) -> None:
        """Have the pane's looks planned anew."""
        self.stirred.set()

    def _printed(self, now: float) -> None:
        self.counter += 1
        self.foreground.printed()
        was_due = self.rhythm.due
        self.rhythm.printed(now)
        if self.rhythm.due != was_due:
            self.stir()
