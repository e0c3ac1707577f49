"""A note to the agent that goes with an approval or a denial."""

from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.widgets import Button, Input

from collie.protocol.ids import Note
from collie.protocol.limits import NOTE_CHARS
from collie.protocol.models import Approval, Decision
from collie.tui.card import headline
from collie.tui.lines import Tone
from collie.tui.reveal import plain
from collie.tui.screens.dialog import Dialog
from collie.tui.widgets.bar import Bar, paragraphs, text_bar
from collie.tui.widgets.frame import entitle


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """What was decided, with which words."""

    decision: Decision
    note: str


class NoteScreen(Dialog[Noted]):
    """Enter goes from the note to the buttons; only a button decides."""

    def __init__(self, approval: Approval) -> None:
        super().__init__()
        self._approval = approval

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as box:
            entitle(box, title="With a note", subtitle="enter goes to the buttons · enter there sends it · esc closes")
            yield text_bar(f"{plain(self._approval.agent_label)}: {headline(self._approval)}", tone=Tone.DIM)
            yield Input(placeholder="what the agent should know or do instead", max_length=NOTE_CHARS, id="note")
            yield Bar(id="complaint")
            with Horizontal(classes="buttons"):
                yield Button("Cancel (esc)", id="cancel", compact=True)
                if Decision.DENY in self._approval.options:
                    yield Button("Deny with this note", id="deny", variant="error", compact=True)
                if Decision.APPROVE in self._approval.options:
                    yield Button("Approve with this note", id="approve", variant="success", compact=True)

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        if self._valid():
            self.query(Button).exclude("#cancel").first().focus()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "cancel":
            self.dismiss(None)
        elif self._valid():
            self.dismiss(Noted(decision=Decision(event.button.id or ""), note=self._note))

    @property
    def _note(self) -> str:
        return self.query_one(Input).value.strip()

    def _valid(self) -> bool:
        """Whether the note may be sent; says why not."""
        complaint = "" if Note.accepts(self._note) else "a note is one line of visible characters"
        self.query_one("#complaint", Bar).show(
            lambda width: paragraphs((complaint,), width, Tone.WARN) if complaint else ()
        )
        return not complaint
