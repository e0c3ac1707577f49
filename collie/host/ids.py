"""The ids of workspaces, tabs, panes and terminals (specs: embedded-host section 3). Clients take them as opaque."""

from typing import Final

DIGITS: Final = "123456789ABCDEFGHJKMNPQRSTVWXYZ0"
"""The digits of herdr's ids, worth 1 to 32; there is no zero, and no I, L, O, U that could be misread."""


def encode(number: int) -> str:
    """`number` (from 1 up) in bijective base 32: 9 is `9`, 10 is `A`, 32 is `0`, 33 is `11`."""
    text = ""
    while number > 0:
        number, digit = divmod(number - 1, len(DIGITS))
        text = DIGITS[digit] + text
    return text


def workspace_id(number: int) -> str:
    """The id of the host's `number`th workspace."""
    return f"w{encode(number)}"


def tab_id(workspace: str, number: int) -> str:
    """The id of the `number`th tab that the workspace ever had."""
    return f"{workspace}:t{encode(number)}"


def pane_id(workspace: str, number: int) -> str:
    """The id of the `number`th pane that the workspace ever had."""
    return f"{workspace}:p{encode(number)}"


def terminal_id(started_us: int, number: int) -> str:
    """The id of a host's `number`th terminal; no two hosts were `started_us` (microseconds since 1970) at once."""
    return f"term_{started_us:x}{number:x}"
