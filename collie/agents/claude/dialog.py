"""Which dialog stands at the bottom of the screen, if one does, and its reader.

Claude Code draws a dialog in place of the input box: where the box is, no dialog waits, whatever the transcript shows.
"""

import re
from dataclasses import replace

from collie.agents.claude.checklist import is_checklist, read_checklist
from collie.agents.claude.footer import MAX_FOOTER_ROWS
from collie.agents.claude.form import read_form, read_stay_in_auto_mode
from collie.agents.claude.page import Page
from collie.agents.claude.parts import OFF_SCREEN
from collie.agents.claude.permission import read_permission
from collie.agents.claude.picker import has_search_box, read_picker
from collie.agents.claude.plan import FULLSCREEN_INDENT, QUESTION_START, asks_about_plan, plan_title, read_plan
from collie.agents.claude.question import is_chat_row, is_question, read_question, read_review
from collie.agents.facts import Dialog, DialogType, Rows
from collie.agents.menu import NotUnderstood

EDGE_WHY = "its rows reach the screen's right edge, so a part of them may be cut off"
MAX_TITLE = 80

_KEY_HINTS = re.compile(r" {0,3}(?:Esc|Enter) to \S.*")
_MORE_ROWS = re.compile(r" {0,3}↑ \d+ more lines?.*")
_MARKED_NUMBER = re.compile(r" {0,3}❯ [1-9]\. \S.*")
_MARKED = re.compile(r" {0,3}❯ \S.*")
_ASKS = re.compile(rf" *{QUESTION_START}.*| {{1,5}}(?:❯ |  )(?:[1-9]\. )?(?:Yes|No)(?:,.*)?")
"""A row of a panel that shows that it is none: a plan's question, an option that says yes or no."""


_ROWS_ABOVE_OPTIONS = 3
"""The rule, a heading and a blank row at least: a mark right below a rule is the input box's, cut off below."""


def read_dialog(page: Page) -> Dialog | None:
    """The dialog that is open, or None. One whose shape is not known whole is given as not readable."""
    if page.box is not None or page.floor < 0:
        return None
    rules = [row for row in page.rules if row < page.floor]
    edge = next((row for row in range(page.floor - 1, -1, -1) if page.is_edge(row)), OFF_SCREEN)
    rule = rules[-1] if rules else OFF_SCREEN
    top = max(rule, edge)
    try:
        dialog = _below_edge(page, edge) if edge > rule else _below_rule(page, rules, rule)
    except NotUnderstood as problem:
        return _unreadable(page, top, str(problem)) if _waits(page, top) else None
    if dialog is None or dialog.type is DialogType.PICKER or not _may_be_cut(page, dialog):
        return dialog
    return _without_answers(dialog, EDGE_WHY)


def _may_be_cut(page: Page, dialog: Dialog) -> bool:
    """Whether rows may go on beyond the right edge.

    Dialogs that bear decisions leave the last column free, but for an open field and a file's content; plans and
    previews take it.
    """
    if not page.fits or dialog.type not in (DialogType.PERMISSION, DialogType.TRUST):
        return not page.fits
    text = _rows_of_text(page, dialog)
    field = dialog.field.option if dialog.field else None
    labels = [option.rows for index, option in enumerate(dialog.options) if index != field]
    return any(page.reaches_edge(rows) for rows in [*text, *labels])


def _rows_of_text(page: Page, dialog: Dialog) -> list[Rows]:
    """The rows above the options, without those of a file's content, which takes the whole width."""
    above = Rows(first=dialog.region.first, last=dialog.options[0].rows.first - 1)
    dashes = [row for row in range(above.first, above.last + 1) if page.is_dashes(row)]
    if dialog.command is not None or not dashes:
        return [above]
    opening = dashes[0] if len(dashes) > 1 else above.first
    return [Rows(first=above.first, last=opening), Rows(first=dashes[-1], last=above.last)]


def _below_rule(page: Page, rules: list[int], rule: int) -> Dialog | None:
    """Reads what stands below the last rule over the whole width; some dialogs have another one above it."""
    if rule == OFF_SCREEN:
        return read_permission(page, OFF_SCREEN)
    above = rules[-2] if len(rules) > 1 else OFF_SCREEN
    if is_chat_row(page.line(rule + 1)):
        return read_question(page, above if is_question(page, above) else OFF_SCREEN, rule)
    if asks_about_plan(page, rule):
        title = plan_title(page, above, indent=0) if above != OFF_SCREEN else None
        return read_plan(page, OFF_SCREEN if title is None else title, rule, indent=0)
    if is_question(page, rule):
        return read_review(page, rule)
    stay = read_stay_in_auto_mode(page, rule)
    if stay is not None or has_search_box(page, rule):
        return stay or read_picker(page, rule)
    return _permission_or_form(page, rule)


def _permission_or_form(page: Page, rule: int) -> Dialog:
    """A form's heading has a blank row below it, a permission's title has none.

    Where columns or rows are few a form's has none either: but it has no dashed rules.
    """
    if is_checklist(page):
        return read_checklist(page, rule)
    if not page.line(rule + 2):
        return read_form(page, rule)
    try:
        return read_permission(page, rule)
    except NotUnderstood:
        if any(page.is_dashes(row) for row in range(rule, page.floor)):
            raise
        return read_form(page, rule)


def _below_edge(page: Page, edge: int) -> Dialog | None:
    """Reads what stands below `▔▔▔`: a plan in fullscreen, a question about trust, else a panel that grants nothing."""
    rules = [row for row in range(edge + 1, page.floor) if page.is_rule(row, indent=FULLSCREEN_INDENT)]
    title = plan_title(page, edge, indent=FULLSCREEN_INDENT)
    if title is not None and rules:
        return read_plan(page, title, rules[-1], indent=FULLSCREEN_INDENT)
    if not any(_ASKS.fullmatch(line) for line in page.lines[edge + 1 : page.floor]):
        return read_picker(page, edge)
    form = read_form(page, edge)
    return form if form.type is DialogType.TRUST else replace(form, type=DialogType.OTHER)


def _waits(page: Page, top: int) -> bool:
    """Whether something that was not understood still shows that an answer is waited for.

    Without a rule above it only a dialog that says that its rows go on above the screen does.
    """
    rows = page.lines[max(top, 0) : page.floor + 1]
    has_hints = any(_KEY_HINTS.fullmatch(line) for line in rows[-MAX_FOOTER_ROWS:])
    if top == OFF_SCREEN:
        has_number = any(_MARKED_NUMBER.fullmatch(line) for line in rows)
        is_cut = any(_MORE_ROWS.fullmatch(line) for line in rows)
        return has_number and (is_cut or (has_hints and any(page.is_dashes(row) for row in range(page.floor))))
    return has_hints or any(_MARKED.fullmatch(line) for line in rows[_ROWS_ABOVE_OPTIONS:])


def _unreadable(page: Page, top: int, why: str) -> Dialog:
    rows = Rows(first=max(top, 0), last=page.floor)
    lines = page.lines[rows.first : rows.last + 1]
    is_permission = any(line.strip().startswith("Do you want") for line in lines)
    kind = DialogType.PERMISSION if is_permission else DialogType.OTHER
    if any(line.strip().startswith(QUESTION_START) for line in lines):
        kind = DialogType.PLAN
    if is_chat_row(page.line(top + 1)) or (top != OFF_SCREEN and is_question(page, top)):
        kind = DialogType.QUESTION
    return Dialog(
        type=kind,
        readable=False,
        why=why,
        title=page.line(top + 1).strip()[:MAX_TITLE]
        if top != OFF_SCREEN and not is_chat_row(page.line(top + 1))
        else "",
        options=(),
        cursor=None,
        region=rows,
        body="\n".join(line.strip() for line in lines if line.strip()),
    )


def _without_answers(dialog: Dialog, why: str) -> Dialog:
    return replace(dialog, readable=False, why=why, options=(), cursor=None, ticked=None, decisions=(), field=None)
