"""How the dashboard was left."""

from enum import Enum


class Farewell(Enum):
    """QUIT ends the daemon with the window when it ran there; LEAVE_HEADLESS asks for one without a window."""

    QUIT = "quit"
    LEAVE_HEADLESS = "leave_headless"
