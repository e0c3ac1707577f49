"""An idle agent that draws Claude Code's input box in a fake host, and edits and submits as keys tell it."""

from dataclasses import dataclass, field

from tools.fake_panes import FakePane
from tools.fake_session import FakeSession, Typed

COLUMNS = 80
RULE = "─" * COLUMNS
BANNER = " Jump to bottom (ctrl+End) ↓ "
PASTE = "[Pasted text #1 +40 lines]"


@dataclass(slots=True)
class DrawnBox:
    """`rows` are the draft's lines. With `takes_prompts` off, Enter leaves the draft where it is, as happens in the
    field; with `is_stuck` on, no key edits it."""

    session: FakeSession
    kind: str = "claude"
    takes_prompts: bool = True
    is_stuck: bool = False
    is_scrolled: bool = False
    has_box: bool = True
    rows: list[str] = field(default_factory=list)
    prompts: list[str] = field(default_factory=list)
    pane: FakePane = field(init=False)
    _row: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.pane = self.session.add_agent(self.kind, name="writer")
        self.pane.columns = COLUMNS
        self.session.on_input(self._typed)
        self.draw()

    def type(self, text: str) -> None:
        """The person at the desk types a draft."""
        self.rows = text.split("\n")
        self._row = len(self.rows) - 1
        self.draw()

    def draw(self) -> None:
        """Bring the screen up to date."""
        first, *others = self.rows or [""]
        box = [f"❯\u00a0{first}", *(f"  {row}" for row in others)]
        above = f"{'the rest of an answer':25}{BANNER}" if self.is_scrolled else "● Done."
        footer = ["  ? for shortcuts"]
        shown = [above, "", RULE, *box, RULE, *footer] if self.has_box else [above, "", "Some viewer"]
        self.session.set_screen(self.pane.pane_id, "\n".join(shown))

    def _typed(self, pane: FakePane, typed: Typed) -> None:
        if pane is not self.pane:
            return
        if typed.text:
            self.type("\n".join([*self.rows[:-1], (self.rows or [""])[-1] + typed.text]))
        for key in typed.keys:
            self._key(key)
        self.draw()

    def _key(self, key: str) -> None:
        if key == "enter" and self.rows:
            if self.takes_prompts:
                self.prompts.append("\n".join(self.rows))
                self.rows, self._row = [], 0
        elif self.rows and not self.is_stuck:
            self._edit(key)

    def _edit(self, key: str) -> None:
        match key:
            case "down":
                self._row = min(self._row + 1, len(self.rows) - 1)
            case "up":
                self._row = max(self._row - 1, 0)
            case "ctrl+u":
                self.rows[self._row] = ""
            case "backspace" if self._row > 0:
                rest = self.rows.pop(self._row)
                self._row -= 1
                self.rows[self._row] += rest
        if self.rows == [""]:
            self.rows = []
