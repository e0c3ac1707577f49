"""Which option of a permission means what. A label that is not known means nothing: nothing is guessed.

The known labels: specs claude-code 3 and 6, daemon-behaviour 12.2. `Yes, and switch to auto mode` is none of the three,
since it changes how every later call is judged.
"""

import re
from collections.abc import Sequence

from collie.agents.facts import Decision

_APPROVE = re.compile(
    r"yes|yes, (proceed|i trust|add it)\b.*|yes, but ask again next time|allow once|trust and continue|trust folder"
)
_ALWAYS = re.compile(
    r"yes, (and )?(don't ask again|always allow|allow|keep allowing|switch to accept edits|remember)\b.*"
    r"|allow always|trust parent folder"
)
_NOT_ALWAYS = re.compile(r".*\b(this time|once)\b.*")
_DENY = re.compile(r"no|no[,(].*|no \(.*|reject|don't trust")
_TRAILING_HINT = re.compile(r" \([^()]*\)\Z")


def meaning(label: str) -> Decision | None:
    """The decision that a label bears as it stands, or None."""
    text = _TRAILING_HINT.sub("", label.lower().replace("’", "'"))
    if _APPROVE.fullmatch(text):
        return Decision.APPROVE
    if _ALWAYS.fullmatch(text) and not _NOT_ALWAYS.fullmatch(text):
        return Decision.APPROVE_ALWAYS
    if _DENY.fullmatch(text):
        return Decision.DENY
    return None


def amended_meaning(label: str) -> Decision | None:
    """The decision of a row whose note is being written: its first word says it, whatever the note says."""
    word = re.match(r"[a-z]*", label.lower())
    return {"yes": Decision.APPROVE, "no": Decision.DENY}.get(word.group() if word else "")


def decide(labels: Sequence[str], amended: int | None = None) -> tuple[tuple[Decision, int], ...]:
    """Each decision that exactly one label bears, with its index; nothing when none of them approves.

    `amended` is the option whose note field was seen open.
    """
    borne = [amended_meaning(label) if index == amended else meaning(label) for index, label in enumerate(labels)]
    found = tuple((decision, borne.index(decision)) for decision in Decision if borne.count(decision) == 1)
    return found if any(decision is not Decision.DENY for decision, _ in found) else ()
