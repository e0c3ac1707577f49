"""Whether enter shall go to an agent that asks something, where it answers."""

from typing import ClassVar

from msgspec import UNSET
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical
from textual.widgets import Button

from collie.protocol.models import Approval
from collie.tui.reveal import plain
from collie.tui.screens.dialog import Dialog
from collie.tui.state import State
from collie.tui.widgets.bar import Bar, paragraphs
from collie.tui.widgets.frame import entitle

NOT_KNOWN = "It may answer a question. Which option its cursor is on is not known here: look at its screen first."


def cursor_words(state: State, terminal_id: str) -> tuple[str, ...]:
    """What enter would take in that terminal."""
    asked = next((each for each in state.picture.approvals if each.terminal_id == terminal_id), None)
    option = _under_cursor(asked) if asked is not None else ""
    return (
        ("It answers the question on its screen: with the option under the cursor, which is", option)
        if option
        else (NOT_KNOWN,)
    )


def _under_cursor(approval: Approval) -> str:
    found = (each for each in approval.choices if each.current)
    choice = next(found, None)
    if choice is None:
        return ""
    detail = f" ({plain(choice.detail)})" if choice.detail is not UNSET and choice.detail else ""
    return f"❯ {choice.index + 1}. {plain(choice.label)}{detail}"


class EnterScreen(Dialog[bool]):
    """Answers True for enter. It names what the cursor is on now; when that changes, *no* has the focus again."""

    AUTO_FOCUS = "#no"
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("left", "app.focus_previous", show=False),
        Binding("right", "app.focus_next", show=False),
    ]

    def __init__(self, *, label: str, terminal_id: str) -> None:
        super().__init__()
        self._label, self._terminal_id = label, terminal_id
        self._named: tuple[str, ...] = ()

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as box:
            entitle(
                box, title=f"Send enter to {self._label}?", subtitle="tab other button · enter presses it · esc closes"
            )
            self._named = cursor_words(self.desk.state, self._terminal_id)
            yield Bar(lambda width: paragraphs(self._named, width), id="cursor")
            with Horizontal(classes="buttons"):
                yield Button("No (esc)", id="no", compact=True)
                yield Button("Send enter", id="yes", variant="warning", compact=True)

    def on_mount(self) -> None:
        self.watch(self.app, "state", self._take_state, init=False)

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        self.dismiss(event.button.id == "yes")

    def _take_state(self, state: State) -> None:
        named = cursor_words(state, self._terminal_id)
        if named == self._named or not self.is_current:
            return
        self._named = named
        self.query_one("#cursor", Bar).show(lambda width: paragraphs(named, width))
        self.query_one("#no", Button).focus()
