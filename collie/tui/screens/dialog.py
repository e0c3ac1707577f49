"""What the dialogs share: esc closes without an answer, and they reach the app as what it is."""

from typing import TYPE_CHECKING, ClassVar, Generic, TypeVar, cast

from textual.binding import Binding, BindingType
from textual.screen import ModalScreen

if TYPE_CHECKING:
    from collie.tui.app import CollieApp

Answer = TypeVar("Answer")


class Dialog(ModalScreen[Answer | None], Generic[Answer]):
    """A window over the others that ends with an answer, or None.

    What has the focus first is named by AUTO_FOCUS: a dialog may be taken down before all of it is mounted.
    """

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "give_up", "close", show=False)]

    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (60, "-roomy")]  # noqa: RUF012  (Textual declares it on the instance)

    @property
    def desk(self) -> "CollieApp":
        return cast("CollieApp", self.app)

    def action_give_up(self) -> None:
        self.dismiss(None)
