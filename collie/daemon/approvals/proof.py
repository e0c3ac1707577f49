"""What one look proves of a question that was offered: that it is gone, or that it ended without us.

Gone is what a picture shows that no open question allows. What counts, and what does not, whatever the host says:

- the input box, or a running turn above it: gone, as agents draw a question in place of their box
- another question of the same rank, whole, with rows that the offered one lacks and without some that it has: gone
- a picture that is blank, half drawn, cut off or wrapped anew by a resize, or has got rows: may be the same question
- a viewer, a transcript that is scrolled up, a settings picker, a start-up form, another screen: may cover it
- no agent, another kind of agent, another session: nobody is left who could show that the answer was taken; but where
  the answer ends the agent, it is taken once the agent has ended, whatever that leaves on the screen

Three things no picture tells apart: an agent that repaints itself as idle and then asks the same again, from one that
was answered; a question of higher rank that covers the offered one, from its successor; and which of two questions took
a key, where the program has swapped them without having drawn the second.
"""

from typing import Final

from msgspec import UNSET

from collie.agents.facts import DialogType
from collie.daemon.approvals.offer import Offer
from collie.daemon.approvals.sight import Sight
from collie.protocol.models import Outcome, OutcomeKind

TERMINAL: Final = "terminal"
"""`by` of what was answered in the agent itself."""

ENDED: Final = "the agent has ended"
SUSPENDED: Final = "the agent was suspended, or has ended"
OTHER_AGENT: Final = "another agent took its place"
OTHER_SESSION: Final = "another session took its place"
ANSWERED: Final = "it was answered in the agent itself"
WENT_AWAY: Final = "the question went away"
ASKS_AGAIN: Final = "the question went away, and the agent asks again"

_AT_WORK: Final = frozenset({DialogType.PERMISSION, DialogType.QUESTION, DialogType.PLAN})
_AT_START: Final = frozenset({DialogType.TRUST, DialogType.STARTUP})
"""Questions of one rank come one after the other; those of another rank, and pickers, may cover them."""

_KEEPS_SESSION: Final = frozenset({DialogType.PERMISSION, DialogType.QUESTION})
"""Questions whose answer begins no other session; that of a plan or of a start-up form may."""


def is_gone(offer: Offer, sight: Sight, *, ends_agent: bool = False) -> bool:
    """Whether the offered question was seen to be gone; `ends_agent` is what the answer was to do."""
    if why_unprovable(offer, sight):
        return ends_agent and sight.has_ended
    if sight.shows_no_question:
        return True
    asked, shown = offer.dialog, sight.dialog
    if asked is None or shown is None or not sight.is_whole:
        return False
    is_next = any({asked.type, shown.type} <= rank for rank in (_AT_WORK, _AT_START))
    return is_next and not offer.may_show(shown)


def why_unprovable(offer: Offer, sight: Sight) -> str:
    """Why no look will show any more that an answer was taken: its agent is not there; "" where it is."""
    before = offer.sight
    if sight.seq is None:
        return ENDED if sight.has_ended else SUSPENDED
    if sight.facts.kind not in ("", before.facts.kind):
        return OTHER_AGENT
    keeps_session = offer.dialog is not None and offer.dialog.type in _KEEPS_SESSION
    if keeps_session and before.session and sight.session and sight.session != before.session:
        return OTHER_SESSION
    return ""


def ended_elsewhere(offer: Offer, sight: Sight) -> Outcome | None:
    """How a question ended that nobody answered here, as far as it was seen; None while it may be open.

    That it was answered is said only where the agent was seen to go on.
    """
    why = why_unprovable(offer, sight)
    if not why and sight.shows_no_question:
        return Outcome(outcome=OutcomeKind.SUPERSEDED, reason=ANSWERED, by=TERMINAL)
    if not why and not sight.is_blocked:
        why = WENT_AWAY
    if not why and sight.seq != offer.sight.seq:
        why = ASKS_AGAIN
    return Outcome(outcome=OutcomeKind.SUPERSEDED, reason=why, by=UNSET) if why else None
