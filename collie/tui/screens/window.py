"""What the whole windows share: the state they draw, the keys they print, and how a question is answered."""

from typing import TYPE_CHECKING, ClassVar, cast

from textual.binding import BindingType
from textual.reactive import reactive
from textual.screen import Screen

from collie.protocol.models import Agent, Approval, Decision
from collie.tui.actions import Place, bindings_of, rows_of
from collie.tui.panes.needs_you import NeedsYouPane
from collie.tui.questions import choice_decision
from collie.tui.state import State
from collie.tui.widgets.foot import Foot, KeyHint

if TYPE_CHECKING:
    from collie.tui.app import CollieApp


class Window(Screen[None]):
    """A whole window over the app's state. Subclasses say which agent its actions are about and which places it has."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings_of(Place.EVERYWHERE)]

    not_here: ClassVar[frozenset[str]] = frozenset()
    """Actions of its places that would do nothing in this window."""

    state: reactive[State] = reactive(State, repaint=False)

    def __init__(self) -> None:
        super().__init__()
        self._refused = ""

    @property
    def desk(self) -> "CollieApp":
        """The app, as what it is."""
        return cast("CollieApp", self.app)

    @property
    def agent(self) -> Agent | None:
        """The agent that actions are about now."""
        raise NotImplementedError

    @property
    def places(self) -> tuple[Place, ...]:
        """The places whose keys work now, the nearest first."""
        raise NotImplementedError

    @property
    def questions(self) -> NeedsYouPane:
        return self.query_one(NeedsYouPane)

    def on_mount(self) -> None:
        self.watch(self.app, "state", self._take_state)
        self.watch(self.app, "notice", self._take_notice)

    def on_screen_resume(self) -> None:
        self.questions.card.uncovered()
        self.refresh_keys()

    def why_not(self, name: str) -> str:
        """Why an action cannot be done now, "" when it can."""
        if name.startswith(("screen.decide", "screen.choose")) or name == "screen.amend":
            return self._why_no_answer(name)
        if name in ("screen.speak", "screen.close_agent", "screen.open") and self.agent is None:
            return "no agent is selected"
        return ""

    def refresh_keys(self) -> None:
        """Print the keys that work now; a refusal that holds no more is not said any longer."""
        if self._refused and self._refused != self.questions.why_dead:
            self.desk.untell(self._refused)
            self._refused = ""
        hints = (
            KeyHint(shown=row.shown, words=row.words, action=row.name, why_dead=self.why_not(row.name))
            for row in rows_of(*self.places)
            if row.footer
        )
        self.query_one(Foot).show_keys(tuple(hint for hint in hints if self.is_offered(hint)))

    def is_offered(self, hint: KeyHint) -> bool:
        """Whether the footer has the key; a dead one is shown dim."""
        if hint.action in self.not_here:
            return False
        if hint.action == "screen.step(1)":
            return len(self.questions.questions) > 1
        return True

    def action_decide(self, decision: str) -> None:
        """Answer the question shown with what one of its options means."""
        self._answer(Decision(decision))

    def action_choose(self, number: int) -> None:
        """Answer the question shown with its option of that number, counted from 1."""
        question = self.questions.question
        if question is None:
            return self.desk.tell("nothing needs you")
        decision, why = choice_decision(question.approval, number)
        if why:
            return self.desk.tell(why)
        self._answer(decision, number - 1 if decision is Decision.CHOOSE else None)
        return None

    def action_amend(self) -> None:
        """Ask for a note, then approve or deny with it."""
        question, why = self.questions.question, self.why_not("screen.amend")
        if why or question is None:
            return self._refuse(why)
        return self.desk.ask_note(question.approval)

    def action_step(self, by: int) -> None:
        self.questions.step(by)

    def action_speak(self) -> None:
        """Open the composer for the agent, unless it asks something itself."""
        agent = self.agent
        if agent is None:
            return self.desk.tell("no agent is selected")
        return self.desk.speak(agent)

    def action_close_agent(self) -> None:
        agent = self.agent
        if agent is None:
            return self.desk.tell("no agent is selected")
        return self.desk.close_agent(agent)

    def _answer(self, decision: Decision, choice: int | None = None) -> None:
        question = self.questions.question
        name = f"screen.decide('{decision}')" if decision is not Decision.CHOOSE else "screen.choose({key})"
        why = self.why_not(name)
        if why or question is None:
            return self._refuse(why)
        return self.desk.decide(question.approval, decision, choice=choice)

    def _refuse(self, why: str) -> None:
        """Say why a question is not answered, for as long as that is so."""
        self.questions.card.hold_off()
        self._refused = self.questions.why_dead
        self.desk.tell(why)

    def _why_no_answer(self, name: str) -> str:
        why = self.questions.why_dead
        question = self.questions.question
        if why or question is None:
            return why or "nothing needs you"
        return _not_offered(question.approval, name)

    def _take_state(self, state: State) -> None:
        self.state = state

    def _take_notice(self, notice: str) -> None:
        self.query_one(Foot).show_notice(notice or self.desk.hint)


def _not_offered(approval: Approval, name: str) -> str:
    if name == "screen.amend":
        return "" if approval.supports_note else "this question takes no note"
    if name.startswith("screen.decide"):
        return "" if any(f"'{each}'" in name for each in approval.options) else "this question has no such option"
    return ""
