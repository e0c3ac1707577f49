"""Says something to an agent. What is not sent is kept; an unsent draft in the agent's own box is shown first."""

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical

from collie.errors import CollieError
from collie.protocol.errors import Code, WireError
from collie.protocol.ids import DraftText, OpId, PromptText, TerminalId
from collie.protocol.methods import AgentPromptParams
from collie.protocol.models import Agent
from collie.tui.lines import Line, Tone, piece, wrap
from collie.tui.present import agent_label
from collie.tui.reveal import plain, reveal
from collie.tui.screens.dialog import Dialog
from collie.tui.widgets.bar import Bar, paragraphs
from collie.tui.widgets.composer import Composer
from collie.tui.widgets.frame import entitle


class SpeakScreen(Dialog[None]):
    """Closes once the agent has the text."""

    AUTO_FOCUS = "#composer"

    def __init__(self, agent: Agent) -> None:
        super().__init__()
        self._agent = agent
        self._draft: str | None = None
        self._sending = False

    def compose(self) -> ComposeResult:
        with Vertical(classes="dialog") as box:
            keys = "enter sends · ctrl+j new line · esc keeps it for later"
            entitle(box, title=f"Say to {agent_label(self._agent)}", subtitle=keys)
            composer = Composer(self._kept, id="composer")
            composer.move_cursor(composer.document.end)
            yield composer
            yield Bar(id="complaint")

    @property
    def _kept(self) -> str:
        return self.desk.drafts.get(self._agent.terminal_id, "")

    def action_give_up(self) -> None:
        self.desk.drafts[self._agent.terminal_id] = self.query_one(Composer).text
        self.dismiss(None)

    @on(Composer.Changed)
    def _changed(self, event: Composer.Changed) -> None:
        event.stop()

    @on(Composer.Sent)
    def _sent(self, event: Composer.Sent) -> None:
        event.stop()
        if self._sending:
            return None
        if not PromptText.accepts(event.text):
            return self._complain("there is nothing to send" if not event.text.strip() else "it is too long to send")
        self._sending = True
        self._complain("sending …", Tone.BUSY)
        self.run_worker(self._send(event.text), group="speak", exclusive=True)
        return None

    async def _send(self, text: str) -> None:
        params = AgentPromptParams(
            op_id=OpId(self.desk.new_op_id()),
            terminal_id=TerminalId(self._agent.terminal_id),
            text=PromptText(text),
            expected_draft=DraftText(self._draft) if self._draft is not None else None,
        )
        try:
            await self.desk.engine.call("agent.prompt", params)
        except CollieError as error:
            self._refused(error)
        else:
            self.desk.drafts.pop(self._agent.terminal_id, None)
            self.desk.tell(f"said to {agent_label(self._agent)}")
            self.dismiss(None)
        finally:
            self._sending = False

    def _refused(self, error: CollieError) -> None:
        if isinstance(error, WireError) and error.code is Code.DRAFT_CHANGED and error.draft is not None:
            self._draft = error.draft
            return self._show_draft(error.draft)
        return self._complain(f"not sent: {plain(str(error))}", Tone.BAD)

    def _show_draft(self, draft: str) -> None:
        """The agent's box holds unsent text: sending again replaces exactly that text."""

        def lines(width: int) -> tuple[Line, ...]:
            rows = [*paragraphs(("Not sent: this stands unsent in the agent's own box.",), width, Tone.WARN)]
            for text in draft.split("\n"):
                rows += wrap(reveal(text), max(1, width), first=(piece("│ ", Tone.DIM),), rest=(piece("│ ", Tone.DIM),))
            return (*rows, *paragraphs(("Enter again replaces it with yours.",), width, Tone.WARN))

        self.query_one("#complaint", Bar).show(lines)

    def _complain(self, text: str, tone: Tone = Tone.WARN) -> None:
        self.query_one("#complaint", Bar).show(lambda width: paragraphs((text,), width, tone))
