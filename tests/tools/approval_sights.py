"""Sights made by hand, and an approval made from one: what scripts of the approval machine are written with."""

from collie.agents.facts import Decision, Dialog, DialogType, Facts, Option, Rows, State
from collie.daemon.approvals.card import Issue, card
from collie.daemon.approvals.machine import Machine
from collie.daemon.approvals.offer import Offer
from collie.daemon.approvals.sight import Sight

NONCE = "n" * 43


def build_dialog(*, cursor: int = 0, command: str = "rm -rf build", labels: tuple[str, ...] = ("Yes", "No")) -> Dialog:
    rows = tuple(Option(label=label, rows=Rows(first=5 + at, last=5 + at)) for at, label in enumerate(labels))
    return Dialog(
        type=DialogType.PERMISSION,
        readable=True,
        title="Bash command",
        body=f"Bash command\n{command}\nDo you want to proceed?",
        options=rows,
        cursor=cursor,
        region=Rows(first=0, last=4 + len(labels)),
        decisions=((Decision.APPROVE, 0), (Decision.DENY, len(labels) - 1)),
        command=command,
        note=True,
    )


def build_sight(shown: Dialog | None = None, *, seq: int = 7, is_blocked: bool = True, text: str = "") -> Sight:
    state = State.BLOCKED if shown else State.WORKING
    return Sight(
        terminal_id="term_1",
        is_blocked=is_blocked,
        seq=seq,
        session="",
        text=text or "\n".join(str(row) for row in range(9)),
        facts=Facts(kind="claude", state=state, rule="bash_permission_prompt" if shown else "", dialog=shown),
    )


def build_machine(shown: Dialog | None = None, *, first_seen: float = 0.0) -> Machine:
    seen = build_sight(shown or build_dialog())
    approval = card(seen, Issue(approval_id="a1", nonce=NONCE, at_ms=0), workspace_label="orchard")
    return Machine(Offer(approval=approval, sight=seen, first_seen=first_seen, expires_at=first_seen + 600))
