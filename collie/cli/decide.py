"""`collie decide`: answer an approval. Exit status 0 only when the answer was seen to be taken."""

import argparse
import sys

from collie.cli.approvals import pending
from collie.cli.asking import ask, call, checked
from collie.cli.output import print_json
from collie.client.connection import Connection
from collie.errors import UsageError
from collie.protocol.errors import Code, WireError
from collie.protocol.ids import ApprovalId, Nonce, Note
from collie.protocol.methods import ApprovalDecideParams, ApprovalResolvedResult
from collie.protocol.models import Approval, Decision, Outcome, OutcomeKind

WORDS = {decision.value.replace("_", "-"): decision for decision in Decision}
NO_NONCE = Nonce("-" * 43)
"""Sent for an approval that is not pending: the daemon then says why it cannot be decided, and looks at no nonce."""

LAST_CHOICE = 255

TAKEN = (OutcomeKind.APPLIED, OutcomeKind.CHOSEN)


def configure(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("id", metavar="ID", help="the approval (collie approvals lists them)")
    parser.add_argument("decision", choices=list(WORDS), help="what to answer")
    parser.add_argument(
        "--choice", type=int, metavar="N", help="with choose: the index of an option, as `collie approvals` shows it"
    )
    parser.add_argument("--note", metavar="TEXT", help="with approve or deny: what to tell the agent")
    parser.add_argument("--json", action="store_true", help="print one JSON document")


def run(arguments: argparse.Namespace) -> int:
    decision = WORDS[arguments.decision]
    if (arguments.choice is not None) != (decision is Decision.CHOOSE):
        raise UsageError("--choice N goes with choose, and choose needs it")
    if arguments.note is not None and decision not in (Decision.APPROVE, Decision.DENY):
        raise UsageError("--note goes with approve or deny")
    if arguments.choice is not None and not 0 <= arguments.choice <= LAST_CHOICE:
        raise UsageError(f"--choice takes the index of an option, from 0: {arguments.choice}")
    approval_id = checked(ApprovalId, arguments.id, "the approval's ID")
    note = checked(Note, arguments.note, "the note") if arguments.note is not None else None

    async def decide(connection: Connection) -> ApprovalResolvedResult:
        shown = await _shown(connection, approval_id)
        if shown is not None:
            _check_offered(shown, decision, arguments.choice)
        params = ApprovalDecideParams(
            approval_id=approval_id,
            decision=decision,
            choice=arguments.choice,
            nonce=NO_NONCE if shown is None else Nonce(shown.nonce),
            note=note,
        )
        return await call(connection, "approval.decide", params, ApprovalResolvedResult)

    try:
        outcome = ask(decide).outcome
    except WireError as error:
        return _refused(error, as_json=arguments.json)
    return _ended(outcome, as_json=arguments.json)


async def _shown(connection: Connection, approval_id: ApprovalId) -> Approval | None:
    """The approval as it is shown. A client that is refused whatever it asks does not look for it, so that what is
    refused, and audited, is its decision."""
    if connection.hello.barred:
        return None
    return next((each for each in await pending(connection) if each.approval_id == approval_id), None)


def _check_offered(shown: Approval, decision: Decision, choice: int | None) -> None:
    """A slip of the fingers is told here, since an attempt would use the approval up. Raises WireError."""
    if decision is Decision.CHOOSE:
        offered = [str(each.index) for each in shown.choices if not shown.options]
        wanted = str(choice)
    else:
        offered = [each.value.replace("_", "-") for each in shown.options]
        wanted = decision.value.replace("_", "-")
    if wanted not in offered:
        there = f"it offers {', '.join(offered)}" if offered else shown.unreadable or "it is answered by a decision"
        message = f"{wanted} is not offered by this approval, which is still open: {there}"
        raise WireError(Code.INVALID_PARAMS, message)


def _ended(outcome: Outcome, *, as_json: bool) -> int:
    by = outcome.by or None
    if as_json:
        print_json({"outcome": outcome.outcome, "by": by, "reason": outcome.reason or None})
    elif outcome.outcome in TAKEN:
        print(f"{outcome.outcome.value} by {by}")
    else:
        print(f"collie: {_words(outcome)}", file=sys.stderr)
    return 0 if outcome.outcome in TAKEN else 1


def _refused(error: WireError, *, as_json: bool) -> int:
    first = error.outcome
    if as_json:
        by = (first.by or None) if first else None
        print_json({"outcome": error.code, "by": by, "reason": error.message})
    else:
        told = f"; it was {_words(first)}" if first else ""
        print(f"collie: {error.message}{told}", file=sys.stderr)
    return 1


def _words(outcome: Outcome) -> str:
    by = f" by {outcome.by}" if outcome.by else ""
    reason = f": {outcome.reason}" if outcome.reason else ""
    return f"{outcome.outcome.value.replace('_', ', ')}{by}{reason}"
