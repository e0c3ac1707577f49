"""Which dialog stands at the bottom of the screen, if one does, and its reader.

Claude Code draws a dialog in place of the input box: where the box is, no dialog waits, whatever the transcript shows.
"""

from dataclasses import replace

from collie.agents.claude.page import NotUnderstood, Page
from collie.agents.claude.parts import OFF_SCREEN
from collie.agents.claude.permission import read_permission
from collie.agents.facts import Dialog


def read_dialog(page: Page) -> Dialog | None:
    """The dialog that is open, or None."""
    if page.box is not None or page.floor < 0:
        return None
    tops = [row for row in page.rules if row <= page.floor]
    top = tops[-1] if tops else OFF_SCREEN
    try:
        return _checked(page, read_permission(page, top))
    except NotUnderstood:
        return None


def _checked(page: Page, dialog: Dialog) -> Dialog:
    """The dialog, without what it offers when the picture may be cut off on its right."""
    if page.fits and not page.reaches_edge(dialog.region):
        return dialog
    return replace(
        dialog,
        readable=False,
        why="its rows reach the screen's right edge, so a part of them may be cut off",
        options=(),
        cursor=None,
        decisions=(),
        field=None,
    )
