"""Messages that pass between the engine and the app."""

from textual.message import Message

from collie.client.picture import Picture


class PictureCame(Message):
    """The engine has a newer picture; one that still waits in the queue is dropped for it."""

    def __init__(self, picture: Picture) -> None:
        super().__init__()
        self.picture = picture

    def can_replace(self, message: Message) -> bool:
        return isinstance(message, PictureCame)
