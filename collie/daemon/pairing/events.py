"""What happens to a pairing window, and what is to be done about it: the values that the machine takes and gives."""

from dataclasses import dataclass, field

from collie.daemon.pairing.candidate import Candidate
from collie.protocol.invite import PairingCode

# Events


@dataclass(frozen=True, slots=True, kw_only=True)
class Open:
    """The operator wants to pair a device, by this code."""

    code: PairingCode = field(repr=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """A device says that it has read the code.

    `session` is the session it says it on, `window` the window that let that one in (None for a device that is paired
    already, which needs none), `by` what the audit log calls it.
    """

    candidate: Candidate
    code: PairingCode = field(repr=False)
    session: int
    window: int | None
    by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Left:
    """The session of the device that is being asked about has ended."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirm:
    """The operator says yes or no to the candidate of that window; a late answer is none to the next one."""

    window: int
    accept: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Cancel:
    """The operator does not want to pair any more, or has gone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Overdue:
    """The time of the present state is over."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """The confirmed device is on the disk."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotStored:
    """The confirmed device could not be added, and is not paired."""

    why: str


Event = Open | Attempt | Left | Confirm | Cancel | Overdue | Stored | NotStored

# Commands


@dataclass(frozen=True, slots=True, kw_only=True)
class Ask:
    """Show the candidate of this window to the operator, and ask."""

    window: int
    candidate: Candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class Store:
    """Add the candidate to the paired devices, and answer with Stored or NotStored."""

    candidate: Candidate


@dataclass(frozen=True, slots=True, kw_only=True)
class EndSessions:
    """Drop the sessions that this window let in, but the one to `keep`."""

    window: int
    keep: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Answer:
    """Tell the device that tried on this session whether it is paired; it is not told why not."""

    session: int
    is_paired: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Finish:
    """Tell the operator how the window ended."""

    is_paired: bool
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Refuse:
    """Tell the operator that this cannot be done now."""

    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Audit:
    """Write a line."""

    peer: str
    method: str
    target: str | None
    result: str


Command = Ask | Store | EndSessions | Answer | Finish | Refuse | Audit
