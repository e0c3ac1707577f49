"""A sight as the card that people decide by: everything of the dialog, or why there is nothing to decide."""

from dataclasses import dataclass

from msgspec import UNSET

from collie.agents.facts import Decision as Meaning
from collie.agents.facts import Dialog, DialogType
from collie.agents.registry import kind_named
from collie.daemon.approvals.sight import Sight
from collie.daemon.approvals.words import clean, cut, snippet
from collie.herdr.models import AgentInfo
from collie.protocol.limits import APPROVAL_TTL_MS, BODY_BYTES, CHOICE_CHARS, LABEL_CHARS
from collie.protocol.models import Approval, Choice, Decision
from collie.screen.suspicious import FLAGS, LOOKALIKE, flags

TEXT_ROWS = frozenset({"type something", "type something.", "tell claude what to change"})
"""Options that are a text field and nothing else (specs: daemon-behaviour section 12.1)."""

DECISIONS = (Decision.APPROVE, Decision.APPROVE_ALWAYS, Decision.DENY)
"""In the order in which they are offered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Issue:
    """What makes an approval this one and no other; `at_ms` is when, in milliseconds since 1970."""

    approval_id: str
    nonce: str
    at_ms: int


def card(sight: Sight, issue: Issue, *, workspace_label: str | None) -> Approval:
    """The approval for what was seen."""
    dialog, why = sight.dialog, withheld(sight)
    body, fits = _within_limit(_body(sight, why))
    if not fits and not why:
        why = "the dialog is too long to be shown whole"
    decisions = () if dialog is None or why else offered(dialog)
    return Approval(
        approval_id=issue.approval_id,
        terminal_id=sight.terminal_id,
        agent_label=sight.agent_label,
        workspace_label=cut(workspace_label or "", LABEL_CHARS) or "workspace",
        snippet=snippet(dialog.body if dialog and dialog.body else body),
        options=decisions,
        choices=() if dialog is None or why else _choices(dialog, decisions),
        accepts_input=dialog is not None and dialog.type is DialogType.QUESTION,
        has_text_field=dialog is not None and len(_text_rows(dialog)) == 1,
        supports_note=bool(decisions) and dialog is not None and bool(dialog.note),
        nonce=issue.nonce,
        created_at_ms=issue.at_ms,
        expires_at_ms=issue.at_ms + APPROVAL_TTL_MS,
        kind=sight.facts.kind,
        title=clean(dialog.title) if dialog else "",
        body=body,
        body_complete=fits and not _is_cut_off(sight),
        command=dialog.command if dialog else None,
        flags=_flags(dialog, body),
        unreadable=why,
    )


def agent_label(agent: AgentInfo) -> str:
    """How people tell the agent from others."""
    names = (agent.name, agent.terminal_title_stripped, agent.title, agent.agent)
    return next((label for name in names if name and (label := cut(name, LABEL_CHARS))), "agent")


def withheld(sight: Sight) -> str:
    """Why nothing may be decided from what was seen; "" when it may."""
    dialog, kind = sight.dialog, kind_named(sight.facts.kind)
    if kind is None or not kind.reads_dialogs:
        return "the questions of this agent are not read yet"
    if dialog is None:
        if sight.facts.banner is not None:
            return "the agent's screen is scrolled up, so that its question is not on it"
        return "no question that is known was found on the screen"
    if not dialog.readable:
        return dialog.why or "the dialog was not understood"
    if _is_cut_off(sight):
        return "a part of the dialog is off the screen"
    return _not_chosen_here(dialog)


def offered(dialog: Dialog) -> tuple[Decision, ...]:
    """The decisions that the dialog's options bear; a denial alone is not offered."""
    found = tuple(each for each in DECISIONS if dialog.option_for(Meaning(each.value)) is not None)
    return () if found == (Decision.DENY,) else found


def _not_chosen_here(dialog: Dialog) -> str:
    if dialog.field is not None:
        return "a text field is open in the dialog"
    if dialog.ticked is not None:
        return "several answers can be ticked"
    if len(dialog.pages) > 1:
        return "it is one of several questions of a form"
    if dialog.cursor is None:
        return "the cursor is on none of the options"
    if not offered(dialog) and len(dialog.options) == len(_text_rows(dialog)):
        return "it has no option that can be chosen"
    return ""


def _is_cut_off(sight: Sight) -> bool:
    dialog = sight.dialog
    return dialog is None or not dialog.complete or dialog.scrolled


def _body(sight: Sight, why: str) -> str:
    """The dialog's text; with its options as they were drawn, where these are not offered or do not fit a choice."""
    dialog, rows = sight.dialog, sight.text.split("\n")
    if dialog is None:
        return "\n".join(row.rstrip() for row in rows).strip("\n")
    if why:
        return "\n".join(row.rstrip() for row in rows[dialog.region.first :]).strip("\n")
    long = (f"{index + 1}. {each.label}" for index, each in enumerate(dialog.options) if len(each.label) > CHOICE_CHARS)
    return "\n".join((dialog.body, *long))


def _flags(dialog: Dialog | None, body: str) -> tuple[str, ...]:
    """What to look at closely. Dashes and quotes of an agent's own prose look like other signs in a call only."""
    call = "\n".join(filter(None, (dialog.command, dialog.target))) if dialog else ""
    labels = "\n".join(option.label for option in dialog.options) if dialog else ""
    found = {*flags(call), *flags(f"{body}\n{labels}")} - ({LOOKALIKE} - {*flags(call)})
    return tuple(flag for flag in FLAGS if flag in found)


def _within_limit(body: str) -> tuple[str, bool]:
    data = body.encode("utf-8", "replace")
    return data[:BODY_BYTES].decode("utf-8", "ignore"), len(data) <= BODY_BYTES


def _choices(dialog: Dialog, decisions: tuple[Decision, ...]) -> tuple[Choice, ...]:
    """All options where decisions are offered; else those that can be chosen, which a text field cannot."""
    meanings = {index: Decision(meaning.value) for meaning, index in dialog.decisions}
    hidden = frozenset() if decisions else _text_rows(dialog)
    return tuple(
        Choice(
            index=index,
            label=cut(option.label, CHOICE_CHARS),
            current=index == dialog.cursor,
            detail=cut(option.detail, CHOICE_CHARS) if option.detail else UNSET,
            decision=meanings.get(index, UNSET) if decisions else UNSET,
        )
        for index, option in enumerate(dialog.options)
        if index not in hidden
    )


def _text_rows(dialog: Dialog) -> frozenset[int]:
    return frozenset(index for index, each in enumerate(dialog.options) if each.label.lower() in TEXT_ROWS)
