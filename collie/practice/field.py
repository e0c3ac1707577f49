"""A text with a cursor in it: the input box, the note on an answer, the answer in one's own words."""

from dataclasses import dataclass, replace

from collie.practice.keys import Key, KeyEvent, Pasted


@dataclass(frozen=True, slots=True, kw_only=True)
class Field:
    """`cursor` counts characters from the start of `text`."""

    text: str = ""
    cursor: int = 0

    @classmethod
    def filled(cls, text: str) -> "Field":
        """A field that holds `text`, with the cursor at its end."""
        return cls(text=text, cursor=len(text))

    def insert(self, text: str) -> "Field":
        """`text` put in at the cursor."""
        joined = self.text[: self.cursor] + text + self.text[self.cursor :]
        return Field(text=joined, cursor=self.cursor + len(text))

    def cut(self, start: int, end: int) -> "Field":
        """The field without the characters from `start` to `end`, the cursor where they were."""
        return Field(text=self.text[:start] + self.text[end:], cursor=start)

    @property
    def line_start(self) -> int:
        """Where the cursor's line begins."""
        return self.text.rfind("\n", 0, self.cursor) + 1

    @property
    def line_end(self) -> int:
        """Where the cursor's line ends."""
        end = self.text.find("\n", self.cursor)
        return len(self.text) if end < 0 else end


EMPTY = Field()


def edited(field: Field, event: KeyEvent) -> Field | None:
    """The field after `event`, or None when the event is not one that edits a text."""
    if not isinstance(event, Key):
        return field.insert(_without_marks(event.text) if isinstance(event, Pasted) else event.text)
    match event.name:
        case "newline":
            return field.insert("\n")
        case "backspace":
            return field.cut(max(field.cursor - 1, 0), field.cursor)
        case "delete":
            return field.cut(field.cursor, min(field.cursor + 1, len(field.text)))
        case "ctrl+u":
            return _cut_to_line_start(field)
        case "ctrl+k":
            return field.cut(field.cursor, field.line_end)
        case "ctrl+w":
            return _cut_word(field)
        case _:
            return _moved(field, event.name)


def _without_marks(text: str) -> str:
    """A paste that ends with a line end leaves no empty line behind."""
    return text.rstrip("\n")


def _moved(field: Field, name: str) -> Field | None:
    match name:
        case "left":
            return replace(field, cursor=max(field.cursor - 1, 0))
        case "right":
            return replace(field, cursor=min(field.cursor + 1, len(field.text)))
        case "home":
            return replace(field, cursor=field.line_start)
        case "end":
            return replace(field, cursor=field.line_end)
        case "up" if field.line_start > 0:
            return _to_line(field, field.text.rfind("\n", 0, field.line_start - 1) + 1)
        case "down" if field.line_end < len(field.text):
            return _to_line(field, field.line_end + 1)
        case _:
            return None


def _to_line(field: Field, start: int) -> Field:
    """The cursor on the line that begins at `start`, in the same column as far as that line goes."""
    column = field.cursor - field.line_start
    there = replace(field, cursor=start)
    return replace(there, cursor=min(start + column, there.line_end))


def _cut_to_line_start(field: Field) -> Field:
    """At the start of a line this takes the line end before it, so that repeating it empties the field."""
    start = field.line_start
    return field.cut(start if start < field.cursor else max(field.cursor - 1, 0), field.cursor)


def _cut_word(field: Field) -> Field:
    before = field.text[: field.cursor].rstrip(" ")
    start = max(before.rfind(" "), before.rfind("\n")) + 1
    return field.cut(start, field.cursor)
