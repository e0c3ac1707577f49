"""A session played by a script: bytes are what is typed, numbers are seconds that pass."""

from dataclasses import dataclass, field

from collie.practice.draw import frame
from collie.practice.keys import Decoder
from collie.practice.model import Session, keyed, resized, submitted, ticked
from collie.practice.style import row_text

UP, DOWN, TAB, ENTER, ESCAPE, CTRL_C = b"\x1b[A", b"\x1b[B", b"\t", b"\r", b"\x1b", b"\x03"
SHIFT_TAB = b"\x1b[Z"
TICK = 1 / 32
"""Seconds; a power of two, so that times add up exactly."""


def pasted(text: str) -> bytes:
    """`text` as a terminal sends it when it is pasted."""
    return b"\x1b[200~" + text.replace("\n", "\r").encode() + b"\x1b[201~"


@dataclass
class Stage:
    """One session, its clock and its keyboard."""

    session: Session
    now: float = 1024.0
    decoder: Decoder = field(default_factory=Decoder)

    def play(self, *script: bytes | float) -> "Stage":
        for each in script:
            if isinstance(each, bytes):
                for event in (*self.decoder.receive(each), *self.decoder.flush()):
                    self.session = keyed(self.session, event, self.now)
            else:
                for _ in range(round(each / TICK)):
                    self.now += TICK
                    self.session = ticked(self.session, self.now)
        return self

    def prompt(self, text: str) -> "Stage":
        """Sends `text` and waits until the agent asks, or is done thinking."""
        self.session = submitted(self.session, text, self.now)
        return self.play(0.5)

    def resize(self, columns: int, rows: int) -> "Stage":
        self.session = resized(self.session, columns, rows)
        return self

    @property
    def lines(self) -> list[str]:
        return [row_text(row).rstrip(" ") for row in frame(self.session, self.now).rows]

    @property
    def screen(self) -> str:
        return "\n".join(self.lines)

    @property
    def title(self) -> str:
        return frame(self.session, self.now).title


def build_stage(columns: int = 80, rows: int = 24) -> Stage:
    return Stage(Session(columns=columns, rows=rows, place="~/demo"))
