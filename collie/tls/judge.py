"""Is the peer's key the one that is wanted?"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from collie.tls.errors import PinViolation, TlsError
from collie.tls.pins import MalformedKey, check_spki, pin_of

BAD_CERTIFICATE: Final = 42
ACCESS_DENIED: Final = 49


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """Why a key was refused: what this side raises, and the alert that tells the peer."""

    error: TlsError
    alert: int


class Judge:
    """Asked once, with what the peer showed.

    `spki` is set by the verdict itself and by nothing else, so that no mishap on the way of the answer can make a key
    accepted.
    """

    def __init__(self, accept: Callable[[str], bool], unwanted: str) -> None:
        """
        Args:
            accept: whether the key with this pin is wanted
            unwanted: what is said of one that is not
        """
        self._accept = accept
        self._unwanted = unwanted
        self.spki: bytes | None = None
        self.refusal: Refusal | None = None

    def __call__(self, raw: bool, keys: tuple[bytes, ...]) -> bool:
        """Whether the peer may go on; `raw` tells that it showed raw keys and not certificates."""
        self.refusal = malformed(raw, keys)
        if self.refusal is None and not self._accept(pin := pin_of(keys[0])):
            self.refusal = Refusal(error=PinViolation(self._unwanted, pin), alert=ACCESS_DENIED)
        if self.refusal is None:
            self.spki = keys[0]
        return self.spki is not None


def malformed(raw: bool, keys: tuple[bytes, ...]) -> Refusal | None:
    """The refusal of what is not one raw P-256 key in the accepted form; None for what is."""
    try:
        if not raw:
            raise MalformedKey("a certificate where a raw key is required")
        if len(keys) != 1:
            raise MalformedKey(f"{len(keys)} keys where one is required")
        check_spki(keys[0])
    except MalformedKey as error:
        return Refusal(error=TlsError(f"the peer showed {error}"), alert=BAD_CERTIFICATE)
    return None
