"""The Textual app: holds the state that the windows draw, and does through the engine what they ask."""

import asyncio
import base64
import os
import signal
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, ClassVar, Final

from textual import events, on
from textual.app import App
from textual.binding import BindingType
from textual.dom import DOMNode
from textual.filter import LineFilter, NoColor
from textual.reactive import reactive
from textual.screen import Screen
from textual.timer import Timer

from collie.client.picture import Link, Picture
from collie.errors import CollieError
from collie.protocol.ids import ApprovalId, Nonce, Note, TerminalId
from collie.protocol.methods import (
    ApprovalDecideParams,
    ApprovalResolvedResult,
    CloseParams,
    Params,
    Result,
)
from collie.protocol.models import Agent, AgentStatus, Approval, Decision
from collie.tui.actions import Place, bindings_of
from collie.tui.answers import Answer, refused, replied, with_answer
from collie.tui.engine import Engine, StartDaemon, TrioEngine
from collie.tui.farewell import Farewell
from collie.tui.messages import PictureCame
from collie.tui.present import agent_label
from collie.tui.reveal import plain
from collie.tui.screens.dashboard import DashboardScreen
from collie.tui.screens.window import Window
from collie.tui.state import State
from collie.tui.themes import DARK, LIGHT

if TYPE_CHECKING:
    from rich.console import RenderableType
    from textual.actions import ActionParseResult
    from textual.command import Provider

SETTLE_SECONDS: Final = 0.4
"""How long a card stands before its keys count: a key meant for the card before it comes sooner."""

NOTICE_SECONDS: Final = 8.0
TICK_SECONDS: Final = 1.0
OP_ID_BYTES: Final = 16
FIT_SECONDS: Final = 0.3
"""After a window was too small: by then Textual has told its size to whoever it tells it to."""

LEAST_COLUMNS: Final = 40
LEAST_ROWS: Final = 12


def actions_provider() -> "type[Provider]":
    """The palette's one provider, loaded when the palette opens."""
    from collie.tui.commands import ActionsProvider

    return ActionsProvider


class CollieApp(App[Farewell]):
    """The dashboard. `wall_ms` is the clock, in milliseconds since 1970."""

    TITLE = "Collie"
    CSS_PATH: ClassVar = ["styles/base.tcss", "styles/dashboard.tcss", "styles/agent.tcss"]
    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Place.EVERYWHERE)]
    COMMANDS: ClassVar = {actions_provider}
    ALLOW_SELECT = False

    state: reactive[State] = reactive(State, repaint=False)
    notice: reactive[str] = reactive("", repaint=False)

    def __init__(
        self,
        engine: Engine,
        *,
        hint: str | None = None,
        can_leave_headless: bool = False,
        throwaway: bool = False,
        wall_ms: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        settle_seconds: float = SETTLE_SECONDS,
    ) -> None:
        super().__init__()
        self.engine = engine
        self.hint = hint or ""
        self.can_leave_headless = can_leave_headless
        self._throwaway = throwaway
        self.settle_seconds = settle_seconds
        self.drafts: dict[str, str] = {}
        self._wall_ms = wall_ms
        self._hush: Timer | None = None
        self._left_already = False
        self.animation_level = "none"
        self.register_theme(DARK)
        self.register_theme(LIGHT)
        self.theme = DARK.name

    def get_default_screen(self) -> Screen[None]:
        return DashboardScreen()

    def on_mount(self) -> None:
        self.state = State(now_ms=self._wall_ms())
        self.set_interval(TICK_SECONDS, self.tick)
        self._leave_on_signals()
        self.call_after_refresh(self.engine.open, self.show)

    def show(self, picture: Picture) -> None:
        """Take a newer picture from the engine."""
        self.post_message(PictureCame(picture))

    def tell(self, text: str) -> None:
        """Say something at the bottom for some seconds."""
        self.notice = text
        if self._hush is not None:
            self._hush.stop()
        self._hush = self.set_timer(NOTICE_SECONDS, self._be_quiet)

    def untell(self, text: str) -> None:
        """Say this no longer; what was told since stays."""
        if self.notice == text:
            self._be_quiet()

    def decide(
        self, approval: Approval, decision: Decision, *, choice: int | None = None, note: str | None = None
    ) -> None:
        """Answer an approval, once; what came of it stands on its card."""
        answer = Answer(approval=approval, decision=decision, at_ms=self._wall_ms())
        self._keep(answer)
        params = ApprovalDecideParams(
            approval_id=ApprovalId(approval.approval_id),
            decision=decision,
            choice=choice,
            nonce=Nonce(approval.nonce),
            note=Note(note) if note else None,
        )
        self.run_worker(self._send(answer, params), group=f"decide {approval.approval_id}", exclusive=True)

    def speak(self, agent: Agent) -> None:
        """Open the composer for an agent; not over a question of its own, which would swallow the text."""
        from collie.tui.screens.speak import SpeakScreen  # dialogs load after the first paint

        if agent.status is AgentStatus.BLOCKED:
            return self.tell(f"{agent_label(agent)} asks something itself: answer that first, then speak")
        self.push_screen(SpeakScreen(agent))
        return None

    def close_agent(self, agent: Agent) -> None:
        """Close an agent's pane, after a question."""
        from collie.tui.screens.confirm import ConfirmScreen  # dialogs load after the first paint

        label = agent_label(agent)
        question = ConfirmScreen(
            title=f"Close {label}?",
            lines=(
                f"Its pane is closed and {plain(agent.kind) or 'the agent'} in it ends.",
                f"Folder: {plain(agent.cwd)}",
            ),
            yes=f"Close {label}",
        )
        self.push_screen(question, lambda sure: self._close(agent) if sure else None)

    def ask_note(self, approval: Approval) -> None:
        """Ask for a note, then decide with it."""
        from collie.tui.screens.note import Noted, NoteScreen  # dialogs load after the first paint

        def noted(answer: Noted | None) -> None:
            if answer is not None:
                self.decide(approval, answer.decision, note=answer.note)

        self.push_screen(NoteScreen(approval), noted)

    def new_agent(self) -> None:
        """Open the dialog that starts an agent."""
        from collie.tui.screens.new_agent import NewAgentScreen  # dialogs load after the first paint

        if self.state.picture.link is not Link.CONNECTED:
            return self.tell("no agent can be started without the daemon")
        self.push_screen(NewAgentScreen())
        return None

    def open_agent(self, terminal_id: str) -> None:
        """Open the live screen of an agent."""
        from collie.tui.screens.agent import AgentScreen  # it loads after the first paint

        self.push_screen(AgentScreen(terminal_id))

    def know_lost(self) -> None:
        """The reader knows which agents went with the old host."""
        self.state = self.state.knowing_lost()

    def unwatch(self) -> None:
        """Follow no terminal any more."""
        self.run_worker(self._watch_none(), group="watch", exclusive=True)

    async def ask(self, name: str, params: Params) -> Result | None:
        """Ask the daemon; a refusal is told at the bottom, and gives None."""
        try:
            return await self.engine.call(name, params)
        except CollieError as error:
            self.tell(plain(str(error)))
            return None

    def new_op_id(self) -> str:
        """Names one operation for the daemon."""
        return base64.urlsafe_b64encode(os.urandom(OP_ID_BYTES)).rstrip(b"=").decode()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Without colour there is none at all: Textual's own filter leaves greys."""
        return (NoColor(),) if self.no_color else super().get_line_filters()

    def exit(
        self, result: Farewell | None = None, return_code: int = 0, message: "RenderableType | None" = None
    ) -> None:
        self._left_already = True
        super().exit(result, return_code, message)

    async def on_event(self, event: events.Event) -> None:
        """Keys that were typed ahead of the end mean nothing any more: the windows are being taken down."""
        if not (self._left_already and isinstance(event, events.InputEvent)):
            await super().on_event(event)

    async def run_action(
        self,
        action: "str | ActionParseResult",
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        """Nothing, once the end has come: its key may have been on its way already."""
        return self._left_already or await super().run_action(action, default_namespace, namespaces)

    def action_help(self) -> None:
        from collie.tui.screens.help import HelpScreen  # dialogs load after the first paint

        if isinstance(self.screen, Window):
            self.push_screen(HelpScreen(self.screen.places, without=self.screen.not_here))

    def action_light_or_dark(self) -> None:
        self.theme = LIGHT.name if self.theme == DARK.name else DARK.name

    def action_leave(self) -> None:
        """Quit; when the daemon runs here and there is anything to watch, say first what stops."""
        from collie.tui.screens.leave import LeaveScreen  # dialogs load after the first paint

        picture = self.state.picture
        if self._throwaway or not self.engine.hosting or not (picture.agents or picture.approvals):
            self.exit(Farewell.QUIT)
        elif not isinstance(self.screen, LeaveScreen):
            self.push_screen(LeaveScreen(can_leave_headless=self.can_leave_headless), self._left)

    @on(PictureCame)
    def _picture_came(self, message: PictureCame) -> None:
        self.state = self.state.with_picture(message.picture, self._wall_ms(), hosting=self.engine.hosting)

    def on_resize(self, event: events.Resize) -> None:
        from collie.tui.screens.too_small import TooSmallScreen

        small = event.size.width < LEAST_COLUMNS or event.size.height < LEAST_ROWS
        if small and not isinstance(self.screen, TooSmallScreen):
            self.push_screen(TooSmallScreen(LEAST_COLUMNS, LEAST_ROWS))
        elif not small and isinstance(self.screen, TooSmallScreen):
            self.pop_screen()
            self.call_after_refresh(self._fit)
            self.set_timer(FIT_SECONDS, self._fit)

    def _fit(self) -> None:
        """Lay out the screen on top for the size the terminal has: Textual may give that to a screen on its way out."""
        self.screen.post_message(events.Resize(self.size, self.size))

    def tick(self) -> None:
        """A second went by: ages move, endings that were read go."""
        if self.screen.size != self.size:
            self._fit()
        self.state = replace(self.state, now_ms=self._wall_ms(), hosting=self.engine.hosting)

    def _leave_on_signals(self) -> None:
        """A terminal that goes away, or a polite end, leaves the terminal as it was found."""
        if threading.current_thread() is threading.main_thread():
            for ending in (signal.SIGTERM, signal.SIGHUP):
                asyncio.get_running_loop().add_signal_handler(ending, self.exit, Farewell.QUIT)

    def _be_quiet(self) -> None:
        self.notice = ""

    def _left(self, farewell: Farewell | None) -> None:
        if farewell is not None:
            self.exit(farewell)

    def _close(self, agent: Agent) -> None:
        params = CloseParams(terminal_id=TerminalId(agent.terminal_id), confirm=True)
        self.run_worker(self.ask("pane.close", params), group=f"close {agent.terminal_id}", exclusive=True)

    def _keep(self, answer: Answer) -> None:
        now = self._wall_ms()
        self.state = replace(self.state, answers=with_answer(self.state.answers, answer, now), now_ms=now)

    async def _watch_none(self) -> None:
        with suppress(CollieError):  # without a session there is no watch to end
            await self.engine.watch(None)

    async def _send(self, answer: Answer, params: ApprovalDecideParams) -> None:
        try:
            result = await self.engine.call("approval.decide", params)
        except CollieError as error:
            return self._keep(refused(answer, error, self._wall_ms()))
        assert isinstance(result, ApprovalResolvedResult)
        return self._keep(replied(answer, result.outcome, self._wall_ms()))


def run(
    *,
    control_socket: Path,
    start_daemon: StartDaemon | None = None,
    leave_headless: Callable[[], None] | None = None,
    hint: str | None = None,
    throwaway: bool = False,
) -> None:
    """Run the dashboard until it is left.

    It attaches to the daemon at `control_socket`; when nobody listens there, `start_daemon` may run one in this
    process. `leave_headless` is called last, after that daemon ended, when the operator wants one to go on without a
    window. `hint` stands at the bottom when there is nothing else to say. A `throwaway` dashboard, of which nothing
    outlives the window, is left without a question.
    """
    engine = TrioEngine(control_socket, start_daemon)
    app = CollieApp(engine, hint=hint, can_leave_headless=leave_headless is not None, throwaway=throwaway)
    try:
        farewell = app.run()
    finally:
        engine.close()
    if farewell is Farewell.LEAVE_HEADLESS and leave_headless is not None:
        leave_headless()
