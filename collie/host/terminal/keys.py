"""Names of keys, as the socket API's send_keys takes them, to the bytes a program expects (specs: herdr-api 5).

The kitty encoding is that of sw.kovidgoyal.net/kitty/keyboard-protocol; a key press is all that is ever reported.
"""

from collie.errors import CollieError

DISAMBIGUATE, EVENTS, ALTERNATES, ALL_KEYS, TEXT = 1, 2, 4, 8, 16
"""The flags of the kitty keyboard protocol."""

SHIFT, ALT, CTRL, SUPER, HYPER = 1, 2, 4, 8, 16
_MODIFIERS = {
    "shift": SHIFT,
    "alt": ALT,
    "option": ALT,
    "meta": ALT,
    "ctrl": CTRL,
    "control": CTRL,
    "cmd": SUPER,
    "command": SUPER,
    "super": SUPER,
    "hyper": HYPER,
}
_CHARACTERS = {
    "space": " ",
    "plus": "+",
    "minus": "-",
    "comma": ",",
    "period": ".",
    "slash": "/",
    "backslash": "\\",
    "quote": "'",
    "double_quote": '"',
    "double-quote": '"',
    "semicolon": ";",
    "colon": ":",
    "percent": "%",
    "ampersand": "&",
    "backtick": "`",
}
_BYTES = {
    "enter": "\r",
    "return": "\r",
    "tab": "\t",
    "esc": "\x1b",
    "escape": "\x1b",
    "backspace": "\x7f",
    "bs": "\x7f",
}
_CURSOR = {"up": "A", "down": "B", "right": "C", "left": "D"}
_FUNCTION_LETTERS = {"f1": "P", "f2": "Q", "f3": "R", "f4": "S"}
_FUNCTION_NUMBERS = {"f5": 15, "f6": 17, "f7": 18, "f8": 19, "f9": 20, "f10": 21, "f11": 23, "f12": 24}
_KITTY_F3 = 13  # its letter form would be a cursor position report
_CONTROL_CODES = {" ": 0, "@": 0, "2": 0, "3": 27, "[": 27, "4": 28, "\\": 28, "5": 29, "]": 29, "6": 30, "^": 30}
_CONTROL_CODES |= {"7": 31, "_": 31, "-": 31, "/": 31, "8": 127, "?": 127}


class InvalidKey(CollieError):
    """A key has a name that is not known, or cannot be sent to this program."""

    def __init__(self, name: str) -> None:
        super().__init__(f"unsupported key {name}")


def encode_key(name: str, application_cursor_keys: bool, keyboard_flags: int) -> bytes:
    """The bytes of one press of a key.

    Args:
        name: such as `enter`, `ctrl+c`, `C-c`, `shift+tab`, `A`.
        application_cursor_keys: mode 1 is on.
        keyboard_flags: the kitty keyboard flags in force, 0 for none.

    Raises:
        InvalidKey: an unknown name, or one that has no bytes without the kitty protocol (cmd, hyper).
    """
    key, modifiers = _parse(name)
    if keyboard_flags:
        return _kitty(key, modifiers, keyboard_flags).encode()
    encoded = None if modifiers & (SUPER | HYPER) else _legacy(key, modifiers, application_cursor_keys)
    if encoded is None:
        raise InvalidKey(name)
    return encoded.encode()


def _parse(name: str) -> tuple[str, int]:
    """(a key of the tables in lower case, or one character; the modifiers). An upper-case letter is shift and lower."""
    text = name.strip()
    if len(text) == 3 and text[:2] in {"C-", "c-"}:
        text = f"ctrl+{text[2]}"
    *prefixes, last = ["plus"] if text == "+" else text.split("+")
    modifiers = 0
    for prefix in prefixes:
        if prefix.lower() not in _MODIFIERS:
            raise InvalidKey(name)
        modifiers |= _MODIFIERS[prefix.lower()]
    key = last.lower() if len(last) > 1 else last
    key = _CHARACTERS.get(key, key)
    if len(key) == 1 and key.isprintable():
        return (key.lower(), modifiers | SHIFT) if _has_lower(key) else (key, modifiers)
    if key in _BYTES or key in _CURSOR or key in _FUNCTION_LETTERS or key in _FUNCTION_NUMBERS:
        return key, modifiers
    raise InvalidKey(name)


def _has_lower(key: str) -> bool:
    """Whether a character is the shifted form of another one."""
    return key != key.lower() and len(key.lower()) == 1


def _shifted(key: str) -> str:
    """What shift makes of a character; other characters depend on the keyboard, and stay."""
    return key.upper() if len(key) == len(key.upper()) == 1 else key


def _legacy(key: str, modifiers: int, application_cursor_keys: bool) -> str | None:
    """The bytes that every terminal sends; None where it has none."""
    if key in _CURSOR and not modifiers:
        return f"\x1b{'O' if application_cursor_keys else '['}{_CURSOR[key]}"
    if key in _FUNCTION_LETTERS and not modifiers:
        return f"\x1bO{_FUNCTION_LETTERS[key]}"
    if key in _CURSOR or key in _FUNCTION_LETTERS or key in _FUNCTION_NUMBERS:
        return _functional(key, modifiers)
    if key == "tab" and modifiers & SHIFT:
        encoded: str | None = "\x1b[Z"
    elif key in _BYTES:
        encoded = _BYTES[key]
    elif modifiers & CTRL:
        encoded = _control(key)
    else:
        encoded = _shifted(key) if modifiers & SHIFT else key
    return f"\x1b{encoded}" if encoded and modifiers & ALT else encoded


def _control(key: str) -> str | None:
    """The control character that ctrl makes of a character, if it makes one."""
    if key.isascii() and key.isalpha():
        return chr(ord(key) & 0x1F)
    return chr(_CONTROL_CODES[key]) if key in _CONTROL_CODES else None


def _functional(key: str, modifiers: int) -> str:
    """A cursor or function key as CSI with its modifiers."""
    modified = f";{modifiers + 1}" if modifiers else ""
    if key in _FUNCTION_NUMBERS:
        return f"\x1b[{_FUNCTION_NUMBERS[key]}{modified}~"
    letter = _CURSOR.get(key) or _FUNCTION_LETTERS[key]
    return f"\x1b[1{modified}{letter}" if modified else f"\x1b[{letter}"


def _kitty(key: str, modifiers: int, flags: int) -> str:
    """The bytes of the kitty protocol for a key press."""
    if key == "f3":
        return f"\x1b[{_KITTY_F3};{modifiers + 1}~" if modifiers else f"\x1b[{_KITTY_F3}~"
    if key in _CURSOR or key in _FUNCTION_LETTERS or key in _FUNCTION_NUMBERS:
        return _functional(key, modifiers)
    shifted = _shifted(key) if modifiers & SHIFT else key
    if not flags & ALL_KEYS:
        if key in _BYTES and not modifiers and _BYTES[key] != "\x1b":
            return _BYTES[key]
        if len(key) == 1 and not modifiers & ~SHIFT:
            return shifted
    code = str(ord(_BYTES.get(key, key)))
    if flags & ALTERNATES and shifted != key:
        code += f":{ord(shifted)}"
    text = shifted if flags & TEXT and len(key) == 1 and not modifiers & ~SHIFT else ""
    fields = [code, str(modifiers + 1) if modifiers else "", ":".join(str(ord(character)) for character in text)]
    return f"\x1b[{';'.join(fields).rstrip(';')}u"
