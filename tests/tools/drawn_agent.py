"""An agent that draws Claude Code's permission dialogs in a fake host, and does what keys tell it.

    session = FakeSession("embedded")
    agent = DrawnAgent(session)
    agent.ask("rm -rf build")
    ...
    assert agent.answers == [("rm -rf build", "Yes", "")]

Each key that arrives is kept with the question that it reached.
"""

from dataclasses import dataclass, field, replace

from tools.fake_panes import FakePane
from tools.fake_session import FakeSession, Typed

COLUMNS = 80
RULE = "─" * COLUMNS
DASHES = "╌" * COLUMNS
PLACEHOLDERS = {"Yes": "Yes, and tell Claude what to do next", "No": "No, and tell Claude what to do differently"}
WIDTH = COLUMNS - 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A permission dialog; two with the same `command` look the same, and `number` alone tells them apart."""

    number: int
    command: str
    options: tuple[str, ...]
    cursor: int = 0
    field: int | None = None
    notes: tuple[tuple[int, str], ...] = ()

    @property
    def note(self) -> str:
        """What is typed in the open field."""
        return "" if self.field is None else dict(self.notes).get(self.field, "")

    def drawn(self) -> str:
        """The dialog's rows."""
        rows = [RULE, " Bash command", " Tidy up", DASHES]
        rows += [f" {line}" for line in self.command.split("\n")]
        rows += [DASHES, " Do you want to proceed?"]
        for index in range(len(self.options)):
            mark = "❯" if index == self.cursor else " "
            first, *others = _wrapped(self._label(index))
            rows += [f" {mark} {index + 1}. {first}", *(f"      {line}" for line in others)]
        can_amend = self.field is None and self.options[self.cursor] in PLACEHOLDERS
        return "\n".join([*rows, "", " Esc to cancel · Tab to amend" if can_amend else " Esc to cancel"])

    def _label(self, index: int) -> str:
        label = self.options[index]
        if index != self.field:
            return label
        return f"{label}, {self.note}" if self.note else PLACEHOLDERS[label]


@dataclass(slots=True, kw_only=True)
class Received:
    """Input that reached a question (None: the input box)."""

    question: Question | None
    typed: str


@dataclass(slots=True)
class DrawnAgent:
    """One agent. `draws_late` keeps its screen as it was until `draw` is called, as a busy program does; keys that
    come before `ready` are set (Claude Code's input guard) do not answer."""

    session: FakeSession
    kind: str = "claude"
    draws_late: bool = False
    is_guarded: bool = False
    pane: FakePane = field(init=False)
    question: Question | None = field(init=False, default=None)
    waiting: list[Question] = field(init=False, default_factory=list)
    answers: list[tuple[str, str, str]] = field(init=False, default_factory=list)
    received: list[Received] = field(init=False, default_factory=list)
    above: str = field(init=False, default="● I'll tidy up.")
    _numbers: int = field(init=False, default=0)

    def __post_init__(self) -> None:
        self.pane = self.session.add_agent(self.kind, name="tidy")
        self.pane.columns = COLUMNS
        self.session.on_input(self._typed)
        self.draw()

    def ask(self, command: str, *options: str) -> Question:
        """A question, at once or behind those that wait; with two numbered options and No unless told otherwise."""
        self._numbers += 1
        always = f"Yes, and don't ask again for: {command.split()[0]} *"
        asked = Question(number=self._numbers, command=command, options=options or ("Yes", always, "No"))
        if self.question is None:
            self.question = asked
            self.draw()
        else:
            self.waiting.append(asked)
        return asked

    def swap(self) -> None:
        """The question is answered elsewhere; the next one takes its place before the host has seen anything else."""
        self.question = self.waiting.pop(0) if self.waiting else None
        self.draw()

    def draw(self) -> None:
        """Bring screen and status up to date."""
        if self.question is None:
            rows = [self.above, "", RULE, "❯\u00a0", RULE, "  ? for shortcuts"]
            self._show("\n".join(rows), "idle")
        else:
            self._show(f"{self.above}\n\n{self.question.drawn()}", "blocked")

    def press(self, key: str) -> None:
        """A key of the person at the desk."""
        self._key(key)
        self.draw()

    def _show(self, screen: str, status: str) -> None:
        if self.session.panes.get(self.pane.pane_id) is self.pane:
            self.session.set_screen(self.pane.pane_id, screen)
            self.session.set_status(self.pane.pane_id, status)

    def _typed(self, pane: FakePane, typed: Typed) -> None:
        if pane is not self.pane:
            return
        for text in (typed.text or "", *typed.keys):
            if text:
                self.received.append(Received(question=self.question, typed=text))
                self._key(text)
        if not self.draws_late:
            self.draw()

    def _key(self, key: str) -> None:
        asked = self.question
        if asked is None:
            return
        count = len(asked.options)
        match key:
            case "down":
                self.question = replace(asked, cursor=min(asked.cursor + 1, count - 1))
            case "up":
                self.question = replace(asked, cursor=max(asked.cursor - 1, 0))
            case "esc":
                self._answer(asked.options[-1], "")
            case "enter":
                if not self.is_guarded:
                    self._answer(asked.options[asked.cursor], asked.note)
            case "tab":
                if asked.options[asked.cursor] in PLACEHOLDERS:
                    self.question = replace(asked, field=asked.cursor if asked.field is None else None)
            case _ if asked.field is not None:
                typed = asked.note + key
                self.question = replace(asked, notes=((asked.field, typed),))

    def _answer(self, label: str, note: str) -> None:
        if self.question is not None:
            self.answers.append((self.question.command, label, note))
            self.question = self.waiting.pop(0) if self.waiting else None


def _wrapped(text: str) -> list[str]:
    rows = [""]
    for word in text.split(" "):
        if rows[-1] and len(rows[-1]) + 1 + len(word) > WIDTH:
            rows.append(word)
        else:
            rows[-1] = f"{rows[-1]} {word}".strip() if rows[-1] else word
    return rows
