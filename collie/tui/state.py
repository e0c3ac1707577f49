"""What the screens draw, as one value: the picture, what was answered here, and the time."""

from dataclasses import dataclass, field

from collie.client.picture import Link, Picture
from collie.protocol.models import HostState
from collie.tui.answers import Answer
from collie.tui.lines import Line
from collie.tui.present import banner, workspace_labels
from collie.tui.questions import Question, questions_of


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """`now_ms` is wall time, `lost_at_ms` when the session with the daemon was lost (0 while it was not), `hosting`
    whether the daemon runs in this process, `known_lost` the agents of a lost host that the reader knows are gone."""

    picture: Picture = field(default_factory=Picture)
    answers: tuple[Answer, ...] = ()
    now_ms: int = 0
    lost_at_ms: int = 0
    hosting: bool = False
    known_lost: tuple[str, ...] = ()

    @property
    def questions(self) -> tuple[Question, ...]:
        """The questions to be shown now."""
        return questions_of(self.picture, self.answers, self.now_ms)

    @property
    def labels(self) -> dict[str, str]:
        """What each workspace is called."""
        return workspace_labels(self.picture)

    @property
    def lost_ms(self) -> int:
        """How long ago the daemon was lost."""
        return self.now_ms - self.lost_at_ms if self.picture.link is Link.LOST else 0

    @property
    def news_of_lost(self) -> tuple[str, ...]:
        """The agents that went with a host which is back, until the reader knows."""
        host = self.picture.host
        if self.picture.link is not Link.CONNECTED or host is None or host.state is not HostState.UP:
            return ()
        return host.lost if host.lost != self.known_lost else ()

    def banner(self, width: int) -> tuple[Line, ...]:
        """What is or was wrong, on rows of `width` cells; () when nothing is."""
        return banner(self.picture, self.lost_ms, width, gone=self.news_of_lost)
