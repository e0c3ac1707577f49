"""A question with a yes and a no; no has the focus."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.content import Content
from textual.widgets import Button

from collie.tui.screens.dialog import Dialog
from collie.tui.widgets.bar import text_bar
from collie.tui.widgets.frame import entitle


class ConfirmScreen(Dialog[bool]):
    """Answers True for yes."""

    AUTO_FOCUS = "#no"

    def __init__(self, *, title: str, lines: tuple[str, ...], yes: str) -> None:
        super().__init__()
        self._title, self._lines, self._yes = title, lines, yes

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as box:
            entitle(box, title=self._title)
            yield text_bar(*self._lines)
            with Horizontal(classes="buttons"):
                yield Button("No (esc)", id="no", compact=True)
                yield Button(Content(self._yes), id="yes", variant="error", compact=True)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.dismiss(event.button.id == "yes")
