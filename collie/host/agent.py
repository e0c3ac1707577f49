"""The agent of one pane: who it is, what it does, what was reported of it. No I/O."""

from collie.agents.facts import State
from collie.herdr.models import AgentStatus
from collie.host.launch import Launch
from collie.host.reports import Reports
from collie.host.status import StatusMachine


class Agent:
    """A pane's agent; also the place for one where none runs yet.

    `change_seq` is the host's counter at the last change of its inner state, 0 before the first.
    """

    def __init__(self) -> None:
        self.name: str | None = None
        self.launch: Launch | None = None
        self.machine = StatusMachine()
        self.reports = Reports()
        self.change_seq = 0

    @property
    def is_listed(self) -> bool:
        """Whether there is an agent, or one on its way."""
        return self.name is not None or self.machine.kind is not None

    @property
    def is_launching(self) -> bool:
        """Whether it was started by name and cannot be spoken to yet."""
        return self.launch is not None and self.launch.is_pending

    def status(self, *, seen: bool) -> AgentStatus:
        """What the wire says of it: idle is `done` until somebody has looked."""
        if self.machine.state is State.IDLE and not seen:
            return AgentStatus.DONE
        return AgentStatus(self.machine.state.value)

    def begin(self, name: str, launch: Launch) -> None:
        """It is being started."""
        self.name = name
        self.launch = launch

    def drop_name(self) -> bool:
        """A launch came to nothing, or its agent is gone; whether there was a name."""
        had_name = self.name is not None
        self.name = None
        self.launch = None
        return had_name
