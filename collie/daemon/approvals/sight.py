"""One reading of an agent: what its host says of it and what its screen shows, taken right after each other."""

from dataclasses import dataclass

from collie.agents.facts import Dialog, DialogType, Facts, State
from collie.daemon.approvals import fingerprint
from collie.daemon.approvals.fingerprint import Subject
from collie.herdr.models import Expect


@dataclass(frozen=True, slots=True, kw_only=True)
class Sight:
    """What was seen of one terminal.

    `is_blocked` and `seq` are the host's status and its change counter (None: the host knows no agent there any more,
    which `has_ended` if nothing in its terminal is stopped);
    `text` is the detection text that `facts` were read from; `session` is the agent's session id, "" when unknown.
    `agent_label` is how people tell the agent from others.
    """

    terminal_id: str
    is_blocked: bool
    seq: int | None
    session: str
    text: str
    facts: Facts
    has_ended: bool = False
    agent_label: str = "agent"
    workspace_id: str = ""

    @property
    def dialog(self) -> Dialog | None:
        """The dialog on the screen."""
        return self.facts.dialog

    @property
    def subject(self) -> Subject:
        """Who asks, for fingerprints."""
        return Subject(kind=self.facts.kind, rule=self.facts.rule, terminal_id=self.terminal_id, session=self.session)

    @property
    def fingerprint(self) -> str:
        """The digest of what is asked; without a dialog, of the whole text."""
        if self.dialog is None:
            return fingerprint.fingerprint(self.subject, self.text)
        return fingerprint.of_dialog(self.subject, self.dialog)

    @property
    def is_whole(self) -> bool:
        """Whether a dialog was understood, and all of it is on the screen."""
        dialog = self.dialog
        return dialog is not None and dialog.readable and dialog.complete and not dialog.scrolled

    @property
    def is_asking(self) -> bool:
        """Whether there is a question to answer; a settings picker grants nothing, and is none."""
        if self.dialog is not None:
            return self.dialog.type is not DialogType.PICKER
        return self.facts.state in (State.BLOCKED, State.UNKNOWN)

    @property
    def shows_no_question(self) -> bool:
        """Whether the agent is seen to work, or to wait at its input box, where no question can be open.

        A viewer over the question, or a transcript that is scrolled up, does not show that; nor does a box that holds
        what is no text, as a form that is cut off looks so too.
        """
        facts = self.facts
        if facts.dialog is not None or facts.banner is not None:
            return False
        has_box = facts.draft is not None and not facts.opaque
        return facts.state is State.WORKING or (facts.state is State.IDLE and has_box)

    def expectation(self) -> Expect:
        """The condition that the dialog's rows are still as they were seen here."""
        if self.dialog is None:
            raise ValueError("there is no dialog to expect")
        return fingerprint.expectation(self.text, self.dialog, self.terminal_id)
