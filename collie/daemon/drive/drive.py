"""Everything that a client can do to an agent but answer it; one at a time for each input box."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager

import trio

from collie.daemon.caller import Caller
from collie.daemon.drive.host import AgentPanes
from collie.daemon.drive.keys import press
from collie.daemon.drive.prompt import say
from collie.daemon.drive.refusals import as_wire
from collie.daemon.drive.target import listed, look
from collie.protocol.errors import Code, WireError
from collie.protocol.models import Key


class Drive:
    """Speaks to agents. All raise WireError, with the host's troubles in its codes."""

    def __init__(self, *, host: AgentPanes) -> None:
        self._host = host
        self._boxes: dict[str, trio.Lock] = {}

    async def prompt(self, terminal_id: str, text: str, caller: Caller, *, expected_draft: str | None = None) -> None:
        """Give an agent a prompt, which is seen to be taken.

        A draft in its box is replaced only if it is `expected_draft`; any other refuses with the draft.
        """
        async with self._box(terminal_id):
            await say(self._host, terminal_id, text, caller, expected_draft)

    async def send_keys(self, terminal_id: str, keys: Sequence[Key], *, caller: Caller) -> str:
        """Press keys; the target for the audit log, which says so when they went to a question."""
        async with self._box(terminal_id):
            return await press(self._host, terminal_id, keys, caller)

    async def draft(self, terminal_id: str) -> str | None:
        """The text in the agent's input box; None for no box, or one whose text cannot be known."""
        with as_wire():
            facts = await look(self._host, await listed(self._host, terminal_id))
        return None if facts is None or facts.opaque else facts.draft

    async def focus(self, terminal_id: str) -> None:
        """Focus the agent's pane, which marks it as seen.

        In herdr this moves what the person there looks at, so a client sends it to herdr only when it was asked to.
        """
        with as_wire():
            await self._host.agent_focus((await listed(self._host, terminal_id)).pane_id)

    async def close(self, terminal_id: str, *, confirm: bool) -> None:
        """Close the pane of a terminal, and end what runs in it."""
        if not confirm:
            raise WireError(Code.CONFIRM_REQUIRED, "confirm must be true")
        with as_wire():
            panes = (await self._host.snapshot()).panes
            place = next((pane.pane_id for pane in panes if pane.terminal_id == terminal_id), None)
            if place is None:
                raise WireError(Code.NOT_FOUND, "no such terminal")
            await self._host.pane_close(place)

    @asynccontextmanager
    async def _box(self, terminal_id: str) -> AsyncIterator[None]:
        """Alone with one input box."""
        lock = self._boxes.setdefault(terminal_id, trio.Lock())
        try:
            async with lock:
                with as_wire():
                    yield
        finally:
            statistics = lock.statistics()
            if not statistics.locked and not statistics.tasks_waiting:
                self._boxes.pop(terminal_id, None)
