"""Permission dialogs: a command, a file change, a fetch, a tool; with numbered options, or No and Yes in auto mode.

The picture (specs: claude-code 3): a rule, the title, what is said about the call, the call itself between two dashed
rules, a reason, the question, the options, a blank row and the footer. What a command draws stands between the dashed
rules and at least one column from the left: so the options are those right below the question, and no others.
"""

from collie.agents import decisions, menu
from collie.agents.claude.call import read_call
from collie.agents.claude.countdown import countdown_rows
from collie.agents.claude.field import AMENDABLE, open_field
from collie.agents.claude.footer import Footer, read_footer
from collie.agents.claude.page import Page
from collie.agents.claude.parts import INDENT, OFF_SCREEN, is_folded, question_of, split
from collie.agents.facts import Decision, Dialog, DialogType, Option, Rows, TextField
from collie.agents.menu import NotUnderstood

NOTE_HINT = "Tab to amend"


def read_permission(page: Page, top: int) -> Dialog:
    """Reads the permission dialog whose rule is row `top`, or what is left of one whose rule is OFF_SCREEN.

    Raises:
        NotUnderstood: It is none, or its shape is not known whole.
    """
    footer = read_footer(page, indent=INDENT, starts=("Esc to cancel",))
    entries = _entries(page, footer.above)
    cursor = menu.cursor_of(entries)
    options = tuple(menu.whole_option(page.lines, entry, width=page.width) for entry in entries)
    parts = split(page, top, entries[0].rows.first - 1)
    _check_end(options, footer)
    labels = [option.label for option in options]
    call = read_call(page, parts, question_of(page, parts.question), labels)
    can_note = NOTE_HINT in footer.hints
    field = open_field(page, entries[cursor], options[cursor].label, can_open=can_note or footer.rows is None)
    complete = top != OFF_SCREEN and not footer.hidden and not is_folded(page, parts.content)
    amended = cursor if field and field.prefix in AMENDABLE else None
    borne = decisions.decide(labels, amended)
    return Dialog(
        type=DialogType.PERMISSION,
        readable=True,
        complete=complete,
        scrolled=is_folded(page, parts.header) or is_folded(page, parts.reason),
        title=call.title,
        options=options,
        cursor=cursor,
        region=Rows(first=max(top, 0), last=options[-1].rows.last),
        body=page.body(
            Rows(first=top + 1, last=parts.question.last), indent=INDENT, without=countdown_rows(page, parts.reason)
        ),
        decisions=borne if complete else (),
        command=call.command,
        target=call.target,
        note=can_note,
        field=TextField(option=cursor, text=field.text) if field else None,
    )


def _entries(page: Page, last: int) -> tuple[menu.Entry, ...]:
    """Numbered options, or the two of auto mode, each of which must say what it decides."""
    if menu.is_numbered(page.lines, last, indent=INDENT):
        return menu.numbered(page.lines, last, indent=INDENT)
    entries = menu.unnumbered(page.lines, last, indent=INDENT, width=page.width)  # their labels are checked here
    meanings = sorted(str(decisions.amended_meaning(entry.label)) for entry in entries)
    if meanings != [Decision.APPROVE, Decision.DENY]:
        raise NotUnderstood("no options were found below the question")
    return entries


def _check_end(options: tuple[Option, ...], footer: Footer) -> None:
    """A dialog without a footer (a fetch) ends in the option that Esc stands for; else its end is off the screen."""
    if len(options) < 2:
        raise NotUnderstood("only one option is on the screen")
    if footer.rows is None and not any(option.label.endswith("(esc)") for option in options):
        raise NotUnderstood("the dialog's last rows are off the screen")
