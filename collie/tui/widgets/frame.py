"""The words in a pane's border, shown as they are.

Textual takes a string for markup, which an agent's name must not be; and it repaints the whole pane for each title that
is set, also for the same one.
"""

from textual.content import Content
from textual.widget import Widget


def entitle(pane: Widget, *, title: str | None = None, subtitle: str | None = None) -> None:
    """Set what differs; None leaves one as it is."""
    if title is not None and pane.border_title != Content(title).markup:
        pane.border_title = Content(title)
    if subtitle is not None and pane.border_subtitle != Content(subtitle).markup:
        pane.border_subtitle = Content(subtitle)
