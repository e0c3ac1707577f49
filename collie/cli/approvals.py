"""`collie approvals`: what waits for an answer, the whole of it."""

import argparse
from typing import Any

from collie.cli.asking import ask, call
from collie.cli.output import age, print_json, printable
from collie.client.connection import Connection
from collie.protocol.methods import ApprovalsResult, Nothing
from collie.protocol.models import Approval

SECRET_FIELDS = frozenset({"nonce"})


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    found = ask(pending)
    if arguments.json:
        print_json({"approvals": [without_nonce(approval) for approval in found]})
    elif not found:
        print("nothing waits for you")
    else:
        print("\n\n".join(_text(approval) for approval in found))
    return 0


async def pending(connection: Connection) -> tuple[Approval, ...]:
    """The approvals that wait, oldest first."""
    return (await call(connection, "approval.list", Nothing(), ApprovalsResult)).approvals


def without_nonce(approval: Approval) -> dict[str, Any]:
    """The approval as JSON, without what would let its reader decide it."""
    fields = {name: getattr(approval, name) for name in approval.__struct_fields__ if name not in SECRET_FIELDS}
    return {"approval_id": fields.pop("approval_id"), **fields}


def _text(approval: Approval) -> str:
    lines = [
        f"{approval.approval_id}  {approval.agent_label} ({approval.kind}, {approval.workspace_label})"
        f"  {age(approval.created_at_ms)}",
        *(f"  {line}" for line in approval.body.split("\n")),
    ]
    if approval.flags:
        lines.append(f"  ! {', '.join(approval.flags)} characters in it")
    if approval.unreadable:
        lines.append(f"  answer it in the agent: {approval.unreadable}")
    meanings = [option.value.replace("_", "-") for option in approval.options]
    lines += [f"  [{choice.index}] {choice.label}" for choice in approval.choices]
    if meanings:
        lines.append(f"  collie decide {approval.approval_id} {'|'.join(meanings)}")
    elif approval.choices:
        lines.append(f"  collie decide {approval.approval_id} choose --choice N")
    return "\n".join(printable(line) for line in lines)
