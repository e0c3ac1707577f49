"""What makes a dialog the one that was shown: digests over what decides the meaning of an answer.

A fingerprint is SHA-256 over the kind, the rule, the terminal, the session and the region, each as its length (unsigned
64 bit, big endian) and its bytes (specs: daemon-behaviour section 11). The region says where the cursor stands.
"""

import hashlib
import re
from dataclasses import dataclass, replace

from collie.agents.facts import Dialog
from collie.agents.region import region_text
from collie.herdr.models import Expect

_SPACE = re.compile(r"\s+")
_FRAMES = re.compile(r"[\s\u2500-\u257f\u2594]+")
"""White space, and what rules and boxes are drawn with: both differ with the width that is drawn for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Who asks: the kind of agent, the rule that saw its question, its terminal and its session ("" when unknown)."""

    kind: str
    rule: str
    terminal_id: str
    session: str = ""


def fingerprint(subject: Subject, region: str) -> str:
    """The digest of a question, in hex."""
    digest = hashlib.sha256()
    for part in (subject.kind, subject.rule, subject.terminal_id, subject.session, region):
        data = part.encode("utf-8", "surrogatepass")
        digest.update(len(data).to_bytes(8, "big"))
        digest.update(data)
    return digest.hexdigest()


def of_dialog(subject: Subject, dialog: Dialog) -> str:
    """The fingerprint of `dialog` as it stands."""
    return fingerprint(subject, region_text(dialog, dialog.cursor))


def by_cursor(subject: Subject, dialog: Dialog) -> tuple[str, ...]:
    """The fingerprints that `dialog` has with the cursor on each of its options."""
    return tuple(fingerprint(subject, region_text(dialog, index)) for index in range(len(dialog.options)))


def around(subject: Subject, dialog: Dialog, index: int) -> str:
    """The fingerprint of everything but the label of option `index`, in which a note is typed.

    The rule is left out, as it may follow the footer, which says something else while a text field is open.
    """
    options = (*dialog.options[:index], replace(dialog.options[index], label=""), *dialog.options[index + 1 :])
    return fingerprint(replace(subject, rule=""), region_text(replace(dialog, options=options), dialog.cursor))


def may_be_same(one: Dialog, other: Dialog) -> bool:
    """Whether two pictures may show one question, whatever their options: one has no row that the other lacks.

    That is so when a picture is half drawn, cut off on the right, wrapped anew, or has got rows that explain it.
    """
    return _adds_nothing(one, other) or _adds_nothing(other, one)


def squeezed(text: str) -> str:
    """`text` without white space, so that it compares equal however it was wrapped."""
    return _SPACE.sub("", text)


def _adds_nothing(part: Dialog, whole: Dialog) -> bool:
    text = _FRAMES.sub("", whole.body)
    return all(_FRAMES.sub("", row) in text for row in part.body.split("\n"))


def expectation(text: str, dialog: Dialog, terminal_id: str) -> Expect:
    """The condition that the rows of `dialog` are still those of `text`, the detection text that it was read from."""
    return Expect.of(text, first=dialog.region.first, last=dialog.region.last, terminal_id=terminal_id)
