"""A look at a pane: its processes, its title, its screen; and what follows for its agent, told in herdr's order.

A look takes no time of its own and waits for nothing. Order (specs: embedded-host section 7.3): a name that goes is
told before the agent that goes, an agent before its status, a status before the launch that it completes.
"""

from dataclasses import dataclass
from typing import Final

from collie.agents.facts import State
from collie.agents.kind import AgentKind
from collie.herdr.models import AgentStatus
from collie.host import narrate, processes
from collie.host.kinds import Kinds
from collie.host.pane import Pane
from collie.host.session import Session
from collie.host.status import Change, KindFound, KindGone, StateChanged

SHOWN_EVERY: Final = 0.25
"""Seconds between two tellings of what a pane shows of itself, its title and tokens: it may change them at any rate,
and each telling has clients ask for all lists."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Looker:
    """Who looks: it knows the kinds, and tells the session."""

    session: Session
    kinds: Kinds

    def at_processes(self, pane: Pane, now: float) -> None:
        """What stands in the foreground?"""
        group = pane.pty.foreground()
        pane.foreground.looked(now, processes.classify(group, self.kinds))
        found = pane.foreground.found
        shell_in_front = group == pane.pty.pid
        while change := pane.agent.machine.process_seen(now, found.kind, shell_in_front=shell_in_front):
            self._follow(pane, change)
            pane.rhythm.look_by(now)
            pane.stir()

    def at_foreground(self, pane: Pane, now: float) -> None:
        """Did the foreground change? If so, look at its processes."""
        if self.has_other_foreground(pane, now):
            self.at_processes(pane, now)

    def has_other_foreground(self, pane: Pane, now: float, *, turn: bool = True) -> bool:
        """Whether the foreground changed, or may have. A pane that rests is not asked unless it is its `turn`."""
        watch, missed = pane.foreground, self._has_missed(pane)
        if not turn and watch.rests(now, missed=missed):
            return False
        died = watch.found.pid is not None and not processes.is_alive(watch.found.pid)
        return watch.is_due(now, pane.pty.foreground(), missed=missed, died=died)

    def _has_missed(self, pane: Pane) -> bool:
        return pane.agent.machine.kind is not None and pane.foreground.found.kind is None

    def at_screen(self, pane: Pane, now: float) -> None:
        """What does the screen show?"""
        self._look_at_shown(pane, now)
        kind = self._kind_of(pane)
        if kind is not None:
            self._look_at_text(pane, kind, now)
        self._look_at_launch(pane, now)
        self._look_at_metadata(pane, now)
        pane.rhythm.looked(now, self._again(pane))

    def _look_at_text(self, pane: Pane, kind: AgentKind, now: float) -> None:
        machine, seen = pane.agent.machine, pane.seen()
        is_due = machine.due is not None and now >= machine.due
        if is_due or seen != pane.last_seen:
            pane.last_seen = seen
            change = machine.screen_seen(now, kind.detect(seen))
            if change is not None:
                self._follow(pane, change)

    def _kind_of(self, pane: Pane) -> AgentKind | None:
        label = pane.agent.machine.kind
        return self.kinds.named(label) if label is not None else None

    def _look_at_shown(self, pane: Pane, now: float) -> None:
        title = pane.stripped_title
        if title != pane.shown_title:
            pane.shown_title = title
            pane.revision += 1
        if not self._owes(pane) or now < pane.told_at + SHOWN_EVERY:
            return
        if pane.revision != pane.told_revision:
            narrate.pane_updated(self.session, pane)
        if pane.has_news:
            narrate.status_shown(self.session, pane)
        pane.told_at, pane.told_revision, pane.has_news = now, pane.revision, False

    def _owes(self, pane: Pane) -> bool:
        return pane.has_news or pane.revision != pane.told_revision

    def _look_at_launch(self, pane: Pane, now: float) -> None:
        agent = pane.agent
        if agent.launch is None:
            return
        settles = self._settles_unknown(pane)
        after = agent.launch.seen(now, agent.machine.kind, agent.machine.state, settles_unknown=settles)
        if after is None:
            agent.drop_name()
            narrate.pane_updated(self.session, pane)
            return
        if after.phase is not agent.launch.phase:
            agent.launch = after
            narrate.pane_updated(self.session, pane)
        agent.launch = after

    def _settles_unknown(self, pane: Pane) -> bool:
        kind = self._kind_of(pane)
        return kind is not None and kind.assumed_idle is State.UNKNOWN

    def _look_at_metadata(self, pane: Pane, now: float) -> None:
        if pane.agent.reports.expire(now):
            narrate.pane_updated(self.session, pane)
            narrate.status_shown(self.session, pane)

    def _again(self, pane: Pane) -> float | None:
        agent = pane.agent
        launch = agent.launch.due(self._settles_unknown(pane)) if agent.launch else None
        shown = pane.told_at + SHOWN_EVERY if self._owes(pane) else None
        times = (agent.machine.due, launch, agent.reports.metadata.until, shown)
        return min((each for each in times if each is not None), default=None)

    # What follows

    def _follow(self, pane: Pane, change: Change) -> None:
        match change:
            case KindFound():
                self._found(pane, change)
            case StateChanged():
                self._changed(pane, change)
            case KindGone():
                self._gone(pane, change)

    def _found(self, pane: Pane, change: KindFound) -> None:
        pane.last_seen = None
        agent = pane.agent
        if change.before is not None:
            agent.reports.forget()
        agent.reports.keep_of(change.kind)
        is_other = agent.launch is not None and agent.launch.kind != change.kind
        if (is_other or change.before is not None) and agent.drop_name():
            narrate.pane_updated(self.session, pane)
        narrate.agent_found(self.session, pane)
        narrate.status_shown(self.session, pane)

    def _changed(self, pane: Pane, change: StateChanged) -> None:
        self.session.state_seq += 1
        pane.agent.change_seq = self.session.state_seq
        pane.slot.seen = not change.finished
        narrate.status_shown(self.session, pane)

    def _gone(self, pane: Pane, change: KindGone) -> None:
        pane.last_seen = None
        agent = pane.agent
        agent.reports.forget()
        pane.slot.seen = True
        if agent.drop_name():
            narrate.pane_updated(self.session, pane)
        narrate.agent_gone(self.session, pane, change.kind, AgentStatus.IDLE)
        narrate.status_shown(self.session, pane)
