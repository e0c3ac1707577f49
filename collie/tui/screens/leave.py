"""Leaving a dashboard that runs the daemon: what stops, and what may go on instead."""

from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button

from collie.tui.farewell import Farewell
from collie.tui.screens.dialog import Dialog
from collie.tui.widgets.bar import text_bar
from collie.tui.widgets.frame import entitle

WHAT_STOPS: Final = (
    "The daemon runs in this window and stops with it: then nobody watches for questions, and no other client can "
    "connect.",
    "",
    "The agents live on in their host either way. Their questions wait, and are here again when Collie is.",
)
OR_ELSE: Final = ("", "A daemon without a window can go on watching instead.")


class LeaveScreen(Dialog[Farewell]):
    """Answers how to leave, or None to stay."""

    AUTO_FOCUS = ".suggested"

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("l", "leave('leave_headless')", "leave a daemon", show=False),
        Binding("q", "leave('quit')", "quit", show=False),
    ]

    def __init__(self, *, can_leave_headless: bool) -> None:
        super().__init__()
        self._can_leave_headless = can_leave_headless

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as box:
            entitle(box, title="Quit?")
            yield text_bar(*WHAT_STOPS, *(OR_ELSE if self._can_leave_headless else ()))
            with Horizontal(classes="buttons"):
                yield Button(
                    "Stay (esc)", id="stay", compact=True, classes="" if self._can_leave_headless else "suggested"
                )
                yield Button("Quit, stop it (q)", id="quit", variant="warning", compact=True)
                if self._can_leave_headless:
                    yield Button(
                        "Quit, leave one running (l)",
                        id="leave_headless",
                        variant="success",
                        compact=True,
                        classes="suggested",
                    )

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_leave(event.button.id or "stay")

    def action_leave(self, how: str) -> None:
        """End the dialog with one of its buttons' answers."""
        if how == Farewell.LEAVE_HEADLESS.value and not self._can_leave_headless:
            return
        self.dismiss(None if how == "stay" else Farewell(how))
