"""What a screen of OpenCode shows (1.18.33; specs: claude-code 6).

Prompt and dialogs are blocks of rows with `┃` on their left. The option under the cursor differs by its background
alone, so plain text has no cursor.
"""

import re

from collie.agents import decisions
from collie.agents.facts import Dialog, DialogType, Facts, Option, Rows, State
from collie.agents.kind import Detection, Seen
from collie.screen.ansi import parse
from collie.screen.cells import Row, Screen
from collie.screen.wrap import join_lines

BAR = "┃"
FOOT = "╹"
TITLE_MARK = "△ "
COMMAND_MARK = "$ "
PLACEHOLDER = "Ask anything…"

_CELLS = re.compile(r" {2,}")
_KEY_HINT = re.compile(r"(?:ctrl\+\w|⇆|↑↓|enter|esc|tab)\b.*|⇆ .*")
_INTERRUPT = re.compile(r".*\besc (?:again to )?interrupt\b.*")


def read(screen: Screen, *, kind: str) -> Facts:
    """The facts of a screen of OpenCode."""
    block = _last_block(screen)
    if block is None:
        return Facts(kind=kind, state=State.UNKNOWN)
    texts = tuple(_after_bar(line) for line in screen.lines[block.first : block.last + 1])
    dialog = _dialog(screen, block, texts)
    if dialog is not None:
        return Facts(kind=kind, state=State.BLOCKED, rule="permission_required", dialog=dialog)
    if block.last + 1 >= len(screen.lines) or FOOT not in screen.lines[block.last + 1]:
        return Facts(kind=kind, state=State.UNKNOWN)
    works = any(_INTERRUPT.fullmatch(line) for line in screen.lines[block.last + 1 :])
    return Facts(
        kind=kind,
        state=State.WORKING if works else State.IDLE,
        rule="interrupt_hint_working" if works else "prompt_box",
        draft=_draft(texts),
    )


def detect(seen: Seen) -> Detection:
    """The status on the screen."""
    facts = read(parse(seen.text), kind="")
    return Detection(state=facts.state, rule=facts.rule, visible_idle=facts.state is State.IDLE)


def _last_block(screen: Screen) -> Rows | None:
    """The lowest rows that all begin with the bar."""
    barred = [row for row, line in enumerate(screen.lines) if line.lstrip().startswith(BAR)]
    if not barred:
        return None
    first = last = barred[-1]
    while first - 1 in barred:
        first -= 1
    return Rows(first=first, last=last)


def _after_bar(line: str) -> str:
    return line.lstrip()[len(BAR) :].rstrip()


def _dialog(screen: Screen, block: Rows, texts: tuple[str, ...]) -> Dialog | None:
    """A permission: its title behind `△`, the call, and a row of options with key hints on its right."""
    title = next((text.strip() for text in texts if text.strip()), "")
    at = next((index for index in range(len(texts) - 1, -1, -1) if texts[index].strip()), None)
    if not title.startswith(TITLE_MARK) or at is None:
        return None
    labels = [cell for cell in _CELLS.split(texts[at].strip()) if not _KEY_HINT.fullmatch(cell)]
    row = block.first + at
    rows = Rows(first=row, last=row)
    return Dialog(
        type=DialogType.PERMISSION,
        readable=True,
        title=title.removeprefix(TITLE_MARK),
        options=tuple(Option(label=label, rows=rows) for label in labels),
        cursor=_focused(screen.rows[row], labels),
        region=Rows(first=block.first, last=row),
        body="\n".join(text.strip() for text in texts[:at]).strip("\n"),
        decisions=decisions.decide(labels),
        command=_command(texts[:at]),
    )


def _focused(row: Row, labels: list[str]) -> int | None:
    """The option whose background is not the row's own."""
    backgrounds = [row.style_at(row.text.index(label)).background for label in labels]
    odd = [index for index, background in enumerate(backgrounds) if backgrounds.count(background) == 1]
    return odd[0] if len(odd) == 1 and len(labels) > 2 else None


def _command(texts: tuple[str, ...]) -> str | None:
    rows = [text.strip() for text in texts]
    start = next((at for at, row in enumerate(rows) if row.startswith(COMMAND_MARK)), None)
    if start is None:
        return None
    end = next((at for at in range(start, len(rows)) if not rows[at]), len(rows))
    return join_lines([rows[start].removeprefix(COMMAND_MARK), *rows[start + 1 : end]], 0)


def _draft(texts: tuple[str, ...]) -> str:
    """The prompt's text: the rows above the last, which names the agent and its model."""
    typed = [text.strip() for text in texts[:-1] if text.strip()]
    return "" if not typed or typed[0].startswith(PLACEHOLDER) else "\n".join(typed)
