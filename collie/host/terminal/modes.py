"""The modes that programs set: which there are, what they start as, and what DECRQM says of them."""

INSERT = 4
NEW_LINE = 20

CURSOR_KEYS = 1
ORIGIN = 6
AUTOWRAP = 7
CURSOR_VISIBLE = 25
ALTERNATE = 47
ALTERNATE_CLEARED = 1047
SAVE_CURSOR = 1048
ALTERNATE_SAVED = 1049
MOUSE_REPORTS = frozenset({9, 1000, 1002, 1003})
FOCUS_REPORTS = 1004
BRACKETED_PASTE = 2004
SYNCHRONIZED = 2026
CLUSTERS = 2027
SIZE_REPORTS = 2048

_ANSI = frozenset({INSERT, NEW_LINE})
_PRIVATE = MOUSE_REPORTS | {
    CURSOR_KEYS,
    5,  # reverse video
    ORIGIN,
    AUTOWRAP,
    12,  # blinking cursor
    CURSOR_VISIBLE,
    ALTERNATE,
    66,  # application keypad
    FOCUS_REPORTS,
    1005,  # mouse encodings: UTF-8, SGR, urxvt, SGR pixels
    1006,
    1015,
    1016,
    1007,  # wheel as cursor keys on the alternate screen
    ALTERNATE_CLEARED,
    SAVE_CURSOR,
    ALTERNATE_SAVED,
    BRACKETED_PASTE,
    SYNCHRONIZED,
    CLUSTERS,
    2031,  # colour scheme reports
    SIZE_REPORTS,
}
_ON_AT_START = frozenset({AUTOWRAP, CURSOR_VISIBLE, 1007, CLUSTERS})


class Modes:
    """The state of every mode that this terminal knows; the others cannot be set."""

    def __init__(self) -> None:
        self._ansi: set[int] = set()
        self._private = set(_ON_AT_START)

    def __contains__(self, mode: int) -> bool:
        """Whether a private mode is on."""
        return mode in self._private

    def set(self, mode: int, *, private: bool, on: bool) -> None:
        """Turn a mode on or off."""
        known, active = (_PRIVATE, self._private) if private else (_ANSI, self._ansi)
        if mode in known:
            (active.add if on else active.discard)(mode)

    def is_on(self, mode: int, *, private: bool) -> bool:
        """Whether a mode is on."""
        return mode in (self._private if private else self._ansi)

    def report(self, mode: int, *, private: bool) -> int:
        """What DECRPM says: 0 not known, 1 on, 2 off."""
        if mode not in (_PRIVATE if private else _ANSI):
            return 0
        return 1 if self.is_on(mode, private=private) else 2

    @property
    def mouse_reports(self) -> bool:
        """Whether the program asked for mouse events of any kind."""
        return not self._private.isdisjoint(MOUSE_REPORTS)
