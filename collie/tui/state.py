"""What the screens draw, as one value: the picture, what was answered here, and the time."""

from dataclasses import dataclass, field, replace

from collie.client.picture import Link, Picture
from collie.protocol.models import HostState
from collie.tui.answers import Answer
from collie.tui.lines import Line
from collie.tui.present import banner, workspace_labels
from collie.tui.questions import Question, questions_of


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """`now_ms` is wall time, `lost_at_ms` when the session with the daemon was lost (0 while it was not), `hosting`
    whether the daemon runs in this process, `lost` the agents that went with a host, as last told, and `known_lost`
    those of them that the reader knows are gone."""

    picture: Picture = field(default_factory=Picture)
    answers: tuple[Answer, ...] = ()
    now_ms: int = 0
    lost_at_ms: int = 0
    hosting: bool = False
    lost: tuple[str, ...] = ()
    known_lost: tuple[str, ...] = ()

    def with_picture(self, picture: Picture, now_ms: int, *, hosting: bool) -> "State":
        """The state once the daemon told more. What went with a host is kept until the reader knows of it: the daemon
        forgets it as soon as there are agents again."""
        return replace(
            self,
            picture=picture,
            now_ms=now_ms,
            lost_at_ms=(self.lost_at_ms or now_ms) if picture.link is Link.LOST else 0,
            hosting=hosting,
            lost=_lost(picture) or self.lost,
        )._forgetting()

    def knowing_lost(self) -> "State":
        """The state once the reader knows what went with the host."""
        return replace(self, known_lost=self.lost)._forgetting()

    def _forgetting(self) -> "State":
        """Without what the reader knows and the daemon tells no more: the same agents may go another time."""
        is_old = self.lost == self.known_lost and not _lost(self.picture)
        return replace(self, lost=(), known_lost=()) if is_old and self.lost else self

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
        return self.lost if self.lost != self.known_lost else ()

    def banner(self, width: int) -> tuple[Line, ...]:
        """What is or was wrong, on rows of `width` cells; () when nothing is."""
        return banner(self.picture, self.lost_ms, width, gone=self.news_of_lost)


def _lost(picture: Picture) -> tuple[str, ...]:
    return picture.host.lost if picture.host is not None else ()
