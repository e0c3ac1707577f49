"""What the screens draw, as one value: the picture, what was answered here, and the time."""

from dataclasses import dataclass, field

from collie.client.picture import Link, Picture
from collie.tui.answers import Answer
from collie.tui.present import workspace_labels
from collie.tui.questions import Question, questions_of


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """`now_ms` is wall time, `lost_at_ms` when the session with the daemon was lost (0 while it was not), `hosting`
    whether the daemon runs in this process."""

    picture: Picture = field(default_factory=Picture)
    answers: tuple[Answer, ...] = ()
    now_ms: int = 0
    lost_at_ms: int = 0
    hosting: bool = False

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
