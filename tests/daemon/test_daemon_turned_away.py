"""Callers that were not let in, and how much of that is written down."""

from collie.daemon.turned_away import TurnedAway

Line = tuple[str, str, str | None, str]


def build() -> tuple[TurnedAway, list[Line], list[float]]:
    """Lines, and a clock whose last value is now."""
    lines: list[Line] = []
    clock = [10.0]
    return TurnedAway(lambda *line: lines.append(line), lambda: clock[-1]), lines, clock


def test_a_line_names_the_node_where_it_is_known_else_the_address() -> None:
    turned_away, lines, _ = build()

    turned_away("100.64.0.7:50123", "not paired", "nPHONE")
    turned_away("[fd7a::7]:50124", "whois failed")

    assert lines == [
        ("nPHONE", "connect", "100.64.0.7:50123", "rejected: not paired"),
        ("[fd7a::7]:50124", "connect", "[fd7a::7]:50124", "rejected: whois failed"),
    ]


def test_past_ten_at_once_one_line_says_that_there_are_more() -> None:
    turned_away, lines, clock = build()
    for port in range(100):
        turned_away(f"100.64.0.7:{port}", "not paired")

    assert [line[3] for line in lines] == ["rejected: not paired"] * 10 + [
        "rejected: not paired; further rejections from this address suppressed"
    ]
    clock.append(11.0)
    turned_away("100.64.0.7:200", "not the owner")
    turned_away("100.64.0.7:201", "not the owner")
    assert [line[3] for line in lines[11:]] == [
        "rejected: not the owner",
        "rejected: not the owner; further rejections from this address suppressed",
    ]


def test_one_source_does_not_hide_another() -> None:
    turned_away, lines, _ = build()
    for port in range(20):
        turned_away(f"100.64.0.7:{port}", "not paired")

    turned_away("[fd7a::7]:1", "tagged node", "nSERVER")
    turned_away("local:1", "whois failed")

    assert [line[0] for line in lines[-2:]] == ["nSERVER", "local:1"]
