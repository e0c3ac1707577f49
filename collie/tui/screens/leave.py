"""Leaving a dashboard that runs the daemon: what stops, and what may go on instead."""

from contextlib import suppress
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button

from collie.errors import CollieError
from collie.protocol.methods import DaemonStatusResult, Nothing
from collie.tui.farewell import Farewell
from collie.tui.screens.dialog import Dialog
from collie.tui.widgets.bar import Bar, paragraphs, text_bar
from collie.tui.widgets.frame import entitle

STOPS_ALONE: Final = (
    "The daemon runs in this window and stops with it: then nobody watches for questions, and no other client can "
    "connect."
)
LIVE_ON: Final = "The agents live on in their host either way. Their questions wait, and are here again when Collie is."
OR_ELSE: Final = ("", "A daemon without a window can go on watching instead.")


def stops_beside(others: int) -> str:
    """What stops when so many other clients are connected."""
    are = "1 other client is" if others == 1 else f"{others} other clients are"
    return (
        f"The daemon runs in this window and stops with it. {are} connected: another dashboard takes over and runs it "
        "there; a phone, or another computer, can connect again once one does."
    )


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
            yield text_bar(STOPS_ALONE, id="stops")
            yield text_bar("", LIVE_ON, *(OR_ELSE if self._can_leave_headless else ()))
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

    def on_mount(self) -> None:
        self.run_worker(self._ask_who_else(), group="status", exclusive=True)

    async def _ask_who_else(self) -> None:
        """Another dashboard that is attached goes on with the daemon when this one ends."""
        with suppress(CollieError):  # then nothing is known of others, and nothing is said of them
            status = await self.desk.engine.call("daemon.status", Nothing())
            if isinstance(status, DaemonStatusResult) and status.sessions > 1 and self.is_current:
                words = stops_beside(status.sessions - 1)
                self.query_one("#stops", Bar).show(lambda width: paragraphs((words,), width))

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.action_leave(event.button.id or "stay")

    def action_leave(self, how: str) -> None:
        """End the dialog with one of its buttons' answers."""
        if how == Farewell.LEAVE_HEADLESS.value and not self._can_leave_headless:
            return
        self.dismiss(None if how == "stay" else Farewell(how))
