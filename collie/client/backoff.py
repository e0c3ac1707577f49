"""How long to wait before the next try: doubles from `first` to `longest` seconds, and starts over after success."""

from dataclasses import dataclass


@dataclass(slots=True, kw_only=True)
class Backoff:
    """The waits of one series of tries, in seconds."""

    first: float
    longest: float
    _next: float = 0.0

    def next_wait(self) -> float:
        """The wait before the next try."""
        wait = self._next or self.first
        self._next = min(wait * 2, self.longest)
        return wait

    def succeeded(self) -> None:
        """The series is over; the next one starts small again."""
        self._next = 0.0
