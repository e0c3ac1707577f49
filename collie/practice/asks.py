"""The four dialogs as they are first drawn, in the words of Claude Code 2.1.332."""

from posixpath import basename

from collie.practice.dialogs import Choice, Dialog, Meaning, Subject
from collie.practice.field import Field

LONGEST_PATTERN = 40
"""A command whose first word is longer is asked for without a pattern to remember."""

PLAN = """\
Plan: learn to answer

1. Read the whole question
2. Look at every option
3. Then press a key"""


def _yes() -> Choice:
    return Choice(
        label="Yes", meaning=Meaning.YES, lead="Yes, ", hint="and tell Claude what to do next", amendable=True
    )


def _no() -> Choice:
    hint = "and tell Claude what to do differently"
    return Choice(label="No", meaning=Meaning.NO, lead="No, ", hint=hint, amendable=True)


def command_dialog(command: str) -> Dialog:
    """The Bash permission dialog; like Claude Code it does not offer a pattern for every command."""
    first = command.split()[0]
    label = "Yes, and don’t ask again for: "
    always = Choice(
        label=label,
        meaning=Meaning.ALWAYS,
        lead=label,
        hint="command prefix (e.g., npm run *)",
        field=Field.filled(f"{first} *"),
        field_open=True,
    )
    return Dialog(
        subject=Subject.COMMAND,
        heading="A command to practise on: nothing will be run",
        body=command,
        choices=(_yes(), always, _no()) if len(first) <= LONGEST_PATTERN else (_yes(), _no()),
    )


def edit_dialog(file: str) -> Dialog:
    """The Edit permission dialog, with a small invented diff."""
    always = Choice(
        label="Yes, and switch to accept edits (auto-approve file edits and common file commands) for this session "
        "(shift+tab)",
        meaning=Meaning.ALWAYS,
    )
    return Dialog(subject=Subject.EDIT, heading=file, body=basename(file) or file, choices=(_yes(), always, _no()))


QUESTION_DIALOG = Dialog(
    subject=Subject.QUESTION,
    heading="Which database should the service use?",
    body="Database",
    choices=(
        Choice(label="PostgreSQL", meaning=Meaning.PICK, detail="Relational, strong consistency"),
        Choice(label="SQLite", meaning=Meaning.PICK, detail="A single file, nothing to run"),
        Choice(label="Redis", meaning=Meaning.PICK, detail="In memory, fast, needs care with persistence"),
        Choice(label="", meaning=Meaning.OTHER, hint="Type something.", field_open=True),
        Choice(label="Chat about this", meaning=Meaning.CHAT),
    ),
)
PLAN_DIALOG = Dialog(
    subject=Subject.PLAN,
    heading="Ready to code?",
    body=PLAN,
    choices=(
        Choice(label="Yes, and use auto mode", meaning=Meaning.YES),
        Choice(label="Yes, manually approve edits", meaning=Meaning.YES),
        Choice(
            label="",
            meaning=Meaning.CHANGE,
            hint="Tell Claude what to change",
            field_open=True,
            detail="shift+tab to approve with this feedback",
        ),
    ),
)
