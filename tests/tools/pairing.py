"""Devices and desks for the tests of pairing."""

from dataclasses import dataclass, field

from collie.daemon.device import Device
from collie.daemon.pairing.candidate import Candidate
from collie.daemon.pairing.events import Attempt
from collie.protocol.invite import PairingCode

CODE, WRONG = PairingCode("c" * 22), PairingCode("w" * 22)
PIN, OTHER_PIN = "p" * 43, "q" * 43
OWNER = 7001


def build_candidate(node: str = "nPHONE", *, label: str = "Ana's phone", user: int = OWNER) -> Candidate:
    """A device of the owner's."""
    return Candidate(
        device=Device(node_id=node),
        label=label,
        node_name="ana-phone",
        user_id=user,
        login="ana@example.com",
        tls_key=PIN,
    )


def build_attempt(
    code: PairingCode = CODE, *, session: int = 11, window: int | None = 1, node: str = "nPHONE"
) -> Attempt:
    """A try of a code."""
    return Attempt(candidate=build_candidate(node), code=code, session=session, window=window, by=node)


@dataclass
class RecordedDesk:
    """An operator who writes down what is asked and told."""

    asked: list[tuple[int, Candidate, float]] = field(default_factory=list)
    finished: list[tuple[bool, str]] = field(default_factory=list)

    def ask(self, window: int, candidate: Candidate, seconds: float) -> None:
        """See `Desk`."""
        self.asked.append((window, candidate, seconds))

    def finish(self, is_paired: bool, detail: str) -> None:
        """See `Desk`."""
        self.finished.append((is_paired, detail))
