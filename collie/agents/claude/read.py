"""Everything that one screen of Claude Code tells, put together."""

from collie.agents.claude.activity import working_rule
from collie.agents.claude.banner import WAITING, read_banner
from collie.agents.claude.dialog import read_dialog
from collie.agents.claude.draft import read_draft
from collie.agents.claude.notice import read_notice
from collie.agents.claude.page import Page
from collie.agents.facts import Dialog, DialogType, Facts, State
from collie.screen.cells import Screen

TRANSCRIPT_FOOTER = "  Showing detailed transcript · ctrl+o to toggle"


def read(screen: Screen, *, kind: str) -> Facts:
    """The facts of a screen of Claude Code, or of a program that draws like it and is called `kind`."""
    page = Page(screen=screen)
    dialog, banner, draft = read_dialog(page), read_banner(page), read_draft(page)
    state, rule = state_of(page, dialog, banner)
    return Facts(
        kind=kind,
        state=state,
        rule=rule,
        dialog=dialog,
        draft=draft.text if draft else None,
        draft_rows=draft.rows if draft else 0,
        opaque=draft.opaque if draft else False,
        banner=banner,
        notice=read_notice(page),
    )


def state_of(page: Page, dialog: Dialog | None, banner: str | None) -> tuple[State, str]:
    """The state that the screen alone shows, and the rule that says so."""
    if dialog is not None and dialog.type is not DialogType.PICKER:
        return State.BLOCKED, blocked_rule(page, dialog)
    if banner == WAITING and page.box is None:
        return State.BLOCKED, "scrolled_up_waiting"
    working = working_rule(page, page.box.first if page.box else dialog.region.first if dialog else 0)
    if working:
        return State.WORKING, working
    if page.box is not None:
        return State.IDLE, "live_prompt_box"
    if dialog is not None:
        return State.IDLE, "settings_picker"
    if is_transcript_view(page):
        return State.IDLE, "transcript_viewer"
    return State.UNKNOWN, ""


def blocked_rule(page: Page, dialog: Dialog) -> str:
    """herdr's id for what is seen here (specs: herdr-api 10.3, daemon-behaviour 12.1)."""
    if dialog.type is DialogType.PERMISSION:
        return "generic_permission_prompt" if dialog.command is None else "bash_permission_prompt"
    if dialog.type is DialogType.PLAN:
        return "legacy_no_prompt_blocker"
    return "live_blocked_form_named_session" if page.is_named else "live_blocked_form"


def is_transcript_view(page: Page) -> bool:
    """The view of ctrl+o, which covers the box and whatever waits there."""
    return page.floor > 0 and page.lines[page.floor].startswith(TRANSCRIPT_FOOTER) and page.is_rule(page.floor - 1)
