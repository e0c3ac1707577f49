"""What happens to an approval, and what is to be done about it: the values that the machine takes and gives."""

from dataclasses import dataclass

from collie.daemon.approvals.sight import Sight
from collie.herdr.models import Expect
from collie.protocol.errors import Code, WireError
from collie.protocol.models import Decision, Key, Outcome

# Events


@dataclass(frozen=True, slots=True, kw_only=True)
class Decide:
    """Somebody decides."""

    decision: Decision
    nonce: str
    by: str
    choice: int | None = None
    note: str | None = None

    @property
    def words(self) -> str:
        """The decision as the audit log names it; a note's text is never in it (specs: phone-protocol section 6.6)."""
        if self.decision is Decision.CHOOSE:
            return f"choose {self.choice}"
        return f"{self.decision.value} with note" if self.note is not None else self.decision.value

    def __repr__(self) -> str:
        return f"Decide({self.words} by {self.by})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Withdraw:
    """The question is no longer the one that was shown, or nobody may answer it any more."""

    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeted:
    """The host answered. `ties_input`: it writes keys only if the rows that come with them are still on the screen."""

    ties_input: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Saw:
    """The agent and its screen were read again."""

    sight: Sight


@dataclass(frozen=True, slots=True, kw_only=True)
class Changed:
    """The host did not write the keys, as the screen was no longer the one that was read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Failed:
    """A call to the host failed. `is_certain` says that a write which failed so has certainly not been written."""

    error: WireError
    is_write: bool
    is_certain: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Revoked:
    """Whoever decided may no longer write; it was asked right before a key, which was not sent."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overdue:
    """The time for a verdict is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Abandoned:
    """Whoever carried the decision out was cancelled."""


Event = Decide | Withdraw | Greeted | Saw | Changed | Failed | Revoked | Overdue | Abandoned

# Commands


@dataclass(frozen=True, slots=True, kw_only=True)
class Wait:
    """Let some time pass."""

    seconds: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Greet:
    """Ask the host what it can do, and answer with Greeted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadScreen:
    """Ask the host for the agent, then for its screen, and answer with Saw."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PressKeys:
    """Press keys in one write, if the rows that `expect` names are still what they were."""

    keys: tuple[Key, ...]
    expect: Expect


@dataclass(frozen=True, slots=True, kw_only=True)
class TypeText:
    """Type the decider's own words, under the same condition."""

    text: str
    expect: Expect

    def __repr__(self) -> str:
        return "TypeText(…)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Publish:
    """Tell everybody how the approval ended."""

    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """Answer whoever decided with a result."""

    outcome: Outcome


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse:
    """Answer whoever decided with an error; `outcome` says how the approval had ended before."""

    code: Code
    message: str
    outcome: Outcome | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Write a line about the attempt."""

    result: str


Command = Wait | Greet | ReadScreen | PressKeys | TypeText | Publish | Reply | Refuse | Audit
