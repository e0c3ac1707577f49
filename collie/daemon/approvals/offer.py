"""What was offered to whoever decides, and what a decision about it comes to: which option, by which keys."""

import re
from dataclasses import dataclass, replace

from collie.agents.facts import Decision as Meaning
from collie.agents.facts import Dialog, DialogType
from collie.daemon.approvals import fingerprint
from collie.daemon.approvals.sight import Sight
from collie.protocol.models import Approval, Decision

ESCAPE_MARK = "(esc)"
"""A label that ends so says that the escape key alone means this option."""

_LEAVING = re.compile(r"\b(?:exit|quit)\b", re.IGNORECASE)
"""In the label of an option of a start-up question: whoever takes it wants the agent to end."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """A decision, as an option of the dialog: index `target`, chosen by the escape key alone or by arrows and Enter.

    `ends_agent` says that the agent ends by it (`No, exit`).
    """

    decision: Decision
    target: int
    is_by_escape: bool = False
    ends_agent: bool = False
    note: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Offer:
    """An approval and the sight it was made from. `first_seen` and `expires_at` are monotonic seconds."""

    approval: Approval
    sight: Sight
    first_seen: float
    expires_at: float

    @property
    def dialog(self) -> Dialog | None:
        """The dialog as it was shown."""
        return self.sight.dialog

    def plan(self, decision: Decision, choice: int | None = None, note: str | None = None) -> Plan | str:
        """How `decision` is carried out, or what is wrong with it, in the wire's words."""
        dialog = self.dialog
        if decision is Decision.CHOOSE:
            offered = {each.index for each in self.approval.choices} if not self.approval.options else set()
            if dialog is None or choice not in offered:
                return "choice not offered"
            return Plan(decision=decision, target=choice, ends_agent=_ends_agent(dialog, choice))
        target = None if dialog is None else dialog.option_for(Meaning(decision.value))
        if dialog is None or target is None or decision not in self.approval.options:
            return "decision not offered"
        if note is not None and not self.approval.supports_note:
            return "note not offered"
        is_by_escape = decision is Decision.DENY and note is None and _escape_denies(dialog, target)
        ends_agent = _ends_agent(dialog, target)
        return Plan(decision=decision, target=target, is_by_escape=is_by_escape, ends_agent=ends_agent, note=note)

    def with_cursor_on(self, index: int) -> str:
        """The fingerprint that the dialog must have once the cursor stands on option `index`."""
        return fingerprint.of_dialog(self.sight.subject, replace(self._shown(), cursor=index))

    def around(self, index: int) -> str:
        """The digest of the dialog with the cursor on option `index`, whatever is typed in that option."""
        return fingerprint.around(self.sight.subject, replace(self._shown(), cursor=index), index)

    def may_show(self, dialog: Dialog) -> bool:
        """Whether `dialog` may be the question that was offered, whole or not, whatever its options look like."""
        return fingerprint.may_be_same(dialog, self._shown())

    def label(self, index: int) -> str:
        """The label of option `index`."""
        return self._shown().options[index].label

    def _shown(self) -> Dialog:
        if self.dialog is None:
            raise ValueError("nothing can be decided where no dialog was seen")
        return self.dialog


def _escape_denies(dialog: Dialog, target: int) -> bool:
    return dialog.type is DialogType.TRUST or dialog.options[target].label.rstrip().endswith(ESCAPE_MARK)


def _ends_agent(dialog: Dialog, target: int) -> bool:
    is_at_start = dialog.type in (DialogType.TRUST, DialogType.STARTUP)
    return is_at_start and _LEAVING.search(dialog.options[target].label) is not None
