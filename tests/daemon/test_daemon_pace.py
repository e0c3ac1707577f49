"""How often clients may ask."""

from collie.daemon.pace import OPERATOR_PACE, WIRE_PACE, FrameRates


class Now:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def test_a_device_sends_40_frames_at_once_and_20_a_second() -> None:
    now = Now()
    rates = FrameRates(now)
    assert sum(rates.take("phone", WIRE_PACE).allowed for _ in range(100)) == 40
    now.seconds = 1.0
    assert sum(rates.take("phone", WIRE_PACE).allowed for _ in range(100)) == 20
    assert rates.take("another phone", WIRE_PACE).allowed


def test_the_operator_is_not_slowed_by_what_a_busy_dashboard_asks() -> None:
    """Two calls for each of 200 changes a second, and a held key, for a minute."""
    now = Now()
    rates = FrameRates(now)
    for _ in range(60 * 430):
        assert rates.take("control/session 1", OPERATOR_PACE).allowed
        now.seconds += 1 / 430
