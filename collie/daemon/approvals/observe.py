"""Opens an approval where an agent asks, and ends it when the question is another or nobody may answer it any more."""

from collections.abc import Callable, Mapping
from typing import Final

import trio

from collie.daemon.approvals.card import Issue, card
from collie.daemon.approvals.events import Publish, Withdraw
from collie.daemon.approvals.ledger import Ledger
from collie.daemon.approvals.machine import Machine
from collie.daemon.approvals.offer import Offer
from collie.daemon.approvals.progress import State
from collie.daemon.approvals.proof import ended_elsewhere
from collie.daemon.approvals.reading import Reader
from collie.daemon.approvals.sight import Sight
from collie.daemon.drive.refusals import GONE
from collie.herdr.errors import HostRefused
from collie.protocol.events import AnyEvent, ApprovalNeeded, ApprovalResolved
from collie.protocol.limits import APPROVAL_TTL_MS
from collie.protocol.models import Outcome, OutcomeKind

REDRAW_SECONDS: Final = 0.06
"""Agents draw in pieces: a picture that is not whole is looked at again before it is believed."""

REDRAWS: Final = 2
"""How often: Claude Code 2.1.332 shows an edit with `…` in place of its lines for up to 110 ms."""

RENEW_SECONDS: Final = 10.0
"""A card that offers nothing shows whatever is on the screen, which may blink: it is not renewed more often."""

ID_PREFIX: Final = "ap_"
"""Ids are typed on command lines, where a random one that begins with a dash would be taken for an option."""

ID_BYTES: Final = 16
NONCE_BYTES: Final = 32


class Observer:
    """Looks at one terminal at a time; what it finds goes to the ledger and to everybody."""

    def __init__(
        self,
        *,
        ledger: Ledger,
        reader: Reader,
        publish: Callable[[AnyEvent], None],
        now: Callable[[], float],
        wall_ms: Callable[[], int],
        token: Callable[[int], str],
    ) -> None:
        self._ledger = ledger
        self._reader = reader
        self._publish = publish
        self._now = now
        self._wall_ms = wall_ms
        self._token = token
        self._locks: dict[str, trio.Lock] = {}
        self._workspaces: Mapping[str, str] = {}

    def know(self, workspaces: Mapping[str, str]) -> None:
        """The labels of the workspaces, by id."""
        self._workspaces = workspaces

    def forget(self, terminal_ids: frozenset[str]) -> None:
        """These have gone."""
        for terminal_id in terminal_ids:
            self._locks.pop(terminal_id, None)

    async def look_at(self, terminal_id: str) -> None:
        """Bring the approval of one terminal up to date. Raises HostUnavailable, HostRefused."""
        async with self._locks.setdefault(terminal_id, trio.Lock()):
            machine = self._ledger.at(terminal_id)
            if machine is not None and machine.state is not State.PENDING:
                return  # whoever decides it looks itself, and looks here again afterwards
            try:
                sight = await self._steady(terminal_id, machine)
            except HostRefused as refused:
                if refused.code not in GONE:
                    raise
                self.withdraw(machine, Outcome(outcome=OutcomeKind.SUPERSEDED, reason="the agent has gone"))
                return
            if machine is not None:
                self.withdraw(machine, ending(machine.offer, sight, self._now()))
            if sight.is_blocked and sight.is_asking and self._ledger.at(terminal_id) is None:
                self._open(sight)

    def withdraw(self, machine: Machine | None, outcome: Outcome | None) -> None:
        """End an approval that is still pending."""
        if machine is None or outcome is None or machine.state is not State.PENDING:
            return
        for command in machine.handle(Withdraw(outcome=outcome), self._now()):
            if isinstance(command, Publish):
                approval_id = machine.offer.approval.approval_id
                self._publish(ApprovalResolved(approval_id=approval_id, outcome=command.outcome))
        self._ledger.settle(machine)

    async def _steady(self, terminal_id: str, machine: Machine | None) -> Sight:
        """What is there, read again where it may be half drawn."""
        sight = await self._reader.read(terminal_id)
        known = machine.offer.sight.fingerprint if machine else None
        for _ in range(REDRAWS):
            if not sight.is_blocked or sight.is_whole or sight.fingerprint == known:
                break
            await trio.sleep(REDRAW_SECONDS)
            sight = await self._reader.read(terminal_id)
        return sight

    def _open(self, sight: Sight) -> None:
        now = self._now()
        approval_id = ID_PREFIX + self._token(ID_BYTES)
        issue = Issue(approval_id=approval_id, nonce=self._token(NONCE_BYTES), at_ms=self._wall_ms())
        approval = card(sight, issue, workspace_label=self._workspaces.get(sight.workspace_id))
        offer = Offer(approval=approval, sight=sight, first_seen=now, expires_at=now + APPROVAL_TTL_MS / 1000)
        self._ledger.open(Machine(offer))
        self._publish(ApprovalNeeded(approval=approval))


def ending(offer: Offer, sight: Sight, now: float) -> Outcome | None:
    """How a pending approval ends, given what is there now; None when it stands."""
    if now >= offer.expires_at:
        return Outcome(outcome=OutcomeKind.EXPIRED)
    if (ended := ended_elsewhere(offer, sight)) is not None:
        return ended
    if not sight.is_asking:
        return Outcome(outcome=OutcomeKind.SUPERSEDED, reason="its question is not on the screen any more")
    if sight.fingerprint == offer.sight.fingerprint:
        return None
    offers_nothing = not offer.approval.options and not offer.approval.choices
    if offers_nothing and not sight.is_whole and now < offer.first_seen + RENEW_SECONDS:
        return None
    return Outcome(outcome=OutcomeKind.SUPERSEDED, reason="the dialog changed")
