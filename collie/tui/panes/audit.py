"""*Audit*: who did what with which result; follows the newest line unless a person scrolled away from it."""

from textual import events
from textual.reactive import reactive

from collie.tui.audit_words import audit_line
from collie.tui.lines import Tone, piece
from collie.tui.state import State
from collie.tui.widgets.frame import entitle
from collie.tui.widgets.lines_view import LinesView


class AuditPane(LinesView):
    """Shows the audit lines of a state."""

    BORDER_TITLE = "Audit"

    state: reactive[State] = reactive(State, repaint=False)

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, classes="pane")
        self._following = True

    def watch_state(self, old: State, new: State) -> None:
        if old.picture.audit is not new.picture.audit or old.picture.link is not new.picture.link:
            self._draw()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._following = self.lines_below == 0
        entitle(self, subtitle="" if self._following else f"▼ {self.lines_below} newer lines below · G")

    def on_resize(self, event: events.Resize) -> None:
        self._draw()

    def _draw(self) -> None:
        audit = self.state.picture.audit
        if audit:
            self.show(tuple(audit_line(line, self.line_cells) for line in audit))
        else:
            self.show(
                ((piece("Every decision, prompt and key is listed here, with who and what came of it.", Tone.DIM),),)
            )
        if self._following:
            self.action_to_end()
