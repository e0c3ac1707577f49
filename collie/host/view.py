"""A pane as it is to be drawn, in one consistent answer: `pane.view`, an addition of ours to herdr's API."""

from collie.herdr.models import Record, Result


class Cursor(Record, frozen=True, kw_only=True):
    """Where the program's cursor stands, counted from 0, and whether it shows it."""

    row: int
    column: int
    visible: bool


class PaneView(Result, frozen=True, kw_only=True, tag="pane_view"):
    """Its size in cells, its screen as `pane.read` gives it (visible, ansi), its cursor."""

    pane_id: str
    columns: int
    rows: int
    text: str
    cursor: Cursor
