"""An agent's live screen: its terminal, and over it the question it asks, with its keys."""

from collections import deque
from typing import ClassVar, Final

from textual import on
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.worker import Worker

from collie.client.picture import Link
from collie.errors import CollieError
from collie.protocol.ids import OpId, TerminalId
from collie.protocol.methods import AgentSendKeysParams, OfTerminal
from collie.protocol.models import Agent, AgentStatus, Key
from collie.tui.actions import Place, bindings_of
from collie.tui.lines import Line, Tone, piece, spread
from collie.tui.panes.needs_you import NeedsYouPane
from collie.tui.present import STATUS, age, agent_label, find_agent
from collie.tui.reveal import plain
from collie.tui.screens.window import Window
from collie.tui.state import State
from collie.tui.widgets.bar import Bar
from collie.tui.widgets.foot import Foot
from collie.tui.widgets.frame import entitle
from collie.tui.widgets.lines_view import LinesView
from collie.tui.widgets.terminal_view import TerminalView

ASKED_FRAME_ROWS: Final = 4
"""Border and keys around the lines of a question; the keys may take two rows."""

ASKED_LEAST_ROWS: Final = 9
ENTERS: Final = frozenset({Key.ENTER, Key.CTRL_ENTER})


class AgentScreen(Window):
    """Watches one terminal for as long as it is open."""

    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings_of(Place.AGENT, Place.SENDING_KEYS, Place.CARD, Place.EVERYWHERE)
    ]

    not_here = frozenset({"screen.open"})

    def __init__(self, terminal_id: str) -> None:
        super().__init__()
        self._terminal_id = terminal_id
        self._last_known: Agent | None = None
        self._was_asked = False
        self._pressed: deque[Key] = deque()
        self._sender: Worker[None] | None = None

    def compose(self) -> ComposeResult:
        yield Bar(id="header")
        yield Bar(id="banner")
        yield NeedsYouPane(
            settle_seconds=self.desk.settle_seconds, terminal_id=self._terminal_id, id="asked"
        ).data_bind(Window.state)
        yield TerminalView(id="terminal", classes="pane")
        yield Foot(id="foot")

    def on_mount(self) -> None:
        self.query_one(TerminalView).focus()
        self.run_worker(self._watch(), group="watch", exclusive=True)

    def on_unmount(self) -> None:
        self.desk.unwatch()

    @property
    def agent(self) -> Agent | None:
        return find_agent(self.state.picture, self._terminal_id)

    @property
    def places(self) -> tuple[Place, ...]:
        if self.query_one(TerminalView).holds_keys:
            return (Place.SENDING_KEYS,)
        asked = (Place.CARD,) if self.questions.question is not None else ()
        return (*asked, Place.AGENT, Place.EVERYWHERE)

    def watch_state(self, state: State) -> None:
        self._last_known = self.agent or self._last_known
        self.query_one("#header", Bar).show(lambda width: (self._title(width),))
        self.query_one("#banner", Bar).show(self._wrong)
        self._draw_terminal()
        self.refresh_keys()

    @on(NeedsYouPane.Changed)
    def _changed(self, event: Message) -> None:
        event.stop()
        self._lay_out()
        self.refresh_keys()

    def on_resize(self) -> None:
        self._lay_out()

    def _lay_out(self) -> None:
        """The question gets the rows it needs, up to three fifths of the window."""
        asked, question = self.questions, self.questions.question
        asked.display = question is not None
        asked.styles.height = min(
            len(asked.card.lines) + ASKED_FRAME_ROWS, max(ASKED_LEAST_ROWS, self.size.height * 3 // 5)
        )
        if question is not None and not self._was_asked:
            asked.focus()
        elif self.focused is None or (question is None and self.focused is asked):
            self.query_one(TerminalView).focus()
        self._was_asked = question is not None

    @on(LinesView.Scrolled)
    def _scrolled(self, event: Message) -> None:
        event.stop()
        self._draw_place()

    @on(TerminalView.Pressed)
    def _key_pressed(self, event: TerminalView.Pressed) -> None:
        event.stop()
        if not self.is_current:
            return  # whether an earlier key shall go is being asked
        if event.key in ENTERS and self._is_asking:
            self._ask_enter(event.key)
        else:
            self._send(event.key)

    @on(TerminalView.Stopped)
    def _stopped(self, event: TerminalView.Stopped) -> None:
        event.stop()
        self._mode_changed()
        self.desk.tell(f"{event.words} cannot be sent: no key is sent any more. esc, then s says words to it")

    @on(TerminalView.TakenBack)
    def _taken_back(self, event: TerminalView.TakenBack) -> None:
        event.stop()
        self.action_send_keys()

    def action_send_keys(self) -> None:
        """Send the keys that are pressed to the agent from now on, or no longer."""
        terminal = self.query_one(TerminalView)
        terminal.send_keys(not terminal.holds_keys)
        terminal.focus()
        self._mode_changed()

    def _mode_changed(self) -> None:
        terminal = self.query_one(TerminalView)
        terminal.set_class(terminal.holds_keys, "-sending")
        self._draw_place()
        self.refresh_keys()

    @property
    def _is_asking(self) -> bool:
        """Whether enter may answer a question."""
        agent = self.agent
        return self.questions.question is not None or (agent is not None and agent.status is AgentStatus.BLOCKED)

    def _ask_enter(self, key: Key) -> None:
        from collie.tui.screens.enter import EnterScreen  # dialogs load after the first paint

        label = agent_label(self.agent) if self.agent is not None else "it"
        question = EnterScreen(label=label, terminal_id=self._terminal_id)
        self.app.push_screen(question, lambda sure: self._send(key) if sure else None)

    def action_open(self) -> None:
        self.query_one(TerminalView).focus()

    def action_back(self) -> None:
        self.dismiss(None)

    async def _watch(self) -> None:
        """Follow the terminal; the embedded host is told that someone looks (to herdr that would move its focus)."""
        try:
            await self.desk.engine.watch(self._terminal_id)
        except CollieError as error:
            self.desk.tell(plain(str(error)))
        host = self.state.picture.host
        if host is not None and host.kind == "embedded":
            await self.desk.ask("agent.focus", OfTerminal(terminal_id=TerminalId(self._terminal_id)))

    def _send(self, key: Key) -> None:
        self._pressed.append(key)
        if self._sender is None or self._sender.is_finished:
            self._sender = self.run_worker(self._send_pressed(), group="keys")

    async def _send_pressed(self) -> None:
        """One key a call, in the order in which they were pressed: an arrow and enter never travel together. What
        follows a key that did not go is not sent: it was meant for what that key would have made of the screen."""
        while self._pressed:
            params = AgentSendKeysParams(
                op_id=OpId(self.desk.new_op_id()),
                terminal_id=TerminalId(self._terminal_id),
                keys=(self._pressed.popleft(),),
            )
            if await self.desk.ask("agent.send_keys", params) is None:
                self._pressed.clear()
                self.query_one(TerminalView).stop_sending()
                self._mode_changed()

    def _wrong(self, width: int) -> tuple[Line, ...]:
        wrong = self.state.banner(width)
        if wrong or self.agent is not None or self.state.picture.link is not Link.CONNECTED:
            return wrong
        return ((piece("▲ This agent is gone", Tone.BAD), piece(": what you see is the last of it. esc goes back.")),)

    def _title(self, width: int) -> Line:
        agent = self.agent or self._last_known
        if agent is None:
            return (piece(" Collie", Tone.ACCENT),)
        glyph, word, tone = STATUS[agent.status]
        since = age(self.state.now_ms - agent.status_since_ms)
        left = (
            piece(f" {agent_label(agent)}", Tone.ACCENT),
            piece(f"  {glyph} {word} {since}", tone),
            piece(f"  {plain(agent.title)}"),
        )
        return spread(left, (piece(f"{plain(agent.kind)}  {plain(agent.cwd)} ", Tone.DIM),), width)

    def _draw_terminal(self) -> None:
        output = self.state.picture.output
        if output is not None and output.terminal_id == self._terminal_id:
            self.query_one(TerminalView).show_read(output)
        self._draw_place()

    def _draw_place(self) -> None:
        terminal = self.query_one(TerminalView)
        words = ["Its screen" if terminal.has_read else "Its screen: waiting for its text …"]
        if terminal.sending:
            words.append("▲ keys go to the agent · ctrl+] has them back")
        if terminal.stopped:
            words.append("▲ no key is sent any more · esc has the keys back")
        if not terminal.following:
            words.append(f"▼ {terminal.lines_below} newer lines below · G follows again")
        if terminal.columns_beside:
            words.append(f"{terminal.columns_beside} more columns · ← →")
        entitle(terminal, title="   ".join(words))
