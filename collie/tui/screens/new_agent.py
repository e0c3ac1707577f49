"""Starts an agent: which kind, in which folder, under which name, with which first words."""

import os
from pathlib import Path
from typing import Final

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.widgets import Button, Input

from collie.errors import CollieError
from collie.protocol.ids import AgentKindName, AgentName, Cwd, OpId, PromptText
from collie.protocol.methods import AgentStartedResult, AgentStartParams
from collie.tui.lines import Tone, piece
from collie.tui.present import KINDS
from collie.tui.reveal import plain
from collie.tui.screens.dialog import Dialog
from collie.tui.widgets.bar import Bar, paragraphs, text_bar
from collie.tui.widgets.folders import FolderSuggester
from collie.tui.widgets.frame import entitle
from collie.tui.widgets.row_list import Row, RowList

FIELDS: Final = ("folder", "name", "prompt")


def started_params(op_id: str, kind: str, folder: str, name: str, prompt: str) -> AgentStartParams | str:
    """The call that these fields ask for, or what is wrong with one of them."""
    path = os.path.abspath(Path(folder.strip() or ".").expanduser())
    if not Path(path).is_dir():
        return f"there is no folder {plain(path)}"
    if not Cwd.accepts(path):
        return "the folder's path is too long, or has control characters"
    if name and not AgentName.accepts(name):
        return "a name is up to 32 of a-z, 0-9, - and _, and begins with a letter"
    if prompt.strip() and not PromptText.accepts(prompt):
        return "the first words are too long, or have control characters"
    return AgentStartParams(
        op_id=OpId(op_id),
        kind=AgentKindName(kind),
        cwd=Cwd(path),
        name=AgentName(name) if name else None,
        prompt=PromptText(prompt) if prompt.strip() else None,
    )


class NewAgentScreen(Dialog[None]):
    """Closes once the agent runs; stays, with the reason, when it cannot be started."""

    AUTO_FOCUS = "#kinds"

    def __init__(self) -> None:
        super().__init__()
        self._starting = False

    def compose(self) -> ComposeResult:
        with VerticalScroll(classes="dialog", can_focus=False) as box:
            entitle(box, title="New agent", subtitle="tab next field · enter starts · esc closes")
            yield RowList(tuple(Row(key=kind, line=(piece(kind),)) for kind in KINDS), id="kinds")
            yield text_bar("Folder", tone=Tone.DIM)
            yield Input(os.getcwd(), suggester=FolderSuggester(), compact=True, id="folder")
            yield text_bar("Name (may be left empty)", tone=Tone.DIM)
            yield Input(max_length=32, compact=True, id="name")
            yield text_bar("First words to it (may be left empty)", tone=Tone.DIM)
            yield Input(compact=True, id="prompt")
            yield Bar(id="complaint")
            with Horizontal(classes="buttons"):
                yield Button("Cancel (esc)", id="cancel", compact=True)
                yield Button("Start", id="start", variant="success", compact=True)

    def key_enter(self) -> None:
        """Enter on the list of kinds goes on to the folder."""
        if isinstance(self.focused, RowList):
            self.query_one("#folder").focus()

    @on(RowList.Moved)
    def _moved(self, event: RowList.Moved) -> None:
        event.stop()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        event.stop()
        self._start()

    @on(Button.Pressed)
    def _pressed(self, event: Button.Pressed) -> None:
        event.stop()
        if event.button.id == "cancel":
            self.dismiss(None)
        else:
            self._start()

    def _start(self) -> None:
        if self._starting:
            return None
        kind = self.query_one("#kinds", RowList).selected or KINDS[0]
        folder, name, prompt = (self.query_one(f"#{field}", Input).value for field in FIELDS)
        params = started_params(self.desk.new_op_id(), kind, folder, name, prompt)
        if isinstance(params, str):
            return self._complain(params)
        self._starting = True
        self._complain(f"starting {kind} …", Tone.BUSY)
        self.run_worker(self._ask(params), group="start", exclusive=True)
        return None

    async def _ask(self, params: AgentStartParams) -> None:
        try:
            result = await self.desk.engine.call("agent.start", params)
        except CollieError as error:
            self._complain(f"not started: {plain(str(error))}", Tone.BAD)
        else:
            assert isinstance(result, AgentStartedResult)
            self.desk.tell(started_words(result, params))
            self.dismiss(None)
        finally:
            self._starting = False

    def _complain(self, text: str, tone: Tone = Tone.WARN) -> None:
        self.query_one("#complaint", Bar).show(lambda width: paragraphs((text,), width, tone))


def started_words(result: AgentStartedResult, params: AgentStartParams) -> str:
    """What came of it, also when the first words did not reach the agent."""
    words = f"started {plain(result.name) or plain(result.kind)}"
    if params.prompt is not None and not result.prompted:
        return f"{words}; it did not take the first words: press s to say them"
    return words
