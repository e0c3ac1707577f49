"""The text of a dialog that an answer is bound to (specs: daemon-behaviour 11, Fingerprint).

It holds everything that a person must have seen, and nothing that blinks or follows the cursor: no footer, no preview,
no text cursor. So moving only the cursor turns it into what `region_text` gives for the other option.
"""

from collie.agents.facts import Dialog


def region_text(dialog: Dialog, cursor: int | None) -> str:
    """The body's lines, then the options with the cursor on the one of index `cursor` (None: on none).

    Whether the dialog was read whole is part of it, so that a dialog whose top scrolled away is another.
    """
    lines = [line.strip() for line in dialog.body.split("\n")]
    text = [f"{dialog.type} {'whole' if dialog.complete and dialog.readable else 'part'}", *filter(None, lines)]
    for index, option in enumerate(dialog.options):
        mark = ">" if index == cursor else " "
        tick = "" if dialog.ticked is None else "[x] " if index in dialog.ticked else "[ ] "
        text.append(f"{mark}{index + 1}. {tick}{option.label}")
        text.extend(f"   {line.strip()}" for line in option.detail.split("\n") if line.strip())
    return "\n".join(text)
