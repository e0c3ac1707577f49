"""Keys that go to an agent: which of Textual's names the wire knows, and what a person calls the others."""

from textual.keys import format_key

from collie.protocol.models import Key


def sendable(name: str) -> Key | None:
    """The key of the wire for Textual's name of it, None for one that cannot be sent."""
    try:
        return Key("esc" if name == "escape" else name)
    except ValueError:
        return None


def key_words(name: str, character: str | None) -> str:
    """What a person calls a key: the character it types, else its name."""
    if character is not None and character.isprintable() and character != " ":
        return f"“{character}”"
    *modifiers, key = name.split("+")
    return "+".join((*modifiers, format_key(key) if modifiers else key.replace("_", " ")))
