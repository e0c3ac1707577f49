"""What a permission is about: the dialog's title, the shell command or the target of another tool."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from collie.agents.claude.page import Page
from collie.agents.claude.parts import INDENT, Parts
from collie.agents.facts import Rows
from collie.agents.menu import RIGHT_MARGIN
from collie.screen.wrap import join_command, join_lines, separator

GUTTER = f"{' ' * INDENT}│"
"""Stands before each row of a text that takes several; a text of one short row has none."""

_GUTTER_WIDTH = 2
_COMMAND_TITLE = re.compile(r"Bash command\b.*")
_COMMAND_LABEL = "switch to auto mode"
_COMMAND_QUESTION = "Do you want to proceed?"
_TOOL_DESCRIPTION = f"{' ' * INDENT}About the "
_FILE_TITLE = re.compile(r"\w+ (?:file|notebook)\b.*")
_FILE_QUESTION = re.compile(
    r"Do you want to (?:make this edit to|create|overwrite|edit|write to|update|delete) (?P<target>.+)\?"
)
_TARGETS = (
    re.compile(r"Read\((?P<target>.+)\)"),
    re.compile(r"Web Search\(\"(?P<target>.+)\"\)"),
    re.compile(r"url: (?P<target>\S+)(?:\s.*)?", re.DOTALL),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """`title` is "" when it is off the screen; `command` and `target` are None when the dialog names none."""

    title: str
    command: str | None = None
    target: str | None = None


def read_call(page: Page, parts: Parts, question: str, labels: Sequence[str]) -> Call:
    """Reads what stands above the options, whose `labels` tell a command when the title is off the screen."""
    if parts.header is None:
        return _read_rest(page, parts, question, labels)
    title, below = _title(page.texts(parts.header, indent=INDENT))
    if _COMMAND_TITLE.fullmatch(title):
        return Call(title=title, command=_text(page, parts.content) if parts.content else None)
    if _FILE_TITLE.fullmatch(title) and below:
        return Call(title=title, target=_first_text(below, page.width - INDENT - RIGHT_MARGIN))
    return Call(title=title, target=_target(_text(page, parts.content)) if parts.content else None)


def _read_rest(page: Page, parts: Parts, question: str, labels: Sequence[str]) -> Call:
    """What a dialog whose top is off the screen still tells."""
    file = _FILE_QUESTION.fullmatch(question)
    if file is not None:
        return Call(title="", target=file["target"])
    is_tool = parts.reason is not None and page.lines[parts.reason.first].startswith(_TOOL_DESCRIPTION)
    if parts.content is None:
        return Call(title="")
    is_command = _has_gutter(page, parts.content) or any(_COMMAND_LABEL in label for label in labels)
    text = _text(page, parts.content)
    target = _target(text)
    if target is None and is_command and question == _COMMAND_QUESTION and not is_tool:
        return Call(title="", command=text)
    return Call(title="", target=target)


def _title(rows: tuple[str, ...]) -> tuple[str, tuple[str, ...]]:
    """The title and the rows below it; one that names a subagent may take two rows."""
    title = rows[0]
    if " · from the " in title and not title.endswith(" agent") and len(rows) > 1:
        return f"{title} {rows[1]}", rows[2:]
    return title, rows[1:]


def _first_text(rows: tuple[str, ...], width: int) -> str:
    """The first logical line of `rows`."""
    count = 1
    while count < len(rows) and separator(rows[count - 1], rows[count], width) != "\n":
        count += 1
    return join_lines(rows[:count], width)


def _target(text: str) -> str | None:
    for pattern in _TARGETS:
        found = pattern.fullmatch(text)
        if found is not None:
            return found["target"]
    return None


def _has_gutter(page: Page, rows: Rows) -> bool:
    """Whether all rows begin with the gutter, which is dim; the same character in a command is not."""
    styled = page.screen.styled
    return all(
        row.text.startswith(GUTTER) and (row.style_at(INDENT).dim or not styled)
        for row in page.screen.rows[rows.first : rows.last + 1]
    )


def _text(page: Page, rows: Rows) -> str:
    """The text of rows that may have a gutter: rows that the dialog wrapped are joined, its own lines are kept."""
    texts = page.texts(rows, indent=INDENT)
    taken = INDENT
    if _has_gutter(page, rows):
        texts = tuple(text[_GUTTER_WIDTH:] for text in texts)
        taken += _GUTTER_WIDTH
    return join_command(texts, page.width - taken - RIGHT_MARGIN)
