"""The agents table: which columns fit, what a row says, what is said below of the selected one. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from rich.cells import cell_len

from collie.protocol.models import Agent
from collie.tui.lines import Line, Piece, Tone, clip, pad_text, piece
from collie.tui.present import STATUS, age, agent_label
from collie.tui.reveal import plain

CURSOR_CELLS: Final = 2
_STATUS_CELLS: Final = 11
_AGE_CELLS: Final = 4
NAME_WORDS: Final = 2
ROWS_KEPT: Final = 1_024
"""Of a hundred agents few rows change at a time; the others need not be made anew."""

_TITLE_LEAST: Final = 12
"""Below this many cells a title says nothing; what is beside it gives way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Columns:
    """The widths of the columns that vary; 0 leaves one out."""

    name: int
    kind: int
    workspace: int
    title: int


def columns_for(agents: Iterable[Agent], labels: Mapping[str, str], width: int) -> Columns:
    """As much as fits: the name always, then the title, the workspace, the kind."""
    agents = tuple(agents)
    room = width - CURSOR_CELLS - _STATUS_CELLS - _AGE_CELLS - 2
    name = max(4, min(room, _widest(map(agent_label, agents), least=5, most=20)))
    workspace = _widest((labels.get(agent.workspace_id, "") for agent in agents), least=9, most=18)
    kind = _widest((plain(agent.kind) for agent in agents), least=4, most=10)
    room -= name + 1
    if room < _TITLE_LEAST + workspace + 1:
        workspace = 0
    room -= workspace + 1 if workspace else 0
    if room < _TITLE_LEAST + kind + 1:
        kind = 0
    room -= kind + 1 if kind else 0
    return Columns(name=name, kind=kind, workspace=workspace, title=max(0, room))


def heading(columns: Columns) -> Line:
    """The names of the columns."""
    cells = ["  " + pad_text("status", _STATUS_CELLS), pad_text("for", _AGE_CELLS), pad_text("agent", columns.name)]
    cells += [pad_text("kind", columns.kind)] if columns.kind else []
    cells += [pad_text("workspace", columns.workspace)] if columns.workspace else []
    cells += [pad_text("what it does", columns.title)] if columns.title else []
    return (piece(" ".join(cells), Tone.DIM),)


def agent_row(agent: Agent, columns: Columns, labels: Mapping[str, str], now_ms: int, asked: str = "") -> Line:
    """One agent; its cursor mark is drawn by the list. `asked` is what it wants to do, "" when it asks nothing."""
    return _row(agent, columns, labels.get(agent.workspace_id, ""), age(now_ms - agent.status_since_ms), asked)


@lru_cache(maxsize=ROWS_KEPT)
def _row(agent: Agent, columns: Columns, workspace: str, since: str, asked: str) -> Line:
    glyph, word, tone = STATUS[agent.status]
    cells = [
        piece(pad_text(f"{glyph} {word}", _STATUS_CELLS), tone),
        piece(pad_text(since, _AGE_CELLS), Tone.DIM),
        piece(pad_text(agent_label(agent), columns.name), Tone.STRONG),
    ]
    if columns.kind:
        cells.append(piece(pad_text(plain(agent.kind), columns.kind)))
    if columns.workspace:
        cells.append(piece(pad_text(workspace, columns.workspace)))
    if columns.title:
        cells.append(piece(pad_text(asked or _doing(agent), columns.title), Tone.DIM))
    return _spaced(cells)


def agent_detail(agent: Agent, labels: Mapping[str, str], width: int) -> tuple[Line, ...]:
    """What the row had no room for, a line each: what it is and where, its title, its last line."""
    place = labels.get(agent.workspace_id, "")
    head = " · ".join(part for part in (plain(agent.kind), place, plain(agent.cwd)) if part)
    return (
        clip((piece(agent_label(agent), Tone.STRONG), piece(f"  {head}", Tone.DIM)), width),
        clip((piece("title  ", Tone.DIM), piece(plain(agent.title) or "none")), width),
        clip((piece("last   ", Tone.DIM), piece(plain(agent.last_line) or "nothing yet")), width),
    )


def _doing(agent: Agent) -> str:
    """The title, unless it only names the agent or its kind once more; then its last line."""
    title = plain(agent.title)
    names_it = title == agent_label(agent) or _is_name_of_kind(title, plain(agent.kind))
    return title if title and not names_it else plain(agent.last_line)


def _is_name_of_kind(title: str, kind: str) -> bool:
    """Whether a title is what the kind of agent is called, as `Claude Code` or `Practice` are."""
    words = title.lower().split()
    return bool(kind) and len(words) <= NAME_WORDS and any(kind.lower() in word for word in words)


def _spaced(cells: list[Piece]) -> Line:
    return tuple(part for cell in cells for part in (cell, piece(" ")))[:-1]


def _widest(texts: Iterable[str], *, least: int, most: int) -> int:
    return min(most, max((least, *map(cell_len, texts))))
