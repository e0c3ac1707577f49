"""What an approval's card says, line by line: the whole dialog, then the options as the agent drew them.

Body lines stand behind a gutter, options do not: so a command that draws a menu is not taken for the dialog's.
"""

import re
from collections.abc import Iterator
from typing import Final

from msgspec import UNSET

from collie.protocol.models import Approval, Choice, Decision
from collie.tui.lines import Line, Tone, clip, line_width, piece, wrap
from collie.tui.reveal import plain, reveal

DECISION_KEYS: Final = {Decision.APPROVE: "a", Decision.APPROVE_ALWAYS: "A", Decision.DENY: "d"}
DECISION_WORDS: Final = {
    Decision.APPROVE: "approve",
    Decision.APPROVE_ALWAYS: "approve always",
    Decision.DENY: "deny",
    Decision.CHOOSE: "choose",
}
ELSEWHERE: Final = "in its own screen"
"""Where an option is chosen that has no key here."""

FLAG_WORDS: Final = {
    "invisible": "it holds characters that are not seen",
    "bidi": "it holds characters that change the reading direction",
    "lookalike": "it holds letters that look like others",
    "escape": "it holds terminal control codes",
}
_BODY: Final = (piece("│ ", Tone.DIM),)
_BODY_REST: Final = (piece("│ ", Tone.DIM), piece("  ", Tone.DIM))
_COMMAND: Final = (piece("┃ ", Tone.ACCENT),)
_COMMAND_REST: Final = (piece("┃ ", Tone.ACCENT), piece("  ", Tone.DIM))
_CHANGED: Final = re.compile(r"[ │]*\d+ +(?P<sign>[+-])")
_RULE_CHARACTERS: Final = frozenset(chr(number) for number in range(0x2500, 0x2580)) | {" "}


def card_of(approval: Approval, width: int, *, live: bool = True) -> tuple[Line, ...]:
    """The card at `width` cells; the keys of its options are drawn dead unless it is `live`."""
    lines: list[Line] = list(_head(approval, width))
    lines += _body(approval, width)
    lines.append(())
    lines += _options(approval, width, Tone.KEY if live else Tone.DEAD)
    while lines and not lines[-1]:
        lines.pop()
    return tuple(lines)


def headline(approval: Approval) -> str:
    """What is asked, in a few words."""
    tool = approval.tool.name if approval.tool else ""
    return plain(approval.title) or plain(tool) or "Question"


def gist(approval: Approval) -> str:
    """What is asked, in one line: the command, else what the dialog is and the first words in it."""
    command = _first_line(approval.command or "")
    if command:
        return command
    head = headline(approval)
    if head.endswith("?"):
        return head
    said = plain(approval.tool.summary) if approval.tool else ""
    rows = (plain(row).strip("│┃ ") for row in (approval.body or approval.snippet).split("\n") if not _is_rule(row))
    said = said or next((row for row in rows if row and row != head), "")
    return said if said.startswith(head) else f"{head}: {said}" if said else head


def _first_line(text: str) -> str:
    return next((line for row in text.split("\n") if (line := plain(row))), "")


def can_decide(approval: Approval) -> bool:
    """Whether the dialog was read well enough to be answered from here."""
    return approval.body_complete and not approval.unreadable and bool(approval.options or approval.choices)


def _head(approval: Approval, width: int) -> list[Line]:
    lines: list[Line] = []
    if approval.tool and plain(approval.tool.name) not in plain(approval.title):
        lines += wrap((piece(f"tool: {plain(approval.tool.name)}", Tone.DIM),), width)
    for flag in approval.flags:
        words = FLAG_WORDS.get(flag, plain(flag))
        lines += wrap((piece("▲ Look closely: ", Tone.WARN), piece(words, Tone.WARN)), width, rest=_indent(2))
    if lines:
        lines.append(())
    return lines


def _body(approval: Approval, width: int) -> list[Line]:
    body = (approval.body or approval.snippet).strip("\n").split("\n")
    command = _command_rows(body, approval.command)
    lookalikes = "lookalike" in approval.flags
    lines: list[Line] = []
    for at, text in enumerate(body):
        inside = at in command
        if not inside and not text.strip() and (at == 0 or not body[at - 1].strip()):
            continue  # one blank row parts two paragraphs as well as ten do
        if command and at in (command.start - 1, command.stop) and _is_rule(text):
            continue  # the gutter says where the command begins and ends
        lines += _body_line(text, width, inside=inside, lookalikes=lookalikes and (inside or not command))
    if approval.command and not command:
        lines += _command_apart(approval.command, width, lookalikes)
    return lines


def _body_line(text: str, width: int, *, inside: bool, lookalikes: bool) -> tuple[Line, ...]:
    if _is_rule(text):
        return (clip((*_BODY, piece(_drawn(text.strip(), width), Tone.DIM)), width),)
    line = reveal(text.rstrip(), Tone.CODE if inside else _tone_of(text), lookalikes=lookalikes)
    first, rest = (_COMMAND, _COMMAND_REST) if inside else (_BODY, _BODY_REST)
    return wrap(line, width, first=first, rest=rest)


def _is_rule(text: str) -> bool:
    """Whether a row is drawn lines alone: it is cut to the width, as there is nothing to read in it."""
    return bool(text.strip()) and _RULE_CHARACTERS.issuperset(text)


def _drawn(rule: str, width: int) -> str:
    """A rule as wide as the card, wherever it was drawn."""
    return rule if len(set(rule)) > 1 else rule[0] * max(0, width - line_width(_BODY))


def _tone_of(text: str) -> Tone:
    """A numbered row that a change takes out or puts in says so by its sign; the tone says it once more."""
    changed = _CHANGED.match(text)
    if changed is None:
        return Tone.PLAIN
    return Tone.ADDED if changed["sign"] == "+" else Tone.REMOVED


def _command_apart(command: str, width: int, lookalikes: bool) -> list[Line]:
    """The command where the dialog's own text does not show it in one piece."""
    lines: list[Line] = [(), *wrap((piece("The whole command, as the agent reported it:", Tone.DIM),), width)]
    for text in command.split("\n"):
        lines += _body_line(text, width, inside=True, lookalikes=lookalikes)
    return lines


def _command_rows(body: list[str], command: str | None) -> range:
    """The rows of `body` that spell `command`; none when they do not spell it exactly."""
    wanted = _squeezed(command or "")
    begins, ends = {}, {}
    spelt = 0
    for row, text in enumerate(map(_inner, body)):
        if text:
            begins[spelt], ends[spelt + len(text)] = row, row
            spelt += len(text)
    whole = "".join(map(_inner, body))
    at = whole.find(wanted) if wanted else -1
    while at >= 0:
        if at in begins and at + len(wanted) in ends:
            return range(begins[at], ends[at + len(wanted)] + 1)
        at = whole.find(wanted, at + 1)
    return range(0)


def _inner(text: str) -> str:
    """A row's text without blanks and without the gutter that an agent draws before it."""
    return _squeezed(text.strip().removeprefix("│").removeprefix("┃"))


def _squeezed(text: str) -> str:
    return "".join(text.split())


def _options(approval: Approval, width: int, key_tone: Tone) -> list[Line]:
    lines: list[Line] = []
    for number, choice in _numbered(approval):
        lines += _option(approval, choice, width, key_tone) if choice else _field_row(number, width)
    if not approval.choices or not any(choice.decision is not UNSET for choice in approval.choices):
        for decision in approval.options:
            lines.append(_decision_row(decision, key_tone))
    return lines


def _numbered(approval: Approval) -> Iterator[tuple[int, Choice | None]]:
    """The options by the numbers that the agent drew; None for one that is a text field, which is not listed."""
    known = {choice.index + 1: choice for choice in approval.choices}
    last = max(known, default=0)
    is_unlisted = approval.has_text_field and not approval.options  # with decisions all options are listed
    field_is_last = is_unlisted and bool(known) and len(known) == last
    for number in range(1, last + 1 + field_is_last):
        yield number, known.get(number)


def _field_row(number: int, width: int) -> tuple[Line, ...]:
    return wrap(
        (piece("an answer in words of your own", Tone.DIM), piece(f"  ({ELSEWHERE})", Tone.DIM)),
        width,
        first=(piece(f" ·  {number}. ", Tone.DIM),),
        rest=_indent(7),
    )


def _option(approval: Approval, choice: Choice, width: int, key_tone: Tone) -> list[Line]:
    key, click, meaning = _bearing(approval, choice)
    cursor = "❯" if choice.current else " "
    first: Line = (
        piece(f" {key or '·'} ", key_tone if key else Tone.DIM, click),
        piece(f"{cursor}{choice.index + 1}. ", Tone.DIM, click),
    )
    label = reveal(choice.label, Tone.STRONG if key else Tone.DIM if meaning else Tone.PLAIN)
    label = tuple(piece(each.text, each.tone, click) for each in label)
    suffix: Line = (piece(f"  {meaning}", Tone.DIM, click),) if meaning else ()
    lines = list(wrap((*label, *suffix), width, first=first, rest=_indent(7)))
    if choice.detail is not UNSET and choice.detail:
        for text in choice.detail.split("\n"):
            lines += wrap(reveal(text, Tone.DIM), width, first=_indent(7), rest=_indent(7))
    return lines


def _bearing(approval: Approval, choice: Choice) -> tuple[str, str, str]:
    """The key of an option, the action of a click on it, and what it means."""
    if not can_decide(approval):
        return "", "", ""
    if not approval.options:
        number = choice.index + 1
        return (str(number) if number < 10 else "·"), f"screen.choose({number})", ""
    if choice.decision is UNSET or choice.decision not in approval.options:
        return "", "", f"({ELSEWHERE})" if _maps(approval) else ""
    return DECISION_KEYS[choice.decision], f"screen.decide('{choice.decision}')", f"({DECISION_WORDS[choice.decision]})"


def _maps(approval: Approval) -> bool:
    return any(choice.decision is not UNSET for choice in approval.choices)


def _decision_row(decision: Decision, key_tone: Tone) -> Line:
    click = f"screen.decide('{decision}')"
    return (
        piece(f" {DECISION_KEYS[decision]} ", key_tone, click),
        piece(f" {DECISION_WORDS[decision]}", Tone.STRONG, click),
    )


def _indent(cells: int) -> Line:
    return (piece(" " * cells),)
