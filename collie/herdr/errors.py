"""What can go wrong between Collie and its host."""

from collie.errors import CollieError


class HostUnavailable(CollieError):
    """The host does not answer, or not in its own language.

    `sent` says that the request may have reached it: input that failed so may have been typed, and must not be typed
    again without a look at the screen.
    """

    def __init__(self, why: str, *, sent: bool) -> None:
        super().__init__(why)
        self.sent = sent


class HostRefused(CollieError):
    """The host refused the request. Only `code` is stable between its versions; the text is the host's own."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message or code)
        self.code = code


class ScreenChanged(HostRefused):
    """The screen is not the one that the input was meant for; nothing was written."""
