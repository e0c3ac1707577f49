"""The validated strings of the wire (specs: phone-protocol section 3.1).

Each is a `str` of its own type whose constructor refuses what the wire refuses; the message is `invalid <TypeName>`,
which clients read to find the field.
"""

import re
import unicodedata
from typing import ClassVar, Self

from collie.protocol import limits

FORMAT_CHARACTERS = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]")
"""Characters that change how text is read without being seen (specs: phone-protocol section 3.3)."""


def has_controls(text: str, allowed: str = "") -> bool:
    """Whether `text` holds a C0, DEL or C1 control that is not in `allowed`."""
    return any(unicodedata.category(character) == "Cc" and character not in allowed for character in text)


class ValidatedText(str):
    """Base of the validated strings; never used itself. `RULE` says in words what is accepted."""

    __slots__ = ()
    RULE: ClassVar[str]

    def __new__(cls, value: str) -> Self:
        if not _is_unicode(value) or not cls.accepts(value):
            raise ValueError(f"invalid {cls.__name__}")
        return super().__new__(cls, value)

    @classmethod
    def accepts(cls, value: str) -> bool:
        """Whether `value` is allowed on the wire as this type."""
        raise NotImplementedError


class PatternText(ValidatedText):
    """A string that matches one pattern whole."""

    __slots__ = ()
    pattern: ClassVar[re.Pattern[str]]

    @classmethod
    def accepts(cls, value: str) -> bool:
        return cls.pattern.match(value) is not None


class TerminalId(PatternText):
    """Names one terminal for as long as its host lives."""

    __slots__ = ()
    RULE = "1 to 64 letters, digits, `_`, `:`, `.` or `-`"
    pattern = re.compile(r"[A-Za-z0-9_:.-]{1,64}\Z")


class WorkspaceId(PatternText):
    """Names one workspace of the host."""

    __slots__ = ()
    RULE = "1 to 64 letters, digits, `_`, `:`, `.` or `-`"
    pattern = re.compile(r"[A-Za-z0-9_:.-]{1,64}\Z")


class ApprovalId(PatternText):
    """Names one approval; never used twice."""

    __slots__ = ()
    RULE = "1 to 64 letters, digits, `_` or `-`"
    pattern = re.compile(r"[A-Za-z0-9_-]{1,64}\Z")


class AgentKindName(PatternText):
    """The wire's name of an agent kind."""

    __slots__ = ()
    RULE = "a small letter, then up to 31 small letters, digits, `_` or `-`"
    pattern = re.compile(r"[a-z][a-z0-9_-]{0,31}\Z")


class AgentName(PatternText):
    """The name a person gave one agent (specs: herdr-api section 2)."""

    __slots__ = ()
    RULE = "a small letter, then up to 31 small letters, digits, `_` or `-`"
    pattern = re.compile(r"[a-z][a-z0-9_-]{0,31}\Z")


class OpId(PatternText):
    """16 random bytes, base64url: names one operation, so that a repeat is not done twice."""

    __slots__ = ()
    RULE = "22 characters of base64url"
    pattern = re.compile(r"[A-Za-z0-9_-]{22}\Z")


class Nonce(PatternText):
    """32 random bytes, base64url: proves that a decision is about what was shown. Never printed."""

    __slots__ = ()
    RULE = "43 characters of base64url"
    pattern = re.compile(r"[A-Za-z0-9_-]{43}\Z")

    def __repr__(self) -> str:
        return "Nonce(…)"


class Label(ValidatedText):
    """A short line for people."""

    __slots__ = ()
    RULE = "one line of at most 64 visible characters"

    @classmethod
    def accepts(cls, value: str) -> bool:
        return (
            0 < len(value) <= limits.LABEL_CHARS
            and value == value.strip()
            and not has_controls(value)
            and not FORMAT_CHARACTERS.search(value)
        )


class Note(ValidatedText):
    """One line that a person adds to a decision."""

    __slots__ = ()
    RULE = "one line of at most 200 visible characters"

    @classmethod
    def accepts(cls, value: str) -> bool:
        return (
            0 < len(value) <= limits.NOTE_CHARS
            and bool(value.strip())
            and not has_controls(value)
            and not FORMAT_CHARACTERS.search(value)
        )


class Cwd(ValidatedText):
    """An absolute path of a folder."""

    __slots__ = ()
    RULE = "an absolute path in UTF-8 of at most 1,024 bytes, without control characters"

    @classmethod
    def accepts(cls, value: str) -> bool:
        return value.startswith("/") and _bytes(value) <= limits.CWD_BYTES and not has_controls(value)


class PromptText(ValidatedText):
    """What a person says to an agent; newlines and tabs allowed."""

    __slots__ = ()
    RULE = "text in UTF-8 that is not blank, at most 32 KiB, without control characters but line ends and tabs"

    @classmethod
    def accepts(cls, value: str) -> bool:
        return bool(value.strip()) and _bytes(value) <= limits.PROMPT_BYTES and not has_controls(value, "\n\t")


class DraftText(ValidatedText):
    """The text of an agent's input box; may be empty."""

    __slots__ = ()
    RULE = "text in UTF-8 of at most 32 KiB, without invisible characters"

    @classmethod
    def accepts(cls, value: str) -> bool:
        return (
            _bytes(value) <= limits.PROMPT_BYTES
            and not has_controls(value, "\n")
            and not FORMAT_CHARACTERS.search(value)
        )


def _is_unicode(text: str) -> bool:
    """Whether it can be written as UTF-8: what the system hands over in another encoding holds half surrogates."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def _bytes(text: str) -> int:
    return len(text.encode())
